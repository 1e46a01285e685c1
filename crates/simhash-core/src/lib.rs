//! SimHash fingerprints: the pure part, without PostgreSQL.
//!
//! The way of the data, a module a step:
//!
//! ```text
//! text ── chunk ── normalise ── segment ── feature ── weight ── vote ── fingerprint
//!                                  │          │
//!                              dictionary  noise, hash, information, tally
//! ```
//!
//! Fingerprints are stored by users, so what a step yields is frozen by the golden vectors in `tests/data`.

#![forbid(unsafe_code)]

pub mod chunk;
pub mod dictionary;
pub mod distance;
pub mod feature;
pub mod fingerprint;
pub mod hash;
pub mod information;
pub mod noise;
pub mod normalise;
pub mod options;
pub mod segment;
pub mod tally;
pub mod vote;
pub mod weight;

/// Why a fingerprint could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The features did not fit in memory.
    OutOfMemory,
}
