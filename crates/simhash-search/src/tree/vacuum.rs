//! Vacuum: removes the entries of dead rows.

use super::block::ROOT;
use super::failure::Corrupt;
use super::key::Tid;
use super::meta::Meta;
use super::page::Page;
use super::pager::{Locked, Pager};

/// What vacuum has done. Each row counts once, independent of the number of its rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vacuumed {
    /// Rows that were removed.
    pub removed: u64,
    /// Rows that are left.
    pub left: u64,
    /// Pages that were never used: added just before an error or a crash.
    pub unused_pages: u32,
}

/// Removes all entries of dead rows. `find_dead` is called with the tids of one page at a time. It sets in its second argument
/// which of these rows are dead.
///
/// Pages are visited in the order of their numbers, independent of the structure of the tree. Entries move only to new pages, which
/// have greater numbers, so no entry is missed.
pub fn vacuum(
    pager: &mut impl Pager,
    meta: Meta,
    mut find_dead: impl FnMut(&[Tid], &mut [bool]),
) -> Result<Vacuumed, Corrupt> {
    let mut done = Vacuumed::default();
    let mut block = ROOT + 1;
    let mut end = pager.blocks();
    while block < end {
        pager.pause();
        let seen = pager.read(block, |bytes| match Page::is_new(bytes) {
            true => Ok(None),
            false => Page::open(bytes, block).map(|page| Some(ExaminedLeaf::of(&page, &mut find_dead))),
        })?;
        match seen {
            None => done.unused_pages += 1,
            Some(leaf) if leaf.dead.is_empty() => done.count(&leaf, meta),
            Some(_) => {
                let locked = pager.lock(block);
                let page = Page::open(locked.bytes(), block)?;
                // Other processes may have added entries or split the page since it was read.
                let leaf = ExaminedLeaf::of(&page, &mut find_dead);
                if !leaf.dead.is_empty() {
                    let patch = page.remove(&leaf.dead);
                    locked.patch(&patch);
                }
                done.count(&leaf, meta);
            }
        }
        block += 1;
        if block == end {
            end = pager.blocks();
        }
    }
    Ok(done)
}

/// What was found in a leaf; nothing for an inner page.
struct ExaminedLeaf {
    dead: Vec<usize>,
    entries: usize,
    rotation: u8,
}

impl ExaminedLeaf {
    fn of(page: &Page, mut find_dead: impl FnMut(&[Tid], &mut [bool])) -> ExaminedLeaf {
        let header = page.header();
        let entries = if header.level == 0 { page.count() } else { 0 };
        let rows: Vec<Tid> = (0..entries).map(|at| page.tid(at)).collect();
        let mut is_dead = vec![false; entries];
        find_dead(&rows, &mut is_dead);
        let dead = (0..entries).filter(|&at| is_dead[at]).collect();
        ExaminedLeaf { dead, entries, rotation: header.rotation }
    }
}

impl Vacuumed {
    fn count(&mut self, leaf: &ExaminedLeaf, meta: Meta) {
        if leaf.rotation == 0 || leaf.rotation == meta.nulls() {
            self.removed += leaf.dead.len() as u64;
            self.left += (leaf.entries - leaf.dead.len()) as u64;
        }
    }
}
