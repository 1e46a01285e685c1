//! Planning: how `simhash_near` becomes probes of band indexes.
//!
//! `support` answers the planner's questions about a call, which is a `near`. `choose` compares the ways to find the rows
//! by what they `cost`: `bands` are the probes of the `band_column`s of a table's indexes, as far as `crossing` allows
//! them beside other conditions; `own_index` is an index `USING simhash`. `rewrite` writes the choice down as a condition.
//! `selectivity` estimates how many rows to expect.

pub mod band_column;
mod bands;
mod choose;
mod cost;
mod crossing;
mod near;
pub mod own_index;
mod rewrite;
pub mod selectivity;
mod support;
