//! The call of an SQL function that is in progress.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::pg_sys;
use std::marker::PhantomData;

/// The call that a function is in. As an argument of a Rust function it stands for no argument of the SQL function.
#[derive(Clone, Copy)]
pub struct Call<'fcx> {
    fcinfo: pg_sys::FunctionCallInfo,
    call: PhantomData<&'fcx ()>,
}

impl<'fcx> Call<'fcx> {
    /// The call that the server made with `fcinfo`.
    ///
    /// # Safety
    /// The call is in progress for `'fcx`.
    pub unsafe fn of(fcinfo: pg_sys::FunctionCallInfo) -> Call<'fcx> {
        Call { fcinfo, call: PhantomData }
    }

    /// What the server has called with. It is valid until the call ends.
    pub fn fcinfo(self) -> pg_sys::FunctionCallInfo {
        self.fcinfo
    }
}

// SAFETY: pgrx passes what the server has called with, and the call lasts for `'fcx`.
unsafe impl<'fcx> ArgAbi<'fcx> for Call<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: pgrx passes the pointer that the server has called with, which is valid for `'fcx`.
        unsafe { Call::of(pg_sys::FunctionCallInfo::unbox_arg_unchecked(arg)) }
    }

    fn is_virtual_arg() -> bool {
        true
    }
}
