//! Values that are made once for a call site and not for each row.

use pgrx::{PgMemoryContexts, pg_sys};

struct Cached<T> {
    key: Vec<u8>,
    value: T,
}

/// The value that `make` makes of `key`, remembered at the call site as long as the query runs and the key is the
/// same. A call site keeps values of one type only, and a function that returns rows keeps them elsewhere: not for those.
pub fn per_call_site<T: Clone + 'static>(
    fcinfo: pg_sys::FunctionCallInfo,
    key: &[u8],
    make: impl FnOnce() -> T,
) -> T {
    // SAFETY: the server hands every call its FmgrInfo, or none for a direct call. `fn_extra` is NULL or what was put
    // there below, because a function has one call of `per_call_site` and hence one type `T`.
    unsafe {
        let Some(flinfo) = (*fcinfo).flinfo.as_mut() else { return make() };
        if let Some(cached) = flinfo.fn_extra.cast::<Cached<T>>().as_mut() {
            if cached.key != key {
                *cached = Cached { key: key.to_vec(), value: make() };
            }
            return cached.value.clone();
        }
        let cached = Cached { key: key.to_vec(), value: make() };
        let value = cached.value.clone();
        flinfo.fn_extra = PgMemoryContexts::For(flinfo.fn_mcxt).leak_and_drop_on_delete(cached).cast();
        value
    }
}
