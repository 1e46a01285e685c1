//! The call `simhash_near(fp, query, k)`.

use crate::server::expr::{Expr, FunctionCall};
use pgrx::pg_sys;

/// A call. The two fingerprints can be swapped.
#[derive(Clone, Copy)]
pub struct Near<'p> {
    pub function: pg_sys::Oid,
    pub fp: Expr<'p>,
    pub query: Expr<'p>,
    pub k: Expr<'p>,
}

impl<'p> Near<'p> {
    pub fn new(call: FunctionCall<'p>) -> Option<Near<'p>> {
        match call.args[..] {
            [fp, query, k] => Some(Near { function: call.function, fp, query, k }),
            _ => None,
        }
    }

    /// The same call with the fingerprints in the other order.
    pub fn swapped(self) -> Near<'p> {
        Near { fp: self.query, query: self.fp, ..self }
    }

    /// The largest distance, if it is a constant from 0 to 63.
    pub fn radius(&self) -> Option<u32> {
        self.k.as_integer().and_then(|k| u32::try_from(k).ok()).filter(|&k| k < 64)
    }

    /// The call as an expression.
    pub fn to_expr(self) -> Expr<'p> {
        Expr::call(self.function, &[self.fp, self.query, self.k])
    }
}
