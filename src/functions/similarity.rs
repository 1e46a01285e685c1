//! Exact similarities of two texts, and the one that fingerprints imply.

use super::fingerprint::with_fingerprinter;
use super::options;
use crate::pg::cache::per_call_site;
use crate::pg::interrupt;
use crate::pg::jsonb::RawJsonb;
use crate::pg::text::Utf8Text;
use pgrx::{pg_extern, pg_sys};
use simhash_core::options::Options;
use simhash_core::similarity::features::{Shared, cosine, euclidean, jaccard, shared};
use simhash_core::similarity::{edit, implied_cosine, subsequence};

/// The features of two texts.
pub fn features(a: &str, b: &str, options: &Options) -> Vec<Shared> {
    let features = |text: &str| with_fingerprinter(|f| f.features(text, options, &mut interrupt::check));
    shared(features(a), features(b))
}

/// Options from jsonb, read once for a call site.
fn parsed(jsonb: &RawJsonb, fcinfo: pg_sys::FunctionCallInfo) -> Options {
    per_call_site(fcinfo, jsonb.bytes(), || options::parse(&jsonb.to_json()))
}

/// `simhash_cosine(text, text) → float8`
#[pg_extern]
fn simhash_cosine(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    cosine(&features(&a, &b, &Options::default()))
}

/// `simhash_cosine(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_cosine_options(
    a: Utf8Text,
    b: Utf8Text,
    jsonb: RawJsonb,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Option<f64> {
    cosine(&features(&a, &b, &parsed(&jsonb, fcinfo)))
}

/// `simhash_jaccard(text, text) → float8`
#[pg_extern]
fn simhash_jaccard(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    jaccard(&features(&a, &b, &Options::default()))
}

/// `simhash_jaccard(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_jaccard_options(
    a: Utf8Text,
    b: Utf8Text,
    jsonb: RawJsonb,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Option<f64> {
    jaccard(&features(&a, &b, &parsed(&jsonb, fcinfo)))
}

/// `simhash_euclidean(text, text) → float8`
#[pg_extern]
fn simhash_euclidean(a: Utf8Text, b: Utf8Text) -> Option<f64> {
    euclidean(&features(&a, &b, &Options::default()))
}

/// `simhash_euclidean(text, text, jsonb) → float8`
#[pg_extern]
fn simhash_euclidean_options(
    a: Utf8Text,
    b: Utf8Text,
    jsonb: RawJsonb,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Option<f64> {
    euclidean(&features(&a, &b, &parsed(&jsonb, fcinfo)))
}

/// `simhash_edit(text, text) → float8`
#[pg_extern]
fn simhash_edit(a: Utf8Text, b: Utf8Text) -> f64 {
    edit::similarity(&a, &b, &mut interrupt::check)
}

/// `simhash_edit_within(text, text, float8) → boolean`
#[pg_extern]
fn simhash_edit_within(a: Utf8Text, b: Utf8Text, min_similarity: f64) -> bool {
    edit::is_similar(&a, &b, min_similarity, &mut interrupt::check)
}

/// `simhash_lcs(text, text) → float8`
#[pg_extern]
fn simhash_lcs(a: Utf8Text, b: Utf8Text) -> f64 {
    subsequence::similarity(&a, &b, &mut interrupt::check)
}

/// `simhash_similarity(bigint, bigint) → float8`
#[pg_extern]
fn simhash_similarity(a: i64, b: i64) -> f64 {
    implied_cosine(a as u64, b as u64)
}
