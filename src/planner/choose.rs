//! Which way to find the rows: the cheapest on offer, if it is cheaper than reading the whole table.

use super::near::Near;
use super::{bands, cost, own_index};
use crate::pg::catalog::Catalog;
use crate::pg::expr::Expr;
use crate::pg::planner::Planner;
use crate::pg::table::{PageCosts, Size, Table};
use simhash_core::band::Family;

/// A search: for the rows of a table whose fingerprint is near a query.
pub struct Search<'p> {
    pub planner: Planner<'p>,
    /// The call, `fp` being made of the table's columns.
    pub near: Near<'p>,
    /// The call as the query has it.
    pub written: Near<'p>,
    pub k: u32,
    pub table: Table<'p>,
    pub size: Size,
    pub costs: PageCosts,
    pub catalog: Catalog,
}

/// A way to find the rows, and what it costs for one query fingerprint.
pub struct Offer {
    pub way: Way,
    pub cost: f64,
}

/// How to find the rows.
pub enum Way {
    /// By look-ups of band values.
    Probes(Vec<Probe>),
    /// By an index that answers the call as it is.
    OwnIndex,
}

/// The probes of one band: all values within `radius` of the query's.
pub struct Probe {
    pub family: Family,
    pub band: u32,
    pub radius: u32,
}

/// What was chosen for which side of the call.
pub struct Choice<'p> {
    pub search: Search<'p>,
    pub offer: Offer,
}

/// The cheapest way for either side of the call; `None` where none pays. `written` is the call as the query has it.
pub fn choose<'p>(planner: Planner<'p>, near: Near<'p>, written: Near<'p>) -> Option<Choice<'p>> {
    let k = near.radius()?;
    let sides = [(near, written), (near.swapped(), written.swapped())];
    let choices = sides.into_iter().filter_map(|(near, written)| {
        let search = Search::new(planner, near, written, k)?;
        let offer = best_offer(&search)?;
        Some((search.times() * offer.cost, Choice { search, offer }))
    });
    choices.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, choice)| choice)
}

/// The cheapest way to find the rows; `None` where reading the whole table is no more expensive.
fn best_offer(search: &Search) -> Option<Offer> {
    let offers = [bands::offer(search), own_index::offer(search)];
    let best = offers.into_iter().flatten().min_by(|a, b| a.cost.total_cmp(&b.cost));
    best.filter(|best| best.cost < cost::full_scan(search.size, search.costs))
}

impl<'p> Search<'p> {
    /// `None` where rows cannot be looked up by this side of the call.
    fn new(planner: Planner<'p>, near: Near<'p>, written: Near<'p>, k: u32) -> Option<Search<'p>> {
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
        let (size, costs) = (table.size(), table.page_costs());
        Some(Search { planner, near, written, k, table, size, costs, catalog })
    }

    /// How often it is made: the other table's rows are searched for one by one.
    fn times(&self) -> f64 {
        self.planner.table_of(self.near.query).map_or(1.0, |other| other.size().rows.max(1.0))
    }
}
