//! SimHash fingerprints of texts, and exact similarities of texts.
//!
//! The data flow, one module per step:
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
//! Users store fingerprints, so the golden vectors in `tests/data` freeze the result of every step.

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

/// Names everything that a fingerprint depends on. Fingerprints with equal names can be compared.
pub fn version() -> String {
    format!("simhash {ALGORITHM}, {}, noise words {}", dictionary::VERSION, noise::VERSION)
}

/// The number of the algorithm that makes a fingerprint from a text. Every change of the algorithm increases it.
const ALGORITHM: u32 = 2;
