//! Texts: SQL functions that fingerprint and compare them.
//!
//! ```text
//! text ── options ── fingerprint                      simhash(text), what triggers call
//!                 ── features                         what is hashed
//!                 ── similarity, explain, sentence    two texts; the longest sentences
//! terms, tsvector, vector ── ready_made               features that are there already
//! rows of features ── aggregate                       simhash_agg
//! ```
//!
//! What is computed is in the crate `simhash-text`. The contact with the server: `array`, `jsonb` and `tsvector` read arguments,
//! `aggregate_state` and `call_site` keep what lives longer than a call.

mod aggregate;
mod aggregate_state;
mod array;
pub mod call_site;
mod explain;
mod features;
pub mod fingerprint;
mod jsonb;
mod notation;
pub mod options;
mod ready_made;
mod sentence;
mod similarity;
mod tsvector;
mod version;
