//! Runs of words.

use super::Sink;
use crate::hash::{SEED, pair_hash, run_hash, word_hash};
use crate::noise::is_noise;
use crate::options::{MAX_RUN, Noise, Options};
use crate::segment::segment;

/// The hashes of the last words: all that runs need.
#[derive(Default)]
pub struct WordRuns {
    recent: [u64; MAX_RUN],
    /// Words so far.
    count: usize,
    any_content: bool,
}

impl WordRuns {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        (self.count, self.any_content) = (0, false);
    }

    /// Whether the text has no word yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the text has words, and all of them are noise words.
    pub fn are_all_noise(&self) -> bool {
        !self.any_content && self.count > 0
    }

    /// Hands the words of the normalised chunk `text` and the runs that end with them to `sink`.
    #[inline]
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let keep_noise = options.noise == Noise::Keep;
        let singles = options.runs.contains(1);
        let pairs = options.runs.contains(2);
        let start = text.as_ptr() as usize;
        segment(text, options.hmm, |word| {
            let usual = word_hash(word.as_bytes(), SEED);
            let hash = if options.seed == SEED { usual } else { word_hash(word.as_bytes(), options.seed) };
            let noise = is_noise(word.as_bytes(), usual);
            self.any_content |= !noise;
            sink.unit(word);
            if singles && (keep_noise || !noise) {
                sink.word(word, word.as_ptr() as usize - start, hash);
            }
            let before = self.recent[self.count.wrapping_sub(1) % MAX_RUN];
            self.recent[self.count % MAX_RUN] = hash;
            self.count += 1;
            if pairs && self.count > 1 {
                sink.run(2, pair_hash(before, hash, options.seed));
            }
            if !options.runs.at_most_pairs() {
                for length in options.runs.iter().filter(|length| *length > 2 && *length <= self.count) {
                    self.run(length, options.seed, sink);
                }
            }
        });
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if self.count > 0 && self.count < options.runs.shortest() {
            self.run(self.count, options.seed, sink);
        }
    }

    /// Hands out the run of the last `length` words.
    fn run(&self, length: usize, seed: u64, sink: &mut impl Sink) {
        let words = (self.count - length..self.count).map(|i| self.recent[i % MAX_RUN]);
        // A text of one word that is all there is: the word itself.
        let hash = if length == 1 { self.recent[0] } else { run_hash(words, seed) };
        sink.run(length, hash);
    }
}
