//! `simhash_explain` and `simhash_compare`: why two texts are near, or not.

use super::options;
use super::similarity::features;
use crate::pg::jsonb::RawJsonb;
use crate::pg::text::{ServerText, Utf8Text};
use pgrx::iter::TableIterator;
use pgrx::{name, pg_extern};
use simhash_core::distance::hamming;
use simhash_core::options::Options;
use simhash_core::similarity::features::{Shared, cosine, influence, margins};

type FeatureRows = TableIterator<
    'static,
    (
        name!(feature, ServerText),
        name!(weight_a, Option<f64>),
        name!(weight_b, Option<f64>),
        name!(hash, i64),
        name!(side, ServerText),
        name!(influence, f64),
    ),
>;

type Summary = TableIterator<
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
    explained(features(&a, &b, &Options::default()))
}

/// `simhash_explain(text, text, jsonb) → setof record`
#[pg_extern]
fn simhash_explain_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb) -> FeatureRows {
    explained(features(&a, &b, &options::parse(&jsonb.to_json())))
}

/// `simhash_compare(text, text) → record`
#[pg_extern]
fn simhash_compare(a: Utf8Text, b: Utf8Text) -> Summary {
    summary(features(&a, &b, &Options::default()))
}

/// `simhash_compare(text, text, jsonb) → record`
#[pg_extern]
fn simhash_compare_options(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb) -> Summary {
    summary(features(&a, &b, &options::parse(&jsonb.to_json())))
}

/// The votes of one text and the fingerprint that they make; none without features.
struct Side {
    margins: [f64; 64],
    fingerprint: Option<u64>,
}

impl Side {
    fn of(features: &[Shared], weight: fn(&Shared) -> f64) -> Side {
        let margins = margins(features.iter().map(|f| (f.hash, weight(f))));
        let bits = margins.iter().enumerate().fold(0, |bits, (i, sum)| bits | u64::from(*sum > 0.0) << i);
        let fingerprint = features.iter().any(|f| weight(f) != 0.0).then_some(bits);
        Side { margins, fingerprint }
    }

    fn both(features: &[Shared]) -> (Side, Side) {
        (Side::of(features, |f| f.weight_a), Side::of(features, |f| f.weight_b))
    }
}

fn explained(mut features: Vec<Shared>) -> FeatureRows {
    let (a, b) = Side::both(&features);
    let (a, b) = (a.fingerprint.unwrap_or(0), b.fingerprint.unwrap_or(0));
    features.sort_by(|f, g| influence(g, a, b).total_cmp(&influence(f, a, b)));
    let row = move |f: Shared| {
        let influence = influence(&f, a, b);
        let weight = |weight: f64| (weight != 0.0).then_some(weight);
        let (in_a, in_b) = (weight(f.weight_a), weight(f.weight_b));
        let side = match (in_a, in_b) {
            (Some(_), Some(_)) => "both",
            (Some(_), None) => "a",
            _ => "b",
        };
        (ServerText(f.text), in_a, in_b, f.hash as i64, ServerText(side.to_owned()), influence)
    };
    TableIterator::new(features.into_iter().map(row))
}

fn summary(features: Vec<Shared>) -> Summary {
    let (a, b) = Side::both(&features);
    let fingerprints = a.fingerprint.zip(b.fingerprint);
    let differing = fingerprints.map_or(0, |(a, b)| a ^ b);
    // Counted as the text form has them: bit 0 is the highest.
    let bits: Vec<usize> = (0..64).rev().filter(|bit| differing >> bit & 1 == 1).collect();
    let margins = |side: &Side| bits.iter().map(|&bit| side.margins[bit]).collect::<Vec<f64>>();
    TableIterator::once((
        a.fingerprint.map(|fp| fp as i64),
        b.fingerprint.map(|fp| fp as i64),
        fingerprints.map(|(a, b)| hamming(a, b) as i32),
        cosine(&features),
        bits.iter().map(|&bit| 63 - bit as i32).collect(),
        margins(&a),
        margins(&b),
    ))
}
