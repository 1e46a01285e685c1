//! Planning: how `simhash_near` becomes probes of band indexes.
//!
//! `support` answers the planner's questions about `simhash_near`; `choose` looks at the indexes of the table and
//! decides which bands to probe; `rewrite` writes that down as a condition; `estimate` tells how many rows to expect.

mod choose;
mod estimate;
mod rewrite;
mod support;
