//! Aggregate states: Rust values that live as long as the aggregate needs them.

use pgrx::{Internal, PgMemoryContexts, pg_sys};

/// The state of an aggregate, made on first use.
///
/// # Safety
/// `state` is the aggregate's state argument: NULL, or made by this function or by `new_state` with the same `T`.
pub unsafe fn state<'a, T: Default>(state: Internal, fcinfo: pg_sys::FunctionCallInfo) -> &'a mut T {
    // SAFETY: the caller vouches for the pointer, and the aggregate's memory context outlives the call.
    unsafe {
        let pointer = match state.unwrap() {
            Some(datum) => datum.cast_mut_ptr::<T>(),
            None => new_state(T::default(), fcinfo),
        };
        &mut *pointer
    }
}

/// Puts `value` where the aggregate keeps its states. It is dropped with them.
pub fn new_state<T>(value: T, fcinfo: pg_sys::FunctionCallInfo) -> *mut T {
    let mut context = std::ptr::null_mut();
    // SAFETY: asks the executor about this very call; outside an aggregate it answers 0.
    let kind = unsafe { pg_sys::AggCheckCallContext(fcinfo, &mut context) };
    assert!(kind != 0, "an aggregate's function is called by an aggregate");
    PgMemoryContexts::For(context).leak_and_drop_on_delete(value)
}

/// The state as the server passes it on.
pub fn to_internal<T>(state: &mut T) -> Internal {
    Internal::from(Some(pg_sys::Datum::from(std::ptr::from_mut(state))))
}
