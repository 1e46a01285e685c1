//! Inserts: an entry for each rotation, and splits.

use super::block::ROOT;
use super::descend::{Step, Stray, descend};
use super::failure::Corrupt;
use super::key::{Entry, Key, Tid};
use super::meta::Meta;
use super::page::{Downlink, Header, Image, Page};
use super::pager::{Locked, Pager};
use super::split::{break_at, middle, of_leaf};
use crate::fingerprint::Fingerprint;
use std::ops::RangeInclusive;

/// Adds the row at `tid` to the index.
pub fn insert(
    pager: &mut impl Pager,
    meta: Meta,
    fingerprint: Option<Fingerprint>,
    tid: Tid,
) -> Result<(), Corrupt> {
    meta.keys_of(fingerprint, tid).try_for_each(|key| insert_key(pager, key))
}

fn insert_key(pager: &mut impl Pager, key: Key) -> Result<(), Corrupt> {
    let mut strays = vec![];
    let mut step = descend(pager, key, 0, &mut strays)?;
    loop {
        let locked = pager.lock(step.block);
        let page = step.open(locked.bytes())?;
        if key >= page.header().high {
            step = step.right(&page)?;
            strays.extend(Stray::of(step));
            continue;
        }
        if page.header().rotation != key.rotation() {
            return Corrupt::at(step.block, "page does not have the rotation of the key");
        }
        if page.has_room() {
            let patch = page.append(key.entry());
            locked.patch(&patch);
        } else {
            let mut entries: Vec<Entry> = page.entries().collect();
            entries.push(key.entry());
            entries.sort_unstable();
            let new = entries.partition_point(|&entry| entry < key.entry());
            let (header, within) = (page.header(), of_leaf(&entries, new));
            strays.extend(split(locked, header, &entries, within, Image::leaf));
        }
        break;
    }
    strays.into_iter().try_for_each(|stray| link(pager, stray))
}

/// Makes sure that a page has its downlink. Pages that are split for it get their downlinks too.
fn link(pager: &mut impl Pager, stray: Stray) -> Result<(), Corrupt> {
    let mut strays = vec![stray];
    while let Some(stray) = strays.pop() {
        let Stray { level, downlink } = stray;
        // Missing downlinks that this descent finds are not added here.
        let mut step = descend(pager, downlink.low, level, &mut vec![])?;
        loop {
            let locked = pager.lock(step.block);
            let page = Page::open(locked.bytes(), step.block)?;
            let header = page.header();
            if step.block == ROOT && header.level != level {
                // The root was split in the meantime.
                strays.push(stray);
                break;
            }
            let page = step.open(locked.bytes())?;
            if downlink.low >= header.high {
                step = step.right(&page)?;
                continue;
            }
            match page.lows_to(downlink.low).checked_sub(1).map(|at| (page.low(at), page.child(at))) {
                None => return Corrupt::at(step.block, "page has no child for a key that it covers"),
                Some((low, child)) if low == downlink.low && child != downlink.child => {
                    return Corrupt::at(step.block, "separator leads to another child page");
                }
                Some((low, _)) if low == downlink.low => {}
                Some(_) if page.has_room() => {
                    let patch = page.insert_downlink(downlink);
                    locked.patch(&patch);
                }
                Some(_) => {
                    let mut downlinks: Vec<Downlink> = page.downlinks().collect();
                    downlinks.insert(page.lows_to(downlink.low), downlink);
                    match step.block {
                        ROOT => split_root(locked, header, &downlinks),
                        _ => strays.extend(split(
                            locked,
                            header,
                            &downlinks,
                            middle(downlinks.len()),
                            inner_image,
                        )),
                    }
                }
            }
            break;
        }
    }
    Ok(())
}

fn inner_image(size: usize, header: Header, downlinks: &[Downlink]) -> Image {
    Image::inner(size, header, downlinks)
}

/// Splits a page at one of the positions `within`: the upper part goes to a new page to the right. Returns the downlink of the new
/// page.
fn split<T: super::split::Breakable>(
    mut locked: impl Locked,
    header: Header,
    items: &[T],
    within: RangeInclusive<usize>,
    image: fn(usize, Header, &[T]) -> Image,
) -> Option<Stray> {
    let size = locked.bytes().len();
    let (count, low) = break_at(items, header.rotation, within);
    let new = locked.add_page();
    let left = image(size, Header { high: low, right: Some(new), ..header }, &items[..count]);
    let right = image(size, header, &items[count..]);
    locked.replace(&left, &[right]);
    Stray::of(Step { block: new, level: Some(header.level), low })
}

/// Splits the root: its content goes to two new pages. The root keeps its number and is one level higher.
fn split_root(mut locked: impl Locked, header: Header, downlinks: &[Downlink]) {
    let size = locked.bytes().len();
    let (count, low) = break_at(downlinks, 0, middle(downlinks.len()));
    let (left, right) = (locked.add_page(), locked.add_page());
    let images = [
        Image::inner(size, Header { high: low, right: Some(right), ..header }, &downlinks[..count]),
        Image::inner(size, header, &downlinks[count..]),
    ];
    let halves = [Downlink { low: Key::MIN, child: left }, Downlink { low, child: right }];
    let root = Image::inner(size, Header { level: header.level + 1, ..header }, &halves);
    locked.replace(&root, &images);
}
