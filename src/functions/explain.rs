//! `simhash_explain` and `simhash_compare`: why two texts are near, or not.

use super::options;
use super::similarity::compare;
use crate::pg::error::of_text;
use crate::pg::interrupt;
use crate::pg::jsonb::RawJsonb;
use crate::pg::text::{ServerText, TextDatum, Utf8Text};
use pgrx::iter::TableIterator;
use pgrx::{name, pg_extern};
use simhash_core::options::Options;
use simhash_core::similarity::explain::{Explained, Explanation, Summary};
use simhash_core::similarity::features::Comparison;

type FeatureRows = TableIterator<
    'static,
    (
        name!(feature, TextDatum),
        name!(weight_a, Option<f64>),
        name!(weight_b, Option<f64>),
        name!(hash, i64),
        name!(side, ServerText),
        name!(influence, f64),
    ),
>;

type SummaryRow = TableIterator<
    'static,
    (
        name!(fp_a, Option<i64>),
        name!(fp_b, Option<i64>),
        name!(distance, Option<i32>),
        name!(cosine, Option<f64>),
        name!(bits, Vec<i32>),
        name!(margins_a, Vec<f64>),
        name!(margins_b, Vec<f64>),
    ),
>;

/// `simhash_explain(text, text) → setof record`
#[pg_extern]
fn simhash_explain(a: Utf8Text, b: Utf8Text) -> FeatureRows {
    rows(compare(&a, &b, &Options::default()))
}

/// `simhash_explain(text, text, jsonb) → setof record`
#[pg_extern]
fn simhash_explain_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb) -> FeatureRows {
    rows(compare(&a, &b, &options::parse(&jsonb.to_json())))
}

/// `simhash_compare(text, text) → record`
#[pg_extern]
fn simhash_compare(a: Utf8Text, b: Utf8Text) -> SummaryRow {
    summary(compare(&a, &b, &Options::default()))
}

/// `simhash_compare(text, text, jsonb) → record`
#[pg_extern]
fn simhash_compare_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb) -> SummaryRow {
    summary(compare(&a, &b, &options::parse(&jsonb.to_json())))
}

fn rows(comparison: Comparison) -> FeatureRows {
    let explanation = of_text(Explanation::of(comparison, &mut interrupt::check));
    let row = |f: Explained| {
        let side = match (f.weight_a, f.weight_b) {
            (Some(_), Some(_)) => "both",
            (Some(_), None) => "a",
            _ => "b",
        };
        let (feature, side) = (TextDatum::of(f.text), ServerText(side.to_owned()));
        (feature, f.weight_a, f.weight_b, f.hash as i64, side, f.influence)
    };
    TableIterator::new((0..).map_while(move |rank| explanation.get(rank).map(row)))
}

fn summary(comparison: Comparison) -> SummaryRow {
    let summary = Summary::of(&comparison, &mut interrupt::check);
    // Counted as the text form has them: bit 0 is the highest.
    let bits = summary.bits.iter().map(|&bit| 63 - bit as i32).collect();
    TableIterator::once((
        summary.fingerprint_a.map(|fp| fp as i64),
        summary.fingerprint_b.map(|fp| fp as i64),
        summary.distance.map(|distance| distance as i32),
        summary.cosine,
        bits,
        summary.margins_a,
        summary.margins_b,
    ))
}
