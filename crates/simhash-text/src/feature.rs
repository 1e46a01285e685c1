//! Normalised text → features: runs of words or of characters.
//!
//! No feature is allocated: words are slices of the text, runs of words are computed from the hashes of the last words, and runs of
//! characters are slices of a buffer.
//!
//! ```text
//! words of a chunk ── words ── word_hashes ── single words, runs of words ─────────────┐
//! characters of a chunk ── written ── characters ── runs of characters ────────────────┼── sink
//! a short text ── white_space ── characters ── runs of characters, with a weight ──────┘
//! ```

mod characters;
mod single;
mod sink;
mod white_space;
mod word_hashes;
mod words;
mod written;

use crate::options::{Options, Unit};
use crate::weight::{SHORT_CHARACTERS, Weights, short_run};
use characters::CharacterRuns;
pub use single::Single;
pub use sink::Sink;
use white_space::{fold_white_space, least_length};
use words::WordRuns;

/// The length of the runs of characters in a short text.
const SHORT_RUN: usize = 4;

/// Cuts a text, given chunk by chunk in normal form, into features.
#[derive(Default)]
pub struct Features {
    words: WordRuns,
    characters: CharacterRuns,
    /// A short text with its white space folded.
    folded: String,
}

impl Features {
    /// Prepares for a new text.
    pub fn reset(&mut self) {
        self.words.reset();
        self.characters.reset();
    }

    /// Whether the text so far has words, and all of them are noise words.
    pub fn is_all_noise(&self) -> bool {
        self.words.are_all_noise()
    }

    /// Passes the features that the normalised chunk `text` completes to `sink`.
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        match options.unit {
            Unit::Words => self.words.chunk(text, options, sink),
            Unit::Characters => self.characters.chunk(text, options, sink),
        }
    }

    /// Ends the text. A text that is shorter than the shortest run is one feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        match options.unit {
            Unit::Words => self.words.finish(options, sink),
            Unit::Characters => self.characters.finish(options, sink),
        }
    }

    /// Passes the runs of characters of `text` to `sink` if the text is short. `text` is a whole text in normal form.
    ///
    /// A short text has few words, and one changed character changes several features. Therefore, with balanced weights, its runs
    /// of four characters are features too, including punctuation. Their weight falls to 0 as the text gets longer, so there is no
    /// jump at the limit.
    pub fn short_runs(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let applies = options.weights == Weights::Balanced && options.unit == Unit::Words;
        let is_long = text.len() >= 4 * SHORT_CHARACTERS || least_length(text) >= SHORT_CHARACTERS;
        if !applies || self.words.is_empty() || is_long {
            return;
        }
        self.folded.clear();
        fold_white_space(text, &mut self.folded);
        let length = self.folded.chars().count();
        if let Some(weight) = short_run(length) {
            self.characters.short_runs(&self.folded, SHORT_RUN.min(length), weight, options.seed, sink);
        }
    }
}
