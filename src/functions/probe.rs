//! What probing costs, for those who choose indexes.

use super::ready_made::finite;
use crate::pg::array::PlainArray;
use pgrx::iter::TableIterator;
use pgrx::{name, pg_extern};
use simhash_core::band::Family;
use simhash_core::probe::{Slot, cheapest, price};

type CostRow = TableIterator<'static, (name!(probes, i64), name!(candidates, f64), name!(cost, f64))>;

/// `simhash_probe_cost(k int, bands int, rows float8, shares float8[]) → (probes bigint, candidates float8, cost float8)`:
/// what a search of a table of so many rows takes, of which one value of each band finds such a share. No row where no
/// set of probes is complete.
#[pg_extern]
fn simhash_probe_cost(k: i32, bands: i32, rows: f64, shares: PlainArray<f64>) -> CostRow {
    let plan = || {
        let family = Family::new(bands)?;
        let found: Vec<f64> =
            shares.iter().map(|share| finite("share", share) * finite("rows", rows)).collect();
        let slot = |(band, &rows): (usize, &f64)| Slot {
            width: family.width(band as u32),
            price: price(1.0, rows),
            takes_neighbours: true,
        };
        let slots: Vec<Slot> = found.iter().enumerate().map(slot).collect();
        let probes = (found.len() == bands as usize).then(|| cheapest(u32::try_from(k).ok()?, &slots))??;
        let candidates = probes.cost - price(1.0, 0.0) * probes.count as f64;
        Some((probes.count as i64, candidates, probes.cost))
    };
    TableIterator::new(plan())
}
