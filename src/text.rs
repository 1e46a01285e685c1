//! Texts: SQL functions that fingerprint and compare them.
//!
//! ```text
//! text ── options ── fingerprint                      simhash, simhash128, simhash256; what triggers call
//!                 ── features                         what is hashed
//!                 ── similarity, explain, sentence    two texts; the longest sentences
//! terms, tsvector, vector ── ready_made               features that exist already
//! rows of features ── aggregate                       simhash_agg
//! ```
//!
//! The crate `simhash-text` computes. `notation` writes and reads fingerprints in hexadecimal, and `version` names what they depend
//! on. The contact with the server: `array`, `jsonb` and `tsvector` read arguments, `array` also makes results, and
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
