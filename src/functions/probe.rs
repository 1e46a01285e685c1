//! What searches cost, for those who choose indexes.

use super::ready_made::finite;
use crate::pg::array::PlainArray;
use crate::pg::error::raise;
use crate::planner::own_index;
use pgrx::iter::TableIterator;
use pgrx::{PgSqlErrorCode, name, pg_extern};
use simhash_core::band::Family;
use simhash_core::probe::{Slot, cheapest, price};
use simhash_core::tree::meta::Meta;

type CostRow = TableIterator<'static, (name!(probes, i64), name!(candidates, f64), name!(cost, f64))>;

/// `simhash_probe_cost(k int, bands int, rows float8, shares float8[]) → (probes bigint, candidates float8, cost float8)`:
/// what a search of a table of so many rows takes, of which one value of each band finds such a share. No row where no
/// set of probes is complete.
#[pg_extern]
fn simhash_probe_cost(k: i32, bands: i32, rows: f64, shares: PlainArray<f64>) -> CostRow {
    let plan = || {
        let family = Family::new(bands).filter(|family| shares.len() == family.bands() as usize)?;
        let found: Vec<f64> =
            shares.iter().map(|share| finite("share", share) * finite("rows", rows)).collect();
        let slot = |(band, &rows): (usize, &f64)| Slot {
            width: family.width(band as u32),
            price: price(1.0, rows),
            takes_neighbours: true,
        };
        let slots: Vec<Slot> = found.iter().enumerate().map(slot).collect();
        let probes = cheapest(u32::try_from(k).ok()?, &slots)?;
        let candidates = probes.cost - price(1.0, 0.0) * probes.count as f64;
        Some((probes.count as i64, candidates, probes.cost))
    };
    TableIterator::new(plan())
}

type IndexCostRow = TableIterator<'static, (name!(pages, f64), name!(cost, f64))>;

/// `simhash_index_cost(k int, total_rows float8, rotations int) → (pages float8, cost float8)`: how many pages a search
/// reads in an index `USING simhash` of so many rows, and what that costs beside probes. No row where there is nothing to
/// search for.
#[pg_extern]
fn simhash_index_cost(k: i32, total_rows: f64, rotations: i32) -> IndexCostRow {
    let Some(meta) = Meta::with_rotations(rotations) else {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("invalid number of rotations: {rotations}"),
            Some("Valid values are 1, 2 and 4.".to_owned()),
            None,
        )
    };
    let rows = finite("total_rows", total_rows);
    let pages = u32::try_from(k).ok().map(|k| own_index::pages(k, rows, meta));
    TableIterator::new(pages.map(|pages| (pages, own_index::price(pages))))
}
