//! Features → votes.

use super::reader::Reader;
use crate::feature::{Single, Sink};
use crate::information::{CHARACTERS_SAY, Information, information_by_length};
use crate::segment::Span;
use crate::tally::Tally;
use crate::vote::Votes;
use crate::weight::{Form, Weight, Weights, weight};
use simhash_memory::OutOfMemory;

/// Lets features vote.
pub struct Voter<'a, const PARTS: usize> {
    weights: Weights,
    votes: Votes<PARTS>,
    tally: &'a mut Tally,
    information: &'a mut Information,
    /// The hashes of this chunk's words, used if the weights need only the hashes.
    hashes: &'a mut Vec<u64>,
    checkpoint: &'a mut dyn FnMut(),
}

impl<'a, const PARTS: usize> Voter<'a, PARTS> {
    /// No votes yet. `tally` is ready for the text; `hashes` is a buffer.
    pub fn new(
        weights: Weights,
        tally: &'a mut Tally,
        information: &'a mut Information,
        hashes: &'a mut Vec<u64>,
        checkpoint: &'a mut dyn FnMut(),
    ) -> Self {
        Voter { weights, votes: Votes::default(), tally, information, hashes, checkpoint }
    }

    /// Lets features vote. They weigh 1 with all weights except tf·idf and levels.
    fn plain(&mut self, hashes: &mut [u64], form: Form) {
        match self.weights {
            Weights::Log => self.tally.count(hashes, self.checkpoint),
            _ => self.equal(hashes, weight(self.weights, form, 1, || CHARACTERS_SAY)),
        }
    }

    /// Lets features of equal weight vote.
    fn equal(&mut self, hashes: &mut [u64], weight: Weight) {
        let voters = match self.counts_each_time() {
            true => hashes.len(),
            false => self.tally.keep_new(hashes, |hash| *hash, self.checkpoint),
        };
        self.votes.add_all(&hashes[..voters], weight);
    }

    /// Whether a feature votes each time that it occurs.
    fn counts_each_time(&self) -> bool {
        matches!(self.weights, Weights::Count | Weights::Tfidf)
    }

    /// The fingerprint, after all features have been passed to the voter.
    pub fn finish(&mut self) -> Result<Option<[u64; PARTS]>, OutOfMemory> {
        self.tally.check()?;
        if self.weights == Weights::Log {
            for (i, (hash, count)) in self.tally.iter().enumerate() {
                if i % 65_536 == 0 {
                    (self.checkpoint)();
                }
                self.votes.add(hash, weight(Weights::Log, Form::WordRun, count, || 0));
            }
        }
        Ok(self.votes.fingerprint())
    }
}

impl<const PARTS: usize> Sink for Voter<'_, PARTS> {
    fn units(&mut self, _: &str, _: &[Span]) {}

    fn words(&mut self, text: &str, words: &mut [Single]) {
        if matches!(self.weights, Weights::Once | Weights::Count | Weights::Log) {
            let mut hashes = std::mem::take(self.hashes);
            hashes.clear();
            hashes.extend(words.iter().map(|word| word.hash));
            self.plain(&mut hashes, Form::Word);
            *self.hashes = hashes;
            return;
        }
        let voters = match self.counts_each_time() {
            true => words.len(),
            false => self.tally.keep_new(words, |word| word.hash, self.checkpoint),
        };
        let voters = &words[..voters];
        if self.weights == Weights::Balanced {
            // The usual weights, as a constant for the compiler.
            for word in voters {
                let says = || information_by_length(word.span.text(text));
                self.votes.add(word.hash, weight(Weights::Balanced, Form::Word, 1, says));
            }
        } else {
            for word in voters {
                let says = || self.information.of_word(word.span.text(text), word.hash);
                self.votes.add(word.hash, weight(self.weights, Form::Word, 1, says));
            }
        }
    }

    fn runs(&mut self, _: usize, _: usize, hashes: &mut [u64]) {
        self.plain(hashes, Form::WordRun);
    }

    fn characters<'a>(&mut self, _: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form) {
        match form {
            Form::ShortRun(weight) => self.equal(hashes, weight),
            _ => self.plain(hashes, form),
        }
    }
}

impl<const PARTS: usize> Reader for Voter<'_, PARTS> {
    fn checkpoint(&mut self) -> Result<(), OutOfMemory> {
        (self.checkpoint)();
        self.tally.check()
    }
}
