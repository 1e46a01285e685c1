//! Normalised text → features: runs of words or of characters.
//!
//! No feature is allocated: words are slices of the text, runs of words are known by the hashes of the last words, and
//! runs of characters are slices of a buffer.

mod characters;
mod white_space;
mod word_hashes;
mod words;
mod written;

use crate::options::{Options, Unit, Weights};
use crate::segment::Span;
use crate::weight::{self, Weight};
use characters::CharacterRuns;
use white_space::{fold_white_space, least_length};
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

/// What is done with features. They come many at a time, and the sink may overwrite the slice.
pub trait Sink {
    /// Gets every word of the chunk `text`, in order and before the features that it is part of.
    fn units(&mut self, text: &str, words: &[Span]);

    /// Takes single words of the chunk `text`.
    fn words(&mut self, text: &str, words: &mut [Single]);

    /// Takes the hashes of runs of `length` words, the first of which begins with word `first` of the text, the second
    /// with the next word, and so on.
    fn runs(&mut self, first: usize, length: usize, hashes: &mut [u64]);

    /// Takes the hashes of runs of characters; `run` returns each by its number.
    fn characters<'a>(&mut self, run: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form);
}

/// Cuts a text, given chunk by chunk in normal form, into features.
#[derive(Default)]
pub struct Features {
    words: WordRuns,
    characters: CharacterRuns,
    /// A short text with its white space folded.
    folded: String,
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
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        match options.unit {
            Unit::Words => self.words.chunk(text, options, sink),
            Unit::Characters => self.characters.chunk(text, options, sink),
        }
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
    /// falls to 0 as the text gets longer, so there is no jump at the limit.
    pub fn short_runs(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let applies = options.weights == Weights::Balanced && options.unit == Unit::Words;
        let is_long = text.len() >= 4 * SHORT_CHARACTERS || least_length(text) >= SHORT_CHARACTERS;
        if !applies || self.words.is_empty() || is_long {
            return;
        }
        self.folded.clear();
        fold_white_space(text, &mut self.folded);
        let length = self.folded.chars().count();
        if let Some(weight) = weight::short_run(length) {
            self.characters.short_runs(&self.folded, SHORT_RUN.min(length), weight, options.seed, sink);
        }
    }
}
