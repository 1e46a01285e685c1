//! SimHash fingerprints: the pure part, without PostgreSQL.
//!
//! The way of the data, a module a step:
//!
//! ```text
//! text ── markup, chunk ── normalise ── segment ── feature ── weight ── vote ── fingerprint
//!                                          │          │
//!                                      dictionary  noise, hash, information, tally
//!
//! fingerprint ── band, tree, cluster ── distance ── similarity
//! ```
//!
//! Fingerprints are stored by users, so what a step yields is frozen by the golden vectors in `tests/data`.

#![forbid(unsafe_code)]

pub mod band;
pub mod chunk;
pub mod cluster;
pub mod dictionary;
pub mod distance;
pub mod feature;
pub mod fingerprint;
pub mod hash;
pub mod information;
pub mod markup;
pub mod memory;
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
pub mod tree;
pub mod vote;
pub mod weight;

/// Names what a fingerprint depends on. Fingerprints of equal names can be compared.
pub fn version() -> String {
    format!("simhash {ALGORITHM}, {}, noise words {}", dictionary::VERSION, noise::VERSION)
}

/// Counts the changes of the way from a text to its fingerprint.
const ALGORITHM: u32 = 2;

/// Why a fingerprint could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The features did not fit in memory.
    OutOfMemory,
}
