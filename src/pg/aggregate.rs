//! Aggregate states: Rust values that live as long as the aggregate needs them.

use pgrx::{Internal, PgMemoryContexts, pg_sys};

/// The state of an aggregate, made on first use. An aggregate has states of one type, and only its own functions are
/// declared to take them, so that `T` is always the type that was put there.
pub fn state<'a, T: Default>(state: Internal, fcinfo: pg_sys::FunctionCallInfo) -> &'a mut T {
    let pointer = match state.unwrap() {
        Some(datum) => datum.cast_mut_ptr::<T>(),
        None => new_state(T::default(), fcinfo),
    };
    // SAFETY: made by `new_state` with this type, as said above, in a memory context that outlives the call.
    unsafe { &mut *pointer }
}

/// A state that is there already, or none.
pub fn existing<T>(state: &Internal) -> Option<&T> {
    // SAFETY: NULL, or made by `new_state` with this type, as for `state`.
    unsafe { state.get::<T>() }
}

/// Puts `value` where the aggregate keeps its states. It is dropped with them.
fn new_state<T>(value: T, fcinfo: pg_sys::FunctionCallInfo) -> *mut T {
    let mut context = std::ptr::null_mut();
    // SAFETY: asks the executor about this very call; outside an aggregate it answers 0.
    let kind = unsafe { pg_sys::AggCheckCallContext(fcinfo, &mut context) };
    assert!(kind != 0, "an aggregate's function is called by an aggregate");
    PgMemoryContexts::For(context).leak_and_drop_on_delete(value)
}

/// A new state of the aggregate, as the server passes it on.
pub fn to_new_internal<T>(value: T, fcinfo: pg_sys::FunctionCallInfo) -> Internal {
    Internal::from(Some(pg_sys::Datum::from(new_state(value, fcinfo))))
}

/// The state as the server passes it on.
pub fn to_internal<T>(state: &mut T) -> Internal {
    Internal::from(Some(pg_sys::Datum::from(std::ptr::from_mut(state))))
}
