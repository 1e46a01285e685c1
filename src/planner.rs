//! Planning: how `simhash_near` becomes probes of band indexes.
//!
//! ```text
//! simhash_near(fp, query, k)                                              near
//!     ── an index USING simhash (fp) is there: left alone, it serves      support
//!     ── indexes on k + 1 of m bands of fp                                bands
//!     ── (band(fp, 0) = band(query, 0) OR …) AND simhash_within(…)        rewrite
//! ```
//!
//! Whether the probes pay, and by which indexes, the server decides. `selectivity` estimates how many rows to expect.

mod bands;
mod near;
mod rewrite;
pub mod selectivity;
mod support;
