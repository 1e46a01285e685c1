//! Normalised text → features: runs of words or of characters.
//!
//! No feature is allocated: words are slices of the text, runs of words are known by the hashes of the last words, and
//! runs of characters are slices of a buffer.

mod characters;
mod words;

use crate::options::{Options, Unit, Weights};
use crate::weight::{self, Weight};
use characters::CharacterRuns;
pub use words::Single;
use words::WordRuns;

/// A text of so many characters is no longer short.
pub const SHORT_CHARACTERS: usize = 400;

/// The length of the runs of characters in a short text.
const SHORT_RUN: usize = 4;

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

/// What is done with features.
pub trait Sink {
    /// Hears of every word of the text, in order and before the features that it is part of.
    fn unit(&mut self, word: &str);

    /// Takes a single word of the chunk `text`.
    fn word(&mut self, text: &str, word: Single);

    /// Hears that a chunk has come to its end, and gets it once more.
    fn end_of_chunk(&mut self, text: &str);

    /// Takes a run of words: `length` of them from number `first` of the text.
    fn run(&mut self, first: usize, length: usize, hash: u64);

    /// Takes a run of characters.
    fn characters(&mut self, run: &[u8], hash: u64, form: Form);
}

/// Cuts a text, given chunk by chunk in normal form, into features.
#[derive(Default)]
pub struct Features {
    words: WordRuns,
    characters: CharacterRuns,
}

impl Features {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.words.reset();
        self.characters.reset();
    }

    /// Whether the text so far has nothing but noise words.
    pub fn is_all_noise(&self) -> bool {
        self.words.are_all_noise()
    }

    /// Hands the features that the normalised chunk `text` completes to `sink`.
    #[inline]
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        match options.unit {
            Unit::Words => self.words.chunk(text, options, sink),
            Unit::Characters => self.characters.chunk(text, options, sink),
        }
        sink.end_of_chunk(text);
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        match options.unit {
            Unit::Words => self.words.finish(options, sink),
            Unit::Characters => self.characters.finish(options, sink),
        }
    }

    /// Hands the runs of characters of `text`, a whole text in normal form, to `sink` if it is a short one.
    ///
    /// A short text has few words, and one changed character takes several features away with it. With balanced
    /// weights it therefore has runs of four characters as features too, punctuation and all, with a weight that
    /// fades to nothing as the text gets longer: no text stands at an edge.
    pub fn short_runs(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let applies = options.weights == Weights::Balanced && options.unit == Unit::Words;
        if !applies || text.len() >= 4 * SHORT_CHARACTERS || self.words.is_empty() {
            return;
        }
        let length = self.characters.fill_with_white_space_folded(text);
        if let Some(weight) = weight::short_run(length) {
            self.characters.short_runs(SHORT_RUN.min(length), weight, options.seed, sink);
        }
    }
}
