//! `simhash_agg`: the fingerprint of features that come row by row. NULL features and weights do not count.

use super::aggregate_state::State;
use super::ready_made::finite;
use crate::server::call::Call;
use crate::server::text::Utf8Text;
use pgrx::{Internal, pg_extern};

fn add<'fcx>(
    state: Option<State<'fcx>>,
    feature: Option<Utf8Text>,
    weight: f64,
    call: Call<'fcx>,
) -> State<'fcx> {
    let mut state = state.unwrap_or_else(|| State::new(call));
    if let Some(feature) = feature {
        state.votes_mut().add_feature(&feature, weight);
    }
    state
}

/// Transition of `simhash_agg(text)`.
#[pg_extern]
fn simhash_agg_add<'fcx>(
    state: Option<State<'fcx>>,
    feature: Option<Utf8Text<'fcx>>,
    call: Call<'fcx>,
) -> State<'fcx> {
    add(state, feature, 1.0, call)
}

/// Transition of `simhash_agg(text, float8)`.
#[pg_extern]
fn simhash_agg_add_weighted<'fcx>(
    state: Option<State<'fcx>>,
    feature: Option<Utf8Text<'fcx>>,
    weight: Option<f64>,
    call: Call<'fcx>,
) -> State<'fcx> {
    match weight {
        Some(weight) => add(state, feature, finite("weight", weight), call),
        None => add(state, None, 0.0, call),
    }
}

/// Combines the states of two parallel workers.
#[pg_extern]
fn simhash_agg_combine<'fcx>(
    left: Option<State<'fcx>>,
    right: Option<State<'fcx>>,
    call: Call<'fcx>,
) -> State<'fcx> {
    let mut state = left.unwrap_or_else(|| State::new(call));
    if let Some(more) = right {
        state.votes_mut().merge(more.votes());
    }
    state
}

/// Writes a state for another process.
#[pg_extern]
fn simhash_agg_serialize(state: State) -> Vec<u8> {
    state.votes().to_bytes()
}

/// Reads what `simhash_agg_serialize` wrote.
#[pg_extern]
fn simhash_agg_deserialize<'fcx>(bytes: &'fcx [u8], _unused: Internal, call: Call<'fcx>) -> State<'fcx> {
    let mut state = State::temporary(call);
    state.votes_mut().merge_bytes(bytes).expect("bytes of simhash_agg_serialize");
    state
}

/// The fingerprint of a state. The state does not change: a window may continue with it.
#[pg_extern]
fn simhash_agg_final(state: Option<State>) -> Option<i64> {
    state?.votes().fingerprint().map(|fp| fp as i64)
}
