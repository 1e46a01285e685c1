//! Which bands of a fingerprint are indexed, and which of them to probe.

use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use crate::pg::table::Table;
use simhash_core::band::Family;
use std::collections::{BTreeMap, BTreeSet};

/// One band of a family.
#[derive(Clone, Copy)]
pub struct Probe {
    pub family: Family,
    pub band: u32,
}

/// Bands of `fp` with indexes on `table` of which two fingerprints within `k` bits have one in common: k + 1 of the family with
/// the fewest bands. `None` where there are not so many.
///
/// By the pigeonhole principle k bits that differ leave one of k + 1 bands untouched.
pub fn to_probe(table: &Table, fp: Expr, k: u32, catalog: &Catalog) -> Option<Vec<Probe>> {
    let needed = k as usize + 1;
    let (family, bands) = indexed(table, fp, catalog).into_iter().find(|(_, bands)| bands.len() >= needed)?;
    // The wider bands come first.
    Some(bands.into_iter().take(needed).map(|band| Probe { family, band }).collect())
}

/// The bands of `fp` that are columns of an index, by family, the one with the fewest bands first.
fn indexed(table: &Table, fp: Expr, catalog: &Catalog) -> BTreeMap<Family, BTreeSet<u32>> {
    let mut families = BTreeMap::<Family, BTreeSet<u32>>::new();
    let columns = table.expression_indexes().into_iter().flat_map(|index| index.columns);
    for probe in columns.filter_map(|column| band_of(column, fp, catalog)) {
        families.entry(probe.family).or_default().insert(probe.band);
    }
    families
}

/// The band that `column` is, if it is `simhash_band(fp, band, bands)`.
fn band_of(column: Expr, fp: Expr, catalog: &Catalog) -> Option<Probe> {
    let call = column.as_call().filter(|call| call.function == catalog.band)?;
    let [of, band, bands] = call.args[..] else { return None };
    let family = Family::new(bands.as_integer()?)?;
    let band = u32::try_from(band.as_integer()?).ok().filter(|&band| band < family.bands())?;
    of.same(fp).then_some(Probe { family, band })
}
