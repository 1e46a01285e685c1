//! `hamming`, and the functions that compare its result with k.

use pgrx::pg_extern;
use simhash_search::distance;

/// `hamming(bigint, bigint) → int`
#[pg_extern]
fn hamming(a: i64, b: i64) -> i32 {
    distance::hamming(a as u64, b as u64) as i32
}

/// `simhash_near(bigint, bigint, int) → boolean`
#[pg_extern]
fn simhash_near(a: i64, b: i64, k: i32) -> bool {
    hamming(a, b) <= k
}

/// `simhash_within(bigint, bigint, int) → boolean`
#[pg_extern]
fn simhash_within(a: i64, b: i64, k: i32) -> bool {
    simhash_near(a, b, k)
}
