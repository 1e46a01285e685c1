//! Probes of band indexes: those of the cheapest family.

use super::band_column::BandColumn;
use super::choose::{Offer, Probe, Search, Way};
use super::cost;
use super::crossing::Crossing;
use crate::pg::expr::Expr;
use crate::pg::statistics::Statistics;
use crate::pg::table::{Index, Size, Table};
use simhash_core::band::{Family, neighbours};
use simhash_core::probe::{Slot, cheapest};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A band that can be probed, and the index to do it with.
pub struct Probed<'p> {
    pub slot: Slot,
    pub index: Index<'p>,
}

/// The bands of a fingerprint that can be probed, by family.
pub type Families<'p> = BTreeMap<Family, BTreeMap<u32, Probed<'p>>>;

/// The probes of one family that find everything, with the values that each probe looks up.
pub struct Plan<'f, 'p> {
    pub arms: Vec<Arm<'f, 'p>>,
    pub cost: f64,
}

/// The probe of one band.
pub struct Arm<'f, 'p> {
    pub probe: Probe,
    /// How many values it looks up.
    pub values: f64,
    pub index: &'f Index<'p>,
}

/// The cheapest probes; `None` where no set of them finds everything.
pub fn offer(search: &Search) -> Option<Offer> {
    let conditions = OnceCell::new();
    let conditions = || conditions.get_or_init(|| search.planner.conditions(&search.table)).as_slice();
    let families = band_indexes(search, &conditions);
    let crossing = Crossing { search, families: &families, conditions: &conditions };
    let plan = best_plan(search.k, &families, |plan| {
        (plan.arms.len() == 1 || search.table.has_bitmap_scans()) && crossing.allows(plan)
    })?;
    let probes = plan.arms.into_iter().map(|arm| arm.probe).collect();
    Some(Offer { way: Way::Probes(probes), cost: plan.cost })
}

/// The cheapest probes for distance `k` that are allowed.
pub fn best_plan<'f, 'p>(
    k: u32,
    families: &'f Families<'p>,
    allowed: impl Fn(&Plan) -> bool,
) -> Option<Plan<'f, 'p>> {
    let plans = families.iter().filter_map(|(&family, bands)| plan(k, family, bands));
    plans.filter(allowed).min_by(|a, b| a.cost.total_cmp(&b.cost))
}

fn plan<'f, 'p>(k: u32, family: Family, bands: &'f BTreeMap<u32, Probed<'p>>) -> Option<Plan<'f, 'p>> {
    let slots: Vec<Slot> = bands.values().map(|probed| probed.slot).collect();
    let probes = cheapest(k, &slots)?;
    let arms = bands.iter().zip(&probes.radii).filter_map(|((&band, probed), &radius)| {
        let radius = radius?;
        let values = neighbours(family.width(band), radius)? as f64;
        Some(Arm { probe: Probe { family, band, radius }, values, index: &probed.index })
    });
    Some(Plan { arms: arms.collect(), cost: probes.cost })
}

/// The bands that have an index.
fn band_indexes<'p, 'c>(search: &Search<'p>, conditions: &dyn Fn() -> &'c [Expr<'p>]) -> Families<'p>
where
    'p: 'c,
{
    let Search { planner, near, table, size, costs, catalog, .. } = search;
    let mut families = Families::new();
    for index in table.expression_indexes() {
        let bands = BandColumn::all_of(&index, catalog.band);
        let Some(BandColumn { at, family, band, .. }) = bands.into_iter().find(|b| b.fp.same(near.fp)) else {
            continue;
        };
        let mut share = band_share(&index, at, family.width(band), *size);
        let mut places = 1.0;
        if at > 0 || !index.predicate.is_empty() {
            let before = Before::of(&index, at, table, *size, conditions());
            let Some(before) = before.filter(|_| planner.implies(conditions(), &index.predicate)) else {
                continue;
            };
            share /= before.known;
            places = before.skipped;
        }
        let slot = Slot {
            width: family.width(band),
            price: cost::probe(*size, *costs, share, places),
            takes_neighbours: index.takes_arrays(),
        };
        let bands = families.entry(family).or_default();
        let better = |known: &Probed| {
            (slot.takes_neighbours, -slot.price) > (known.slot.takes_neighbours, -known.slot.price)
        };
        if bands.get(&band).is_none_or(better) {
            bands.insert(band, Probed { slot, index });
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
