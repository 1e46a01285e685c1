//! What the planner hands to the functions that it asks.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::pg_sys;
use std::marker::PhantomData;

/// An argument of type internal: something of the planner's, which is there as long as the call. SQL has no values of that
/// type, so no query can call such a function.
#[derive(Clone, Copy)]
pub struct FromPlanner<'fcx> {
    datum: pg_sys::Datum,
    call: PhantomData<&'fcx ()>,
}

impl FromPlanner<'_> {
    /// The pointer that it is; what it points to is as the function's protocol says.
    pub(super) fn datum(self) -> pg_sys::Datum {
        self.datum
    }
}

// SAFETY: the SQL declarations give these arguments the type internal, in functions that are STRICT; they live as long as the
// call.
unsafe impl<'fcx> ArgAbi<'fcx> for FromPlanner<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: a pointer is taken as it is.
        let datum = unsafe { arg.unbox_arg_using_from_datum::<pg_sys::Datum>() };
        FromPlanner { datum: datum.expect("a STRICT function is not called with NULL"), call: PhantomData }
    }
}
