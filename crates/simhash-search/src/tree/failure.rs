//! Why work on an index ends early.

use super::block::Block;
use simhash_memory::OutOfMemory;

/// The index is damaged: a page is not what its place in the tree says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// The page.
    pub block: Block,
    /// What is wrong with it.
    pub what: &'static str,
}

impl Corrupt {
    /// An error with the reason `what`, for a page that was looked at.
    pub fn at<T, E: From<Corrupt>>(block: Block, what: &'static str) -> Result<T, E> {
        Err(E::from(Corrupt { block, what }))
    }
}

/// Why what grows with the index ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The index is damaged.
    Corrupt(Corrupt),
    /// The system refused memory.
    OutOfMemory,
}

impl From<Corrupt> for Failure {
    fn from(corrupt: Corrupt) -> Failure {
        Failure::Corrupt(corrupt)
    }
}

impl From<OutOfMemory> for Failure {
    fn from(OutOfMemory: OutOfMemory) -> Failure {
        Failure::OutOfMemory
    }
}
