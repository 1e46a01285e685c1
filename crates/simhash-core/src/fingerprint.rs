//! The whole way: text → chunks → normal form → features → votes → fingerprint.

mod lister;
mod voter;

use crate::Error;
use crate::chunk::{CHUNK_BYTES, Chunks};
use crate::feature::{Features, Form, SHORT_CHARACTERS, Sink};
use crate::information::{CHARACTERS_SAY, Information, information_by_length};
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::tally::Tally;
use crate::vote::Votes;
use crate::weight::{Weight, weight};
use lister::{Lister, Seen};
use voter::Voter;

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
        let mut voter = Voter::new(options.weights, tally, information, hashes, checkpoint);
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
