//! The SQL functions: convert, call the core, convert.

mod distance;
mod fingerprint;
