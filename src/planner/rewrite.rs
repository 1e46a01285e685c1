//! The rewritten condition: probes that miss nothing, then the exact distance.

use super::choose::Probe;
use super::support::Near;
use crate::pg::catalog::{Catalog, INTEGER_LE};
use crate::pg::expr::Expr;
use simhash_core::band::Band;

/// `(band(fp, 0) = band(query, 0) OR …) AND hamming(fp, query) <= k`. It has no `simhash_near`, so that simplifying it
/// again changes nothing.
pub fn probing<'p>(near: Near<'p>, k: u32, probes: &[Probe], catalog: &Catalog) -> Expr<'p> {
    let arms: Vec<Expr> = probes.iter().map(|probe| arm(near, probe, catalog)).collect();
    let distance = Expr::call(catalog.hamming, &[near.fp.copy(), near.query.copy()]);
    let exact = Expr::operator(INTEGER_LE, distance, Expr::integer(k as i32));
    Expr::and(&[Expr::or(&arms), exact])
}

/// The condition of one band: equal to the query's, or equal to one of its neighbours.
fn arm<'p>(near: Near<'p>, probe: &Probe, catalog: &Catalog) -> Expr<'p> {
    let bands = probe.family.bands() as i32;
    let place = || [Expr::integer(probe.band as i32), Expr::integer(bands)];
    let [band, of] = place();
    let indexed = Expr::call(catalog.band, &[near.fp.copy(), band, of]);
    let [band, of] = place();
    if probe.radius > 0 {
        let radius = Expr::integer(probe.radius as i32);
        let values = Expr::call(catalog.neighbours, &[near.query.copy(), band, of, radius]);
        return Expr::any(catalog.band_equals, indexed, values);
    }
    let constant = near.query.as_bigint().and_then(|fp| Band::of(fp as u64, probe.band as i32, probe.family));
    let value = match constant {
        Some(value) => Expr::stored_bigint(catalog.band_type, value.to_bits() as i64),
        None => Expr::call(catalog.band, &[near.query.copy(), band, of]),
    };
    Expr::operator(catalog.band_equals, indexed, value)
}

/// The call itself.
pub fn call(near: Near) -> Expr {
    Expr::call(near.function, &[near.fp, near.query, near.k])
}
