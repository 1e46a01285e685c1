//! The rewritten condition: probes that miss nothing, then the exact distance.

use super::choose::{Probe, Search};
use super::near::Near;
use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use simhash_core::band::{Band, neighbours};

/// `(band(fp, 0) = band(query, 0) OR …) AND simhash_within(fp, query, k)`. It has no `simhash_near`, so that simplifying
/// it again changes nothing.
pub fn probing<'p>(search: &Search<'p>, probes: &[Probe]) -> Expr<'p> {
    let Search { near, catalog, .. } = search;
    let source = array_source(search, probes);
    let arms: Vec<Expr> = probes.iter().map(|probe| arm(search, source, probe)).collect();
    let exact =
        Expr::call(catalog.within, &[near.fp.copy(), near.query.copy(), near.fp.integer(search.k as i32)]);
    Expr::and(&[Expr::or(&arms), exact])
}

/// How many values of arrays the planner may see in a query. It estimates the rows of each one, some 250 bytes that it
/// does not free.
const SEEN_VALUES: f64 = 65536.0;

/// The query fingerprint that arrays are computed from: the query's, as a value that the planner cannot
/// evaluate where it is a constant and the arrays of all partitions together would have too many values.
fn array_source<'p>(search: &Search<'p>, probes: &[Probe]) -> Expr<'p> {
    let query = search.near.query;
    let values =
        |probe: &Probe| neighbours(probe.family.width(probe.band), probe.radius).map_or(0.0, |n| n as f64);
    let values: f64 = probes.iter().filter(|probe| probe.radius > 0).map(values).sum();
    let is_seen = query.as_bigint().is_none() || values * search.planner.table_count() <= SEEN_VALUES;
    let unseen = || search.planner.unseen(query, search.near.function);
    if is_seen { query } else { unseen().unwrap_or(query) }
}

/// The condition of one band: equal to the query's, or equal to one of its neighbours.
fn arm<'p>(search: &Search<'p>, source: Expr<'p>, probe: &Probe) -> Expr<'p> {
    let Search { near, catalog, .. } = search;
    let bands = probe.family.bands() as i32;
    let place = || [near.fp.integer(probe.band as i32), near.fp.integer(bands)];
    let [band, of] = place();
    let indexed = Expr::call(catalog.band, &[near.fp.copy(), band, of]);
    let [band, of] = place();
    if probe.radius > 0 {
        let radius = near.fp.integer(probe.radius as i32);
        let values = Expr::call(catalog.neighbours, &[source.copy(), band, of, radius]);
        // Of a constant it is one: the server sees how many there are, and finds a row among them by hash.
        let values = if source.as_bigint().is_some() { search.planner.folded(values) } else { values };
        return Expr::any(catalog.band_equals, indexed, values);
    }
    let constant = near.query.as_bigint().and_then(|fp| Band::of(fp as u64, probe.band as i32, probe.family));
    let value = match constant {
        Some(value) => near.fp.stored_bigint(catalog.band_type, value.to_bits() as i64),
        None => Expr::call(catalog.band, &[near.query.copy(), band, of]),
    };
    Expr::operator(catalog.band_equals, indexed, value)
}

/// Whether `condition` is the probes that `probing` writes for these fingerprints: those of one band, or of several.
pub fn is_probing(condition: Expr, fp: Expr, query: Expr, catalog: &Catalog) -> bool {
    let arms = match condition.disjuncts() {
        arms if arms.is_empty() => vec![condition],
        arms => arms,
    };
    let call_of = |side: Expr, function, of: Expr| {
        let call = side.as_call().filter(|call| call.function == function);
        call.and_then(|call| call.args.into_iter().next()).is_some_and(|arg| arg.same(of))
    };
    let is_constant_band = |side: Expr| {
        let band = side.as_stored_bigint(catalog.band_type).and_then(|bits| Band::from_bits(bits as u64));
        let of_query = |band: Band| Band::of(query.as_bigint()? as u64, band.band() as i32, band.family());
        band.is_some_and(|band| of_query(band) == Some(band))
    };
    let is_equality = |left: Expr, right: Expr| {
        call_of(left, catalog.band, fp) && (call_of(right, catalog.band, query) || is_constant_band(right))
    };
    // Arrays of a constant query are constants, or computed from a value that the planner cannot evaluate.
    let is_array_of_constant = |array: Expr| {
        array.is_constant_array_of(catalog.band_type)
            || array.as_call().is_some_and(|call| call.function == catalog.neighbours)
    };
    let is_array = |array: Expr| {
        call_of(array, catalog.neighbours, query)
            || query.as_bigint().is_some() && is_array_of_constant(array)
    };
    let is_arm = |arm: &Expr| match (arm.as_any(), arm.as_operator()) {
        (Some((_, left, array)), _) => call_of(left, catalog.band, fp) && is_array(array),
        (_, Some((_, left, right))) => is_equality(left, right) || is_equality(right, left),
        _ => false,
    };
    arms.iter().all(is_arm)
}

/// The call itself.
pub fn call(near: Near) -> Expr {
    Expr::call(near.function, &[near.fp, near.query, near.k])
}
