//! What a scan costs: the pages that the search is expected to look at.

use super::Strategy;
use super::estimate::radius;
use super::operators::{NEAR, SIMILAR};
use crate::pg::index_cost::{IndexCost, IndexPath};
use crate::pg::settings::costs;
use crate::pg::version::disable_path;
use crate::planner::selectivity::chance;
use pgrx::{pg_guard, pg_sys};
use simhash_core::tree::cover::Cover;
use simhash_core::tree::search::leaves_of;

/// How many fingerprints are compared in the time of an operator.
const FINGERPRINTS_AN_OPERATOR: f64 = 16.0;

/// What k is taken to be where it is not known.
const DEFAULT_K: i32 = 3;

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
    // SAFETY: called by the planner, with places for the five results.
    unsafe {
        let reads_index_only = IndexPath::no_longer_index_only(path);
        // A scan cannot order rows by several distances after one that is NULL.
        let is_avoided = IndexPath::new(root, path, loops).distances() > 2;
        if is_avoided {
            disable_path(path);
        }
        let mut cost = cost(&IndexPath::new(root, path, loops), is_avoided);
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

fn cost(path: &IndexPath, is_avoided: bool) -> IndexCost {
    let generic = path.generic();
    let (all, rows) = path.size();
    let meta = path.meta();
    let leaves = leaves_of(all as u32, meta);
    let k = path.conditions().into_iter().filter_map(|condition| {
        let (operator, _, right) = condition.as_operator()?;
        Some(match Strategy::from_number(path.strategy(operator)) {
            Some(Strategy::Within | Strategy::Overlap) => radius(right, operator).unwrap_or(DEFAULT_K),
            Some(Strategy::Near) => NEAR as i32,
            Some(Strategy::Similar) => SIMILAR as i32,
            _ => 0,
        })
    });
    let visits = |k: u32| Cover::cheapest(k, meta, leaves).leaves;
    let scan = match k.min() {
        // Without a ball it reads one rotation, or the rows without a fingerprint.
        None if path.is_ordered() => leaves,
        None => (leaves * generic.selectivity).max(1.0),
        // A ball without radius reads nothing.
        Some(k) => u32::try_from(k).map_or(0.0, visits),
    };
    let cost = |leaves_seen: f64| {
        let pages = (leaves_seen + leaves_seen.min(HEIGHT)).clamp(1.0, all.max(1.0));
        let entries = leaves_seen * (rows / leaves.max(1.0));
        let compared = entries * costs().operator / FINGERPRINTS_AN_OPERATOR;
        (pages, path.fetched(pages) * generic.random_page + compared)
    };
    let (pages, whole) = cost(scan);
    // A search for the nearest rows has looked at most of its leaves before it returns the first of those that are wanted.
    let before_first = match path.is_ordered() {
        true => {
            let found = generic.selectivity * rows;
            let wanted = path.wanted_share().map_or(1.0, |share| share * found);
            cost(visits(radius_of(wanted, rows)).min(scan)).1
        }
        false => 0.0,
    };
    let row = costs().index_row + if path.is_ordered() { ordering(rows) } else { 0.0 };
    let found = generic.selectivity * rows * row;
    let startup = generic.startup + if is_avoided { DISABLED } else { 0.0 };
    IndexCost {
        startup: startup + before_first,
        total: startup + whole.max(before_first) + found,
        table_pages: generic.selectivity * rows * generic.random_page,
        selectivity: generic.selectivity,
        pages,
    }
}

/// The distance within which so many of `rows` evenly spread fingerprints are expected, and one at least.
fn radius_of(wanted: f64, rows: f64) -> u32 {
    (0..64).find(|&k| chance(k) * rows >= wanted.max(1.0)).unwrap_or(64)
}

/// What it costs to return a row in its place among so many: as much as the server takes a sort of all for, in which they
/// are compared about this often (cost_tuplesort in costsize.c). As measured: ordering a whole table by the index takes
/// longer than a sort, the nearest tenth of it half as long.
fn ordering(rows: f64) -> f64 {
    2.0 * costs().operator * rows.max(2.0).log2()
}

/// More than any other plan costs; before PostgreSQL 18 also more than one that a setting disables.
const DISABLED: f64 = 1e15;

/// How many inner pages lead to the leaves of one search, about: upper ones are in the cache.
const HEIGHT: f64 = 2.0;
