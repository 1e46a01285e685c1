//! Words → features: runs of words or of characters.
//!
//! A short text has few words, and one changed character takes several features away with it. With balanced weights,
//! a text below `SHORT_CHARACTERS` therefore has runs of four characters as features too, punctuation and all, with a
//! weight that fades to nothing at that length: no text stands at an edge.

use crate::hash::feature_hash;
use crate::noise::is_noise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::segment::{is_written, segment};
use crate::weight::{self, Weight};

/// A text of so many characters is no longer short.
pub const SHORT_CHARACTERS: usize = 400;

/// The length of the runs of characters in a short text.
const SHORT_RUN: usize = 4;

/// One feature as it occurs in a text.
pub struct Occurrence<'a> {
    /// The words of the run with a space between them, or its characters.
    pub text: &'a str,
    /// Its hash.
    pub hash: u64,
    /// What it is.
    pub form: Form,
}

/// What a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A single word.
    Word,
    /// Several words.
    WordRun,
    /// Characters, where characters were asked for.
    CharacterRun,
    /// Characters of a short text, and their weight.
    ShortRun(Weight),
}

/// Cuts a text, given chunk by chunk in normal form, into features.
///
/// The units of a chunk stand one after the other in a buffer, so that every run is a slice of it and no feature is
/// allocated.
#[derive(Default)]
pub struct Features {
    joined: String,
    /// The units in `joined`.
    units: Vec<UnitSpan>,
    /// Whether a run has been handed out.
    any_run: bool,
    /// Whether there was a word that is no noise word.
    any_content: bool,
}

/// A word or a character in the buffer.
#[derive(Clone, Copy)]
struct UnitSpan {
    start: usize,
    end: usize,
    /// The unseeded hash of a word; a character has none yet.
    hash: u64,
    is_noise: bool,
}

impl Features {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.joined.clear();
        self.units.clear();
        (self.any_run, self.any_content) = (false, false);
    }

    /// Whether the text so far has nothing but noise words.
    pub fn is_all_noise(&self) -> bool {
        !self.any_content && !self.units.is_empty()
    }

    /// Hands the features that the normalised chunk `text` completes to `feature`.
    #[inline]
    pub fn chunk(&mut self, text: &str, options: &Options, mut feature: impl FnMut(Occurrence)) {
        self.forget(options.runs.longest() - 1);
        let old = self.units.len();
        let form = match options.unit {
            Unit::Words => {
                segment(text, options.hmm, |word| self.push_word(word));
                Form::WordRun
            }
            Unit::Characters => {
                text.chars().filter(|c| is_written(*c)).for_each(|c| self.push_character(c));
                self.any_content |= !self.units.is_empty();
                Form::CharacterRun
            }
        };
        let drop_noise = options.noise == Noise::Drop;
        for length in options.runs.iter() {
            if length == 1 && options.unit == Unit::Words {
                for word in &self.units[old..] {
                    if !(drop_noise && word.is_noise) {
                        let text = &self.joined[word.start..word.end];
                        let hash = if options.seed == 0 {
                            word.hash
                        } else {
                            feature_hash(text.as_bytes(), options.seed)
                        };
                        feature(Occurrence { text, hash, form: Form::Word });
                    }
                }
                self.any_run |= old < self.units.len();
                continue;
            }
            // A run is new where its last unit is.
            let first = (old + 1).max(length);
            for end in first..=self.units.len() {
                feature(self.run(&self.units[end - length..end], form, options));
            }
            self.any_run |= first <= self.units.len();
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, mut feature: impl FnMut(Occurrence)) {
        if !self.any_run && !self.units.is_empty() {
            let form = if options.unit == Unit::Words { Form::WordRun } else { Form::CharacterRun };
            feature(self.run(&self.units, form, options));
        }
    }

    /// Hands the runs of characters of `text`, a whole text in normal form, to `feature` if it is short.
    pub fn short_runs(&mut self, text: &str, options: &Options, mut feature: impl FnMut(Occurrence)) {
        let applies = options.weights == Weights::Balanced && options.unit == Unit::Words;
        if !applies || text.len() >= 4 * SHORT_CHARACTERS || self.units.is_empty() {
            return;
        }
        self.joined.clear();
        self.units.clear();
        // White space is one space between the others.
        for c in text.chars() {
            match is_blank(c) {
                true if self.joined.is_empty() || self.joined.ends_with(' ') => {}
                true => self.push_character(' '),
                false => self.push_character(c),
            }
        }
        if self.joined.ends_with(' ') {
            self.units.pop();
        }
        let Some(weight) = weight::short_run(self.units.len()) else { return };
        let length = SHORT_RUN.min(self.units.len());
        for run in self.units.windows(length) {
            feature(self.run(run, Form::ShortRun(weight), options));
        }
    }

    #[inline]
    fn push_word(&mut self, word: &str) {
        if !self.joined.is_empty() {
            self.joined.push(' ');
        }
        let start = self.joined.len();
        self.joined.push_str(word);
        let hash = feature_hash(word.as_bytes(), 0);
        let is_noise = is_noise(word.as_bytes(), hash);
        self.any_content |= !is_noise;
        self.units.push(UnitSpan { start, end: self.joined.len(), hash, is_noise });
    }

    #[inline]
    fn push_character(&mut self, c: char) {
        let start = self.joined.len();
        self.joined.push(c);
        self.units.push(UnitSpan { start, end: self.joined.len(), hash: 0, is_noise: false });
    }

    #[inline(always)]
    fn run(&self, units: &[UnitSpan], form: Form, options: &Options) -> Occurrence<'_> {
        let text = &self.joined[units[0].start..units[units.len() - 1].end];
        Occurrence { text, hash: feature_hash(text.as_bytes(), options.seed), form }
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

/// White space and control characters, as the normal form leaves them.
fn is_blank(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\x7f'..='\u{9f}' | '\u{1680}' | '\u{2028}' | '\u{2029}')
}
