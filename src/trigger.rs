//! Triggers: fingerprints on insert and update, and the guard against near-duplicates.

mod bulk;
mod columns;
mod fingerprint;
mod guard;
mod moved;
mod neighbour;
mod shard;
