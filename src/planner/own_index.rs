//! An index `USING simhash`: it answers the call as it is.

use super::choose::{Offer, Search, Way};
use super::cost;
use crate::pg::catalog::BallCatalog;
use crate::pg::index_relation::IndexRelation;
use simhash_core::tree::cover::Cover;
use simhash_core::tree::meta::Meta;
use simhash_core::tree::search::leaves_for;

/// What a search by such an index costs; `None` where there is none that fits.
pub fn offer(search: &Search) -> Option<Offer> {
    let catalog = BallCatalog::beside(search.near.function)?;
    let fits = |index: &crate::pg::table::Index| {
        index.columns.first().is_some_and(|column| column.same(search.near.fp))
            && (index.predicate.is_empty()
                || search.planner.implies(&search.planner.conditions(&search.table), &index.predicate))
    };
    let indexes = search.table.indexes_by(catalog.within);
    let metas =
        indexes.iter().filter(|&index| fits(index)).filter_map(|index| IndexRelation::wanted_of(index.oid));
    let pages = metas.map(|meta| pages(search.k, search.size.rows, meta)).min_by(f64::total_cmp)?;
    Some(Offer { way: Way::OwnIndex, cost: cost::pages(price(pages), search.costs) })
}

/// How many pages a search reads in an index of so many rows and rotations.
pub fn pages(k: u32, rows: f64, meta: Meta) -> f64 {
    Cover::cheapest(k, meta, leaves_for(rows)).leaves + INNER_PAGES
}

/// What reading so many pages costs, in fetched rows: beside what look-ups of bands cost, measured with everything in
/// memory.
pub fn price(pages: f64) -> f64 {
    0.5 * pages
}

/// How many pages above the leaves are not in the cache, about.
const INNER_PAGES: f64 = 2.0;
