//! `hamming`, and the functions that compare its result with k, for fingerprints of type `bigint` and of type `bit`.

use crate::server::bits::BitString;
use crate::server::error::raise;
use pgrx::{PgSqlErrorCode, pg_extern};
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

/// `bit_hamming(bit, bit) → int`
#[pg_extern]
fn bit_hamming(a: BitString, b: BitString) -> i32 {
    let distance = bit_distance(a, b).unwrap_or_else(|| {
        raise(
            PgSqlErrorCode::ERRCODE_STRING_DATA_LENGTH_MISMATCH,
            "cannot compare bit strings of different lengths".to_owned(),
            Some(format!("They have {} bits and {} bits.", a.len(), b.len())),
            None,
        )
    });
    distance as i32
}

/// `simhash_bit_near(bit, bit, int) → boolean`: bit strings of different lengths are not near.
#[pg_extern]
fn simhash_bit_near(a: BitString, b: BitString, k: i32) -> bool {
    bit_distance(a, b).is_some_and(|distance| distance as i64 <= i64::from(k))
}

/// In how many bits two bit strings differ; `None` if they have different lengths.
fn bit_distance(a: BitString, b: BitString) -> Option<usize> {
    (a.len() == b.len()).then(|| distance::hamming_bytes(a.bytes(), b.bytes()))
}
