//! The support function of `simhash_near`: an untouched call is always correct, a rewritten one is faster.

use super::choose::{Choice, choose};
use super::{estimate, rewrite};
use crate::pg::catalog::Catalog;
use crate::pg::expr::{Call, Expr};
use crate::pg::planner::{Answer, Planner, Request, respond};
use pgrx::{Internal, pg_extern, pg_sys};

/// The call `simhash_near(fp, query, k)`. The two fingerprints can change places.
#[derive(Clone, Copy)]
pub struct Near<'p> {
    pub function: pg_sys::Oid,
    pub fp: Expr<'p>,
    pub query: Expr<'p>,
    pub k: Expr<'p>,
}

impl<'p> Near<'p> {
    fn new(call: Call<'p>) -> Option<Near<'p>> {
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
}

/// `simhash_near_support(internal) → internal`
#[pg_extern]
fn simhash_near_support(request: Internal) -> Internal {
    respond(request, |request| match request {
        Request::Simplify(call, query) => {
            let condition = query.zip(Near::new(call)).and_then(|(planner, near)| simplify(planner, near));
            condition.map_or(Answer::No, Answer::Expr)
        }
        Request::Selectivity(args, selectivity) => {
            *selectivity = estimate::near(args.get(2).and_then(|k| k.as_integer()));
            Answer::Filled
        }
        Request::Cost(request) => {
            (request.startup, request.per_tuple) = (0.0, estimate::operator_cost());
            Answer::Filled
        }
        Request::Other => Answer::No,
    })
}

/// A condition that means the same as `near` and can use indexes; `None` where the call should stay as it is.
fn simplify<'p>(planner: Planner<'p>, near: Near<'p>) -> Option<Expr<'p>> {
    let plain = |side: Expr| !side.is_volatile() && !side.has_aggregates();
    if !plain(near.fp) || !plain(near.query) || !planner.looks_up_by(near.function) {
        return None;
    }
    let (near, moved) = match compute_once(planner, near) {
        Some(near) => (near, true),
        None => (near, false),
    };
    if let Some(Choice { near, k, probes }) = choose(planner, near) {
        return Some(rewrite::probing(near, k, &probes, &Catalog::beside(near.function)?));
    }
    moved.then(|| rewrite::call(near))
}

/// The same with a side that costs much and has no columns, such as `simhash($1)` or a scalar subquery, computed once
/// for the query and not for every row.
fn compute_once<'p>(planner: Planner<'p>, near: Near<'p>) -> Option<Near<'p>> {
    if is_costly_value(planner, near.query) {
        planner.table_of(near.fp)?;
        let query = planner.compute_once(near.query, near.function)?;
        return Some(Near { query, ..near });
    }
    if is_costly_value(planner, near.fp) {
        planner.table_of(near.query)?;
        let fp = planner.compute_once(near.fp, near.function)?;
        return Some(Near { fp, ..near });
    }
    None
}

/// From how many operators' cost on a value is computed once.
const COSTLY: f64 = 10.0;

fn is_costly_value(planner: Planner, side: Expr) -> bool {
    !side.is_plain_value()
        && !planner.has_columns(side)
        && !side.has_inner_parameters()
        && (side.has_subquery() || planner.cost(side) >= COSTLY * estimate::operator_cost())
}
