//! `simhash_trigger`: fingerprints on insert and update.

mod columns;
mod fingerprint;
