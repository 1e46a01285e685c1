//! How many rows the operators select. An operator on fingerprints or balls selects as many as the `simhash_near` that means the
//! same; an operator on bands selects the rows with an equal band.

use super::catalog::{BallCatalog, Catalog};
use super::estimate::near;
use super::operator_question::OperatorQuestion;
use super::operators::bits_of_name;
use crate::server::expr::Expr;
use pgrx::{pg_extern, pg_sys};
use simhash_search::band::{Band, Family};

/// `simhash_sel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_sel(question: OperatorQuestion) -> f64 {
    of_fingerprints(&question)
}

/// `simhash_joinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_joinsel(question: OperatorQuestion) -> f64 {
    of_fingerprints(&question)
}

/// `simhash_band_eqsel(internal, oid, internal, int) → float8`
#[pg_extern]
fn simhash_band_eqsel(question: OperatorQuestion) -> f64 {
    of_bands(&question)
}

/// `simhash_band_eqjoinsel(internal, oid, internal, smallint, internal) → float8`
#[pg_extern]
fn simhash_band_eqjoinsel(question: OperatorQuestion) -> f64 {
    of_bands(&question)
}

fn of_fingerprints(question: &OperatorQuestion) -> f64 {
    let arguments = arguments(&question.sides(), question.operator());
    arguments.map_or(UNKNOWN, |arguments| question.share_near(&arguments, near))
}

/// The share of rows assumed for a ball of which nothing is known.
const UNKNOWN: f64 = 1e-8;

/// The arguments of the `simhash_near` that means the same as an operator of the extension with these sides; `None` if a ball is
/// neither made by a function of the extension nor a constant.
fn arguments<'p>(sides: &[Expr<'p>], operator: pg_sys::Oid) -> Option<[Expr<'p>; 3]> {
    let [fp, other] = sides[..] else { return None };
    if let Some(bits) = bits_of_name(operator) {
        return Some([fp, other, fp.integer(bits as i32)]);
    }
    let [query, k] = BallCatalog::beside_operator(operator)?.center_and_radius(other)?;
    Some([fp, query, k])
}

fn of_bands(question: &OperatorQuestion) -> f64 {
    question.by_statistics().unwrap_or_else(|| by_width(&question.sides(), question.operator()))
}

/// The share of rows with one value of a band of which only the width is known.
fn by_width(sides: &[Expr], operator: pg_sys::Oid) -> f64 {
    let width = sides.iter().find_map(|&side| width(side, operator)).unwrap_or(DEFAULT_WIDTH);
    (-f64::from(width)).exp2()
}

/// The width assumed for a band if the width is not known.
const DEFAULT_WIDTH: u32 = 16;

/// The width of the band that `side` yields, if it is known.
fn width(side: Expr, operator: pg_sys::Oid) -> Option<u32> {
    let catalog = Catalog::beside_operator(operator)?;
    if let Some(bits) = side.as_stored_bigint(catalog.band_type) {
        return Band::from_bits(bits as u64).map(Band::width);
    }
    let call = side.as_call().filter(|call| call.function == catalog.band)?;
    let [_, band, bands] = call.args[..] else { return None };
    Some(Family::new(bands.as_integer()?)?.width(u32::try_from(band.as_integer()?).ok()?))
}
