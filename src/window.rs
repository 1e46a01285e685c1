//! `simhash_cluster` and `simhash_leader`: groups of a whole table.
//!
//! ```text
//! rows of a partition ── partition ── groups ── a number for each row
//!                                       │
//!                                    progress
//! ```
//!
//! What is computed is in the crate `simhash-search`. The contact with the server is `partition`.

mod groups;
mod partition;
pub mod progress;
