//! The whole way: text → chunks → normal form → features → votes → fingerprint.

use crate::Error;
use crate::chunk::{CHUNK_BYTES, Chunks};
use crate::feature::{Features, Form, SHORT_CHARACTERS, Single, Sink};
use crate::information::{CHARACTERS_SAY, Information, information_by_length};
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::segment::Span;
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
    hashes: Vec<u64>,
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
        let Fingerprinter { normal, features, tally, information, hashes } = self;
        // A guess, for the first size of the table: words of six bytes, half of them new; every second run of
        // characters new.
        let only_words = options.unit == Unit::Words && text.len() >= 4 * SHORT_CHARACTERS;
        let expected = text.len() / if only_words { 5 } else { 2 };
        tally.reset(expected, options.weights == Weights::Log);
        let mut voter = Voter {
            weights: options.weights,
            votes: Votes::default(),
            tally,
            information,
            hashes,
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
    /// The hashes of this chunk's words, where no more than these matters.
    hashes: &'a mut Vec<u64>,
    checkpoint: &'a mut dyn FnMut(),
}

impl Voter<'_> {
    /// Lets features vote, which weigh 1 by all weights but tf·idf and levels.
    fn plain(&mut self, hashes: &mut [u64], form: Form) {
        match self.weights {
            Weights::Log => self.tally.count(hashes, self.checkpoint),
            _ => self.equal(hashes, weight(self.weights, form, 1, || CHARACTERS_SAY)),
        }
    }

    /// Lets features vote that weigh the same.
    fn equal(&mut self, hashes: &mut [u64], weight: Weight) {
        let voters = match self.counts_each_time() {
            true => hashes.len(),
            false => self.tally.keep_new(hashes, |hash| *hash, self.checkpoint),
        };
        self.votes.add_all(&hashes[..voters], weight);
    }

    /// Whether a feature votes as often as it occurs.
    fn counts_each_time(&self) -> bool {
        matches!(self.weights, Weights::Count | Weights::Tfidf)
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
            // The usual weights, known to the compiler.
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
    fn units(&mut self, text: &str, words: &[Span]) {
        self.words.extend(words.iter().map(|word| word.text(text).to_owned()));
    }

    fn words(&mut self, text: &str, words: &mut [Single]) {
        for word in words {
            self.count(word.hash, Form::Word, |_| word.span.text(text).to_owned());
        }
    }

    fn runs(&mut self, first: usize, length: usize, hashes: &mut [u64]) {
        for (first, hash) in (first..).zip(hashes) {
            self.count(*hash, Form::WordRun, |words| words[first..first + length].join(" "));
        }
    }

    fn characters<'a>(&mut self, run: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form) {
        for (i, hash) in hashes.iter().enumerate() {
            self.count(*hash, form, |_| String::from_utf8_lossy(run(i)).into_owned());
        }
    }
}

impl Reader for Lister<'_> {
    fn checkpoint(&mut self) {
        (self.checkpoint)();
    }
}
