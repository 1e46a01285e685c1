//! What several folders need of the server, behind safe functions where that is possible.
//!
//! ```text
//! a call of an SQL function ── call, datum ── text, in any encoding ── the folder's work ── datum
//!                                              expr, of a query            │
//!                                                                  interrupt ── allocator
//!                                                                      error ── guard
//! ```
//!
//! `settings` reads the server's settings; `version` has what differs between versions of the server. What only one folder needs is
//! in that folder.

pub mod allocator;
pub mod bits;
pub mod call;
pub mod datum;
pub mod error;
pub mod expr;
pub mod guard;
pub mod interrupt;
pub mod settings;
pub mod text;
pub mod version;
