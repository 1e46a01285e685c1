//! The fence: calls into the server, behind functions that are safe to call.

pub mod aggregate;
pub mod array;
pub mod cache;
pub mod error;
pub mod interrupt;
pub mod jsonb;
pub mod preload;
pub mod text;
pub mod tsvector;
