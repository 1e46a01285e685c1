//! The path from the root to the page of a key.

use super::block::{Block, ROOT};
use super::failure::Corrupt;
use super::key::Key;
use super::page::{Downlink, Page};
use super::pager::Pager;

/// A page to be read, and what is known about it in advance.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The page.
    pub block: Block,
    /// Its level; `None` for the root, whose level is not known.
    pub level: Option<u8>,
    /// Its low key.
    pub low: Key,
}

impl Step {
    /// The first step: to the root.
    pub const ROOT: Step = Step { block: ROOT, level: None, low: Key::MIN };

    /// The page in `bytes`, or an error if it is not what the step expects. Each step leads to a greater low key or to a lower
    /// level. So every path ends, even in a damaged index.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<Page<'a>, Corrupt> {
        let page = Page::open(bytes, self.block)?;
        if self.level.is_some_and(|level| level != page.header().level) {
            return Corrupt::at(self.block, "page is not on the level that its parent or neighbour expects");
        }
        if self.low >= page.header().high {
            return Corrupt::at(self.block, "high key of the page is not greater than its low key");
        }
        Ok(page)
    }

    /// The step to the right neighbour.
    pub fn right(&self, page: &Page) -> Result<Step, Corrupt> {
        let header = page.header();
        match header.right {
            Some(block) => Ok(Step { block, level: Some(header.level), low: header.high }),
            None => Corrupt::at(self.block, "page has no right neighbour"),
        }
    }

    /// The step to the child that covers `key`.
    pub fn down(&self, page: &Page, key: Key) -> Result<Step, Corrupt> {
        match page.lows_to(key).checked_sub(1) {
            Some(at) => Ok(self.child(page, at)),
            None => Corrupt::at(self.block, "page has no child for a key that it covers"),
        }
    }

    /// The step to the child of downlink number `at`.
    pub fn child(&self, page: &Page, at: usize) -> Step {
        Step { block: page.child(at), level: page.header().level.checked_sub(1), low: page.low(at) }
    }
}

/// A downlink that may be missing, and the level of the page that should have it.
#[derive(Clone, Copy, Debug)]
pub struct Stray {
    /// The level of the parent.
    pub level: u8,
    /// The downlink.
    pub downlink: Downlink,
}

impl Stray {
    /// The downlink to the page that a step to the right leads to.
    pub fn of(step: Step) -> Option<Stray> {
        let level = step.level?.checked_add(1)?;
        Some(Stray { level, downlink: Downlink { low: step.low, child: step.block } })
    }
}

/// The page of a level that covers `key`, or one to the left of it: the page to which its parent points. It is not read yet, unless
/// it is the root. At each step to the right a downlink may be missing: it is added to `strays`.
pub fn descend(
    pager: &mut impl Pager,
    key: Key,
    level: u8,
    strays: &mut Vec<Stray>,
) -> Result<Step, Corrupt> {
    let mut step = Step::ROOT;
    loop {
        let found = pager.read(step.block, |bytes| {
            let page = step.open(bytes)?;
            let header = page.header();
            let next = match header.level {
                _ if key >= header.high => step.right(&page)?,
                // The root itself is on this level.
                own if own == level => return Ok(None),
                own if own < level => {
                    return Corrupt::at(step.block, "root is on a lower level than a page below it");
                }
                _ => step.down(&page, key)?,
            };
            Ok(Some((header.level, next)))
        })?;
        let Some((own, next)) = found else { return Ok(step) };
        if next.level == Some(own) {
            strays.extend(Stray::of(next));
        } else if next.level == Some(level) {
            return Ok(next);
        }
        step = next;
    }
}

/// Whether the tree has an entry with this key.
pub fn contains(pager: &mut impl Pager, key: Key) -> Result<bool, Corrupt> {
    let mut step = descend(pager, key, 0, &mut vec![])?;
    loop {
        let next = pager.read(step.block, |bytes| {
            let page = step.open(bytes)?;
            match key >= page.header().high {
                true => step.right(&page).map(Err),
                false => Ok(Ok(page.entries().any(|entry| entry == key.entry()))),
            }
        })?;
        match next {
            Ok(is_there) => return Ok(is_there),
            Err(right) => step = right,
        }
    }
}
