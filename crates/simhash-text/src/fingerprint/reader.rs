//! The receiver of the features of a text while the text is read.

use crate::feature::Sink;
use simhash_memory::OutOfMemory;

/// A sink that can be interrupted between two chunks.
pub trait Reader: Sink {
    /// Called before each chunk; an error ends the reading.
    fn checkpoint(&mut self) -> Result<(), OutOfMemory>;
}
