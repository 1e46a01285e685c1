//! `simhash_near(fp, query, k)`: what is near, and by which indexes the planner finds it.
//!
//! ```text
//! a call of simhash_near ── support ── call
//!     as a condition of an index USING simhash: fp <@ simhash_ball(query, k)              condition, ball
//!     as probes, where k + 1 of m bands of fp have B-trees of their own                   indexed_bands
//!         (band(fp, 0) = band(query, 0) OR …) AND simhash_within(fp, query, k)            probes, band
//! how many rows it finds ── estimate, of the operators operator_estimates
//! for each row of these ── distance, operators
//! ```
//!
//! Whether a way pays, the server decides. The contact with the server: `request`, `selectivity` and `operator_question` are the
//! planner's questions; `planner`, `table`, `statistics` and `catalog` what it knows; `message` and `kernel` serve the types and the
//! estimates.

pub mod ball;
mod band;
mod call;
pub mod catalog;
mod condition;
mod distance;
mod estimate;
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
