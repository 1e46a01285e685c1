//! The SQL functions: convert, call the core, convert.

mod aggregate;
mod band;
mod distance;
mod explain;
mod features;
pub mod fingerprint;
mod notation;
pub mod options;
mod ready_made;
mod sentence;
mod similarity;
mod version;
