//! Band columns of indexes: what the planner can probe.

use crate::pg::expr::Expr;
use crate::pg::table::Index;
use pgrx::pg_sys;
use simhash_core::band::Family;

/// A key column of an index that is `simhash_band(fp, band, bands)`.
pub struct BandColumn<'p> {
    /// Its place among the key columns, counted from 0.
    pub at: usize,
    pub fp: Expr<'p>,
    pub band: u32,
    pub family: Family,
}

impl<'p> BandColumn<'p> {
    /// The band columns of an index, `function` being `simhash_band`.
    pub fn all_of(index: &Index<'p>, function: pg_sys::Oid) -> Vec<BandColumn<'p>> {
        let band_column = |(at, column): (usize, &Expr<'p>)| {
            let call = column.as_call().filter(|call| call.function == function)?;
            let [fp, band, bands] = call.args[..] else { return None };
            let family = Family::new(bands.as_integer()?)?;
            let band = u32::try_from(band.as_integer()?).ok().filter(|&band| band < family.bands())?;
            Some(BandColumn { at, fp, band, family })
        };
        index.columns.iter().enumerate().filter_map(band_column).collect()
    }
}
