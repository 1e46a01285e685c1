//! Fingerprints of input that is not text: ready-made features, full-text vectors, numeric vectors.

use super::array::PlainArray;
use super::tsvector::TsVector;
use crate::server::error::raise;
use crate::server::interrupt;
use crate::server::text::Utf8Text;
use pgrx::{PgSqlErrorCode, pg_extern};
use simhash_text::vote::RealVotes;

/// How many elements are read between two checks for interrupts.
const ELEMENTS_PER_CHECK: usize = 4096;

/// `weight`, or an error if it is not a finite number.
pub fn finite(what: &str, weight: f64) -> f64 {
    if weight.is_finite() {
        return weight;
    }
    // As PostgreSQL writes them.
    let shown = match weight {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    };
    let message = format!("{what} must be a finite number: {shown}");
    raise(PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE, message, None, None)
}

fn check_now_and_then(index: usize) {
    if index.is_multiple_of(ELEMENTS_PER_CHECK) {
        interrupt::check();
    }
}

/// The fingerprint as SQL stores it.
fn finish(votes: &RealVotes) -> Option<i64> {
    votes.fingerprint().map(|fp| fp as i64)
}

/// `simhash_terms(text[], float8[]) → bigint`: without weights each feature weighs 1.
#[pg_extern]
fn simhash_terms(features: Option<PlainArray<Utf8Text>>, weights: Option<PlainArray<f64>>) -> Option<i64> {
    let features = features?;
    if let Some(weights) = weights.as_ref().filter(|weights| weights.len() != features.len()) {
        raise(
            PgSqlErrorCode::ERRCODE_ARRAY_ELEMENT_ERROR,
            "arrays of features and weights must have the same length".to_owned(),
            Some(format!("There are {} features and {} weights.", features.len(), weights.len())),
            None,
        );
    }
    let mut weights = weights.as_ref().map(PlainArray::iter);
    let mut votes = RealVotes::default();
    for (i, feature) in features.iter().enumerate() {
        check_now_and_then(i);
        let weight = weights.as_mut().and_then(Iterator::next).unwrap_or(1.0);
        votes.add_feature(&feature, finite("weight", weight));
    }
    finish(&votes)
}

/// The weight of a position by its label, D to A: in the proportions of ts_rank's defaults.
const LABEL_WEIGHTS: [f64; 4] = [1.0, 2.0, 4.0, 10.0];

/// `simhash(tsvector) → bigint`
#[pg_extern]
fn simhash_tsvector(vector: TsVector) -> Option<i64> {
    let mut votes = RealVotes::default();
    let mut seen = 0;
    vector.for_each(|lexeme, labels| {
        check_now_and_then(seen);
        seen += 1;
        // A stripped vector has no positions: every lexeme weighs the same.
        let weight =
            if labels.is_empty() { 1.0 } else { labels.iter().map(|l| LABEL_WEIGHTS[usize::from(*l)]).sum() };
        votes.add_feature(lexeme, weight);
    });
    finish(&votes)
}

/// `simhash_vector(float8[]) → bigint`
#[pg_extern]
fn simhash_vector(vector: PlainArray<f64>) -> Option<i64> {
    let mut votes = RealVotes::default();
    for (i, value) in vector.iter().enumerate() {
        check_now_and_then(i);
        votes.add_dimension(i as u64, vector.len(), finite("vector element", value));
    }
    finish(&votes)
}
