//! Planning: how `simhash_near` becomes probes of band indexes.
//!
//! `support` answers the planner's questions about `simhash_near`; `choose` looks at the `band_column`s of
//! the table's indexes and decides which bands to probe; `rewrite` writes that down as a condition; `estimate` tells how many rows to expect.

mod band_column;
mod choose;
mod estimate;
mod rewrite;
mod support;
