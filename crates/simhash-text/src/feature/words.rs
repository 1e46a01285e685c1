//! Runs of words.

use super::single::Single;
use super::sink::Sink;
use super::word_hashes::push_word_hashes;
use crate::hash::{SEED, pair_hash, run_hash, word_hash};
use crate::noise::is_noise;
use crate::options::{Noise, Options};
use crate::segment::own::{OwnWords, push_joined};
use crate::segment::{Segmenter, Span};

/// The words of a chunk, after the last ones of the previous chunk. Runs need only the hashes of the words.
///
/// The words are found, hashed, selected and joined to runs in separate passes over the chunk. These passes are short loops without
/// unpredictable branches, in which the processor can work on several features at once.
#[derive(Default)]
pub struct WordRuns {
    segmenter: Segmenter,
    /// The user's own words in this chunk, and the chunk with these joined.
    wholes: Vec<Span>,
    joined: String,
    /// The words of this chunk.
    spans: Vec<Span>,
    /// Their hashes, after those of the last words of the previous chunk.
    hashes: Vec<u64>,
    /// The number of words of the text before those in `hashes`.
    before: usize,
    /// The words of this chunk that are features as single words.
    singles: Vec<Single>,
    /// The hashes of the runs of one length that end in this chunk.
    runs: Vec<u64>,
    any_content: bool,
}

impl WordRuns {
    /// Prepares for a new text.
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

    /// Passes the words of the normalised chunk `text` and the runs that end with them to `sink`.
    pub fn chunk(&mut self, text: &str, options: &Options, sink: &mut impl Sink) {
        let gone = self.hashes.len().saturating_sub(options.runs.longest() - 1);
        self.hashes.drain(..gone);
        self.before += gone;
        let old = self.hashes.len();
        let mut joined = std::mem::take(&mut self.joined);
        let text = match &options.own_words {
            Some(own) => self.find_own(own, text, &mut joined),
            None => text,
        };
        self.find(text, options);
        sink.units(text, &self.spans);
        if options.runs.contains(1) {
            sink.words(text, &mut self.singles);
        }
        for length in options.runs.iter().filter(|length| *length > 1) {
            // A run is new if its last word is new.
            let first = (old + 1).saturating_sub(length);
            let runs = self.hashes[first..].windows(length);
            self.runs.clear();
            if length == 2 {
                self.runs.extend(runs.map(|pair| pair_hash(pair[0], pair[1], options.seed)));
            } else {
                self.runs.extend(runs.map(|run| run_hash(run.iter().copied(), options.seed)));
            }
            sink.runs(self.before + first, length, &mut self.runs);
        }
        self.joined = joined;
    }

    /// Ends the text. A text that is shorter than the shortest run is one feature as a whole.
    pub fn finish(&mut self, options: &Options, sink: &mut impl Sink) {
        if self.count() > 0 && self.count() < options.runs.shortest() {
            let hash = match *self.hashes {
                [word] => word,
                _ => run_hash(self.hashes.iter().copied(), options.seed),
            };
            sink.runs(self.before, self.hashes.len(), &mut [hash]);
        }
    }

    fn count(&self) -> usize {
        self.before + self.hashes.len()
    }

    /// Finds the user's own words, and returns the chunk with these joined.
    fn find_own<'a>(&mut self, own: &OwnWords, text: &'a str, joined: &'a mut String) -> &'a str {
        own.find(text, &mut self.wholes);
        if self.wholes.iter().all(|whole| !whole.text(text).contains(' ')) {
            return text;
        }
        joined.clear();
        push_joined(text, &self.wholes, joined);
        joined
    }

    /// Finds the words of a chunk, and which of them are features.
    fn find(&mut self, text: &str, options: &Options) {
        self.spans.clear();
        match options.own_words {
            Some(_) => {
                self.segmenter.words_with(&self.wholes, text, options.hmm, |word| self.spans.push(word));
            }
            None => self.segmenter.words(text, options.hmm, |word| self.spans.push(word)),
        }
        let old = self.hashes.len();
        push_word_hashes(text, &self.spans, SEED, &mut self.hashes);
        let drop_noise = options.noise == Noise::Drop;
        match &options.own_noise {
            Some(own) => self.sort_out(old, drop_noise, |hash| is_noise(hash) || own.contains(hash)),
            None => self.sort_out(old, drop_noise, is_noise),
        }
        if options.seed != SEED {
            self.hash_anew(text, old, options.seed);
        }
    }

    /// Makes features of the words whose hashes start at position `old`, without the noise words if `drop_noise` is set.
    fn sort_out(&mut self, old: usize, drop_noise: bool, is_noise: impl Fn(u64) -> bool) {
        self.singles.resize(self.spans.len(), Single::default());
        let (mut kept, mut content) = (0, 0);
        for (span, hash) in self.spans.iter().zip(&self.hashes[old..]) {
            let is_noise = is_noise(*hash);
            self.singles[kept] = Single { hash: *hash, span: *span };
            content += usize::from(!is_noise);
            kept += usize::from(!(is_noise & drop_noise));
        }
        self.singles.truncate(kept);
        self.any_content |= content > 0;
    }

    /// Replaces the hashes with the usual seed, which identify noise words, by hashes with another seed.
    #[cold]
    fn hash_anew(&mut self, text: &str, old: usize, seed: u64) {
        self.hashes.truncate(old);
        push_word_hashes(text, &self.spans, seed, &mut self.hashes);
        for single in &mut self.singles {
            single.hash = word_hash(single.span.text(text).as_bytes(), seed);
        }
    }
}
