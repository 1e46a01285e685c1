//! The call `simhash_near(fp, query, k)`.

use crate::pg::expr::{Call, Expr};
use pgrx::pg_sys;

/// A call. The two fingerprints can change places.
#[derive(Clone, Copy)]
pub struct Near<'p> {
    pub function: pg_sys::Oid,
    pub fp: Expr<'p>,
    pub query: Expr<'p>,
    pub k: Expr<'p>,
}

impl<'p> Near<'p> {
    pub fn new(call: Call<'p>) -> Option<Near<'p>> {
        match call.args[..] {
            [fp, query, k] => Some(Near { function: call.function, fp, query, k }),
            _ => None,
        }
    }

    /// The same with the fingerprints in the other order.
    pub fn swapped(self) -> Near<'p> {
        Near { fp: self.query, query: self.fp, ..self }
    }

    /// The largest distance, where it is known and means something.
    pub fn radius(&self) -> Option<u32> {
        self.k.as_integer().and_then(|k| u32::try_from(k).ok()).filter(|&k| k < 64)
    }

    /// Whether the two calls say the same about the same fingerprints.
    pub fn same(&self, other: &Near) -> bool {
        self.fp.same(other.fp) && self.query.same(other.query) && self.k.same(other.k)
    }

    /// Where its arguments stand in the text of the query: tells calls apart that say the same. Those of views have no place.
    pub fn places(&self) -> [i32; 3] {
        [self.fp, self.query, self.k].map(Expr::place)
    }

    /// Whether the two are one call, as far as places tell.
    pub fn is(&self, other: &Near) -> bool {
        self.same(other) && self.places() == other.places()
    }
}
