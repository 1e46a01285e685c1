//! Runs of characters.

use super::{Form, Sink};
use crate::chunk::ascii_len;
use crate::hash::{feature_hash, word_hash};
use crate::options::Options;
use crate::segment::{ascii_runs, is_written};
use crate::weight::Weight;

/// The characters of a chunk that words are made of, and the last ones of the chunk before.
#[derive(Default)]
pub struct CharacterRuns {
    joined: String,
    /// Where the characters start; empty where all of them are ASCII, a byte each.
    starts: Vec<u32>,
    any_run: bool,
}

impl CharacterRuns {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.joined.clear();
        self.any_run = false;
    }

    /// Hands the runs that end in the normalised chunk `text` to `sink`.
    #[inline]
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        self.forget(options.runs.longest() - 1);
        let old = self.joined.chars().count();
        push_written(text, &mut self.joined);
        let count = self.find_starts();
        for length in options.runs.iter() {
            // A run is new where its last character is.
            self.runs(length, (old + 1).saturating_sub(length), options.seed, sink);
            self.any_run |= count >= length;
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if !self.any_run && !self.joined.is_empty() {
            let hash = word_hash(self.joined.as_bytes(), options.seed);
            sink.characters(self.joined.as_bytes(), hash, Form::CharacterRun);
        }
    }

    /// Takes all characters of `text`, with one space for white space between them, and tells how many there are.
    pub fn fill_with_white_space_folded(&mut self, text: &str) -> usize {
        self.joined.clear();
        for c in text.chars() {
            if !is_blank(c) {
                self.joined.push(c);
            } else if !self.joined.is_empty() && !self.joined.ends_with(' ') {
                self.joined.push(' ');
            }
        }
        self.joined.truncate(self.joined.trim_end_matches(' ').len());
        self.joined.chars().count()
    }

    /// Hands the runs of `length` characters of a short text to `sink`. They may have spaces inside.
    pub fn short_runs(&self, length: usize, weight: Weight, seed: u64, sink: &mut impl Sink) {
        let starts = self.joined.char_indices().map(|(start, _)| start);
        let ends = starts.clone().skip(length).chain([self.joined.len()]);
        for (start, end) in starts.zip(ends) {
            let run = &self.joined[start..end];
            sink.characters(run.as_bytes(), feature_hash(run, seed), Form::ShortRun(weight));
        }
    }

    /// Hands the runs of `length` characters that start at the character `from` or later to `sink`.
    #[inline(always)]
    fn runs(&self, length: usize, from: usize, seed: u64, sink: &mut impl Sink) {
        let form = Form::CharacterRun;
        let bytes = self.joined.as_bytes();
        if self.starts.is_empty() {
            let bytes = &bytes[from.min(bytes.len())..];
            if length == 4 {
                // The usual length, known to the compiler.
                for run in bytes.windows(4) {
                    let run: &[u8; 4] = run.try_into().expect("a window of four");
                    sink.characters(run, word_hash(run, seed), form);
                }
            } else {
                for run in bytes.windows(length) {
                    sink.characters(run, word_hash(run, seed), form);
                }
            }
        } else {
            for ends in self.starts[from.min(self.starts.len())..].windows(length + 1) {
                let run = &bytes[ends[0] as usize..ends[length] as usize];
                sink.characters(run, word_hash(run, seed), form);
            }
        }
    }

    /// Finds where the characters start, and behind the last one; tells how many there are.
    fn find_starts(&mut self) -> usize {
        self.starts.clear();
        if self.joined.is_ascii() {
            return self.joined.len();
        }
        self.starts.extend(self.joined.char_indices().map(|(start, _)| start as u32));
        self.starts.push(self.joined.len() as u32);
        self.starts.len() - 1
    }

    /// Forgets all but the last `kept` characters.
    fn forget(&mut self, kept: usize) {
        let cut = match kept {
            0 => self.joined.len(),
            _ => self.joined.char_indices().rev().nth(kept - 1).map_or(0, |(start, _)| start),
        };
        self.joined.drain(..cut);
    }
}

/// Appends the characters of `text` that words are made of.
fn push_written(text: &str, out: &mut String) {
    out.reserve(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (ascii, other) = rest.split_at(ascii_len(rest));
        ascii_runs(ascii, |run| out.push_str(run));
        let end = other.find(|c: char| c.is_ascii()).unwrap_or(other.len());
        out.extend(other[..end].chars().filter(|c| is_written(*c)));
        rest = &other[end..];
    }
}

/// White space and control characters, as the normal form leaves them.
fn is_blank(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\x7f'..='\u{9f}' | '\u{1680}' | '\u{2028}' | '\u{2029}')
}
