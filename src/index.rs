//! The index access method `simhash`: `CREATE INDEX … USING simhash ([scope, …] fp)`.
//!
//! ```text
//! rows of a table ── build, insert ──┐                                                     ┌── scan ── rows, any order or nearest first
//!     columns, scope, table_rows     ├── relation ── pages ── the server's buffers and log ┼── vacuum, check
//!     options                        │                                                     └── cost ── what the planner compares
//! fp <@ simhash_ball(query, k) ──────┘
//! ```
//!
//! The tree itself is in the crate `simhash-search`, module `tree`. This folder has one file per duty of an access method;
//! `handler` tells the server their functions, and `validate` checks operator classes. `check` is an SQL function. Most files
//! contact the server. Code that the server does not call is in a folder below the duty that needs it, or in `columns`,
//! `fingerprints`, `relation`, `scope`, `scratch`, `strategy`, `table_rows`, `tid` and `pages`.

mod build;
mod check;
mod columns;
mod cost;
mod fingerprints;
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
