//! Triggers: fingerprints on insert and update, and the guard against near-duplicates.

mod columns;
mod fingerprint;
mod guard;
