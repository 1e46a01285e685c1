//! `simhash_agg`: the fingerprint of features that come row by row. NULL features and weights do not count.

use super::ready_made::finite;
use crate::pg::aggregate::{existing, state, to_internal, to_new_internal};
use crate::pg::text::Utf8Text;
use pgrx::{Internal, pg_extern, pg_sys};
use simhash_core::exact::ExactVotes;

fn add(
    votes: Internal,
    feature: Option<Utf8Text>,
    weight: f64,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Internal {
    let votes: &mut ExactVotes = state(votes, fcinfo);
    if let Some(feature) = feature {
        votes.add_feature(&feature, weight);
    }
    to_internal(votes)
}

/// Transition of `simhash_agg(text)`.
#[pg_extern]
fn simhash_agg_add(votes: Internal, feature: Option<Utf8Text>, fcinfo: pg_sys::FunctionCallInfo) -> Internal {
    add(votes, feature, 1.0, fcinfo)
}

/// Transition of `simhash_agg(text, float8)`.
#[pg_extern]
fn simhash_agg_add_weighted(
    votes: Internal,
    feature: Option<Utf8Text>,
    weight: Option<f64>,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Internal {
    match weight {
        Some(weight) => add(votes, feature, finite("weight", weight), fcinfo),
        None => add(votes, None, 0.0, fcinfo),
    }
}

/// Joins the states of two parallel workers.
#[pg_extern]
fn simhash_agg_combine(left: Internal, right: Internal, fcinfo: pg_sys::FunctionCallInfo) -> Internal {
    let votes: &mut ExactVotes = state(left, fcinfo);
    if let Some(more) = existing(&right) {
        votes.merge(more);
    }
    to_internal(votes)
}

/// Writes a state for another process.
#[pg_extern]
fn simhash_agg_serialize(votes: Internal) -> Vec<u8> {
    existing(&votes).map(ExactVotes::to_bytes).unwrap_or_default()
}

/// Reads what `simhash_agg_serialize` wrote.
#[pg_extern]
fn simhash_agg_deserialize(bytes: &[u8], _unused: Internal, fcinfo: pg_sys::FunctionCallInfo) -> Internal {
    let votes = ExactVotes::from_bytes(bytes).expect("bytes of simhash_agg_serialize");
    to_new_internal(votes, fcinfo)
}

/// The fingerprint of a state, which stays as it is: a window may go on with it.
#[pg_extern]
fn simhash_agg_final(votes: Internal) -> Option<i64> {
    let votes: &ExactVotes = existing(&votes)?;
    votes.fingerprint().map(|fp| fp as i64)
}
