//! The checker: whether a tree keeps its invariants. The tree must not change during the check.

use super::block::{Block, META, ROOT};
use super::descend::Step;
use super::failure::{Corrupt, Failure};
use super::key::Key;
use super::meta::Meta;
use super::page::{Downlink, Page};
use super::pager::Pager;
use simhash_memory as memory;

/// What the check has counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Levels above the leaves.
    pub height: u8,
    /// Leaves.
    pub leaves: u64,
    /// Inner pages, the root among them.
    pub inner_pages: u64,
    /// Pages that were never used.
    pub unused_pages: u64,
    /// Pages that only their left neighbour leads to, because the server crashed in the middle of a split.
    pub missing_downlinks: u64,
    /// The entries of each rotation; the last number is that of rows without a fingerprint.
    pub entries: Vec<u64>,
}

/// Checks all pages. Calls `each` with the keys of one leaf at a time, which are in no particular order.
pub fn check(pager: &mut impl Pager, meta: Meta, mut each: impl FnMut(&[Key])) -> Result<Checked, Failure> {
    let blocks = pager.blocks();
    let mut seen = memory::filled(blocks as usize, false, &mut || pager.pause())?;
    seen.iter_mut().take(1 + META as usize).for_each(|seen| *seen = true);
    let rotations = usize::from(meta.nulls()) + 1;
    let mut done = Checked { entries: vec![0; rotations], ..Checked::default() };
    let mut expected = vec![Downlink { low: Key::MIN, child: ROOT }];
    let mut level = None;
    loop {
        let (own, below) = check_level(pager, meta, &expected, level, &mut seen, &mut done, &mut each)?;
        if level.is_none() && own == 0 {
            return Corrupt::at(ROOT, "root is a leaf");
        }
        done.height = done.height.max(own);
        expected = below;
        level = own.checked_sub(1);
        if level.is_none() {
            break;
        }
    }
    for block in (0..blocks).filter(|&block| !seen[block as usize]) {
        pager.pause();
        match pager.read(block, Page::is_new) {
            true => done.unused_pages += 1,
            false => return Corrupt::at(block, "page is not part of the tree"),
        }
    }
    let stored: Vec<u8> = meta.stored().collect();
    if (0..meta.nulls()).any(|r| !stored.contains(&r) && done.entries[usize::from(r)] > 0) {
        return Corrupt::at(META, "index has entries of a rotation that it does not store");
    }
    Ok(done)
}

/// Checks the pages of a level from left to right against the downlinks that lead to them. Returns the level and the downlinks of
/// its pages.
fn check_level(
    pager: &mut impl Pager,
    meta: Meta,
    expected: &[Downlink],
    level: Option<u8>,
    seen: &mut [bool],
    done: &mut Checked,
    each: &mut impl FnMut(&[Key]),
) -> Result<(u8, Vec<Downlink>), Failure> {
    let mut downlinks = vec![];
    let mut expected = expected.iter().peekable();
    let first = expected.peek().map_or(ROOT, |downlink| downlink.child);
    let mut next = Some(Step { block: first, level, low: Key::MIN });
    let mut own = 0;
    while let Some(step) = next {
        pager.pause();
        match seen.get_mut(step.block as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Corrupt::at(step.block, "page is in the tree twice or is not in the file"),
        }
        match expected.next_if(|downlink| downlink.low == step.low) {
            Some(downlink) if downlink.child == step.block => {}
            Some(_) => return Corrupt::at(step.block, "parent has another page for this range of keys"),
            None => done.missing_downlinks += 1,
        }
        let (header, keys) = pager.read(step.block, |bytes| {
            let page = step.open(bytes)?;
            let header = page.header();
            let keys: Vec<Key> = match header.level {
                0 => page.entries().map(|entry| Key::new(header.rotation, entry)).collect(),
                _ => {
                    page.downlinks().try_for_each(|downlink| memory::push(&mut downlinks, downlink))?;
                    page.downlinks().map(|downlink| downlink.low).collect()
                }
            };
            if keys.iter().any(|&key| key < step.low || key >= header.high) {
                return Corrupt::at(step.block, "page has a key that is not in its range");
            }
            if !keys[..page.sorted()].is_sorted_by_key(|key| key.bits()) {
                return Corrupt::at(step.block, "sorted entries are out of order");
            }
            if header.level > 0 && (keys.first() != Some(&step.low) || !keys.is_sorted_by(|a, b| a < b)) {
                return Corrupt::at(step.block, "downlinks are out of order or do not begin with the page");
            }
            Ok::<_, Failure>((header, keys))
        })?;
        own = header.level;
        if own == 0 {
            check_leaf(step.block, meta, step.low, header.rotation, header.high, &keys)?;
            done.leaves += 1;
            done.entries[usize::from(header.rotation)] += keys.len() as u64;
            each(&keys);
        } else {
            done.inner_pages += 1;
        }
        next = header.right.map(|block| Step { block, level: Some(header.level), low: header.high });
    }
    match expected.next() {
        Some(downlink) => {
            Corrupt::at(downlink.child, "parent has a downlink to a key at which no page begins")
        }
        None => Ok((own, downlinks)),
    }
}

/// Checks that a leaf has keys of one rotation only, and no key twice.
fn check_leaf(
    block: Block,
    meta: Meta,
    low: Key,
    rotation: u8,
    high: Key,
    keys: &[Key],
) -> Result<(), Corrupt> {
    let nulls = meta.nulls();
    let end = meta.stored().find(|&stored| stored > rotation).unwrap_or(nulls);
    let end = if rotation < nulls { Key::start_of(end) } else { Key::MAX };
    if rotation > nulls || low.rotation() != rotation || high > end {
        return Corrupt::at(block, "leaf has keys of several rotations");
    }
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    match sorted.is_sorted_by(|a, b| a < b) {
        true => Ok(()),
        false => Corrupt::at(block, "leaf contains a key twice"),
    }
}
