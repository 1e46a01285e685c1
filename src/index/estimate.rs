//! How many rows the operators of an index let through: as many as `simhash_near` does that means the same.

use super::operators::{NEAR, SIMILAR};
use crate::pg::catalog::BallCatalog;
use crate::pg::expr::Expr;
use crate::pg::from_planner::FromPlanner;
use crate::pg::statistics::{Join, Restriction};
use crate::planner::selectivity::near;
use pgrx::{pg_extern, pg_sys};

/// `simhash_ball_sel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_ball_sel(root: FromPlanner, operator: pg_sys::Oid, args: FromPlanner, relation: i32) -> f64 {
    let restriction = Restriction::new(root, operator, args, relation);
    match arguments(&restriction.sides(), operator) {
        Some(arguments) => restriction.share_near(&arguments, near),
        None => UNKNOWN,
    }
}

/// `simhash_ball_joinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_ball_joinsel(
    root: FromPlanner,
    operator: pg_sys::Oid,
    args: FromPlanner,
    kind: i16,
    special: FromPlanner,
) -> f64 {
    let join = Join::new(root, operator, args, kind, special);
    match arguments(&join.sides(), operator) {
        Some(arguments) => join.share_near(&arguments, near),
        None => UNKNOWN,
    }
}

/// The share of rows in a ball of which nothing is known.
const UNKNOWN: f64 = 1e-8;

/// The arguments of the `simhash_near` that means the same as `fp <@ ball` or `ball @> fp`; `None` where the ball is not
/// made by `simhash_ball` and is no constant.
fn arguments<'p>(sides: &[Expr<'p>], operator: pg_sys::Oid) -> Option<[Expr<'p>; 3]> {
    let catalog = BallCatalog::beside_operator(operator)?;
    let [left, right] = sides[..] else { return None };
    let (fp, ball) = if right.type_oid() == catalog.ball_type { (left, right) } else { (right, left) };
    let [query, k] = parts(ball, &catalog)?;
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

/// `simhash_near_3_sel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_near_3_sel(root: FromPlanner, operator: pg_sys::Oid, args: FromPlanner, relation: i32) -> f64 {
    restriction(Restriction::new(root, operator, args, relation), NEAR)
}

/// `simhash_near_7_sel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_near_7_sel(root: FromPlanner, operator: pg_sys::Oid, args: FromPlanner, relation: i32) -> f64 {
    restriction(Restriction::new(root, operator, args, relation), SIMILAR)
}

/// `simhash_near_3_joinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_near_3_joinsel(
    root: FromPlanner,
    operator: pg_sys::Oid,
    args: FromPlanner,
    kind: i16,
    special: FromPlanner,
) -> f64 {
    join(Join::new(root, operator, args, kind, special), NEAR)
}

/// `simhash_near_7_joinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_near_7_joinsel(
    root: FromPlanner,
    operator: pg_sys::Oid,
    args: FromPlanner,
    kind: i16,
    special: FromPlanner,
) -> f64 {
    join(Join::new(root, operator, args, kind, special), SIMILAR)
}

fn restriction(restriction: Restriction, k: u32) -> f64 {
    let [fp, query] = restriction.sides()[..] else { return UNKNOWN };
    restriction.share_near(&[fp, query, fp.integer(k as i32)], near)
}

fn join(join: Join, k: u32) -> f64 {
    let [fp, query] = join.sides()[..] else { return UNKNOWN };
    join.share_near(&[fp, query, fp.integer(k as i32)], near)
}
