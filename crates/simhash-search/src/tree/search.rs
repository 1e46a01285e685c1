//! Searches: the tids of all rows within k bits of a query, each once.

use super::block::Block;
use super::cover::Cover;
use super::failure::Corrupt;
use super::key::{NULLS, Tid, rotate, unrotate};
use super::meta::Meta;
use super::pager::Pager;
use super::walk::{Walk, Walker};
use crate::filter::{Ball, Kernel};

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Rows whose fingerprint is in all of these balls. There is at least one ball.
    Within(Vec<Ball>),
    /// Rows without a fingerprint.
    Nulls,
    /// Rows with a fingerprint.
    NotNull,
    /// All rows.
    All,
}

/// A search in progress. It holds no lock between two steps.
pub struct Search {
    walker: Walker,
    /// The ball that decides which leaves are read, and its cover.
    lead: Option<(Ball, Cover)>,
    /// Further balls that have to contain a fingerprint.
    others: Vec<Ball>,
    hits: Vec<u16>,
}

/// An estimate of the leaves of each rotation in a tree of `blocks` pages.
pub fn leaves_of(blocks: Block, meta: Meta) -> f64 {
    f64::from(blocks.saturating_sub(2).max(1)) / f64::from(meta.rotations)
}

/// An estimate of the rows, if each rotation has `leaves` leaves.
pub fn rows_in(leaves: f64) -> f64 {
    leaves * ENTRIES_PER_LEAF
}

/// How many entries a leaf of the usual size has on average.
const ENTRIES_PER_LEAF: f64 = 450.0;

impl Search {
    /// A search in a tree of `blocks` pages.
    pub fn new(what: What, meta: Meta, blocks: Block) -> Search {
        Search::with_cover(what, |k| Cover::cheapest(k, meta, leaves_of(blocks, meta)))
    }

    /// A search with the cover that `cover_for` returns for a radius.
    pub fn with_cover(what: What, cover_for: impl FnOnce(u32) -> Cover) -> Search {
        let (mut lead, mut others) = (None, vec![]);
        let mut walks = vec![];
        match what {
            What::Nulls => walks.push(Walk::whole(NULLS)),
            What::NotNull => walks.push(Walk::whole(0)),
            What::All => walks.extend([Walk::whole(0), Walk::whole(NULLS)]),
            What::Within(mut balls) => {
                balls.sort_by_key(|ball| ball.radius);
                let mut balls = balls.into_iter();
                if let Some(ball) = balls.next() {
                    let cover = cover_for(ball.radius);
                    walks.extend(cover.bands().iter().map(|band| Walk {
                        rotation: band.rotation,
                        query: rotate(ball.center, band.rotation),
                        width: band.width,
                        from: 0,
                        to: band.radius,
                    }));
                    lead = Some((ball, cover));
                }
                others = balls.collect();
            }
        }
        Search { walker: Walker::new(walks), lead, others, hits: vec![] }
    }

    /// Reads the next leaf and adds the tids of its matching rows to `found`. Returns `false` if there is no further leaf.
    pub fn step(
        &mut self,
        pager: &mut impl Pager,
        kernel: Kernel,
        found: &mut Vec<Tid>,
    ) -> Result<bool, Corrupt> {
        self.step_with(pager, kernel, |tid, _| found.push(tid))
    }

    /// Reads the next leaf and calls `each` with its matching rows and, in a search within balls, their fingerprints. Returns
    /// `false` if there is no further leaf.
    pub fn step_with(
        &mut self,
        pager: &mut impl Pager,
        kernel: Kernel,
        mut each: impl FnMut(Tid, u64),
    ) -> Result<bool, Corrupt> {
        let Search { walker, lead, others, hits } = self;
        let seen = walker.next(pager, |band, walk, leaf| match lead {
            None => (0..leaf.page.count()).for_each(|at| each(leaf.page.tid(at), 0)),
            Some((ball, cover)) => {
                let page = leaf.page;
                for entries in walk.wanted(leaf) {
                    hits.clear();
                    kernel(&page.bits()[entries.clone()], Ball { center: walk.query, ..*ball }, hits);
                    for at in hits.iter().map(|&at| entries.start + usize::from(at)) {
                        let fingerprint = unrotate(page.entry(at).bits, walk.rotation);
                        if cover.is_first(band, fingerprint ^ ball.center)
                            && others.iter().all(|ball| ball.contains(fingerprint))
                        {
                            each(page.tid(at), fingerprint);
                        }
                    }
                }
            }
        })?;
        Ok(seen.is_some())
    }
}
