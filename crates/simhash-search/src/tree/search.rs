//! Searches: the tids of all rows within k bits of a query, each once.
//!
//! An entry has one word of a fingerprint. If fingerprints have several words, a search finds all near rows, and a few others that
//! are near in one word only: the caller checks them. A row can be found by several words, so the search remembers the rows that it
//! has returned. If they are too many for its memory, it reads a whole rotation of one word instead, where each row occurs once. Then
//! it returns all rows that are within k bits in this word, of which many are not near. A caller that can have a row several times
//! uses `step_with`, which needs no such memory.

use super::block::Block;
use super::cover::{Cover, CoverBand};
use super::failure::{Corrupt, Failure};
use super::key::{Tid, rotate, unrotate, word_of};
use super::meta::Meta;
use super::pager::Pager;
use super::walk::{Walk, Walker};
use crate::filter::{Kernel, WordBall};
use crate::fingerprint::{Ball, MAX_WORDS};
use simhash_memory::OutOfMemory;
use std::collections::HashSet;

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
    /// What decides which leaves are read; `None` if the search reads whole rotations.
    lead: Option<Lead>,
    /// Further balls that have to contain a fingerprint.
    others: Vec<Ball>,
    /// Rows that were returned, if several words are searched.
    returned: Option<Returned>,
    hits: Vec<u16>,
}

/// The ball that decides which leaves are read, and its cover.
struct Lead {
    ball: Ball,
    cover: Cover,
    /// For each word, the distance within which its bands find everything.
    radii: [u32; MAX_WORDS],
}

/// The rows that a search has returned, by the words that it has searched.
struct Returned {
    rows: HashSet<Tid>,
    /// How many rows may be remembered.
    room: usize,
    /// Whether further rows are not remembered, because the search now finds each row once.
    is_complete: bool,
}

/// Bytes of a row in a set, which may be half empty, and is copied when it grows.
const BYTES_PER_ROW: usize = 32;

/// The minimum number of rows that a search may remember.
const LEAST_ROOM: usize = 1024;

/// An estimate of the leaves of each rotation in a tree of `blocks` pages.
pub fn leaves_of(blocks: Block, meta: Meta) -> f64 {
    f64::from(blocks.saturating_sub(2).max(1)) / f64::from(meta.rotations) / f64::from(meta.words)
}

/// An estimate of the rows, if each rotation has `leaves` leaves.
pub fn rows_in(leaves: f64) -> f64 {
    leaves * ENTRIES_PER_LEAF
}

/// How many entries a leaf of the usual size has on average.
const ENTRIES_PER_LEAF: f64 = 450.0;

/// The cheapest cover for `k` in a tree of `blocks` pages.
pub fn cover_for(k: u32, meta: Meta, blocks: Block) -> Cover {
    let leaves = leaves_of(blocks, meta);
    Cover::cheapest(k, meta, leaves, rows_in(leaves))
}

impl Lead {
    fn new(ball: Ball, cover: Cover) -> Lead {
        let radii = std::array::from_fn(|word| cover.radius_in(word).min(ball.radius));
        Lead { ball, cover, radii }
    }

    fn walks(&self) -> Vec<Walk> {
        let walk = |band: &CoverBand| Walk {
            rotation: band.rotation,
            query: rotate(self.ball.center.word(band.word()), band.rotation),
            width: band.width,
            from: 0,
            to: band.radius,
        };
        self.cover.bands().iter().map(walk).collect()
    }
}

impl Returned {
    /// Whether a row is new. Remembers it if it can be found again.
    fn is_new(&mut self, tid: Tid) -> Result<bool, OutOfMemory> {
        if self.is_complete {
            return Ok(!self.rows.contains(&tid));
        }
        self.rows.try_reserve(1).map_err(|_| OutOfMemory)?;
        Ok(self.rows.insert(tid))
    }
}

impl Search {
    /// A search in a tree of `blocks` pages. About `memory` bytes are used for rows that could be found again.
    pub fn new(what: What, meta: Meta, blocks: Block, memory: usize) -> Search {
        Search::with_cover(what, meta, memory, |k| cover_for(k, meta, blocks))
    }

    /// A search with the cover that `cover_for` returns for a radius.
    pub fn with_cover(what: What, meta: Meta, memory: usize, cover_for: impl FnOnce(u32) -> Cover) -> Search {
        let (mut lead, mut others, mut returned) = (None, vec![], None);
        let mut walks = vec![];
        match what {
            What::Nulls => walks.push(Walk::whole(meta.nulls())),
            What::NotNull => walks.push(Walk::whole(0)),
            What::All => walks.extend([Walk::whole(0), Walk::whole(meta.nulls())]),
            What::Within(mut balls) => {
                balls.sort_by_key(|ball| ball.radius);
                let mut balls = balls.into_iter();
                if let Some(ball) = balls.next() {
                    let new = Lead::new(ball, cover_for(ball.radius));
                    walks = new.walks();
                    returned = new.cover.has_several_words().then(|| Returned {
                        rows: HashSet::new(),
                        room: (memory / BYTES_PER_ROW).max(LEAST_ROOM),
                        is_complete: false,
                    });
                    lead = Some(new);
                }
                others = balls.collect();
            }
        }
        Search { walker: Walker::new(walks), lead, others, returned, hits: vec![] }
    }

    /// Reads the next leaf and adds the tids of its matching rows to `found`. Returns `false` if there is no further leaf.
    pub fn step(
        &mut self,
        pager: &mut impl Pager,
        kernel: Kernel,
        found: &mut Vec<Tid>,
    ) -> Result<bool, Failure> {
        let mut returned = self.returned.take();
        let mut refused = Ok(());
        let mut is_more = self.step_with(pager, kernel, |tid, _| {
            let is_new = returned.as_mut().map_or(Ok(true), |returned| returned.is_new(tid));
            match is_new {
                Ok(true) => found.push(tid),
                Ok(false) => {}
                Err(error) => refused = Err(error),
            }
        })?;
        refused?;
        if let Some(returned) = &mut returned
            && !returned.is_complete
            && returned.rows.len() > returned.room
        {
            returned.is_complete = true;
            is_more = true;
            self.go_on_with_one_word();
        }
        self.returned = returned;
        Ok(is_more)
    }

    /// Reads the next leaf and calls `each` with its matching rows and, in a search within balls, the word by which they were found.
    /// Returns `false` if there is no further leaf. If several words are searched, rows can be found again.
    pub fn step_with(
        &mut self,
        pager: &mut impl Pager,
        kernel: Kernel,
        mut each: impl FnMut(Tid, u64),
    ) -> Result<bool, Corrupt> {
        let Search { walker, lead, others, hits, .. } = self;
        let seen = walker.next(pager, |band, walk, leaf| match lead {
            None => (0..leaf.page.count()).for_each(|at| each(leaf.page.tid(at), 0)),
            Some(Lead { ball, cover, radii }) => {
                let page = leaf.page;
                let word = word_of(walk.rotation);
                let near = WordBall { center: walk.query, radius: radii[word] };
                for entries in walk.wanted(leaf) {
                    hits.clear();
                    kernel(&page.bits()[entries.clone()], near, hits);
                    for at in hits.iter().map(|&at| entries.start + usize::from(at)) {
                        let bits = unrotate(page.entry(at).bits, walk.rotation);
                        if cover.is_first(band, bits ^ ball.center.word(word))
                            && others.iter().all(|ball| ball.of_word(word).contains(bits))
                        {
                            each(page.tid(at), bits);
                        }
                    }
                }
            }
        })?;
        Ok(seen.is_some())
    }

    /// Goes on with a whole rotation of one word. It has every row once.
    fn go_on_with_one_word(&mut self) {
        if let Some(Lead { ball, cover, .. }) = self.lead.take() {
            let lead = Lead::new(ball, Cover::of_one_word(cover.leaves));
            self.walker = Walker::new(lead.walks());
            self.lead = Some(lead);
        }
    }
}
