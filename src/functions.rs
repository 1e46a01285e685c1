//! The SQL functions: convert, call the core, convert.

mod aggregate;
mod band;
mod distance;
mod features;
pub mod fingerprint;
pub mod options;
mod probe;
mod ready_made;
mod version;
