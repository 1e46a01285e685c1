//! Words → features: runs of words or of characters.

use crate::hash::feature_hash;
use crate::information::{HalfBits, information};
use crate::noise::is_noise;
use crate::options::{Noise, Options, Unit};
use crate::segment::{is_written, segment};

/// One feature as it occurs in a text.
pub struct Occurrence<'a> {
    /// The words of the run with a space between them, or its characters.
    pub text: &'a str,
    /// Its hash.
    pub hash: u64,
    /// The information of its most informative word; 0 where the weights do not ask for it.
    pub information: HalfBits,
}

/// Cuts a text, given chunk by chunk in normal form, into features.
///
/// The last units stand one after the other in a buffer, so that every run is a slice of it and no feature
/// is allocated.
#[derive(Default)]
pub struct Features {
    joined: String,
    /// The units in `joined`.
    units: Vec<UnitSpan>,
    /// Whether a run has been handed out.
    any: bool,
}

/// Where a word or a character stands in the buffer, and what it says.
#[derive(Clone, Copy)]
struct UnitSpan {
    start: usize,
    end: usize,
    /// The unseeded hash of a word; a character has none yet.
    hash: u64,
    information: HalfBits,
}

impl Features {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.joined.clear();
        self.units.clear();
        self.any = false;
    }

    /// Hands the features that the normalised chunk `text` completes to `feature`.
    pub fn chunk(&mut self, text: &str, options: &Options, mut feature: impl FnMut(Occurrence)) {
        self.forget(options.runs.longest() - 1);
        let old = self.units.len();
        match options.unit {
            Unit::Words => segment(text, options.hmm, |word| self.word(word, options)),
            Unit::Characters => text.chars().filter(|c| is_written(*c)).for_each(|c| self.character(c)),
        }
        for length in options.runs.iter() {
            // A run is new where its last unit is.
            let first = (old + 1).max(length);
            for end in first..=self.units.len() {
                feature(self.run(&self.units[end - length..end], options));
            }
            self.any |= first <= self.units.len();
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, mut feature: impl FnMut(Occurrence)) {
        if !self.any && !self.units.is_empty() {
            feature(self.run(&self.units, options));
        }
    }

    #[inline]
    fn word(&mut self, word: &str, options: &Options) {
        let hash = feature_hash(word.as_bytes(), 0);
        if options.noise == Noise::Drop && is_noise(word.as_bytes(), hash) {
            return;
        }
        if !self.joined.is_empty() {
            self.joined.push(' ');
        }
        let information = if options.weights.are_informed() { information(word) } else { 0 };
        let start = self.joined.len();
        self.joined.push_str(word);
        self.units.push(UnitSpan { start, end: self.joined.len(), hash, information });
    }

    #[inline]
    fn character(&mut self, c: char) {
        let start = self.joined.len();
        self.joined.push(c);
        // Characters are all alike: one level, one bit.
        self.units.push(UnitSpan { start, end: self.joined.len(), hash: 0, information: 2 });
    }

    #[inline(always)]
    fn run(&self, units: &[UnitSpan], options: &Options) -> Occurrence<'_> {
        let text = &self.joined[units[0].start..units[units.len() - 1].end];
        let information = if options.weights.are_informed() {
            units.iter().map(|unit| unit.information).max().unwrap_or(0)
        } else {
            0
        };
        let hash = match units {
            [word] if options.unit == Unit::Words && options.seed == 0 => word.hash,
            _ => feature_hash(text.as_bytes(), options.seed),
        };
        Occurrence { text, hash, information }
    }

    /// Forgets all but the last `kept` units: no run of the next chunk reaches further back.
    fn forget(&mut self, kept: usize) {
        let gone = self.units.len().saturating_sub(kept);
        let cut = self.units.get(gone).map_or(self.joined.len(), |unit| unit.start);
        self.joined.drain(..cut);
        self.units.drain(..gone);
        for unit in &mut self.units {
            unit.start -= cut;
            unit.end -= cut;
        }
    }
}
