//! Long work on the tree can be interrupted: checkpoints come at regular intervals. Checkpoints of an index are the reads, locks
//! and pauses of its pager. Checkpoints of a sort are its pauses.

use crate::disk::{Disk, LockedPage, Random, SMALL, one_by_one};
use simhash_search::filter::{WordBall, select};
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::Block;
use simhash_search::tree::check::check;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use simhash_search::tree::nearest::Nearest;
use simhash_search::tree::page::capacity;
use simhash_search::tree::pager::Pager;
use simhash_search::tree::search::{Search, What};
use simhash_search::tree::sort::{Sorter, Spill};
use simhash_search::tree::vacuum::vacuum;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What was done in this thread.
#[derive(Clone, Copy, Default)]
struct Done {
    reads: usize,
    locks: usize,
    pauses: usize,
    /// Rows that were handled since the last checkpoint.
    rows: usize,
    /// The most rows that were handled between two checkpoints.
    most: usize,
}

thread_local! {
    static DONE: Cell<Done> = const { Cell::new(Done { reads: 0, locks: 0, pauses: 0, rows: 0, most: 0 }) };
}

/// Counts a checkpoint.
fn checkpoint(count: impl FnOnce(&mut Done)) {
    let mut done = DONE.get();
    count(&mut done);
    DONE.set(Done { rows: 0, ..done });
}

fn pause() {
    checkpoint(|done| done.pauses += 1);
}

/// Counts rows that are handled.
fn handle(rows: usize) {
    let done = DONE.get();
    let rows = done.rows + rows;
    DONE.set(Done { rows, most: done.most.max(rows), ..done });
}

/// Returns what `work` does.
fn measure(work: impl FnOnce()) -> Done {
    DONE.set(Done::default());
    work();
    DONE.get()
}

fn kernel(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    handle(words.len());
    select(words, ball, found);
}

/// A disk that counts its checkpoints.
struct Watched(Disk);

impl Pager for Watched {
    type Locked<'p> = LockedPage<'p>;

    fn page_size(&self) -> usize {
        Pager::page_size(&self.0)
    }

    fn blocks(&mut self) -> Block {
        self.0.blocks()
    }

    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R {
        checkpoint(|done| done.reads += 1);
        self.0.read(block, look)
    }

    fn lock(&mut self, block: Block) -> LockedPage<'_> {
        checkpoint(|done| done.locks += 1);
        self.0.lock(block)
    }

    fn pause(&mut self) {
        pause();
    }
}

const META: Meta = Meta { rotations: 4, words: 1 };

/// A tree of several thousand pages, and how many of them are leaves of one rotation.
fn tree() -> (Watched, usize) {
    let mut random = Random(21);
    let row = |n| (Tid::new(n, 1), (n % 10 > 0).then(|| if n % 3 == 0 { 77 } else { random.next() }.into()));
    let rows: BTreeMap<Tid, Option<Fingerprint>> = (0..30_000).map(row).collect();
    let mut disk = Disk::built(SMALL, META, &rows);
    let leaves = disk.check().leaves as usize;
    assert!(disk.pages.len() > 5_000, "{}", disk.pages.len());
    (Watched(disk), leaves / 5)
}

/// How many rows may be handled between two checkpoints: twice the rows of a leaf.
fn of_a_leaf() -> usize {
    2 * capacity(SMALL, 0)
}

#[test]
fn searches_go_page_by_page() {
    let (mut disk, leaves) = tree();
    let ball = |center: u64, radius| Ball { center: center.into(), radius };
    let searches = [
        (What::All, leaves),
        (What::NotNull, leaves),
        (What::Nulls, 100),
        (What::Within(vec![ball(77, 3)]), 100),
        (What::Within(vec![ball(77, 64)]), leaves),
        (What::Within(vec![ball(1234, 30), ball(77, 40), ball(99, 50)]), leaves),
    ];
    for (what, reads) in searches {
        let done = measure(|| {
            let mut search = Search::new(what.clone(), META, disk.blocks(), 0);
            while search.step_with(&mut disk, kernel, |_, _| handle(1)).unwrap() {}
        });
        assert!(done.reads >= reads, "{what:?}: {} reads", done.reads);
        assert!(done.most <= of_a_leaf(), "{what:?}: {} rows", done.most);
    }
}

/// Steps, passes, and rows that do not fit in memory. A returned row is a checkpoint, because the server has one for each.
#[test]
fn the_nearest_rows_come_page_by_page() {
    let (mut disk, leaves) = tree();
    let inside = vec![Ball { center: 78.into(), radius: 3 }];
    for (query, within, memory, reads) in [
        (77, vec![], 0, 2 * leaves),
        (1234, vec![], 0, 2 * leaves),
        (1234, vec![], 4 << 20, leaves),
        (77, inside, 4 << 20, 100),
    ] {
        let done = measure(|| {
            let mut nearest = Nearest::new(query, within.clone(), META, disk.blocks(), memory);
            while nearest.next(&mut disk, kernel).unwrap().is_some() {
                checkpoint(|_| ());
            }
        });
        assert!(done.reads >= reads, "{query}, {within:?}, {memory}: {} reads", done.reads);
        assert!(done.most <= of_a_leaf(), "{query}, {within:?}, {memory}: {} rows", done.most);
    }
}

/// Vacuum also sleeps at its pauses.
#[test]
fn vacuum_and_check_pause_at_every_page() {
    let (mut disk, leaves) = tree();
    let pages = disk.blocks() as usize;
    let done = measure(|| {
        let is_dead = |tid: Tid| {
            handle(1);
            tid.block().is_multiple_of(2)
        };
        vacuum(&mut disk, META, one_by_one(is_dead)).unwrap();
    });
    // All pages except the first page and the root.
    assert!(done.pauses >= pages - 2, "{} pauses", done.pauses);
    assert!(done.locks >= 4 * leaves, "{} locks", done.locks);
    assert!(done.most <= of_a_leaf(), "{} rows", done.most);
    let done = measure(|| {
        check(&mut disk, META, |keys| handle(keys.len())).unwrap();
    });
    assert!(done.pauses >= pages - 1, "{} pauses", done.pauses);
    assert!(done.most <= of_a_leaf(), "{} rows", done.most);
}

/// How many rows a sort may handle between two pauses.
const ROWS_PER_PAUSE: usize = 1 << 16;

/// Tapes in memory. Each row that is written or read is counted.
#[derive(Default)]
struct Tapes(BTreeMap<u8, Vec<u8>>);

/// Bytes of a row on a tape.
const ROW: usize = 16;

impl Spill for Tapes {
    fn write(&mut self, tape: u8, bytes: &[u8]) {
        handle(bytes.len() / ROW);
        self.0.entry(tape).or_default().extend(bytes);
    }

    fn read(&mut self, tape: u8, at: u64, bytes: &mut [u8]) {
        handle(bytes.len() / ROW);
        bytes.copy_from_slice(&self.0[&tape][at as usize..at as usize + bytes.len()]);
    }
}

/// Sorts rows with one fingerprint, which are the most work to sort. Returns what is done while they are collected, and what is
/// done while they are returned. The server checks for interrupts before each row that it adds.
fn sort(meta: Meta, memory: usize, blocks: u32, rows_a_block: u16) -> (Done, Done, Tapes) {
    let (mut tapes, mut sorter) = (Tapes::default(), Sorter::new(meta, memory));
    let collected = measure(|| {
        for (block, offset) in (0..blocks).flat_map(|block| (0..rows_a_block).map(move |row| (block, row))) {
            checkpoint(|_| ());
            sorter.push(Some(77.into()), Tid::new(block, offset), &mut tapes, &mut pause).unwrap();
        }
    });
    let given_out = measure(|| sorter.finish(&mut tapes, &mut pause, |_| handle(1)).unwrap());
    (collected, given_out, tapes)
}

#[test]
fn rows_are_sorted_in_memory_piece_by_piece() {
    // The rows differ only from byte 14 on. Byte 14 distinguishes the blocks, so the last parts of the sort are the blocks.
    let (blocks, rows_a_block) = (19, 1 << 14);
    let (collected, given_out, tapes) = sort(META, usize::MAX, blocks, rows_a_block);
    assert!(tapes.0.is_empty() && collected.pauses == 0);
    let rows = blocks as usize * usize::from(rows_a_block);
    // In each rotation a row is counted and moved for each of 14 bytes, compared, and returned.
    let handled = 4 * rows * (2 * 14 + 2);
    assert!(given_out.pauses >= handled / ROWS_PER_PAUSE, "{} pauses", given_out.pauses);
    assert!(given_out.most <= ROWS_PER_PAUSE, "{} rows", given_out.most);
}

#[test]
fn rows_on_tapes_are_sorted_piece_by_piece() {
    // First a few long runs. Then more runs than there are buffers for, which are merged to longer runs first.
    for (meta, memory, blocks) in [(META, 4 << 20, 19), (Meta { rotations: 1, words: 1 }, 256 << 10, 40)] {
        let (collected, given_out, tapes) = sort(meta, memory, blocks, 1 << 14);
        assert_eq!(tapes.0.len(), usize::from(meta.rotations));
        assert!(collected.most <= ROWS_PER_PAUSE, "{memory}: {} rows", collected.most);
        // The rows of a pause are read, and then returned or written. In addition rows are read ahead at the start of a tape, and
        // some are left at the end of the tape before.
        assert!(given_out.most <= 6 * ROWS_PER_PAUSE, "{memory}: {} rows", given_out.most);
    }
}
