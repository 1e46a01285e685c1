//! Exact search among fingerprints. It does not matter what the fingerprints were computed from.
//!
//! ```text
//! fingerprint ── distance              how many bits differ
//!             ── filter                the near ones among many, word by word
//!             ── band                  what a B-tree on slices of the bits looks up
//!             ── tree                  an index: all within k, or the nearest first
//!             ── cluster               groups of a whole table
//! ```

#![forbid(unsafe_code)]

pub mod band;
pub mod cluster;
pub mod distance;
pub mod filter;
pub mod fingerprint;
pub mod tree;
