//! Which bands to probe: those of the cheapest family of band indexes, if it is cheaper than reading the whole table.

use super::band_column::BandColumn;
use super::estimate;
use super::support::Near;
use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use crate::pg::planner::Planner;
use crate::pg::statistics::Statistics;
use crate::pg::table::{Index, PageCosts, Size, Table};
use simhash_core::band::Family;
use simhash_core::probe::{Slot, cheapest};
use std::collections::BTreeMap;

/// What to probe, and with what.
pub struct Choice<'p> {
    /// The call, `fp` being the side whose bands are indexed.
    pub near: Near<'p>,
    pub k: u32,
    pub probes: Vec<Probe>,
}

/// The probes of one band: all values within `radius` of the query's.
pub struct Probe {
    pub family: Family,
    pub band: u32,
    pub radius: u32,
}

/// A choice with what it costs.
struct Offer<'p> {
    choice: Choice<'p>,
    cost: f64,
}

/// The cheapest probes for either side of the call; `None` where none pays.
pub fn choose<'p>(planner: Planner<'p>, near: Near<'p>) -> Option<Choice<'p>> {
    let k = near.radius()?;
    let sides = [near, near.swapped()];
    let cheapest =
        sides.into_iter().filter_map(|near| offer(planner, near, k)).min_by(|a, b| a.cost.total_cmp(&b.cost));
    cheapest.map(|offer| offer.choice)
}

fn offer<'p>(planner: Planner<'p>, near: Near<'p>, k: u32) -> Option<Offer<'p>> {
    let Near { fp, query, .. } = near;
    let table = planner.table_of(fp)?;
    let duplicable = |side: Expr| !side.has_subquery() && !side.has_planned_subquery();
    if planner.has_columns_of(query, &table) || !duplicable(fp) || !duplicable(query) {
        return None;
    }
    if table.has_children() && !query.has_columns_of_level(0) {
        // A restriction is simplified again for each child, which has indexes and a size of its own.
        return None;
    }
    let catalog = Catalog::beside(near.function)?;
    let size = table.size();
    let costs = table.page_costs();
    let families = band_indexes(planner, &table, fp, &catalog, size, costs);
    let best = families.into_iter().filter_map(|(family, bands)| {
        let slots: Vec<Slot> = bands.values().copied().collect();
        let probes = cheapest(k, &slots)?;
        Some((family, bands, probes))
    });
    let (family, bands, probes) = best.min_by(|a, b| a.2.cost.total_cmp(&b.2.cost))?;
    if probes.cost >= estimate::full_scan(size, costs) {
        return None;
    }
    // The other table's rows are probed for one by one.
    let times = planner.table_of(query).map_or(1.0, |other| other.size().rows.max(1.0));
    let radii = bands.keys().zip(&probes.radii);
    let probes_of =
        |(&band, radius): (&u32, &Option<u32>)| radius.map(|radius| Probe { family, band, radius });
    let choice = Choice { near, k, probes: radii.filter_map(probes_of).collect() };
    Some(Offer { choice, cost: probes.cost * times })
}

/// The bands of `fp` that have an index, by family.
fn band_indexes(
    planner: Planner,
    table: &Table,
    fp: Expr,
    catalog: &Catalog,
    size: Size,
    costs: PageCosts,
) -> BTreeMap<Family, BTreeMap<u32, Slot>> {
    let mut families: BTreeMap<Family, BTreeMap<u32, Slot>> = BTreeMap::new();
    let mut conditions = None;
    for index in table.expression_indexes() {
        let bands = BandColumn::all_of(&index, catalog.band);
        let Some(BandColumn { at, family, band, .. }) = bands.into_iter().find(|b| b.fp.same(fp)) else {
            continue;
        };
        let mut share = band_share(&index, at, family.width(band), size);
        let mut places = 1.0;
        if at > 0 || !index.predicate.is_empty() {
            let conditions = conditions.get_or_insert_with(|| planner.conditions(table));
            let before = Before::of(&index, at, table, size, conditions);
            let Some(before) = before.filter(|_| planner.implies(conditions, &index.predicate)) else {
                continue;
            };
            share /= before.known;
            places = before.skipped;
        }
        let slot = Slot {
            width: family.width(band),
            price: estimate::probe(size, costs, share, places),
            takes_neighbours: index.takes_arrays(),
        };
        let bands = families.entry(family).or_default();
        let known = bands.entry(band).or_insert(slot);
        if (slot.takes_neighbours, -slot.price) > (known.takes_neighbours, -known.price) {
            *known = slot;
        }
    }
    families
}

/// The columns of an index before its band.
struct Before {
    /// How many values those have that a condition of the query makes known.
    known: f64,
    /// How many values the others have: a probe looks for the band behind each of them.
    skipped: f64,
}

impl Before {
    /// `None` where there is no probing behind them.
    fn of(index: &Index, at: usize, table: &Table, size: Size, conditions: &[Expr]) -> Option<Before> {
        let mut before = Before { known: 1.0, skipped: 1.0 };
        for (at, &column) in index.columns[..at].iter().enumerate() {
            let values = table.distinct_values(column, size.rows);
            let equals =
                |expr| conditions.iter().filter_map(move |&condition| index.equal_to(at, expr, condition));
            let is_fixed = |expr: Expr| !expr.has_columns_of_level(0);
            // Also by way of a column of another table: the server concludes as much.
            if equals(column).any(|expr| is_fixed(expr) || equals(expr).any(is_fixed)) {
                before.known *= values.unwrap_or(1.0).max(1.0);
            } else if index.skips_columns() {
                before.skipped *= values?.max(1.0);
            } else {
                return None;
            }
        }
        Some(before)
    }
}

/// The share of the table's rows that one probe finds: by what ANALYZE saw, but no less than if all values were equally
/// common.
fn band_share(index: &Index, at: usize, width: u32, size: Size) -> f64 {
    let uniform = (-f64::from(width)).exp2();
    // That a row agrees with itself says nothing about the others.
    let others = |statistics: Statistics| statistics.concentration(size.rows) - 1.0 / size.rows.max(1.0);
    Statistics::of(index.oid, at as i16 + 1).map_or(uniform, |statistics| others(statistics).max(uniform))
}
