//! Values in the binary protocol.

use pgrx::{Internal, pg_sys};

/// The next eight bytes of the message that a receive function is given.
pub fn bigint(buffer: Internal) -> i64 {
    let message = buffer.unwrap().expect("a receive function is given a message");
    // SAFETY: the server hands a receive function, declared to take `internal`, a StringInfo.
    unsafe { pg_sys::pq_getmsgint64(message.cast_mut_ptr()) }
}
