//! Values in the binary protocol.

use crate::server::datum::argument;
use pgrx::pg_sys;
use std::marker::PhantomData;

/// The message that a receive function is given.
pub struct Message<'fcx> {
    buffer: pg_sys::StringInfo,
    call: PhantomData<&'fcx ()>,
}

impl Message<'_> {
    /// The next eight bytes.
    pub fn bigint(&mut self) -> i64 {
        // SAFETY: the server's buffer, of which this reads what is there; less is the server's error.
        unsafe { pg_sys::pq_getmsgint64(self.buffer) }
    }

    /// The next four bytes.
    pub fn integer(&mut self) -> i32 {
        // SAFETY: the server's buffer, of which this reads what is there; less is the server's error.
        unsafe { pg_sys::pq_getmsgint(self.buffer, 4) as i32 }
    }
}

impl<'fcx> Message<'fcx> {
    /// # Safety
    /// The datum is what the server hands to a receive function, a StringInfo, which lives as long as the call.
    unsafe fn of_datum(datum: pg_sys::Datum) -> Message<'fcx> {
        Message { buffer: datum.cast_mut_ptr(), call: PhantomData }
    }
}

// The SQL declarations have arguments of type internal of this kind in receive functions alone.
argument!([] Message<'fcx>, Message::of_datum);
