//! The nearest rows of a query, exact and in order, as many as the caller takes. The index has fingerprints of one word.
//!
//! Each stored rotation has one band at its start. The bands are disjoint, and their radii begin at −1. A step raises the radius of
//! one band to d. It collects the rows of all leaves that can have a row which differs from the query in exactly d bits of that
//! band. If no step has collected a row, the row differs from the query in more bits of each band than the radius of that band, so
//! in at least D = Σ(rᵢ + 1) bits. So the collected rows nearer than D are the nearest rows, in order. Each leaf is read once. A
//! row that is in several leaves, one per rotation, is collected once.
//!
//! The steps begin with a near horizon: rows beyond it are not collected. If more rows are needed, the same steps run again with a
//! farther horizon. Most queries need few rows, and rows that were collected and never returned took a third of the time.
//!
//! If rows have to be in a small ball around another fingerprint, all rows of that ball are searched first and sorted.
//!
//! Each further step reads more leaves. When the steps would read more leaves than a rotation has, passes find the remaining rows.
//! Each pass reads a whole rotation and collects the next rows, as many as fit in memory.

use super::block::Block;
use super::cover::Prices;
use super::failure::Failure;
use super::key::{Tid, rotate, unrotate};
use super::meta::Meta;
use super::pager::Pager;
use super::search::{Search, What, cover_for, leaves_of, rows_in};
use super::walk::{Walk, Walker};
use crate::distance::hamming;
use crate::filter::{Kernel, WordBall};
use crate::fingerprint::Ball;
use simhash_memory as memory;
use simhash_memory::OutOfMemory;
use std::collections::HashSet;

/// A row and its distance, which is `None` for a row without a fingerprint.
pub type Neighbour = (Tid, Option<u32>);

/// A search for rows in the order of their distance, in progress. It holds no lock between two rows.
pub struct Nearest {
    query: u64,
    /// Rows have to be within this distance.
    limit: u32,
    /// Further balls that have to contain a fingerprint.
    others: Vec<WordBall>,
    with_nulls: bool,
    /// The rotation of rows without a fingerprint.
    nulls: u8,
    /// How many rows may wait in memory.
    room: usize,
    bands: Vec<SearchedBand>,
    leaves: f64,
    prices: Prices,
    /// The farthest horizon that steps may have.
    farthest: u32,
    /// Rows nearer than this were returned before the steps began again.
    returned: u32,
    /// How many distances the next pass collects. It grows from pass to pass, so that a query that wants many rows needs few
    /// passes.
    breadth: u32,
    stage: Stage,
    waiting: Waiting,
    /// Leaves that steps have read.
    looked_at: Leaves,
    /// Rows that steps have collected.
    collected: HashSet<Tid>,
    hits: Vec<u16>,
}

/// Bytes of a row that waits: its element in a list and its element in a set. Both may be half empty.
const BYTES_PER_ROW: usize = 48;

/// A set of pages, one bit each.
#[derive(Default)]
struct Leaves(Vec<u64>);

impl Leaves {
    /// Adds a page, and returns whether the set already had it. If there is no memory for it, the page is not added: to read it
    /// again is harmless.
    fn add(&mut self, block: Block) -> bool {
        let (word, bit) = (block as usize / 64, 1 << (block % 64));
        if self.0.len() <= word {
            let more = word + 1 - self.0.len();
            if self.0.try_reserve(more).is_err() {
                return false;
            }
            self.0.resize(word + 1, 0);
        }
        let was_there = self.0[word] & bit != 0;
        self.0[word] |= bit;
        was_there
    }
}

/// A band: the first bits of a rotation.
#[derive(Clone, Copy)]
struct SearchedBand {
    rotation: u8,
    width: u32,
    /// The radius plus one: how many rings are collected.
    rings: u32,
    /// How many leaves the next ring has.
    price: f64,
}

impl SearchedBand {
    /// The band with nothing collected.
    fn new(rotation: u8, width: u32, prices: Prices) -> SearchedBand {
        SearchedBand { rotation, width, rings: 0, price: prices.first(width) }
    }

    /// Goes on to the next ring.
    fn widen(&mut self, prices: Prices) {
        self.price = prices.next(self.width, self.rings, self.price);
        self.rings += 1;
    }
}

/// How many rows are expected within the first horizon.
const EXPECTED: f64 = 100.0;

/// By how much each further horizon of steps is farther, and how many distances the first pass collects at least. Each further bit
/// of distance means about three times as many rows.
const FARTHER: u32 = 4;

/// What the search does at present.
enum Stage {
    /// All rows of a ball around another fingerprint, if they fit in memory.
    Inside(Box<Search>),
    /// Steps. Rows at distance `horizon` and farther are left for later.
    Steps {
        horizon: u32,
    },
    /// A pass through a whole rotation, for the rows at distance `from` and farther.
    Pass {
        from: u32,
    },
    /// A pass through a whole rotation, for the rows at one distance, if they do not fit in memory.
    Stream {
        distance: u32,
        walker: Walker,
    },
    /// Rows without a fingerprint.
    Nulls(Walker),
    Done,
}

/// Rows that were collected, by distance.
struct Waiting {
    rows: Vec<Vec<Tid>>,
    count: usize,
    /// Rows nearer than this can be returned.
    until: u32,
    /// No row nearer than this waits.
    next: u32,
    /// Rows without a fingerprint, or rows at one distance. They can be returned at once.
    streamed: Vec<Tid>,
}

impl Nearest {
    /// A search for the rows nearest to `query` in all of the balls `within`, in a tree of `blocks` pages. If there is no ball, it
    /// returns all rows, those without a fingerprint last. About `memory` bytes are used for rows that wait.
    pub fn new(query: u64, within: Vec<Ball>, meta: Meta, blocks: Block, memory: usize) -> Nearest {
        let leaves = leaves_of(blocks, meta);
        let prices = Prices::new(leaves);
        let width = 64 / u32::from(meta.rotations);
        let bands = meta.stored().map(|rotation| SearchedBand::new(rotation, width, prices)).collect();
        let with_nulls = within.is_empty();
        let inside = inside(query, &within, meta, blocks);
        let words = within.iter().map(|ball| ball.of_word(0));
        let (own, others): (Vec<WordBall>, Vec<WordBall>) = words.partition(|ball| ball.center == query);
        let mut nearest = Nearest {
            query,
            limit: own.iter().map(|ball| ball.radius).min().unwrap_or(64).min(64),
            others,
            with_nulls,
            nulls: meta.nulls(),
            room: (memory / BYTES_PER_ROW).max(1024),
            bands,
            leaves,
            prices,
            farthest: 0,
            returned: 0,
            breadth: FARTHER,
            stage: Stage::Done,
            waiting: Waiting { rows: vec![vec![]; 65], count: 0, until: 0, next: 0, streamed: vec![] },
            looked_at: Leaves::default(),
            collected: HashSet::new(),
            hits: vec![],
        };
        nearest.farthest = nearest.horizon();
        nearest.stage = inside.unwrap_or_else(|| nearest.outward());
        nearest
    }

    /// The stage that goes outward from the query.
    fn outward(&self) -> Stage {
        match self.farthest {
            0 => Stage::Pass { from: 0 },
            farthest => Stage::Steps { horizon: farthest.min(first_horizon(rows_in(self.leaves))) },
        }
    }

    /// The distance up to which steps pay: up to it they read fewer leaves than a rotation has.
    fn horizon(&self) -> u32 {
        let mut bands = self.bands.clone();
        let mut spent = 0.0;
        let mut horizon = 0;
        while let Some(band) = cheapest(&mut bands) {
            spent += band.price;
            if spent >= self.leaves || horizon > self.limit {
                break;
            }
            band.widen(self.prices);
            horizon += 1;
        }
        horizon
    }

    /// The next row; `None` if there is none.
    pub fn next(&mut self, pager: &mut impl Pager, kernel: Kernel) -> Result<Option<Neighbour>, Failure> {
        loop {
            if let Some(neighbour) = self.waiting.pop(&self.stage) {
                return Ok(Some(neighbour));
            }
            match &mut self.stage {
                Stage::Inside(search) => {
                    let (waiting, query) = (&mut self.waiting, self.query);
                    let mut pushed = Ok(());
                    let is_more = search.step_with(pager, kernel, |tid, fingerprint| {
                        if pushed.is_ok() {
                            pushed = waiting.push(tid, hamming(fingerprint, query));
                        }
                    })?;
                    pushed?;
                    if waiting.count > self.room {
                        waiting.clear(0);
                        self.stage = self.outward();
                    } else if !is_more {
                        waiting.until = 65;
                        self.stage = Stage::Done;
                    }
                }
                Stage::Steps { horizon } => {
                    let (horizon, near) = (*horizon, self.waiting.until);
                    if near > self.limit {
                        self.end_of_distances();
                    } else if near >= horizon && horizon < self.farthest {
                        self.begin_again(near);
                    } else if near >= horizon || self.collected.len() > self.room {
                        let from = near.max(self.returned);
                        self.waiting.clear(from);
                        self.collected = HashSet::new();
                        self.stage = Stage::Pass { from };
                    } else {
                        self.collect_step(pager, kernel, horizon)?;
                    }
                }
                Stage::Pass { from } if *from > self.limit => self.end_of_distances(),
                Stage::Pass { from } => {
                    let from = *from;
                    self.collect_pass(pager, kernel, from)?;
                }
                Stage::Stream { distance, .. } => {
                    let distance = *distance;
                    if !self.collect_stream(pager, kernel, distance)? {
                        self.stage = Stage::Pass { from: distance + 1 };
                    }
                }
                Stage::Nulls(walker) => {
                    let streamed = &mut self.waiting.streamed;
                    let seen = walker.next(pager, |_, _, leaf| {
                        streamed.extend((0..leaf.page.count()).map(|at| leaf.page.tid(at)))
                    })?;
                    if seen.is_none() {
                        self.stage = Stage::Done;
                    }
                }
                Stage::Done => return Ok(None),
            }
        }
    }

    /// Begins the steps again, with a farther horizon, after all rows nearer than `returned` were returned.
    fn begin_again(&mut self, returned: u32) {
        self.returned = returned;
        for band in &mut self.bands {
            *band = SearchedBand::new(band.rotation, band.width, self.prices);
        }
        self.looked_at = Leaves::default();
        self.collected.clear();
        self.waiting.clear(returned);
        self.waiting.until = 0;
        self.stage = Stage::Steps { horizon: self.farthest.min(returned + FARTHER) };
    }

    /// All distances are done: goes on to the rows without a fingerprint, or ends.
    fn end_of_distances(&mut self) {
        self.stage = match self.with_nulls {
            true => Stage::Nulls(Walker::new(vec![Walk::whole(self.nulls)])),
            false => Stage::Done,
        };
    }

    /// Collects the rows of the cheapest step.
    fn collect_step(&mut self, pager: &mut impl Pager, kernel: Kernel, horizon: u32) -> Result<(), Failure> {
        let Some(band) = cheapest(&mut self.bands) else {
            // Every band is exhausted, so no row is left.
            self.waiting.until = self.limit + 1;
            return Ok(());
        };
        let SearchedBand { rotation, width, rings, .. } = *band;
        let query = rotate(self.query, rotation);
        let mut walker = Walker::new(vec![Walk { rotation, query, width, from: rings, to: rings }]);
        let mut radius = self.limit.min(horizon - 1);
        let Nearest { waiting, looked_at, collected, others, hits, returned, .. } = self;
        let mut skip = |block| looked_at.add(block);
        while collect(&mut walker, pager, kernel, self.query, radius, &mut skip, hits, |tid, difference| {
            let (fingerprint, distance) = (self.query ^ difference, hamming(difference, 0));
            if distance >= *returned && others.iter().all(|ball| ball.contains(fingerprint)) {
                collected.try_reserve(1).map_err(|_| OutOfMemory)?;
                if collected.insert(tid) {
                    waiting.push(tid, distance)?;
                }
            }
            Ok(())
        })? {
            if waiting.count > self.room {
                let horizon = waiting.drop_farthest(self.room);
                self.farthest = horizon;
                self.stage = Stage::Steps { horizon };
                if horizon <= waiting.until {
                    return Ok(());
                }
                // From now on rows at `horizon` and farther are not collected. Otherwise the next drop could return a farther
                // horizon, and the rows dropped here would be missed.
                radius = radius.min(horizon - 1);
            }
        }
        band.widen(self.prices);
        self.waiting.until += 1;
        Ok(())
    }

    /// Collects the rows at distance `from` and farther, as many as fit in memory, in a pass through a whole rotation.
    fn collect_pass(&mut self, pager: &mut impl Pager, kernel: Kernel, from: u32) -> Result<(), Failure> {
        let mut walker = Walker::new(vec![Walk::whole(0)]);
        // As in the steps: most queries need few rows, so that only few farther rows are collected with them.
        let mut end = first_horizon(rows_in(self.leaves)).max(from + self.breadth).min(self.limit + 1);
        self.breadth = (2 * self.breadth).min(64);
        let (query, room) = (self.query, self.room);
        let (waiting, others, hits) = (&mut self.waiting, &self.others, &mut self.hits);
        while end > from
            && collect(
                &mut walker,
                pager,
                kernel,
                query,
                end - 1,
                &mut |_| false,
                hits,
                |tid, difference| {
                    let distance = hamming(difference, 0);
                    if distance >= from && others.iter().all(|ball| ball.contains(query ^ difference)) {
                        waiting.push(tid, distance)?;
                    }
                    Ok(())
                },
            )?
        {
            if waiting.count > room {
                end = waiting.drop_farthest(room);
            }
        }
        if end == from {
            self.stage = Stage::Stream { distance: from, walker: Walker::new(vec![Walk::whole(0)]) };
            return Ok(());
        }
        waiting.until = end;
        self.stage = Stage::Pass { from: end };
        Ok(())
    }

    /// Collects the rows at one distance from the next leaf. Returns `false` if there is no further leaf.
    fn collect_stream(
        &mut self,
        pager: &mut impl Pager,
        kernel: Kernel,
        distance: u32,
    ) -> Result<bool, Failure> {
        let Stage::Stream { walker, .. } = &mut self.stage else { return Ok(false) };
        let (query, streamed, others) = (self.query, &mut self.waiting.streamed, &self.others);
        collect(walker, pager, kernel, query, distance, &mut |_| false, &mut self.hits, |tid, difference| {
            if hamming(difference, 0) == distance
                && others.iter().all(|ball| ball.contains(query ^ difference))
            {
                streamed.push(tid);
            }
            Ok(())
        })
    }
}

/// Reads the walker's next leaf for which `skip` returns `false`. Calls `each` with the rows within `radius` of the query and the
/// bits in which they differ from it. Returns `false` if there is no further leaf.
#[expect(clippy::too_many_arguments, reason = "the parts of a search, of which each stage has its own")]
fn collect(
    walker: &mut Walker,
    pager: &mut impl Pager,
    kernel: Kernel,
    query: u64,
    radius: u32,
    skip: &mut impl FnMut(Block) -> bool,
    hits: &mut Vec<u16>,
    mut each: impl FnMut(Tid, u64) -> Result<(), OutOfMemory>,
) -> Result<bool, Failure> {
    let seen = walker.next_but(pager, skip, |_, Walk { rotation, .. }, leaf| {
        let page = leaf.page;
        let center = rotate(query, rotation);
        hits.clear();
        kernel(page.bits(), WordBall { center, radius }, hits);
        hits.iter().try_for_each(|&at| {
            let entry = page.entry(usize::from(at));
            each(entry.tid, unrotate(entry.bits ^ center, rotation))
        })
    })?;
    Ok(seen.transpose()?.is_some())
}

/// The stage that searches the smallest ball, if that ball is around another fingerprint than `query` and the search reads fewer
/// leaves than a rotation has.
fn inside(query: u64, within: &[Ball], meta: Meta, blocks: Block) -> Option<Stage> {
    let smallest = within.iter().min_by_key(|ball| ball.radius).filter(|ball| ball.center != query.into())?;
    let is_small = cover_for(smallest.radius, meta, blocks).leaves < leaves_of(blocks, meta);
    is_small.then(|| Stage::Inside(Box::new(Search::new(What::Within(within.to_vec()), meta, blocks, 0))))
}

/// The band whose next ring has the fewest leaves.
fn cheapest(bands: &mut [SearchedBand]) -> Option<&mut SearchedBand> {
    let open = bands.iter_mut().filter(|band| band.rings <= band.width);
    open.min_by(|a, b| a.price.total_cmp(&b.price))
}

/// The least horizon within which `EXPECTED` of `rows` evenly spread rows are expected.
fn first_horizon(rows: f64) -> u32 {
    let mut at_distance = rows / 2.0f64.powi(64);
    let (mut distance, mut within) = (0, at_distance);
    while within < EXPECTED && distance < 64 {
        at_distance *= f64::from(64 - distance) / f64::from(distance + 1);
        distance += 1;
        within += at_distance;
    }
    distance + 1
}

impl Waiting {
    fn push(&mut self, tid: Tid, distance: u32) -> Result<(), OutOfMemory> {
        memory::push(&mut self.rows[distance as usize], tid)?;
        self.count += 1;
        self.next = self.next.min(distance);
        Ok(())
    }

    /// The next row that can be returned.
    fn pop(&mut self, stage: &Stage) -> Option<Neighbour> {
        if let Some(tid) = self.streamed.pop() {
            let distance = match stage {
                Stage::Stream { distance, .. } => Some(*distance),
                _ => None,
            };
            return Some((tid, distance));
        }
        while self.next < self.until.min(65) {
            if let Some(tid) = self.rows[self.next as usize].pop() {
                self.count -= 1;
                return Some((tid, Some(self.next)));
            }
            self.next += 1;
        }
        None
    }

    /// Drops the farthest rows until at most `room` rows wait. Returns the distance from which on rows were dropped.
    fn drop_farthest(&mut self, room: usize) -> u32 {
        let mut end = 65;
        while self.count > room && end > 0 {
            end -= 1;
            self.count -= self.rows[end].len();
            self.rows[end] = vec![];
        }
        end as u32
    }

    /// Drops all rows. Rows nearer than `from` are returned already.
    fn clear(&mut self, from: u32) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.count = 0;
        self.next = from;
    }
}
