//! `simhash_sentences`: the longest-sentences signature.

use super::array::BigintArray;
use super::jsonb::RawJsonb;
use super::options;
use crate::server::call::Call;
use crate::server::error::{of_text, raise};
use crate::server::interrupt;
use crate::server::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_text::sentence::signature;

/// The maximum number of sentences of a signature.
const MOST: i32 = 64;

/// `simhash_sentences(text, n int, jsonb) → bigint[]`; NULL if the text has no sentence.
#[pg_extern]
fn simhash_sentences(text: Utf8Text, n: i32, jsonb: RawJsonb, call: Call) -> Option<BigintArray> {
    let reading = options::of_call(&jsonb, call).reading;
    if !(1..=MOST).contains(&n) {
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("number of sentences is out of range: {n}"),
            Some(format!("n must be from 1 to {MOST}.")),
            None,
        );
    }
    let hashes = of_text(signature(&text, n as usize, reading, &mut interrupt::check));
    (!hashes.is_empty()).then(|| BigintArray::new(call, hashes.iter().map(|&hash| hash as i64)))
}
