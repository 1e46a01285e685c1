//! The cost of a scan: the pages that the search is expected to read.

mod path;

use super::strategy::Strategy;
use crate::near::catalog::BallCatalog;
use crate::near::estimate::default_k;
use crate::near::operators::{NEAR, SIMILAR};
use crate::server::expr::Expr;
use crate::server::settings::costs;
use path::{IndexCost, IndexPath};
use pgrx::{pg_guard, pg_sys};
use simhash_search::distance::chance;
use simhash_search::tree::cover::Cover;
use simhash_search::tree::search::leaves_of;

/// How many fingerprints are compared in the time of one operator.
const FINGERPRINTS_PER_OPERATOR: f64 = 16.0;

#[pg_guard]
#[expect(clippy::too_many_arguments, reason = "the server's signature")]
pub unsafe extern "C-unwind" fn amcostestimate(
    root: *mut pg_sys::PlannerInfo,
    path: *mut pg_sys::IndexPath,
    loops: f64,
    startup: *mut pg_sys::Cost,
    total: *mut pg_sys::Cost,
    selectivity: *mut pg_sys::Selectivity,
    correlation: *mut f64,
    pages: *mut f64,
) {
    // SAFETY: called by the planner, with valid pointers for the five results.
    unsafe {
        let reads_index_only = IndexPath::no_longer_index_only(path);
        if !is_in_order(&IndexPath::new(root, path, loops)) {
            IndexPath::no_longer_in_order(path);
        }
        IndexPath::no_longer_by_several(path);
        let mut cost = cost(&IndexPath::new(root, path, loops));
        if reads_index_only {
            cost.total += cost.table_pages;
        }
        *startup = cost.startup;
        *total = cost.total;
        *selectivity = cost.selectivity;
        *correlation = 0.0;
        *pages = cost.pages;
    }
}

/// Whether a scan returns the nearest rows first. It can do so only if it knows the scope.
fn is_in_order(path: &IndexPath) -> bool {
    path.begins_with_fingerprints() && knows_scope(path)
}

/// Whether the conditions of a scan give a value for each column of the scope.
fn knows_scope(path: &IndexPath) -> bool {
    let conditions = path.conditions();
    let says_value = |column: usize, condition: Expr| {
        let is_equality = |operator| {
            path.strategy(column, operator) == Strategy::Equal as u16 && path.has_hash(column, operator)
        };
        let operator = condition.as_operator().or_else(|| condition.as_any()).map(|(operator, ..)| operator);
        operator.is_some_and(is_equality) || condition.as_is_null().is_some()
    };
    (0..path.scope_columns())
        .all(|column| conditions.iter().any(|&(of, condition)| of == column && says_value(column, condition)))
}

/// The radius of a ball, if it is known when the query is planned.
fn radius(ball: Expr, operator: pg_sys::Oid) -> Option<i32> {
    let [_, k] = BallCatalog::beside_operator(operator)?.center_and_radius(ball)?;
    k.as_integer()
}

fn cost(path: &IndexPath) -> IndexCost {
    let generic = path.generic();
    let (all, rows) = path.size();
    let meta = path.meta();
    let leaves = leaves_of(all as u32, meta);
    let (last, knows_scope) = (path.scope_columns(), knows_scope(path));
    let radii = path.conditions().into_iter().filter(|&(column, _)| knows_scope && column == last);
    let radii = radii.filter_map(|(_, condition)| {
        let (operator, _, right) = condition.as_operator().or_else(|| condition.as_any())?;
        Some(match Strategy::from_number(path.strategy(last, operator)) {
            Some(Strategy::Within | Strategy::Overlap) => {
                radius(right, operator).unwrap_or_else(|| default_k(64 * u32::from(meta.words)))
            }
            Some(Strategy::Near) => NEAR as i32,
            Some(Strategy::Similar) => SIMILAR as i32,
            _ => 0,
        })
    });
    let cover = |k: u32| Cover::cheapest(k, meta, leaves, rows);
    let k = radii.min();
    // The rows that satisfy the conditions. A partial index does not have all rows of the table.
    let matching = generic.selectivity * path.table_rows();
    // The rows that a scan returns. With a scope there are more of them: all rows that are near by chance, also those of other
    // scopes, or all rows without a fingerprint, or all rows. With fingerprints of several words, there are also rows that are near
    // by chance in one word.
    let returned = match k {
        Some(k) if last > 0 || meta.words > 1 => u32::try_from(k).map_or(0.0, |k| cover(k).chance(k)) * rows,
        _ if last == 0 => matching,
        None if path.wants_null(last) => path.share(last) * path.table_rows(),
        _ => rows,
    };
    let returned = returned.max(matching);
    let scan = match k {
        // Without a ball, the scan reads one rotation, or the rows without a fingerprint.
        None if path.has_order() => leaves,
        None => (leaves * (returned / rows.max(1.0)).min(1.0)).max(1.0),
        // A ball with a negative radius reads nothing.
        Some(k) => u32::try_from(k).map_or(0.0, |k| cover(k).leaves) * generic.scans.max(1.0),
    };
    let preference = if last > 0 && knows_scope { WITHIN_SCOPE } else { 1.0 };
    let cost = |leaves_seen: f64| {
        let pages = (leaves_seen + leaves_seen.min(HEIGHT)).clamp(1.0, all.max(1.0));
        let entries = leaves_seen * (rows / leaves.max(1.0));
        let compared = entries * costs().operator / FINGERPRINTS_PER_OPERATOR;
        (pages, (path.fetched(pages) * generic.random_page + compared) * preference)
    };
    let (pages, whole) = cost(scan);
    let row = costs().index_row + if path.has_order() { ordering(rows) } else { 0.0 };
    let found = returned * row;
    // A search for the nearest rows has read most of its leaves before it returns the first row that is wanted.
    let before_first = if path.has_order() {
        let wanted = path.wanted_share().map_or(1.0, |share| share * matching);
        // Without a ball, the rows that match are the rows of a scope.
        let among = if k.is_none() { matching } else { rows };
        cost(cover(radius_of(wanted, among)).leaves.min(scan)).1
    } else {
        0.0
    };
    IndexCost {
        startup: generic.startup + before_first,
        total: generic.startup + whole.max(before_first) + found,
        table_pages: matching * generic.random_page,
        selectivity: (returned / path.table_rows()).min(1.0),
        pages,
    }
}

/// The distance within which `wanted` of `rows` evenly spread fingerprints are expected, or one fingerprint if `wanted` is less.
fn radius_of(wanted: f64, rows: f64) -> u32 {
    (0..64).find(|&k| chance(64, k) * rows >= wanted.max(1.0)).unwrap_or(64)
}

/// The cost to return one of `rows` rows in order: as much as the server's estimate of a sort has for each row, with log2(rows)
/// comparisons (cost_tuplesort in costsize.c). As measured, ordering a whole table by the index takes longer than a sort, and
/// returning its nearest tenth takes half as long as a sort.
fn ordering(rows: f64) -> f64 {
    2.0 * costs().operator * rows.max(2.0).log2()
}

/// The factor for the cost of an index with a scope, compared with an index on the fingerprint alone that reads as many pages. The
/// index with a scope skips the near rows of other scopes, of which the estimates know little.
const WITHIN_SCOPE: f64 = 0.9;

/// About how many inner pages lead to the leaves of one search. The upper pages are in the cache.
const HEIGHT: f64 = 2.0;
