//! `simhash_explain`: why two texts are near, or not.

use super::jsonb::RawJsonb;
use super::options;
use super::similarity::compare;
use crate::server::error::of_text;
use crate::server::interrupt;
use crate::server::text::{ServerText, TextDatum, Utf8Text};
use pgrx::iter::TableIterator;
use pgrx::{name, pg_extern};
use simhash_text::similarity::explain::{Explained, Explanation};

type ExplainedRows = TableIterator<
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

/// `simhash_explain(text, text, jsonb) → setof record`
#[pg_extern]
fn simhash_explain(a: Utf8Text, b: Utf8Text, jsonb: RawJsonb) -> ExplainedRows {
    let comparison = compare(&a, &b, &options::parse(&jsonb.to_json()));
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
