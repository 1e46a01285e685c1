//! Sorting for a build: rows in the order of each rotation, in bounded memory.
//!
//! Rows are collected until the memory is full. Then they are sorted and written out as a run, once for each rotation. At the end
//! the runs of each rotation are merged. If there are more runs than the memory has buffers for, they are first merged to longer
//! runs.

use super::key::{Entry, Key, Tid, rotate, word_of};
use super::meta::Meta;
use crate::fingerprint::Fingerprint;
use simhash_memory::OutOfMemory;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Storage for runs that do not fit in memory: tapes, which are written at their ends and read at any position.
pub trait Spill {
    /// Adds bytes to the end of a tape. Their number is a multiple of `SPILL_BLOCK`.
    fn write(&mut self, tape: u8, bytes: &[u8]);
    /// Reads bytes of a tape, from position `at` on, which is a multiple of `SPILL_BLOCK`.
    fn read(&mut self, tape: u8, at: u64, bytes: &mut [u8]);
}

/// Runs begin at multiples of this.
pub const SPILL_BLOCK: usize = 8192;

/// A row as it is sorted: a rotated word of its fingerprint and its tid.
type Row = (u64, u64);

/// Bytes of a row.
const ROW: usize = size_of::<Row>();

/// Rows in a block of a tape.
const ROWS_PER_BLOCK: usize = SPILL_BLOCK / ROW;

/// Rows that are being collected.
pub struct Sorter {
    meta: Meta,
    /// How many rows of one word fit in memory.
    limit: usize,
    /// The rows with a fingerprint, once for each word. The lists have the same length.
    words: Vec<Vec<Row>>,
    nulls: Vec<Row>,
    /// The runs of each tape.
    runs: Vec<Vec<Run>>,
    /// How many blocks each tape has.
    blocks: Vec<u64>,
}

/// A sorted part of a tape.
#[derive(Clone, Copy)]
struct Run {
    start: u64,
    rows: usize,
}

/// Called regularly during long work: a point where the work can be interrupted.
pub type Pause<'a> = &'a mut dyn FnMut();

impl Sorter {
    /// A sorter that uses `memory` bytes.
    pub fn new(meta: Meta, memory: usize) -> Sorter {
        let tapes = usize::from(meta.nulls()) + 1;
        Sorter {
            meta,
            limit: (memory / ROW).max(2 * ROWS_PER_BLOCK),
            words: vec![vec![]; meta.words.into()],
            nulls: vec![],
            runs: vec![vec![]; tapes],
            blocks: vec![0; tapes],
        }
    }

    /// Adds a row.
    pub fn push(
        &mut self,
        fingerprint: Option<Fingerprint>,
        tid: Tid,
        spill: &mut impl Spill,
        pause: Pause,
    ) -> Result<(), OutOfMemory> {
        let last = if fingerprint.is_some() { &self.words[self.words.len() - 1] } else { &self.nulls };
        if last.len() == last.capacity() {
            self.make_room(fingerprint.is_none(), spill, pause)?;
        }
        let tid = tid.to_bits();
        match fingerprint {
            Some(fingerprint) => self
                .words
                .iter_mut()
                .zip(fingerprint.words())
                .for_each(|(list, &word)| list.push((word, tid))),
            None => self.nulls.push((0, tid)),
        }
        Ok(())
    }

    /// Makes room for a further row, in the lists of the words or in that of rows without a fingerprint. The capacity is doubled,
    /// but all lists together stay within the limit.
    fn make_room(&mut self, of_nulls: bool, spill: &mut impl Spill, pause: Pause) -> Result<(), OutOfMemory> {
        let needed = if of_nulls { 1 } else { self.words.len() };
        if self.free() < needed {
            let full = if of_nulls { self.nulls.capacity() } else { self.capacity_of_words() };
            let keeps_room = full > self.limit / 2;
            self.spill_all(spill, pause);
            if keeps_room {
                return Ok(());
            }
            // The other lists have most of the memory.
            self.words.fill(vec![]);
            self.nulls = vec![];
        }
        let free = self.free() / needed;
        let lists = if of_nulls { std::slice::from_mut(&mut self.nulls) } else { &mut self.words[..] };
        lists.iter_mut().try_for_each(|list| {
            list.try_reserve_exact(list.len().max(64).min(free)).map_err(|_| OutOfMemory)
        })
    }

    fn capacity_of_words(&self) -> usize {
        self.words.iter().map(Vec::capacity).sum()
    }

    /// For how many further rows of one word memory may be allocated.
    fn free(&self) -> usize {
        self.limit.saturating_sub(self.capacity_of_words() + self.nulls.capacity())
    }

    /// Writes all rows in memory to the tapes, as runs.
    fn spill_all(&mut self, spill: &mut impl Spill, pause: Pause) {
        let mut turned = 0;
        for rotation in self.meta.stored() {
            self.turn_to(rotation, &mut turned, pause);
            self.write_run(rotation, spill, pause);
        }
        self.words.iter_mut().for_each(Vec::clear);
        sort(&mut self.nulls, pause);
        self.write_run(self.meta.nulls(), spill, pause);
        self.nulls.clear();
    }

    /// Sorts the rows of a word in the order of a rotation. The rotations of each word are in ascending order; `turned` is the last
    /// one.
    fn turn_to(&mut self, rotation: u8, turned: &mut u8, pause: Pause) {
        let rows = &mut self.words[word_of(rotation)];
        if word_of(rotation) == word_of(*turned) {
            turn(rows, rotation - *turned, pause);
        }
        *turned = rotation;
        sort(rows, pause);
    }

    /// The rows of a tape that are in memory.
    fn rows_of(&self, tape: u8) -> &[Row] {
        if tape == self.meta.nulls() { &self.nulls } else { &self.words[word_of(tape)] }
    }

    /// Writes the sorted rows in memory to the end of their tape.
    fn write_run(&mut self, tape: u8, spill: &mut impl Spill, pause: Pause) {
        if self.rows_of(tape).is_empty() {
            return;
        }
        let mut writer = Writer::new(tape, self.blocks[usize::from(tape)]);
        for part in self.rows_of(tape).chunks(ROWS_PER_PAUSE) {
            pause();
            part.iter().for_each(|&row| writer.push(row, spill));
        }
        self.end_run(writer, spill);
    }

    /// Ends a run that was written to the end of a tape.
    fn end_run(&mut self, writer: Writer, spill: &mut impl Spill) {
        let tape = usize::from(writer.tape);
        let (run, end) = writer.finish(spill);
        self.blocks[tape] = end;
        self.runs[tape].push(run);
    }

    /// Merges runs of a tape to longer runs, until the memory has buffers for all of them.
    fn merge_to_few(&mut self, tape: u8, spill: &mut impl Spill, pause: Pause) -> Result<(), OutOfMemory> {
        // One buffer is for the output.
        let most = (self.limit / ROWS_PER_BLOCK - 1).max(2);
        while self.runs[usize::from(tape)].len() > most {
            let rest = self.runs[usize::from(tape)].split_off(most);
            let runs = std::mem::replace(&mut self.runs[usize::from(tape)], rest);
            let mut writer = Writer::new(tape, self.blocks[usize::from(tape)]);
            merge(&runs, tape, self.limit, spill, pause, |row, spill| writer.push(row, spill))?;
            self.end_run(writer, spill);
        }
        Ok(())
    }

    /// Calls `each` with the keys of all rows in all rotations, in ascending order.
    pub fn finish(
        mut self,
        spill: &mut impl Spill,
        pause: Pause,
        mut each: impl FnMut(Key),
    ) -> Result<(), OutOfMemory> {
        let spilled = self.runs.iter().any(|runs| !runs.is_empty());
        if spilled {
            self.spill_all(spill, pause);
            self.words = vec![];
            self.nulls = vec![];
            for tape in self.meta.stored().chain([self.meta.nulls()]) {
                self.merge_to_few(tape, spill, pause)?;
                let runs = &self.runs[usize::from(tape)];
                merge(runs, tape, self.limit, spill, pause, |row, _| each(key(row, tape)))?;
            }
            return Ok(());
        }
        let mut turned = 0;
        for rotation in self.meta.stored() {
            self.turn_to(rotation, &mut turned, pause);
            emit(self.rows_of(rotation), rotation, pause, &mut each);
        }
        sort(&mut self.nulls, pause);
        emit(&self.nulls, self.meta.nulls(), pause, &mut each);
        Ok(())
    }
}

/// How many rows are handled between two pauses.
const ROWS_PER_PAUSE: usize = 1 << 16;

/// Rotates the words of all rows by further `rotations`.
fn turn(rows: &mut [Row], rotations: u8, pause: Pause) {
    if rotations > 0 {
        for part in rows.chunks_mut(ROWS_PER_PAUSE) {
            pause();
            part.iter_mut().for_each(|row| row.0 = rotate(row.0, rotations));
        }
    }
}

fn key(row: Row, tape: u8) -> Key {
    Key::new(tape, Entry { bits: row.0, tid: Tid::from_bits(row.1) })
}

fn emit(rows: &[Row], tape: u8, pause: Pause, each: &mut impl FnMut(Key)) {
    for part in rows.chunks(ROWS_PER_PAUSE) {
        pause();
        part.iter().for_each(|&row| each(key(row, tape)));
    }
}

/// Sorts rows without extra memory, byte by byte, beginning with the highest byte. Small parts are sorted by comparison.
fn sort(rows: &mut [Row], pause: Pause) {
    sort_from(rows, 0, pause);
}

/// Up to this many rows are sorted by comparison.
const FEW: usize = 1 << 14;

/// Sorts rows whose first `digit` bytes are equal.
fn sort_from(rows: &mut [Row], digit: u32, pause: Pause) {
    if rows.len() <= FEW || digit == 16 {
        rows.sort_unstable();
        return pause();
    }
    let value = |row: &Row| match digit {
        0..8 => (row.0 >> (56 - 8 * digit)) as u8,
        _ => (row.1 >> (120 - 8 * digit)) as u8,
    };
    let mut counts = [0; 256];
    for part in rows.chunks(ROWS_PER_PAUSE) {
        pause();
        part.iter().for_each(|row| counts[usize::from(value(row))] += 1);
    }
    // Each bucket is filled from its start. A row found there that belongs to another bucket is swapped into that bucket.
    let mut next = [0; 256];
    let mut start = 0;
    for (next, count) in next.iter_mut().zip(counts) {
        *next = start;
        start += count;
    }
    let mut end = 0;
    let mut moved = 0;
    for bucket in 0..256 {
        end += counts[bucket];
        while next[bucket] < end {
            let at = next[bucket];
            let home = usize::from(value(&rows[at]));
            next[home] += 1;
            if home != bucket {
                rows.swap(at, next[home] - 1);
            }
            moved += 1;
            if moved % ROWS_PER_PAUSE == 0 {
                pause();
            }
        }
    }
    let mut rest = rows;
    for count in counts {
        let (bucket, others) = rest.split_at_mut(count);
        if bucket.len() > 1 {
            sort_from(bucket, digit + 1, pause);
        }
        rest = others;
    }
}

/// Writes a run block by block.
struct Writer {
    tape: u8,
    run: Run,
    /// The number of the block that is being filled.
    block: u64,
    bytes: Vec<u8>,
}

impl Writer {
    fn new(tape: u8, start: u64) -> Writer {
        Writer { tape, run: Run { start, rows: 0 }, block: start, bytes: vec![] }
    }

    fn push(&mut self, row: Row, spill: &mut impl Spill) {
        self.bytes.extend([row.0.to_ne_bytes(), row.1.to_ne_bytes()].as_flattened());
        self.run.rows += 1;
        if self.bytes.len() == SPILL_BLOCK {
            self.write(spill);
        }
    }

    fn write(&mut self, spill: &mut impl Spill) {
        spill.write(self.tape, &self.bytes);
        self.bytes.clear();
        self.block += 1;
    }

    /// Returns the run, and the number of the block after it.
    fn finish(mut self, spill: &mut impl Spill) -> (Run, u64) {
        if !self.bytes.is_empty() {
            self.bytes.resize(SPILL_BLOCK, 0);
            self.write(spill);
        }
        (self.run, self.block)
    }
}

/// Reads a run block by block.
struct Reader {
    run: Run,
    read: usize,
    block: u64,
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn next(&mut self, tape: u8, spill: &mut impl Spill) -> Option<Row> {
        if self.read == self.run.rows {
            return None;
        }
        if self.at == self.bytes.len() {
            let left = (self.run.rows - self.read).div_ceil(ROWS_PER_BLOCK) * SPILL_BLOCK;
            let len = left.min(self.bytes.len());
            self.bytes.truncate(len);
            spill.read(tape, self.block * SPILL_BLOCK as u64, &mut self.bytes);
            self.block += (len / SPILL_BLOCK) as u64;
            self.at = 0;
        }
        let word = |at: usize| u64::from_ne_bytes(std::array::from_fn(|i| self.bytes[at + i]));
        let row = (word(self.at), word(self.at + 8));
        self.at += ROW;
        self.read += 1;
        Some(row)
    }
}

/// Calls `each` with the rows of runs of a tape, in ascending order.
fn merge<S: Spill>(
    runs: &[Run],
    tape: u8,
    limit: usize,
    spill: &mut S,
    pause: Pause,
    mut each: impl FnMut(Row, &mut S),
) -> Result<(), OutOfMemory> {
    let blocks_a_run = (limit / ROWS_PER_BLOCK / runs.len().max(1)).clamp(1, 64);
    let mut readers = vec![];
    readers.try_reserve_exact(runs.len()).map_err(|_| OutOfMemory)?;
    let mut heads = BinaryHeap::new();
    for (number, &run) in runs.iter().enumerate() {
        let mut bytes = vec![];
        bytes.try_reserve_exact(blocks_a_run * SPILL_BLOCK).map_err(|_| OutOfMemory)?;
        bytes.resize(blocks_a_run * SPILL_BLOCK, 0);
        let at = bytes.len();
        let mut reader = Reader { run, read: 0, block: run.start, bytes, at };
        heads.extend(reader.next(tape, spill).map(|row| Reverse((row, number))));
        readers.push(reader);
    }
    let mut done = 0;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((row, number)) = *head;
        each(row, spill);
        match readers[number].next(tape, spill) {
            Some(next) => *head = Reverse((next, number)),
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
        done += 1;
        if done % ROWS_PER_PAUSE == 0 {
            pause();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Default)]
    struct Tapes(Vec<Vec<u8>>);

    impl Spill for Tapes {
        fn write(&mut self, tape: u8, bytes: &[u8]) {
            self.0.resize(self.0.len().max(usize::from(tape) + 1), vec![]);
            self.0[usize::from(tape)].extend(bytes);
        }

        fn read(&mut self, tape: u8, at: u64, bytes: &mut [u8]) {
            let at = at as usize;
            bytes.copy_from_slice(&self.0[usize::from(tape)][at..at + bytes.len()]);
        }
    }

    /// Compares the keys of all rows, sorted in memory and with tapes, with those of a plain sort.
    fn compare(meta: Meta, rows: &[(Option<u64>, u32)]) {
        // The further words of a fingerprint are made of the first one.
        let words = u64::from(meta.words);
        let fingerprint =
            |word: u64| Fingerprint::of_words((0..words).map(|at| word.wrapping_mul(2 * at + 1))).unwrap();
        let tid = |number: u32| Tid::new(number / 7, (number % 7) as u16);
        let mut expected: Vec<Key> = rows
            .iter()
            .flat_map(|&(word, number)| meta.keys_of(word.map(fingerprint), tid(number)))
            .collect();
        expected.sort();
        // The least memory, memory for a few more rows than a power of two, and enough for all rows.
        for limit in [1024, 2049, usize::MAX / 2 / ROW] {
            let (mut tapes, mut keys) = (Tapes::default(), vec![]);
            let mut sorter = Sorter::new(meta, if limit == 1024 { 0 } else { limit * ROW });
            for &(word, number) in rows {
                sorter.push(word.map(fingerprint), tid(number), &mut tapes, &mut || ()).unwrap();
                assert!(sorter.capacity_of_words() + sorter.nulls.capacity() <= sorter.limit);
            }
            sorter.finish(&mut tapes, &mut || (), |key| keys.push(key)).unwrap();
            assert!(keys == expected);
            let in_lists = rows.len() * usize::from(meta.words);
            assert!(tapes.0.is_empty() == (in_lists <= limit) || rows.iter().any(|row| row.0.is_none()));
            assert!(tapes.0.is_empty() || in_lists > limit / 4);
        }
    }

    #[test]
    fn many_rows_in_every_order() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 33
        };
        let rows: Vec<_> = (0..60_000).map(|i| ((random() % 10 > 0).then(&mut random), i)).collect();
        compare(Meta { rotations: 4, words: 1 }, &rows);
        // Rows with a fingerprint come first.
        let mut rows = rows;
        rows.sort_by_key(|row| row.0.is_none());
        compare(Meta { rotations: 4, words: 1 }, &rows);
        // Few fingerprints, each of many rows.
        let rows: Vec<_> = (0..60_000).map(|i| (Some(random() % 3), 60_000 - i)).collect();
        compare(Meta { rotations: 2, words: 4 }, &rows);
    }

    proptest! {
        #[test]
        fn few_rows(
            rows in prop::collection::btree_map(any::<u32>(), prop::option::of(any::<u64>()), 0..3000), power in 0..3u32,
            words in 1..=8u8
        ) {
            let rows: Vec<_> = rows.into_iter().map(|(number, fingerprint)| (fingerprint, number)).collect();
            compare(Meta { rotations: 1 << power, words }, &rows);
        }
    }
}
