//! Values that are made once for a call site and not for each row.

use crate::server::call::Call;
use crate::server::expr::Expr;
use pgrx::{PgMemoryContexts, pg_sys};
use std::any::Any;

/// What is kept at a call site. Functions that return one value keep nothing else there.
struct Cached {
    /// Whether the key stays the same at this call site.
    is_constant: bool,
    key: Vec<u8>,
    value: Box<dyn Any>,
}

/// The value that `make` makes of `key`, which is the last argument of the call. The value is remembered at the call site until the
/// query ends or the key changes. `make` must refuse keys of unbounded length. A key that is a constant of the query is not
/// compared. For a function that returns a set nothing is remembered, because such a function needs `fn_extra` itself.
pub fn per_call_site<T: Clone + 'static>(call: Call, key: &[u8], make: impl FnOnce() -> T) -> T {
    // SAFETY: the server gives the call in progress its FmgrInfo, or none for a direct call. If no set is returned, `fn_extra` is
    // NULL or what was put there below, and lives until the memory of the FmgrInfo is freed.
    unsafe {
        let Some(flinfo) = (*call.fcinfo()).flinfo.as_mut().filter(|flinfo| !flinfo.fn_retset) else {
            return make();
        };
        let cached = flinfo.fn_extra.cast::<Cached>().as_mut();
        if let Some(cached) = &cached
            && (cached.is_constant || cached.key == key)
            && let Some(value) = cached.value.downcast_ref::<T>()
        {
            return value.clone();
        }
        // Made first, because it may raise an error.
        let value = make();
        let is_constant = last_argument_is_constant(flinfo);
        let new = Cached { is_constant, key: key.to_vec(), value: Box::new(value.clone()) };
        match cached {
            Some(cached) => *cached = new,
            None => {
                flinfo.fn_extra = PgMemoryContexts::For(flinfo.fn_mcxt).leak_and_drop_on_delete(new).cast()
            }
        }
        value
    }
}

/// Whether the last argument of the call, which has the options, is a constant of the query. Parameters are not constants: PL/pgSQL
/// changes them between calls from the same call site.
///
/// # Safety
/// `flinfo` is that of a call in progress.
unsafe fn last_argument_is_constant(flinfo: &pg_sys::FmgrInfo) -> bool {
    // SAFETY: `fn_expr` is NULL or the expression of the call, and is valid while `flinfo` is.
    let call = unsafe { Expr::from_node(flinfo.fn_expr) }.and_then(Expr::as_call);
    call.and_then(|call| call.args.last().copied()).is_some_and(Expr::is_constant)
}
