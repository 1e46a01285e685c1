//! Exact similarities of two texts: the second stage, for the few candidates that the comparison of fingerprints returns.
//!
//! All similarities are 1 for equal texts and 0 for texts that have nothing in common. `features` compares the features that are
//! hashed, and `explain` shows why fingerprints differ. `edit` and `passage` compare characters; `edit` is bit-parallel and uses
//! `pattern`.
//!
//! ```text
//! two texts ── features ── cosine, Jaccard, Euclidean
//!                       └─ explain
//!           ── characters ── pattern ── edit
//!                         └─ passage
//! ```

mod characters;
pub mod edit;
pub mod explain;
pub mod features;
pub mod passage;
mod pattern;
