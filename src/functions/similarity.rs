//! Exact similarities of two texts, and the one that fingerprints imply.

use super::fingerprint::with_fingerprinter;
use super::options;
use crate::pg::call::Call;
use crate::pg::error::of_text;
use crate::pg::interrupt;
use crate::pg::jsonb::RawJsonb;
use crate::pg::text::Utf8Text;
use pgrx::pg_extern;
use simhash_core::options::{Options, Reading};
use simhash_core::similarity::features::Comparison;
use simhash_core::similarity::{edit, implied_cosine, subsequence};

/// The features of two texts.
pub fn compare(a: &str, b: &str, options: &Options) -> Comparison {
    with_fingerprinter(|f| {
        let a = f.features(a, options, &mut interrupt::check)?;
        let b = f.features(b, options, &mut interrupt::check)?;
        Comparison::of(a, b, &mut interrupt::check)
    })
}

/// `simhash_cosine(text, text) → float8`
#[pg_extern]
fn simhash_cosine(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    compare(&a, &b, &Options::default()).cosine(&mut interrupt::check)
}

/// `simhash_cosine(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_cosine_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    let options = options::of_call(&jsonb, call);
    compare(&a, &b, &options).cosine(&mut interrupt::check)
}

/// `simhash_jaccard(text, text) → float8`
#[pg_extern]
fn simhash_jaccard(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    compare(&a, &b, &Options::default()).jaccard(&mut interrupt::check)
}

/// `simhash_jaccard(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_jaccard_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    let options = options::of_call(&jsonb, call);
    compare(&a, &b, &options).jaccard(&mut interrupt::check)
}

/// `simhash_euclidean(text, text) → float8`
#[pg_extern]
fn simhash_euclidean(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    compare(&a, &b, &Options::default()).euclidean(&mut interrupt::check)
}

/// `simhash_euclidean(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_euclidean_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    let options = options::of_call(&jsonb, call);
    compare(&a, &b, &options).euclidean(&mut interrupt::check)
}

/// `simhash_edit(text, text) → float8`
#[pg_extern]
fn simhash_edit(a: Utf8Text, b: Utf8Text) -> f64 {
    of_text(edit::similarity(&a, &b, Reading::default(), &mut interrupt::check))
}

/// `simhash_edit(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_edit_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> f64 {
    let options = options::of_call(&jsonb, call);
    of_text(edit::similarity(&a, &b, options.reading, &mut interrupt::check))
}

/// `simhash_edit_within(text, text, float8) → boolean`
#[pg_extern]
fn simhash_edit_within(a: Utf8Text, b: Utf8Text, min_similarity: f64) -> bool {
    of_text(edit::is_similar(&a, &b, min_similarity, Reading::default(), &mut interrupt::check))
}

/// `simhash_edit_within(text, text, float8, jsonb) → boolean`
#[pg_extern]
fn simhash_edit_within_options(
    a: Utf8Text,
    b: Utf8Text,
    min_similarity: f64,
    jsonb: RawJsonb,
    call: Call,
) -> bool {
    let options = options::of_call(&jsonb, call);
    of_text(edit::is_similar(&a, &b, min_similarity, options.reading, &mut interrupt::check))
}

/// `simhash_lcs(text, text) → float8`
#[pg_extern]
fn simhash_lcs(a: Utf8Text, b: Utf8Text) -> f64 {
    of_text(subsequence::similarity(&a, &b, Reading::default(), &mut interrupt::check))
}

/// `simhash_lcs(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_lcs_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> f64 {
    let options = options::of_call(&jsonb, call);
    of_text(subsequence::similarity(&a, &b, options.reading, &mut interrupt::check))
}

/// `simhash_similarity(bigint, bigint) → float8`
#[pg_extern]
fn simhash_similarity(a: i64, b: i64) -> f64 {
    implied_cosine(a as u64, b as u64)
}
