//! `simhash_features`: what is hashed, and why.

use super::fingerprint::with_fingerprinter;
use super::jsonb::RawJsonb;
use super::options;
use crate::server::interrupt;
use crate::server::text::{TextDatum, Utf8Text};
use pgrx::iter::TableIterator;
use pgrx::{name, pg_extern};
use simhash_text::fingerprint::Feature;

type FeatureRows = TableIterator<'static, (name!(feature, TextDatum), name!(weight, f64), name!(hash, i64))>;

/// `simhash_features(text, jsonb) → setof (feature text, weight float8, hash bigint)`
#[pg_extern]
fn simhash_features(text: Utf8Text, jsonb: RawJsonb) -> FeatureRows {
    let options = options::parse(&jsonb.to_json());
    let features = with_fingerprinter(|f| f.features(&text, &options, &mut interrupt::check));
    let row = |f: Feature| (TextDatum::of(f.text), f.weight, f.hash as i64);
    TableIterator::new((0..).map_while(move |number| features.get(number).map(row)))
}
