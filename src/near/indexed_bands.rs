//! Which bands of a fingerprint are indexed, and which of them to probe.

use super::catalog::Catalog;
use super::table::Table;
use crate::server::expr::Expr;
use simhash_search::band::Family;
use std::collections::{BTreeMap, BTreeSet};

/// One band of a family.
#[derive(Clone, Copy)]
pub struct Probe {
    pub family: Family,
    pub band: u32,
}

/// The bands of `fp` to probe: k + 1 bands of one family, each with an index on `table`, so that two fingerprints within `k` bits
/// have at least one of them in common. The family is the one with the fewest bands; `None` if no family has enough indexed bands.
///
/// By the pigeonhole principle, k differing bits leave one of k + 1 bands unchanged. Indexes that serve every query come first. The
/// others are partial or have other columns before the band; the server finds out whether they serve this query.
pub fn to_probe(table: &Table, fp: Expr, k: u32, catalog: &Catalog) -> Option<Vec<Probe>> {
    let (needed, families) = (k as usize + 1, indexed(table, fp, catalog));
    let suffice = |bands: &BTreeSet<u32>| bands.len() >= needed;
    let of_all_rows = families.iter().find(|(_, bands)| suffice(&bands.of_all_rows));
    let (&family, bands) = of_all_rows.or_else(|| families.iter().find(|(_, bands)| suffice(&bands.any)))?;
    // The wider bands come first.
    let others = bands.any.difference(&bands.of_all_rows);
    let bands = bands.of_all_rows.iter().chain(others).take(needed);
    Some(bands.map(|&band| Probe { family, band }).collect())
}

/// The bands of a family that are columns of indexes.
#[derive(Default)]
struct Bands {
    any: BTreeSet<u32>,
    /// Those that are the first column of an index that has all rows.
    of_all_rows: BTreeSet<u32>,
}

/// The bands of `fp` that are columns of indexes, by family. The family with the fewest bands comes first.
fn indexed(table: &Table, fp: Expr, catalog: &Catalog) -> BTreeMap<Family, Bands> {
    let mut families = BTreeMap::<Family, Bands>::new();
    for index in table.expression_indexes() {
        for (at, column) in index.columns.iter().enumerate() {
            if let Some(Probe { family, band }) = band_of(*column, fp, catalog) {
                let bands = families.entry(family).or_default();
                bands.any.insert(band);
                if at == 0 && index.has_all_rows {
                    bands.of_all_rows.insert(band);
                }
            }
        }
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
