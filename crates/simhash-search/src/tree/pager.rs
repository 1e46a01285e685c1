//! What the tree needs of the storage of its pages.

use super::block::Block;
use super::page::{Image, Patch};
use std::ops::Range;

/// Keeps pages, locks them, and logs changes so that each is there as a whole after a crash, or not at all.
pub trait Pager {
    /// A page that is locked for writing.
    type Locked<'p>: Locked
    where
        Self: 'p;

    /// Bytes of a page.
    fn page_size(&self) -> usize;

    /// How many pages there are now.
    fn blocks(&mut self) -> Block;

    /// Reads a page, which does not change meanwhile.
    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R;

    /// Locks a page for writing: nothing else reads it until it is unlocked.
    fn lock(&mut self, block: Block) -> Self::Locked<'_>;

    /// Called now and then in long work, without any lock: a place to stop.
    fn pause(&mut self) {}

    /// How many pages ahead it wants to know what is read next.
    fn ahead(&self) -> usize {
        0
    }

    /// Announces that a page is going to be read soon, most likely these bytes of it.
    fn prefetch(&mut self, _block: Block, _bytes: Range<usize>) {}
}

/// A page that is locked for writing. Dropping it unlocks it unchanged.
pub trait Locked {
    /// The page as it is.
    fn bytes(&self) -> &[u8];

    /// Changes a part of the page, and unlocks it.
    fn patch(self, patch: &Patch);

    /// Adds an empty page that no other process knows yet. `replace` has to fill it; else it stays empty.
    fn add_page(&mut self) -> Block;

    /// Replaces the page, and fills the added ones in the order in which they were added, as one change; unlocks all.
    fn replace(self, page: &Image, added: &[Image]);
}
