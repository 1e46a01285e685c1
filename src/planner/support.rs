//! The support functions: an untouched call of `simhash_near` is always correct, a rewritten one is faster.

use super::choose::{Way, choose};
use super::crossing::count_of_neighbours;
use super::near::Near;
use super::{cost, rewrite, selectivity};
use crate::index::condition;
use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use crate::pg::from_planner::FromPlanner;
use crate::pg::planner::{Answer, Planner, Request, respond};
use pgrx::{Internal, pg_extern};

/// `simhash_near_support(internal) → internal`
#[pg_extern]
fn simhash_near_support(request: FromPlanner) -> Internal {
    respond(request, |request| match request {
        Request::Simplify(call, query) => {
            let condition = query.zip(Near::new(call)).and_then(|(planner, near)| simplify(planner, near));
            condition.map_or(Answer::No, Answer::Expr)
        }
        Request::Selectivity(mut request) => {
            request.answer(selectivity::near(&request));
            Answer::Filled
        }
        Request::IndexCondition(question) => condition::answer(question),
        Request::Cost(mut request) => {
            request.answer(0.0, cost::operator());
            Answer::Filled
        }
        Request::Other => Answer::No,
    })
}

/// `simhash_within_support(internal) → internal`
#[pg_extern]
fn simhash_within_support(request: FromPlanner) -> Internal {
    respond(request, |request| match request {
        Request::Selectivity(mut request) => match Catalog::beside(request.function()) {
            Some(catalog) => {
                request.answer(selectivity::within(&request, &catalog));
                Answer::Filled
            }
            None => Answer::No,
        },
        Request::Cost(mut request) => {
            request.answer(0.0, cost::operator());
            Answer::Filled
        }
        _ => Answer::No,
    })
}

/// `simhash_neighbours_support(internal) → internal`: the server does not know how many values it will have to look up.
#[pg_extern]
fn simhash_neighbours_support(request: FromPlanner) -> Internal {
    respond(request, |request| match request {
        Request::Cost(mut request) => match request.call().and_then(|call| count_of_neighbours(&call.args)) {
            Some(values) => {
                // Counted once a scan, and not for every row that is compared with the values.
                request.answer(cost::unseen_look_ups(values), cost::of_array());
                Answer::Filled
            }
            None => Answer::No,
        },
        _ => Answer::No,
    })
}

/// A condition that means the same as `written` and can use indexes; `None` where the call should stay as it is.
fn simplify<'p>(planner: Planner<'p>, written: Near<'p>) -> Option<Expr<'p>> {
    let plain = |side: Expr| !side.is_volatile() && !side.has_aggregates();
    if !plain(written.fp) || !plain(written.query) || !planner.looks_up_by(written.function) {
        return None;
    }
    let (near, moved) = match compute_once(planner, written) {
        Some(near) => (near, true),
        None => (written, false),
    };
    if let Some(choice) = choose(planner, near, written)
        && let Way::Probes(probes) = &choice.offer.way
    {
        return Some(rewrite::probing(&choice.search, probes));
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
        && (side.has_subquery() || planner.cost(side) >= COSTLY * cost::operator())
}
