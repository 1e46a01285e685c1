//! The support functions: an unchanged call of `simhash_near` or `simhash_bit_near` is always correct, a rewritten call is faster.

use super::call::Near;
use super::catalog::{BallCatalog, Catalog, FingerprintType};
use super::planner::Planner;
use super::request::{Answer, Asked, Request, respond};
use super::{condition, estimate, indexed_bands, probes};
use crate::server::expr::Expr;
use crate::server::settings::costs;
use pgrx::{Internal, pg_extern};

/// `simhash_near_support(internal) → internal`
#[pg_extern]
fn simhash_near_support(asked: Asked) -> Internal {
    respond(asked, |request| match request {
        Request::Simplify(call, query) => {
            let condition = query.zip(Near::new(call)).and_then(|(planner, near)| simplify(planner, near));
            condition.map_or(Answer::No, Answer::Expr)
        }
        Request::Selectivity(mut request) => {
            request.answer(estimate::near(&request));
            Answer::Filled
        }
        Request::IndexCondition(question) => condition::answer(question),
        Request::Other => Answer::No,
    })
}

/// `simhash_within_support(internal) → internal`
#[pg_extern]
fn simhash_within_support(asked: Asked) -> Internal {
    respond(asked, |request| match request {
        Request::Selectivity(mut request) => match Catalog::beside(request.function()) {
            Some(catalog) => {
                request.answer(estimate::within(&request, &catalog));
                Answer::Filled
            }
            None => Answer::No,
        },
        Request::IndexCondition(question) => condition::answer(question),
        _ => Answer::No,
    })
}

/// A condition that means the same as the call and can use indexes; `None` if the call should stay as it is.
fn simplify<'p>(planner: Planner<'p>, near: Near<'p>) -> Option<Expr<'p>> {
    let plain = |side: Expr| !side.is_volatile() && !side.has_aggregates();
    if !plain(near.fp) || !plain(near.query) || !planner.looks_up_by(near.function) {
        return None;
    }
    let once = compute_once(planner, near);
    probing(planner, once.unwrap_or(near)).or_else(|| once.map(Near::to_expr))
}

/// The call as probes of bands, of either side: the server can look up the rows of either table by them. Only a bigint has bands.
fn probing<'p>(planner: Planner<'p>, near: Near<'p>) -> Option<Expr<'p>> {
    let k = near.radius()?;
    let balls = BallCatalog::beside(near.function).filter(|balls| balls.of == FingerprintType::Bigint)?;
    let catalog = Catalog::beside(near.function)?;
    let mut best: Option<(Near, Vec<indexed_bands::Probe>)> = None;
    for near in [near, near.swapped()] {
        let Near { fp, query, .. } = near;
        let Some(table) = planner.table_of(fp) else { continue };
        let is_duplicable = |side: Expr| !side.has_subquery() && !side.has_planned_subquery();
        if planner.has_columns_of(query, &table) || !is_duplicable(fp) || !is_duplicable(query) {
            return None;
        }
        if table.has_children() && !query.has_columns_of_level(0) {
            // A restriction is simplified again for each child, which has indexes of its own.
            return None;
        }
        if table.indexes_by(balls.within).iter().any(|index| index.is_of_all_rows_by(fp)) {
            return None;
        }
        let found = indexed_bands::to_probe(&table, fp, k, &catalog).map(|probes| (near, probes));
        best = [best, found].into_iter().flatten().min_by_key(|(_, probes)| probes[0].family.bands());
    }
    best.map(|(near, probes)| probes::probing(&near, &probes, &catalog))
}

/// The same call, with an expensive side that has no columns, such as `simhash($1)` or a scalar subquery, computed once for the
/// query and not for every row.
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

/// A value is computed once if it costs at least as much as this many operators.
const COSTLY: f64 = 10.0;

fn is_costly_value(planner: Planner, side: Expr) -> bool {
    !side.is_plain_value()
        && !planner.has_columns(side)
        && !side.has_inner_parameters()
        && (side.has_subquery() || planner.cost(side) >= COSTLY * costs().operator)
}
