//! An index `USING simhash`: it answers the call as it is.

use super::choose::{Offer, Search, Way};
use super::cost;
use crate::index::Strategy;
use crate::pg::catalog::BallCatalog;
use crate::pg::expr::Expr;
use crate::pg::index_relation::IndexRelation;
use crate::pg::table::Index;
use simhash_core::tree::cover::Cover;
use simhash_core::tree::meta::Meta;
use simhash_core::tree::search::leaves_for;
use std::cell::OnceCell;

/// What a search by such an index costs; `None` where there is none that fits.
pub fn offer(search: &Search) -> Option<Offer> {
    let catalog = BallCatalog::beside(search.near.function)?;
    let conditions = OnceCell::new();
    let conditions = || conditions.get_or_init(|| search.planner.conditions(&search.table)).as_slice();
    let fits = |index: &Index| {
        let Some((fp, scope)) = index.columns.split_last() else { return false };
        fp.same(search.near.fp)
            && (0..scope.len()).all(|at| conditions().iter().any(|&c| says_value(search, index, at, c)))
            && (index.predicate.is_empty() || search.planner.implies(conditions(), &index.predicate))
    };
    let indexes = search.table.indexes_by(catalog.within);
    let metas =
        indexes.iter().filter(|&index| fits(index)).filter_map(|index| IndexRelation::wanted_of(index.oid));
    let pages = metas.map(|meta| pages(search.k, search.size.rows, meta)).min_by(f64::total_cmp)?;
    Some(Offer { way: Way::OwnIndex, cost: cost::pages(price(pages), search.costs) })
}

/// Whether `condition` says a value, or some, of column `at` of an index.
fn says_value(search: &Search, index: &Index, at: usize, condition: Expr) -> bool {
    let column = index.columns[at];
    let is_equality = |operator| index.strategy(at, operator) == Strategy::Equal as u16;
    let is_value = |side: Expr| !search.planner.has_columns_of(side, &search.table);
    if let Some((operator, left, right)) = condition.as_operator() {
        let is_said = |one: Expr, other: Expr| one.same(column) && is_value(other);
        return is_equality(operator) && (is_said(left, right) || is_said(right, left));
    }
    if let Some((operator, left, array)) = condition.as_any() {
        return is_equality(operator) && left.same(column) && is_value(array);
    }
    condition.as_is_null().is_some_and(|side| side.same(column))
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
