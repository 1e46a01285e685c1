//! Exact similarities of two texts: the second stage, for the few candidates that fingerprints leave.
//!
//! All are 1 for equal texts and 0 for texts that have nothing in common. `features` compares what is hashed, and
//! `explain` tells why fingerprints differ; `edit`, bit by bit in parallel over `pattern`, and `passage` compare characters.

mod characters;
pub mod edit;
pub mod explain;
pub mod features;
pub mod passage;
mod pattern;
