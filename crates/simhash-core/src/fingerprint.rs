//! The whole way: text → chunks → normal form → features → votes → fingerprint.

use crate::Error;
use crate::chunk::{CHUNK_BYTES, Chunks};
use crate::feature::{Features, Form, Single, Sink};
use crate::information::{CHARACTERS_SAY, HalfBits, Information, information_by_length};
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::tally::Tally;
use crate::vote::Votes;
use crate::weight::{Weight, weight};
use std::collections::HashMap;

/// Computes fingerprints, and keeps its buffers from one text to the next.
#[derive(Default)]
pub struct Fingerprinter {
    normal: String,
    features: Features,
    tally: Tally,
    information: Information,
    fresh: Vec<Single>,
}

/// A distinct feature of a text with its weight and its hash.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The words of the run with a space between them, or its characters.
    pub text: String,
    /// What its vote weighs.
    pub weight: f64,
    /// What it votes for.
    pub hash: u64,
}

impl Fingerprinter {
    /// The fingerprint of `text`; `None` where it has no features. `checkpoint` is called often, and may unwind to
    /// abandon the work.
    pub fn fingerprint(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<u64>, Error> {
        let fingerprint = self.vote(text, options, checkpoint)?;
        match self.without_noise_words(options) {
            Some(options) => self.vote(text, &options, checkpoint),
            None => Ok(fingerprint),
        }
    }

    /// The distinct features of `text`: words, then runs, each in the order in which they first occur.
    pub fn features(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Vec<Feature>, Error> {
        let mut listed = self.list(text, options, checkpoint);
        if let Some(options) = self.without_noise_words(options) {
            listed = self.list(text, &options, checkpoint);
        }
        Ok(listed
            .into_iter()
            .map(|f| Feature { text: f.text, weight: f.weight.value(), hash: f.hash })
            .collect())
    }

    /// The options under which the text just read has to be read again, because it has nothing but noise words: then
    /// they are what it says.
    fn without_noise_words(&self, options: &Options) -> Option<Options> {
        (options.noise == Noise::Drop && self.features.is_all_noise())
            .then(|| Options { noise: Noise::Keep, ..options.clone() })
    }

    fn vote(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<u64>, Error> {
        let run_text = matches!(options.weights, Weights::Tfidf | Weights::Levels) && !options.runs.is_one();
        if run_text && options.unit == Unit::Words {
            // The weight of a run depends on its words: the list of features knows them.
            let mut votes = Votes::default();
            self.list(text, options, checkpoint).iter().for_each(|f| votes.add(f.hash, f.weight));
            return Ok(votes.fingerprint());
        }
        let Fingerprinter { normal, features, tally, information, fresh } = self;
        fresh.clear();
        // A guess, for the first size of the table: words of six bytes, half of them new; every second run of
        // characters new.
        let expected = text.len() / if options.unit == Unit::Words { 5 } else { 2 };
        tally.reset(expected, options.weights == Weights::Log);
        let mut voter = Voter {
            weights: options.weights,
            votes: Votes::default(),
            tally,
            information,
            fresh,
            checkpoint,
        };
        each(features, normal, text, options, &mut voter);
        voter.finish()
    }

    fn list(&mut self, text: &str, options: &Options, checkpoint: &mut dyn FnMut()) -> Vec<WeighedFeature> {
        let Fingerprinter { normal, features, information, .. } = self;
        let mut lister = Lister::new(checkpoint);
        each(features, normal, text, options, &mut lister);
        let weigh = |s: Seen| {
            let says = || match s.form {
                _ if options.weights == Weights::Balanced => information_by_length(&s.text),
                Form::Word | Form::WordRun => information.of_run(&s.text),
                Form::CharacterRun | Form::ShortRun(_) => CHARACTERS_SAY,
            };
            WeighedFeature {
                weight: weight(options.weights, s.form, s.count, says),
                text: s.text,
                hash: s.hash,
            }
        };
        lister.seen.into_iter().map(weigh).collect()
    }
}

/// A feature with its exact weight.
struct WeighedFeature {
    text: String,
    weight: Weight,
    hash: u64,
}

/// Hands every feature of `text` to `sink`.
#[inline(always)]
fn each(features: &mut Features, normal: &mut String, text: &str, options: &Options, sink: &mut impl Reader) {
    features.reset();
    for chunk in Chunks::new(text) {
        sink.checkpoint();
        normal.clear();
        normalise(chunk, normal);
        features.chunk(normal, options, sink);
    }
    features.finish(options, sink);
    if text.len() <= CHUNK_BYTES {
        // `normal` is the whole text.
        features.short_runs(normal, options, sink);
    }
}

/// A sink that can be interrupted between two chunks.
trait Reader: Sink {
    fn checkpoint(&mut self);
}

/// Lets features vote.
struct Voter<'a> {
    weights: Weights,
    votes: Votes,
    tally: &'a mut Tally,
    information: &'a mut Information,
    /// The words of this chunk that will vote.
    fresh: &'a mut Vec<Single>,
    checkpoint: &'a mut dyn FnMut(),
}

impl Voter<'_> {
    /// Lets a feature vote, whose weight is 1 by all weights but tf·idf and levels.
    #[inline(always)]
    fn plain(&mut self, hash: u64, form: Form) {
        match self.weights {
            Weights::Balanced | Weights::Once => {
                let is_new = self.tally.insert(hash, self.checkpoint);
                self.votes.add_one_if(is_new, hash);
            }
            Weights::Count => self.votes.add_one_if(true, hash),
            Weights::Log => {
                self.tally.insert(hash, self.checkpoint);
            }
            Weights::Tfidf | Weights::Levels => self.weighted(hash, form, || CHARACTERS_SAY),
        }
    }

    /// Lets a feature vote whose weight is its own.
    #[inline(always)]
    fn weighted(&mut self, hash: u64, form: Form, information: impl FnOnce() -> HalfBits) {
        if self.weights == Weights::Tfidf || self.tally.insert(hash, self.checkpoint) {
            self.votes.add(hash, weight(self.weights, form, 1, information));
        }
    }

    /// The fingerprint, when all features have been seen.
    fn finish(mut self) -> Result<Option<u64>, Error> {
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

impl Sink for Voter<'_> {
    #[inline(always)]
    fn unit(&mut self, _: &str) {}

    #[inline(always)]
    fn word(&mut self, _: &str, word: Single) {
        match self.weights {
            Weights::Once | Weights::Count | Weights::Log => self.plain(word.hash, Form::Word),
            Weights::Balanced | Weights::Tfidf | Weights::Levels => {
                // Put down, and taken back if it does not count: no branch that nobody can foresee.
                self.fresh.push(word);
                let counts = self.weights == Weights::Tfidf || self.tally.insert(word.hash, self.checkpoint);
                self.fresh.truncate(self.fresh.len() - usize::from(!counts));
            }
        }
    }

    /// Weighs the words that the chunk has brought.
    fn end_of_chunk(&mut self, text: &str) {
        for single in self.fresh.drain(..) {
            let word = single.text(text);
            let says = || match self.weights {
                Weights::Balanced => information_by_length(word),
                _ => self.information.of_word(word, single.hash),
            };
            self.votes.add(single.hash, weight(self.weights, Form::Word, 1, says));
        }
    }

    #[inline(always)]
    fn run(&mut self, _: usize, _: usize, hash: u64) {
        self.plain(hash, Form::WordRun);
    }

    #[inline(always)]
    fn characters(&mut self, _: &[u8], hash: u64, form: Form) {
        match form {
            Form::ShortRun(_) => self.weighted(hash, form, || CHARACTERS_SAY),
            _ => self.plain(hash, form),
        }
    }
}

impl Reader for Voter<'_> {
    fn checkpoint(&mut self) {
        (self.checkpoint)();
    }
}

/// Lists features.
struct Lister<'a> {
    /// All words, for the texts of runs.
    words: Vec<String>,
    /// Where a feature stands in `seen`, by its hash.
    order: HashMap<u64, usize>,
    seen: Vec<Seen>,
    checkpoint: &'a mut dyn FnMut(),
}

struct Seen {
    text: String,
    hash: u64,
    form: Form,
    count: u32,
}

impl<'a> Lister<'a> {
    fn new(checkpoint: &'a mut dyn FnMut()) -> Self {
        Lister { words: Vec::new(), order: HashMap::new(), seen: Vec::new(), checkpoint }
    }

    fn count(&mut self, hash: u64, form: Form, text: impl FnOnce(&[String]) -> String) {
        let at = *self.order.entry(hash).or_insert(self.seen.len());
        if at == self.seen.len() {
            self.seen.push(Seen { text: text(&self.words), hash, form, count: 0 });
        }
        self.seen[at].count += 1;
    }
}

impl Sink for Lister<'_> {
    fn unit(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    fn word(&mut self, text: &str, word: Single) {
        self.count(word.hash, Form::Word, |_| word.text(text).to_owned());
    }

    fn run(&mut self, first: usize, length: usize, hash: u64) {
        self.count(hash, Form::WordRun, |words| words[first..first + length].join(" "));
    }

    fn characters(&mut self, run: &[u8], hash: u64, form: Form) {
        self.count(hash, form, |_| String::from_utf8_lossy(run).into_owned());
    }

    fn end_of_chunk(&mut self, _: &str) {}
}

impl Reader for Lister<'_> {
    fn checkpoint(&mut self) {
        (self.checkpoint)();
    }
}
