//! The operators `~=` and `~~=`: near within a number of bits that the name of the operator fixes, as a constraint needs it.

use super::catalog::operator_name;
use pgrx::{pg_extern, pg_sys};
use simhash_search::distance::hamming;

/// How many bits may differ for `~=`.
pub const NEAR: u32 = 3;
/// How many bits may differ for `~~=`.
pub const SIMILAR: u32 = 7;

/// How many bits may differ for an operator of the extension, if its name fixes the number.
pub fn bits_of_name(operator: pg_sys::Oid) -> Option<u32> {
    match operator_name(operator).as_deref() {
        Some("~=") => Some(NEAR),
        Some("~~=") => Some(SIMILAR),
        _ => None,
    }
}

/// `simhash_near_3(bigint, bigint) → boolean`
#[pg_extern]
fn simhash_near_3(a: i64, b: i64) -> bool {
    hamming(a as u64, b as u64) <= NEAR
}

/// `simhash_near_7(bigint, bigint) → boolean`
#[pg_extern]
fn simhash_near_7(a: i64, b: i64) -> bool {
    hamming(a as u64, b as u64) <= SIMILAR
}
