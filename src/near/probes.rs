//! The rewritten condition: probes that miss nothing, then the exact distance.

use super::call::Near;
use super::catalog::Catalog;
use super::indexed_bands::Probe;
use crate::server::expr::Expr;
use simhash_search::band::Band;

/// `(band(fp, 0) = band(query, 0) OR …) AND simhash_within(fp, query, k)`. It does not call `simhash_near`, so a second
/// simplification changes nothing.
pub fn probing<'p>(near: &Near<'p>, probes: &[Probe], catalog: &Catalog) -> Expr<'p> {
    let arms: Vec<Expr> = probes.iter().map(|&probe| arm(near, probe, catalog)).collect();
    let exact = Expr::call(catalog.within, &[near.fp.copy(), near.query.copy(), near.k.copy()]);
    Expr::and(&[Expr::or(&arms), exact])
}

/// The condition on one band: it equals the query's band.
fn arm<'p>(near: &Near<'p>, probe: Probe, catalog: &Catalog) -> Expr<'p> {
    let Probe { family, band } = probe;
    let band_of = |fp: Expr<'p>| {
        let numbers = [fp.integer(band as i32), fp.integer(family.bands() as i32)];
        Expr::call(catalog.band, &[fp.copy(), numbers[0], numbers[1]])
    };
    let constant = near.query.as_bigint().and_then(|fp| Band::of(fp as u64, band as i32, family));
    let value = match constant {
        Some(value) => near.fp.stored_bigint(catalog.band_type, value.to_bits() as i64),
        None => band_of(near.query),
    };
    Expr::operator(catalog.band_equals, band_of(near.fp), value)
}

/// Whether `condition` is one that `probing` writes for these fingerprints: the condition on one band, or on several bands.
pub fn is_probing(condition: Expr, fp: Expr, query: Expr, catalog: &Catalog) -> bool {
    let arms = match condition.disjuncts() {
        arms if arms.is_empty() => vec![condition],
        arms => arms,
    };
    let is_band_of = |side: Expr, fp: Expr| {
        let call = side.as_call().filter(|call| call.function == catalog.band);
        call.and_then(|call| call.args.into_iter().next()).is_some_and(|arg| arg.same(fp))
    };
    let is_constant_band = |side: Expr| {
        let band = side.as_stored_bigint(catalog.band_type).and_then(|bits| Band::from_bits(bits as u64));
        let of_query = |band: Band| Band::of(query.as_bigint()? as u64, band.band() as i32, band.family());
        band.is_some_and(|band| of_query(band) == Some(band))
    };
    let is_equality = |left: Expr, right: Expr| {
        is_band_of(left, fp) && (is_band_of(right, query) || is_constant_band(right))
    };
    let is_arm = |arm: &Expr| {
        arm.as_operator().is_some_and(|(_, left, right)| is_equality(left, right) || is_equality(right, left))
    };
    arms.iter().all(is_arm)
}
