//! Why work on an index ends early.

use super::block::Block;
use simhash_memory::OutOfMemory;

/// The index is damaged: a page is invalid, or does not fit the rest of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// The page.
    pub block: Block,
    /// What is wrong with it.
    pub what: &'static str,
}

impl Corrupt {
    /// An error for page `block`, with the reason `what`.
    pub fn at<T, E: From<Corrupt>>(block: Block, what: &'static str) -> Result<T, E> {
        Err(E::from(Corrupt { block, what }))
    }
}

/// Why work whose memory grows with the index ended early.
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
