//! Estimates: what a scan costs, and how many rows a condition lets through.

use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use crate::pg::settings::{self, costs};
use crate::pg::statistics::{Join, Restriction};
use crate::pg::table::{PageCosts, Size};
use pgrx::{Internal, pg_extern, pg_sys};
use simhash_core::band::{Band, Family, neighbours};
use simhash_core::probe;

/// What an operator costs, in the planner's currency.
pub fn operator_cost() -> f64 {
    costs().operator
}

/// What reading the whole table and computing a distance for every row costs.
pub fn full_scan(size: Size, pages: PageCosts) -> f64 {
    if !settings::sequential_scans_allowed() {
        return f64::INFINITY;
    }
    size.pages * pages.sequential + size.rows * (costs().row + costs().operator)
}

/// What one probe costs that looks at so many places of an index and finds `share` of the rows, each on a page of its
/// own.
pub fn probe(size: Size, pages: PageCosts, share: f64, places: f64) -> f64 {
    let row = pages.random + costs().row + 2.0 * costs().operator;
    row * probe::price(places, share * size.rows)
}

/// The share of pairs of texts that are near whatever their fingerprints say, because they have a common origin.
const COPIES: f64 = 1e-8;

/// The share of rows near a query: those near by chance, and copies.
pub fn near(k: Option<i32>) -> f64 {
    let chance = match k.unwrap_or(DEFAULT_K) {
        ..0 => return 0.0,
        64.. => return 1.0,
        k => neighbours(64, k as u32).map_or(1.0, |near| near as f64 / 64f64.exp2()),
    };
    (chance + COPIES).min(1.0)
}

/// What k is taken to be where it is not known.
const DEFAULT_K: i32 = 3;

/// `simhash_band_eqsel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_band_eqsel(root: Internal, operator: pg_sys::Oid, args: Internal, relation: i32) -> f64 {
    let restriction = Restriction::new(root, operator, args, relation);
    restriction.by_statistics().unwrap_or_else(|| by_width(&restriction.sides(), operator))
}

/// `simhash_band_eqjoinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_band_eqjoinsel(
    root: Internal,
    operator: pg_sys::Oid,
    args: Internal,
    kind: i16,
    special: Internal,
) -> f64 {
    let join = Join::new(root, operator, args, kind, special);
    join.by_statistics().unwrap_or_else(|| by_width(&join.sides(), operator))
}

/// The share of rows with one value of a band of which nothing is known but its width.
fn by_width(sides: &[Expr], operator: pg_sys::Oid) -> f64 {
    let width = sides.iter().find_map(|&side| width(side, operator)).unwrap_or(DEFAULT_WIDTH);
    (-f64::from(width)).exp2()
}

/// The width of a band of which not even that is known.
const DEFAULT_WIDTH: u32 = 16;

/// How wide the band is that `side` yields, where one can tell.
fn width(side: Expr, operator: pg_sys::Oid) -> Option<u32> {
    let catalog = Catalog::beside_operator(operator)?;
    if let Some(bits) = side.as_stored_bigint(catalog.band_type) {
        return Band::from_bits(bits as u64).map(Band::width);
    }
    let call = side.as_call().filter(|call| call.function == catalog.band)?;
    let [_, band, bands] = call.args[..] else { return None };
    Some(Family::new(bands.as_integer()?)?.width(u32::try_from(band.as_integer()?).ok()?))
}
