//! Runs of words.

use super::Sink;
use crate::hash::{SEED, pair_hash, run_hash, word_hash};
use crate::noise::is_noise;
use crate::options::{Noise, Options};
use crate::segment::segment;

/// The words of a chunk, after the last ones of the chunk before: their hashes are all that runs need.
///
/// One pass finds the words, and a pass for each length of runs hands them out: short loops without branches that
/// nobody can foresee, in which the processor can work on several features at once.
#[derive(Default)]
pub struct WordRuns {
    hashes: Vec<u64>,
    /// Words of the text before those in `hashes`.
    before: usize,
    /// The words of this chunk that are features by themselves.
    singles: Vec<Single>,
    any_content: bool,
}

/// A word that is a feature by itself.
#[derive(Clone, Copy)]
pub struct Single {
    /// Its hash.
    pub hash: u64,
    /// Where it stands in its chunk.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Single {
    /// The word in the chunk that it is from.
    pub fn text<'a>(&self, chunk: &'a str) -> &'a str {
        &chunk[self.start as usize..self.end as usize]
    }
}

impl WordRuns {
    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.hashes.clear();
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
        let gone = self.hashes.len().saturating_sub(options.runs.longest() - 1);
        self.hashes.drain(..gone);
        self.before += gone;
        let old = self.hashes.len();
        self.find(text, options, sink);
        if options.runs.contains(1) {
            for single in &self.singles {
                sink.word(text, *single);
            }
        }
        if options.runs.contains(2) {
            let first = old.saturating_sub(1);
            for (i, pair) in self.hashes[first..].windows(2).enumerate() {
                sink.run(self.before + first + i, 2, pair_hash(pair[0], pair[1], options.seed));
            }
        }
        for length in options.runs.iter().filter(|length| *length > 2) {
            // A run is new where its last word is.
            for end in (old + 1).max(length)..=self.hashes.len() {
                self.run(end - length, end, options.seed, sink);
            }
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if self.count() > 0 && self.count() < options.runs.shortest() {
            self.run(0, self.hashes.len(), options.seed, sink);
        }
    }

    fn count(&self) -> usize {
        self.before + self.hashes.len()
    }

    /// Finds the words of a chunk.
    #[inline]
    fn find(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let base = text.as_ptr() as usize;
        let drop_noise = options.noise == Noise::Drop;
        self.singles.clear();
        segment(text, options.hmm, |word| {
            sink.unit(word);
            let usual = word_hash(word.as_bytes(), SEED);
            let hash = if options.seed == SEED { usual } else { word_hash(word.as_bytes(), options.seed) };
            let is_noise = is_noise(word.as_bytes(), usual);
            self.any_content |= !is_noise;
            self.hashes.push(hash);
            let start = (word.as_ptr() as usize - base) as u32;
            self.singles.push(Single { hash, start, end: start + word.len() as u32 });
            self.singles.truncate(self.singles.len() - usize::from(drop_noise & is_noise));
        });
    }

    /// Hands out the run of the words from `first` to before `end`.
    fn run(&self, first: usize, end: usize, seed: u64, sink: &mut impl Sink) {
        let words = &self.hashes[first..end];
        let hash = match words {
            [word] => *word,
            _ => run_hash(words.iter().copied(), seed),
        };
        sink.run(self.before + first, words.len(), hash);
    }
}
