//! `simhash_cluster` and `simhash_leader`: groups of a whole table.
//!
//! ```text
//! rows of a partition ── partition ── groups ── a number for each row
//!                                       │
//!                                    progress
//! ```
//!
//! The crate `simhash-search` computes. The contact with the server is in `partition`.

mod groups;
mod partition;
pub mod progress;
