//! What a scan costs, in the planner's currency.

use crate::pg::settings::{self, costs};
use crate::pg::table::{PageCosts, Size};
use simhash_core::probe;

/// What an operator costs.
pub fn operator() -> f64 {
    costs().operator
}

/// What reading the whole table and computing a distance for every row costs.
pub fn full_scan(size: Size, pages: PageCosts) -> f64 {
    if !settings::sequential_scans_allowed() {
        return f64::INFINITY;
    }
    size.pages * pages.sequential + size.rows * (costs().row + costs().operator)
}

/// What one probe costs that looks at so many places of an index and finds `share` of the rows, each on a page of its
/// own.
pub fn probe(size: Size, pages: PageCosts, share: f64, places: f64) -> f64 {
    let row = pages.random + costs().row + 2.0 * costs().operator;
    row * probe::price(places, share * size.rows)
}

/// What reading so many pages here and there costs.
pub fn pages(number: f64, pages: PageCosts) -> f64 {
    number * pages.random
}

/// What the server does not know that looking up `values` values of an array costs: it takes arrays that it cannot see
/// for ten elements.
pub fn unseen_look_ups(values: f64) -> f64 {
    (values - SEEN).max(0.0) * DESCENT * costs().operator
}

/// How many elements an array is taken to have (estimate_array_length in selfuncs.c).
const SEEN: f64 = 10.0;

/// What the server takes a descent of a B-tree for, in operators: 50 a level, and the comparisons (btcostestimate in
/// selfuncs.c), in an index of three levels and a million entries.
const DESCENT: f64 = 3.0 * 50.0 + 20.0;

/// What computing an array of values costs.
pub fn of_array() -> f64 {
    ARRAY * costs().operator
}

/// What computing an array costs, in operators.
const ARRAY: f64 = 100.0;
