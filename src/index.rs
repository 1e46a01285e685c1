//! The access method `simhash`: an index of our own, `CREATE INDEX … USING simhash ([scope, …] fp)`.
//!
//! ```text
//! rows of a table ── build, insert ──┐                                    ┌── scan ── rows, in any order or the nearest first
//!     columns, scope, table_rows     ├── relation ── pages ── the server's ┤── vacuum, check
//!     options                        │                  buffers and log   └── cost ── what the planner compares
//! fp <@ simhash_ball(query, k) ──────┘
//! ```
//!
//! The tree itself is in the crate (`simhash_search::tree`); here it meets what the server asks of an access method, which `handler`
//! tells it, one file per duty. The contact with the server is everywhere; what is not a call that the server makes stands below
//! the duty that needs it, or in `relation`, `scope`, `table_rows` and `pages`.

mod build;
mod check;
mod columns;
mod cost;
mod handler;
mod insert;
pub mod options;
mod pages;
mod relation;
mod scan;
mod scope;
mod scratch;
mod strategy;
mod table_rows;
mod tid;
mod vacuum;
mod validate;
