//! Values in the binary protocol.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::{Internal, pg_sys};
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

// SAFETY: the SQL declarations have this argument, of type `internal`, in receive functions alone, which are STRICT. To those
// the server hands a StringInfo.
unsafe impl<'fcx> ArgAbi<'fcx> for Message<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: an argument of type internal, as the SQL declarations say, which the server keeps as long as the call.
        let buffer = unsafe { Internal::unbox_arg_unchecked(arg) }.unwrap();
        let buffer = buffer.expect("a STRICT function is not called with NULL").cast_mut_ptr();
        Message { buffer, call: PhantomData }
    }
}
