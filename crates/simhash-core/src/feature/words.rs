//! Runs of words.

use super::Sink;
use crate::hash::{SEED, pair_hash, run_hash, word_hash};
use crate::noise::is_noise;
use crate::options::{Noise, Options};
use crate::segment::segment;

/// The words of a chunk, after the last ones of the chunk before: their hashes are all that runs need.
///
/// One pass finds the words, and a pass for each length of runs hands them out: short loops, in which the processor can
/// work on several features at once.
#[derive(Default)]
pub struct WordRuns {
    words: Vec<Word>,
    /// Words of the text before those in `words`.
    before: usize,
    any_content: bool,
}

struct Word {
    hash: u64,
    /// Where it stands in its chunk.
    start: u32,
    end: u32,
    is_noise: bool,
}

impl WordRuns {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.words.clear();
        (self.before, self.any_content) = (0, false);
    }

    /// Whether the text has no word yet.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether the text has words, and all of them are noise words.
    pub fn are_all_noise(&self) -> bool {
        !self.any_content && self.count() > 0
    }

    /// Hands the words of the normalised chunk `text` and the runs that end with them to `sink`.
    #[inline]
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let longest = options.runs.longest();
        let gone = self.words.len().saturating_sub(longest - 1);
        self.words.drain(..gone);
        self.before += gone;
        let old = self.words.len();
        self.find(text, options, sink);
        if options.runs.contains(1) {
            let keep_noise = options.noise == Noise::Keep;
            for word in &self.words[old..] {
                if keep_noise || !word.is_noise {
                    sink.word(&text[word.start as usize..word.end as usize], word.start as usize, word.hash);
                }
            }
        }
        if options.runs.contains(2) {
            let first = old.saturating_sub(1);
            for (i, pair) in self.words[first..].windows(2).enumerate() {
                let hash = pair_hash(pair[0].hash, pair[1].hash, options.seed);
                sink.run(self.before + first + i, 2, hash);
            }
        }
        for length in options.runs.iter().filter(|length| *length > 2) {
            // A run is new where its last word is.
            for end in (old + 1).max(length)..=self.words.len() {
                self.run(end - length, end, options.seed, sink);
            }
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if self.count() > 0 && self.count() < options.runs.shortest() {
            self.run(0, self.words.len(), options.seed, sink);
        }
    }

    fn count(&self) -> usize {
        self.before + self.words.len()
    }

    /// Finds the words of a chunk.
    #[inline]
    fn find(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let base = text.as_ptr() as usize;
        segment(text, options.hmm, |word| {
            sink.unit(word);
            let usual = word_hash(word.as_bytes(), SEED);
            let hash = if options.seed == SEED { usual } else { word_hash(word.as_bytes(), options.seed) };
            let is_noise = is_noise(word.as_bytes(), usual);
            self.any_content |= !is_noise;
            let start = (word.as_ptr() as usize - base) as u32;
            self.words.push(Word { hash, start, end: start + word.len() as u32, is_noise });
        });
    }

    /// Hands out the run of the words from `first` to before `end`.
    fn run(&self, first: usize, end: usize, seed: u64, sink: &mut impl Sink) {
        let words = &self.words[first..end];
        let hash = match words {
            [word] => word.hash,
            _ => run_hash(words.iter().map(|word| word.hash), seed),
        };
        sink.run(self.before + first, words.len(), hash);
    }
}
