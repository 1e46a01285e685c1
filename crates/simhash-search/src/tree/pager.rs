//! What the tree needs from the storage of its pages.

use super::block::Block;
use super::page::{Image, Patch};
use std::ops::Range;

/// Stores pages, locks them, and logs changes. After a crash each change is complete or absent.
pub trait Pager {
    /// A page that is locked for writing.
    type Locked<'p>: Locked
    where
        Self: 'p;

    /// Bytes of a page.
    fn page_size(&self) -> usize;

    /// The current number of pages.
    fn blocks(&mut self) -> Block;

    /// Reads a page. The page does not change while `look` runs.
    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R;

    /// Locks a page for writing: no other process reads it until it is unlocked.
    fn lock(&mut self, block: Block) -> Self::Locked<'_>;

    /// Called regularly during long work, while no lock is held: a point where the work can be interrupted.
    fn pause(&mut self) {}

    /// How many of the next pages the pager wants to know in advance.
    fn ahead(&self) -> usize {
        0
    }

    /// Announces that a page will be read soon, most likely these bytes of it.
    fn prefetch(&mut self, _block: Block, _bytes: Range<usize>) {}
}

/// A page that is locked for writing. Dropping it unlocks the page without changes.
pub trait Locked {
    /// The current content of the page.
    fn bytes(&self) -> &[u8];

    /// Changes parts of the page, and unlocks it.
    fn patch(self, patch: &Patch);

    /// Adds an empty page that no other process knows yet. It stays empty unless `replace` fills it.
    fn add_page(&mut self) -> Block;

    /// Replaces the page and fills the added pages, in the order in which they were added, as one change. Unlocks all of them.
    fn replace(self, page: &Image, added: &[Image]);
}
