//! Exact similarities of two texts.

use super::fingerprint::with_fingerprinter;
use super::jsonb::RawJsonb;
use super::options;
use crate::server::call::Call;
use crate::server::error::of_text;
use crate::server::interrupt;
use crate::server::text::Utf8Text;
use pgrx::pg_extern;
use simhash_text::options::Options;
use simhash_text::similarity::features::Comparison;
use simhash_text::similarity::{edit, passage};

/// The features of two texts.
pub fn compare(a: &str, b: &str, options: &Options) -> Comparison {
    with_fingerprinter(|f| {
        let a = f.features(a, options, &mut interrupt::check)?;
        let b = f.features(b, options, &mut interrupt::check)?;
        Comparison::of(a, b, &mut interrupt::check)
    })
}

/// `simhash_cosine(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_cosine(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    compare(&a, &b, &options::of_call(&jsonb, call)).cosine(&mut interrupt::check)
}

/// `simhash_jaccard(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_jaccard(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    compare(&a, &b, &options::of_call(&jsonb, call)).jaccard(&mut interrupt::check)
}

/// `simhash_euclidean(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_euclidean(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> Option<f64> {
    compare(&a, &b, &options::of_call(&jsonb, call)).euclidean(&mut interrupt::check)
}

/// `simhash_edit(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_edit(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> f64 {
    let reading = options::of_call(&jsonb, call).reading;
    of_text(edit::similarity(&a, &b, reading, &mut interrupt::check))
}

/// `simhash_edit_within(text, text, float8, jsonb) → boolean`
#[pg_extern]
fn simhash_edit_within(a: Utf8Text, b: Utf8Text, min_similarity: f64, jsonb: RawJsonb, call: Call) -> bool {
    let reading = options::of_call(&jsonb, call).reading;
    of_text(edit::is_similar(&a, &b, min_similarity, reading, &mut interrupt::check))
}

/// `simhash_lcs(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_lcs(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb, call: Call) -> f64 {
    let reading = options::of_call(&jsonb, call).reading;
    of_text(passage::similarity(&a, &b, reading, &mut interrupt::check))
}
