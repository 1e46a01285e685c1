//! SimHash fingerprints of texts, and exact similarities of texts.
//!
//! The way of the data, a module a step:
//!
//! ```text
//! text ── markup ── chunk ── normalise ── segment ── feature ── weight ── vote ── fingerprint
//!                                │           │         │          │
//!                              script   dictionary   hash,     information,
//!                                                    noise       tally
//!
//! two texts ── similarity     exact, for the few candidates that a search leaves
//! a text ── sentence          the signature of its longest sentences
//! ```
//!
//! Users store fingerprints, so what a step yields is frozen by the golden vectors in `tests/data`.

#![forbid(unsafe_code)]

pub mod chunk;
pub mod dictionary;
pub mod feature;
pub mod fingerprint;
pub mod hash;
pub mod information;
pub mod markup;
pub mod noise;
pub mod normalise;
pub mod notation;
pub mod options;
mod pace;
mod script;
pub mod segment;
pub mod sentence;
pub mod similarity;
pub mod tally;
pub mod vote;
pub mod weight;

/// Names what a fingerprint depends on. Fingerprints of equal names can be compared.
pub fn version() -> String {
    format!("simhash {ALGORITHM}, {}, noise words {}", dictionary::VERSION, noise::VERSION)
}

/// Counts the changes of the way from a text to its fingerprint.
const ALGORITHM: u32 = 2;
