//! The fence: calls into the server, behind functions that are safe to call.

pub mod error;
pub mod interrupt;
pub mod text;
