//! `simhash_sentences`: the longest-sentences signature.

use crate::pg::array::BigintArray;
use crate::pg::error::raise;
use crate::pg::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_extern, pg_sys};
use simhash_core::sentence::signature;

/// How many sentences a signature can have.
const MOST: i32 = 64;

/// `simhash_sentences(text, n int) → bigint[]`; NULL where the text has no sentence.
#[pg_extern]
fn simhash_sentences(text: Utf8Text, n: i32, fcinfo: pg_sys::FunctionCallInfo) -> Option<BigintArray> {
    if !(1..=MOST).contains(&n) {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("number of sentences is out of range: {n}"),
            Some(format!("A signature has 1 to {MOST} sentences.")),
            None,
        );
    }
    let hashes = signature(&text, n as usize);
    (!hashes.is_empty()).then(|| BigintArray::new(fcinfo, hashes.iter().map(|&hash| hash as i64)))
}
