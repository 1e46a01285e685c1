//! What several rooms need of the server, behind functions that are safe to call.
//!
//! ```text
//! a call of an SQL function ── call, datum ── text, in any encoding ── the room's work ── datum
//!                                              expr, of a query            │
//!                                                                  interrupt ── allocator
//!                                                                      error ── guard
//! ```
//!
//! `settings` reads the server's; `version` has what differs between its versions. What one room needs alone stands there.

pub mod allocator;
pub mod call;
pub mod datum;
pub mod error;
pub mod expr;
pub mod guard;
pub mod interrupt;
pub mod settings;
pub mod text;
pub mod version;
