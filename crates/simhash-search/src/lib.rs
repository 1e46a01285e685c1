//! Exact search among fingerprints, whatever they are fingerprints of.
//!
//! ```text
//! fingerprint ── distance              how many bits differ
//!             ── filter                those of many that are near
//!             ── band                  what a B-tree on slices of the bits looks up
//!             ── tree                  an index: all within k, or the nearest first
//!             ── cluster               groups of a whole table
//! ```

#![forbid(unsafe_code)]

pub mod band;
pub mod cluster;
pub mod distance;
pub mod filter;
pub mod tree;
