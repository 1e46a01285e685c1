//! Builds: a whole tree from sorted keys, leaf by leaf.

use super::block::{Block, META, ROOT};
use super::key::{Entry, Key};
use super::meta::Meta;
use super::page::{Downlink, Header, Image, capacity};
use super::split::break_at;
use std::ops::RangeInclusive;

/// Receives the pages of a new tree. Pages are added in the order of their numbers and written later, each once.
pub trait Sink {
    /// Bytes of a page.
    fn page_size(&self) -> usize;
    /// Adds a page.
    fn add_page(&mut self) -> Block;
    /// Writes a page.
    fn write(&mut self, block: Block, page: &Image);
}

/// A tree that is being built.
pub struct Builder<'s, S: Sink> {
    sink: &'s mut S,
    meta: Meta,
    /// How full pages should be, in percent.
    fill: usize,
    rotation: u8,
    leaf: Block,
    low: Key,
    entries: Vec<Entry>,
    /// The last page of each level above the leaves.
    inner: Vec<Inner>,
}

/// A page that is being filled with downlinks. It has no number while it is the only one of its level.
#[derive(Default)]
struct Inner {
    downlinks: Vec<Downlink>,
    block: Option<Block>,
}

/// By how many percent the fill of a page may differ from the wanted one, to get a separator that ends in more zeros.
const LEEWAY: usize = 10;

impl<'s, S: Sink> Builder<'s, S> {
    /// Begins a new tree. `sink` is empty.
    pub fn new(sink: &'s mut S, meta: Meta, fill: usize) -> Builder<'s, S> {
        let (first, root) = (sink.add_page(), sink.add_page());
        debug_assert_eq!((first, root), (META, ROOT));
        sink.write(META, &meta.to_image(sink.page_size()));
        let leaf = sink.add_page();
        Builder { sink, meta, fill, rotation: 0, leaf, low: Key::MIN, entries: vec![], inner: vec![] }
    }

    /// Adds a key. It has to be greater than all keys before.
    pub fn push(&mut self, key: Key) {
        self.begin(key.rotation());
        let full = capacity(self.sink.page_size(), 0);
        if self.entries.len() > full {
            let (count, high) = break_at(&self.entries, self.rotation, window(full, self.fill));
            self.write_leaf(count, high);
        }
        self.entries.push(key.entry());
    }

    /// Ends the leaves of rotations before `rotation`.
    fn begin(&mut self, rotation: u8) {
        while self.rotation < rotation {
            let next = self.meta.stored().find(|&stored| stored > self.rotation).unwrap_or(self.meta.nulls());
            self.end_rotation(Key::start_of(next));
            self.rotation = next;
        }
    }

    /// Writes the remaining entries of a rotation.
    fn end_rotation(&mut self, high: Key) {
        let full = capacity(self.sink.page_size(), 0);
        if self.entries.len() > full {
            let (count, middle) = break_at(&self.entries, self.rotation, window(full, self.fill));
            self.write_leaf(count, middle);
        }
        self.write_leaf(self.entries.len(), high);
    }

    /// Writes a leaf with the first `count` entries and the high key `high`.
    fn write_leaf(&mut self, count: usize, high: Key) {
        let next = (high != Key::MAX).then(|| self.sink.add_page());
        let header = Header { level: 0, rotation: self.rotation, high, right: next };
        let image = Image::leaf(self.sink.page_size(), header, &self.entries[..count]);
        self.sink.write(self.leaf, &image);
        self.entries.drain(..count);
        let downlink = Downlink { low: self.low, child: self.leaf };
        self.link(1, downlink);
        self.low = high;
        self.leaf = next.unwrap_or(self.leaf);
    }

    /// Adds a downlink to the last page of a level.
    fn link(&mut self, level: usize, downlink: Downlink) {
        if self.inner.len() < level {
            self.inner.push(Inner::default());
        }
        let full = capacity(self.sink.page_size(), level as u8);
        if self.inner[level - 1].downlinks.len() == full {
            let downlinks = &self.inner[level - 1].downlinks;
            let (count, high) = break_at(downlinks, 0, window(full, self.fill));
            let block = self.inner[level - 1].block.unwrap_or_else(|| self.sink.add_page());
            let next = self.sink.add_page();
            self.inner[level - 1].block = Some(next);
            self.write_inner(level, block, count, high, Some(next));
        }
        self.inner[level - 1].downlinks.push(downlink);
    }

    /// Writes an inner page with the first `count` downlinks, and adds its downlink to the level above.
    fn write_inner(&mut self, level: usize, block: Block, count: usize, high: Key, right: Option<Block>) {
        let page: Vec<Downlink> = self.inner[level - 1].downlinks.drain(..count).collect();
        let header = Header { level: level as u8, rotation: 0, high, right };
        self.sink.write(block, &Image::inner(self.sink.page_size(), header, &page));
        if block != ROOT
            && let Some(first) = page.first()
        {
            self.link(level + 1, Downlink { low: first.low, child: block });
        }
    }

    /// Writes the remaining pages, and the root.
    pub fn finish(mut self) {
        self.begin(self.meta.nulls());
        self.end_rotation(Key::MAX);
        let mut level = 1;
        while let Some(inner) = self.inner.get(level - 1) {
            // The only page of its level is the root.
            let (block, count) = (inner.block.unwrap_or(ROOT), inner.downlinks.len());
            self.write_inner(level, block, count, Key::MAX, None);
            level += 1;
        }
    }
}

/// How many entries a page may get that should be `fill` percent full. A full page has `full` entries.
fn window(full: usize, fill: usize) -> RangeInclusive<usize> {
    let percent = |percent: usize| full * percent / 100;
    percent(fill.saturating_sub(LEEWAY)).max(1)..=percent((fill + LEEWAY).min(100))
}
