//! How many rows the operators of an index let through: as many as `simhash_near` does that means the same.

use super::operators::bits_of_name;
use crate::pg::catalog::BallCatalog;
use crate::pg::expr::Expr;
use crate::pg::from_planner::FromPlanner;
use crate::pg::statistics::{Join, Restriction};
use crate::planner::selectivity::near;
use pgrx::{pg_extern, pg_sys};

/// `simhash_sel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_sel(root: FromPlanner, operator: pg_sys::Oid, args: FromPlanner, relation: i32) -> f64 {
    let restriction = Restriction::new(root, operator, args, relation);
    let arguments = arguments(&restriction.sides(), operator);
    arguments.map_or(UNKNOWN, |arguments| restriction.share_near(&arguments, near))
}

/// `simhash_joinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_joinsel(
    root: FromPlanner,
    operator: pg_sys::Oid,
    args: FromPlanner,
    kind: i16,
    special: FromPlanner,
) -> f64 {
    let join = Join::new(root, operator, args, kind, special);
    let arguments = arguments(&join.sides(), operator);
    arguments.map_or(UNKNOWN, |arguments| join.share_near(&arguments, near))
}

/// The share of rows in a ball of which nothing is known.
const UNKNOWN: f64 = 1e-8;

/// The arguments of the `simhash_near` that means the same as an operator of ours with these sides; `None` where a ball is not
/// made by `simhash_ball` and is no constant.
fn arguments<'p>(sides: &[Expr<'p>], operator: pg_sys::Oid) -> Option<[Expr<'p>; 3]> {
    let [fp, other] = sides[..] else { return None };
    if let Some(bits) = bits_of_name(operator) {
        return Some([fp, other, fp.integer(bits as i32)]);
    }
    let [query, k] = parts(other, &BallCatalog::beside_operator(operator)?)?;
    Some([fp, query, k])
}

/// The center and the radius of a ball.
fn parts<'p>(ball: Expr<'p>, catalog: &BallCatalog) -> Option<[Expr<'p>; 2]> {
    if let Some(constant) = ball.as_ball(catalog.ball_type) {
        return Some([ball.bigint(constant.center), ball.integer(constant.k)]);
    }
    let call = ball.as_call().filter(|call| call.function == catalog.ball)?;
    let [query, k] = call.args[..] else { return None };
    Some([query, k])
}

/// The radius of a ball, where it is known when the query is planned.
pub fn radius(ball: Expr, operator: pg_sys::Oid) -> Option<i32> {
    let [_, k] = parts(ball, &BallCatalog::beside_operator(operator)?)?;
    k.as_integer()
}
