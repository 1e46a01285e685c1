//! `simhash_near(fp, query, k)`: which fingerprints are near, and by which indexes the planner finds them.
//!
//! ```text
//! a call of simhash_near ── support ── call
//!     as a condition of an index USING simhash: fp <@ simhash_ball(query, k)              condition, ball
//!     as probes, if k + 1 of m bands of fp are indexed                                    indexed_bands
//!         (band(fp, 0) = band(query, 0) OR …) AND simhash_within(fp, query, k)            probes, band
//! how many rows it finds ── estimate; for operators, operator_estimates
//! for each of these rows ── distance, operators
//! ```
//!
//! The planner decides which of these plans is the cheapest. The contact with the server: `request`, `selectivity` and
//! `operator_question` are the planner's questions; `planner`, `table`, `statistics` and `catalog` are what the server knows;
//! `ball` and `message` serve the types. `kernel` uses special instructions of the processor, for the estimates and for the scans
//! of `index`.

pub mod ball;
mod band;
pub mod bit_ball;
mod call;
pub mod catalog;
mod condition;
mod distance;
pub mod estimate;
mod indexed_bands;
pub mod kernel;
mod message;
mod operator_estimates;
mod operator_question;
pub mod operators;
mod planner;
mod probes;
mod request;
mod selectivity;
mod statistics;
mod support;
mod table;
