//! Values in the binary protocol.

use crate::server::datum::argument;
use pgrx::pg_sys;
use std::marker::PhantomData;

/// The message that a receive function gets.
pub struct Message<'fcx> {
    buffer: pg_sys::StringInfo,
    call: PhantomData<&'fcx ()>,
}

impl Message<'_> {
    /// The next eight bytes.
    pub fn bigint(&mut self) -> i64 {
        // SAFETY: the server's buffer, of which the call reads the next bytes; if there are too few, the server raises an error.
        unsafe { pg_sys::pq_getmsgint64(self.buffer) }
    }

    /// The next four bytes.
    pub fn integer(&mut self) -> i32 {
        // SAFETY: the server's buffer, of which the call reads the next bytes; if there are too few, the server raises an error.
        unsafe { pg_sys::pq_getmsgint(self.buffer, 4) as i32 }
    }
}

impl<'fcx> Message<'fcx> {
    /// # Safety
    /// The datum is what the server passes to a receive function, a StringInfo, which lives until the call ends.
    unsafe fn of_datum(datum: pg_sys::Datum) -> Message<'fcx> {
        Message { buffer: datum.cast_mut_ptr(), call: PhantomData }
    }
}

// The SQL declarations give only receive functions an argument of type internal of this kind.
argument!([] Message<'fcx>, Message::of_datum);
