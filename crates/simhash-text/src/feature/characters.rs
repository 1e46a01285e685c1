//! Runs of characters.

use super::sink::Sink;
use super::written::push_written;
use crate::hash::{feature_hash, word_hash};
use crate::options::Options;
use crate::weight::{Form, Weight};

/// The characters of the words in a chunk, after the last ones of the previous chunk.
#[derive(Default)]
pub struct CharacterRuns {
    /// In UTF-8.
    joined: Vec<u8>,
    /// Where the characters start, and where the last one ends; empty if all of them are ASCII, of one byte each.
    starts: Vec<u32>,
    hashes: Vec<u64>,
    any_run: bool,
}

/// The number of runs that are passed on together.
const BATCH: usize = 1024;

impl CharacterRuns {
    /// Prepares for a new text.
    pub fn reset(&mut self) {
        self.joined.clear();
        self.any_run = false;
    }

    /// Passes the runs that end in the normalised chunk `text` to `sink`.
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        self.forget(options.runs.longest() - 1);
        let old = starts(&self.joined).count();
        push_written(text, &mut self.joined);
        let count = self.find_starts();
        for length in options.runs.iter() {
            // A run is new if its last character is new.
            self.runs(length, (old + 1).saturating_sub(length), options.seed, sink);
            self.any_run |= count >= length;
        }
    }

    /// Ends the text. A text that is shorter than the shortest run is one feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if !self.any_run && !self.joined.is_empty() {
            let hash = word_hash(&self.joined, options.seed);
            sink.characters(|_| &self.joined, &mut [hash], Form::CharacterRun);
        }
    }

    /// Passes the runs of `length` characters of a short text to `sink`. They may contain spaces.
    pub fn short_runs(&mut self, text: &str, length: usize, weight: Weight, seed: u64, sink: &mut impl Sink) {
        self.starts.clear();
        self.starts.extend(text.char_indices().map(|(start, _)| start as u32).chain([text.len() as u32]));
        let run = |i: usize| &text[self.starts[i] as usize..self.starts[i + length] as usize];
        self.hashes.clear();
        self.hashes.extend((0..self.starts.len() - length).map(|i| feature_hash(run(i), seed)));
        sink.characters(|i| run(i).as_bytes(), &mut self.hashes, Form::ShortRun(weight));
    }

    /// Passes the runs of `length` characters that start at the character `from` or later to `sink`.
    fn runs(&mut self, length: usize, from: usize, seed: u64, sink: &mut impl Sink) {
        let CharacterRuns { joined, starts, hashes, .. } = self;
        let ascii = starts.is_empty();
        let count = (if ascii { joined.len() + 1 } else { starts.len() }).saturating_sub(length);
        for first in (from..count).step_by(BATCH) {
            let end = count.min(first + BATCH);
            hashes.clear();
            if ascii {
                push_ascii_hashes(&joined[first..end + length - 1], length, seed, hashes);
            } else {
                push_hashes(joined, &starts[first..end + length], length, seed, hashes);
            }
            let run = |i: usize| match ascii {
                true => &joined[first + i..first + i + length],
                false => &joined[starts[first + i] as usize..starts[first + i + length] as usize],
            };
            sink.characters(run, hashes, Form::CharacterRun);
        }
    }

    /// Finds where the characters start and where the last one ends; returns the number of characters.
    fn find_starts(&mut self) -> usize {
        self.starts.clear();
        if self.joined.is_ascii() {
            return self.joined.len();
        }
        self.starts.extend(starts(&self.joined).map(|start| start as u32));
        self.starts.push(self.joined.len() as u32);
        self.starts.len() - 1
    }

    /// Removes all characters except the last `kept` ones.
    fn forget(&mut self, kept: usize) {
        let len = self.joined.len();
        let is_start = |at: &usize| !is_continuation(self.joined[*at]);
        let cut = match kept {
            0 => len,
            _ => (0..len).rev().filter(is_start).nth(kept - 1).unwrap_or(0),
        };
        self.joined.drain(..cut);
    }
}

/// Appends the hashes of all runs of `length` ASCII characters.
fn push_ascii_hashes(text: &[u8], length: usize, seed: u64, hashes: &mut Vec<u64>) {
    let runs = text.windows(length);
    if length == 4 {
        // The usual length, as a constant for the compiler.
        hashes.extend(runs.map(|run| word_hash(run.first_chunk::<4>().expect("four bytes"), seed)));
    } else {
        hashes.extend(runs.map(|run| word_hash(run, seed)));
    }
}

/// Appends the hashes of all runs of `length` characters between `starts`.
fn push_hashes(text: &[u8], starts: &[u32], length: usize, seed: u64, hashes: &mut Vec<u64>) {
    let run = |ends: &[u32]| (ends[0] as usize, ends[length] as usize);
    let runs = starts.windows(length + 1).map(run);
    if length == 4 {
        // The usual length. The limits tell the compiler which lengths in bytes are possible.
        hashes.extend(
            runs.map(|(start, end)| word_hash(&text[start..start + (end - start).clamp(4, 16)], seed)),
        );
    } else {
        hashes.extend(runs.map(|(start, end)| word_hash(&text[start..end], seed)));
    }
}

/// The positions where the characters of a text in UTF-8 start.
fn starts(text: &[u8]) -> impl Iterator<Item = usize> {
    text.iter().enumerate().filter(|(_, b)| !is_continuation(**b)).map(|(start, _)| start)
}

/// Whether a byte of UTF-8 is not the first of its character.
#[inline(always)]
fn is_continuation(byte: u8) -> bool {
    matches!(byte, 0x80..=0xBF)
}
