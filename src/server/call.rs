//! The call of an SQL function that is in progress.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::pg_sys;
use std::marker::PhantomData;

/// The call that a function is in. As an argument of a function it takes no argument of the SQL function.
#[derive(Clone, Copy)]
pub struct Call<'fcx> {
    fcinfo: pg_sys::FunctionCallInfo,
    call: PhantomData<&'fcx ()>,
}

impl<'fcx> Call<'fcx> {
    /// The call that the server made with `fcinfo`.
    ///
    /// # Safety
    /// The call is in progress for as long as `'fcx`.
    pub unsafe fn of(fcinfo: pg_sys::FunctionCallInfo) -> Call<'fcx> {
        Call { fcinfo, call: PhantomData }
    }

    /// What the server has called with: valid for as long as the call.
    pub fn fcinfo(self) -> pg_sys::FunctionCallInfo {
        self.fcinfo
    }
}

// SAFETY: pgrx hands on what the server has called with, and `'fcx` is the time of that call.
unsafe impl<'fcx> ArgAbi<'fcx> for Call<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: pgrx hands on the pointer that the server has called with, which is valid for `'fcx`.
        unsafe { Call::of(pg_sys::FunctionCallInfo::unbox_arg_unchecked(arg)) }
    }

    fn is_virtual_arg() -> bool {
        true
    }
}
