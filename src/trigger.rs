//! `simhash_trigger`: fingerprints on insert and update.
//!
//! ```text
//! a row ── row ── columns ── fingerprint ── the row with its fingerprint
//! ```
//!
//! The contact with the server is in `row`.

mod columns;
mod fingerprint;
mod row;
