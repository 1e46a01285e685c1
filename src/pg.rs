//! The fence: calls into the server, behind functions that are safe to call.

pub mod aggregate;
pub mod array;
pub mod cache;
pub mod catalog;
pub mod error;
pub mod expr;
pub mod interrupt;
pub mod jsonb;
pub mod lock;
pub mod message;
pub mod neighbour;
pub mod planner;
pub mod preload;
pub mod progress;
pub mod settings;
pub mod statistics;
pub mod table;
pub mod text;
pub mod trigger;
pub mod tsvector;
mod version;
pub mod window;
