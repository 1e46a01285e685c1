//! Walks: the leaves of one rotation that can have keys at a wanted distance from a query.

use super::block::Block;
use super::descend::Step;
use super::failure::Corrupt;
use super::key::Key;
use super::page::{Page, usual_position};
use super::pager::Pager;
use crate::distance::hamming;
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

/// Which keys of a rotation are wanted: those whose first `width` bits differ from the query's in at least `from` and at most `to`
/// bits.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// The rotation.
    pub rotation: u8,
    /// The query, rotated.
    pub query: u64,
    /// How many bits are compared.
    pub width: u32,
    /// The least number of bits that differ.
    pub from: u32,
    /// The greatest number of bits that differ.
    pub to: u32,
}

/// A leaf that a walk has reached.
pub struct Leaf<'p> {
    /// The page.
    pub page: Page<'p>,
    /// Its low key.
    low: Key,
}

/// A page that has to be read for keys less than `until`.
#[derive(Clone, Copy)]
struct Visit {
    step: Step,
    until: Key,
    /// The number of the walk; `None` for the root, which is read for all walks at once.
    walk: Option<usize>,
}

/// The pages that some walks still have to read.
pub struct Walker {
    walks: Vec<Walk>,
    /// Inner pages, the next one last.
    inner: Vec<Visit>,
    /// Leaves, the next one first.
    leaves: VecDeque<Visit>,
    /// How many of the leaves were announced to the pager.
    announced: usize,
}

/// Inner pages are read until this many leaves wait, so that the next reads can be announced to the pager.
const WAITING: usize = 64;

impl Walker {
    /// A walker at the root.
    pub fn new(walks: Vec<Walk>) -> Walker {
        let root = Visit { step: Step::ROOT, until: Key::MAX, walk: None };
        let inner = if walks.is_empty() { vec![] } else { vec![root] };
        Walker { walks, inner, leaves: VecDeque::new(), announced: 0 }
    }

    /// Reads the next leaf, and calls `look` with the number of the walk that it belongs to. Returns `None` if there is no further
    /// leaf.
    pub fn next<R>(
        &mut self,
        pager: &mut impl Pager,
        look: impl FnOnce(usize, Walk, &Leaf) -> R,
    ) -> Result<Option<R>, Corrupt> {
        self.next_but(pager, |_| false, look)
    }

    /// Reads the next leaf for which `skip` returns `false`.
    pub fn next_but<R>(
        &mut self,
        pager: &mut impl Pager,
        mut skip: impl FnMut(Block) -> bool,
        look: impl FnOnce(usize, Walk, &Leaf) -> R,
    ) -> Result<Option<R>, Corrupt> {
        let mut look = Some(look);
        while let Some(visit) = self.take(pager) {
            if visit.step.level == Some(0) && skip(visit.step.block) {
                continue;
            }
            let Walker { walks, inner, leaves, announced } = self;
            let seen = pager.read(visit.step.block, |bytes| {
                let page = visit.step.open(bytes)?;
                let header = page.header();
                // The page was split after its parent was read: the right neighbour has the other keys.
                if header.high < visit.until {
                    let right = Visit { step: visit.step.right(&page)?, ..visit };
                    match header.level {
                        0 => {
                            leaves.push_front(right);
                            *announced += 1;
                        }
                        _ => inner.push(right),
                    }
                }
                if header.level == 0 {
                    let number = visit.walk.unwrap_or(0);
                    if header.rotation != walks[number].rotation {
                        return Corrupt::at(
                            visit.step.block,
                            "page does not have the rotation that its parent expects",
                        );
                    }
                    let leaf = Leaf { page, low: visit.step.low };
                    return Ok(look.take().map(|look| look(number, walks[number], &leaf)));
                }
                let first = inner.len();
                for number in visit.walk.map_or(0..walks.len(), |walk| walk..walk + 1) {
                    let walk = walks[number];
                    walk.children(&page, visit.step.low, |at| {
                        let until = page.until(at).min(walk.end());
                        let child = Visit { step: visit.step.child(&page, at), until, walk: Some(number) };
                        match header.level {
                            1 => leaves.push_back(child),
                            _ => inner.push(child),
                        }
                    });
                }
                // The first child is read first.
                inner[first..].reverse();
                Ok(None)
            })?;
            if seen.is_some() {
                return Ok(seen);
            }
        }
        Ok(None)
    }

    /// Takes the next page, and announces the leaves after it to the pager.
    fn take(&mut self, pager: &mut impl Pager) -> Option<Visit> {
        if self.leaves.len() < WAITING
            && let Some(visit) = self.inner.pop()
        {
            return Some(visit);
        }
        let visit = self.leaves.pop_front()?;
        self.announced = self.announced.saturating_sub(1);
        let ahead = pager.ahead().min(self.leaves.len());
        while self.announced < ahead {
            let Visit { step, until, walk } = self.leaves[self.announced];
            let part = self.walks[walk.unwrap_or(0)].part(step.low, until);
            pager.prefetch(step.block, usual_position(pager.page_size(), part));
            self.announced += 1;
        }
        Some(visit)
    }
}

impl Walk {
    /// All keys of a rotation.
    pub fn whole(rotation: u8) -> Walk {
        Walk { rotation, query: 0, width: 0, from: 0, to: 0 }
    }

    /// The first key after the rotation.
    fn end(&self) -> Key {
        Key::start_of(self.rotation + 1)
    }

    /// Calls `visit` with the number of each child that can have wanted keys, in ascending order. The inner page has the low key
    /// `low`.
    fn children(&self, page: &Page, low: Key, mut visit: impl FnMut(usize)) {
        let (start, end, high) = (Key::start_of(self.rotation), self.end(), page.header().high);
        if low >= end || high <= start {
            return;
        }
        // Nearly every page has keys of one rotation only.
        let (first, count) = match start <= low && high <= end {
            true => (0, page.count()),
            false => {
                let count = page.lows_to(end);
                // A child that begins where the rotation ends has none of its keys.
                let is_beyond = count > 0 && page.low(count - 1) == end;
                (page.lows_to(start).saturating_sub(1), count - usize::from(is_beyond))
            }
        };
        let mut next = first;
        let mut visit_new = |children: Range<usize>| {
            children.clone().filter(|&at| at >= next).for_each(&mut visit);
            next = next.max(children.end);
        };
        let bounds = (low.max(start), high.min(end));
        let Prefix { block, depth, differ } = self.prefix(bounds);
        self.within(page, first..count, bounds, block, depth, differ, &mut visit_new);
    }

    /// What the keys between two bounds have in common.
    fn prefix(&self, bounds: (Key, Key)) -> Prefix {
        let depth = (bounds.0.bits() ^ bounds.1.before().bits()).leading_zeros().min(self.width);
        let known = first_bits(depth);
        let block = bounds.0.bits() & known;
        Prefix { block, depth, differ: hamming(self.query & known, block) }
    }

    /// The entries of a leaf that can be wanted: some of the sorted entries, and all others.
    pub fn wanted(&self, leaf: &Leaf) -> [Range<usize>; 2] {
        let Leaf { page, low } = leaf;
        let Prefix { block, depth, differ } = self.prefix((*low, page.header().high.min(self.end())));
        let sorted = match differ == self.to {
            true => page.sorted_around(low.bits(), self.only_block(block, depth)),
            false => 0..page.sorted(),
        };
        [sorted, page.sorted()..page.count()]
    }

    /// Which part of a leaf can have wanted keys, from 0 to 1. The leaf has the keys from `low` to `until`.
    fn part(&self, low: Key, until: Key) -> Range<f64> {
        // In a damaged page the bounds can be anything.
        if low >= until || self.from > 0 {
            return 0.0..1.0;
        }
        let Prefix { block, depth, differ } = self.prefix((low, until));
        if differ != self.to {
            return 0.0..1.0;
        }
        let wanted = self.only_block(block, depth);
        let len = until.before().bits().saturating_sub(low.bits()).max(1) as f64;
        let share = |bits: u64| (bits.saturating_sub(low.bits()) as f64 / len).min(1.0);
        share(*wanted.start())..share(*wanted.end())
    }

    /// Visits those of `children` that can have wanted keys which begin with the first `depth` bits of `block`. `differ` of these
    /// bits differ from the query's.
    #[expect(clippy::too_many_arguments, reason = "a recursion, whose arguments are its state")]
    fn within(
        &self,
        page: &Page,
        children: Range<usize>,
        bounds: (Key, Key),
        block: u64,
        depth: u32,
        differ: u32,
        visit: &mut impl FnMut(Range<usize>),
    ) {
        let unknown = self.width - depth;
        if differ > self.to || differ + unknown < self.from {
            return;
        }
        // A single child has the whole block, or no further bit is compared.
        if children.len() <= 1 || unknown == 0 {
            return visit(children);
        }
        let span = block.max(bounds.0.bits())..bounds.1.before().bits().min(block | !first_bits(depth));
        let others = children.start + 1..children.end;
        // The child that covers `key`. `at` is the first of `others` whose rotated separator is at least the bits of `key`.
        let covering =
            |at: usize, key: Key| if at < others.end && page.begins_at(at, key) { at } else { at - 1 };
        if differ == self.to {
            let wanted = self.only_block(block, depth);
            if *wanted.start() <= span.end && span.start <= *wanted.end() {
                let at = page.first_from(others.clone(), span, *wanted.start());
                let first = covering(at, Key::from(self.rotation, *wanted.start()));
                let beyond = (at..others.end).find(|&at| page.low_bits(at) > *wanted.end());
                visit(first..beyond.unwrap_or(others.end));
            }
            return;
        }
        let bit = 1 << (63 - depth);
        let middle = Key::from(self.rotation, block | bit);
        let is_upper = u32::from(self.query & bit != 0);
        let at = page.first_from(others.clone(), span, middle.bits());
        if bounds.0 < middle {
            let lower = children.start..at;
            self.within(page, lower, bounds, block, depth + 1, differ + is_upper, visit);
        }
        if bounds.1 > middle {
            let upper = covering(at, middle)..others.end;
            self.within(page, upper, bounds, block | bit, depth + 1, differ + 1 - is_upper, visit);
        }
    }

    /// The wanted ones of the rotated fingerprints that begin with the first `depth` bits of `block`, if no further bit may differ.
    /// They form one contiguous range.
    fn only_block(&self, block: u64, depth: u32) -> RangeInclusive<u64> {
        let (known, compared) = (first_bits(depth), first_bits(self.width));
        let first = block & known | self.query & compared & !known;
        first..=first | !compared
    }
}

/// What all keys between two bounds have in common: `block` has the common first bits, followed by zeros. `depth` is the number of
/// these bits, at most the number of compared bits. `differ` is how many of them differ from the query's.
struct Prefix {
    block: u64,
    depth: u32,
    differ: u32,
}

/// A mask of the `count` highest bits.
const fn first_bits(count: u32) -> u64 {
    match u64::MAX.checked_shr(count) {
        Some(others) => !others,
        None => u64::MAX,
    }
}
