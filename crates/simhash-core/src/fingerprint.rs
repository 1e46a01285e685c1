//! The whole way: text → chunks → normal form → features → votes → fingerprint.

use crate::Error;
use crate::chunk::{CHUNK_BYTES, Chunks};
use crate::feature::{Features, Form, Occurrence};
use crate::information::Information;
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::tally::Tally;
use crate::vote::Votes;
use crate::weight::weight;
use std::collections::HashMap;

/// Computes fingerprints, and keeps its buffers from one text to the next.
#[derive(Default)]
pub struct Fingerprinter {
    normal: String,
    features: Features,
    tally: Tally,
    information: Information,
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
        let listed = self.list(text, options, checkpoint);
        Ok(match self.without_noise_words(options) {
            Some(options) => self.list(text, &options, checkpoint),
            None => listed,
        })
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
        let mut votes = Votes::default();
        let Fingerprinter { normal, features, tally, information } = self;
        let mut weigh =
            |f: &Occurrence, count| weight(options.weights, f.text, f.hash, f.form, count, information);
        // A guess, for the first size of the table: words of six bytes, half of them new; every second run of
        // characters new.
        let expected = text.len() / if options.unit == Unit::Words { 5 } else { 2 };
        match options.weights {
            Weights::Count => each(features, normal, text, options, checkpoint, |f, _| {
                votes.add_one_if(true, f.hash);
            }),
            Weights::Tfidf => each(features, normal, text, options, checkpoint, |f, _| {
                votes.add(f.hash, weigh(&f, 1));
            }),
            Weights::Once | Weights::Balanced | Weights::Levels => {
                tally.reset(expected, false);
                each(features, normal, text, options, checkpoint, |f, checkpoint| {
                    let is_new = tally.insert(f.hash, checkpoint);
                    // Runs of words are nearly all of the work, and weigh 1.
                    if f.form == Form::WordRun && options.weights != Weights::Levels
                        || options.weights == Weights::Once
                    {
                        votes.add_one_if(is_new, f.hash);
                    } else if is_new {
                        votes.add(f.hash, weigh(&f, 1));
                    }
                });
                tally.check()?;
            }
            Weights::Log => {
                tally.reset(expected, true);
                each(features, normal, text, options, checkpoint, |f, checkpoint| {
                    tally.insert(f.hash, checkpoint);
                });
                tally.check()?;
                for (i, (hash, count)) in tally.iter().enumerate() {
                    if i % 65_536 == 0 {
                        checkpoint();
                    }
                    votes.add(hash, weight(options.weights, "", hash, Form::WordRun, count, information));
                }
            }
        }
        Ok(votes.fingerprint())
    }

    fn list(&mut self, text: &str, options: &Options, checkpoint: &mut dyn FnMut()) -> Vec<Feature> {
        struct Seen {
            text: String,
            hash: u64,
            form: Form,
            count: u32,
        }
        let Fingerprinter { normal, features, information, .. } = self;
        let mut order: HashMap<u64, usize> = HashMap::new();
        let mut seen: Vec<Seen> = Vec::new();
        each(features, normal, text, options, checkpoint, |f, _| {
            let at = *order.entry(f.hash).or_insert(seen.len());
            if at == seen.len() {
                seen.push(Seen { text: f.text.to_owned(), hash: f.hash, form: f.form, count: 0 });
            }
            seen[at].count += 1;
        });
        let weigh = |s: Seen| Feature {
            weight: weight(options.weights, &s.text, s.hash, s.form, s.count, information).value(),
            text: s.text,
            hash: s.hash,
        };
        seen.into_iter().map(weigh).collect()
    }
}

/// Hands every feature of `text` to `feature`.
#[inline(always)]
fn each(
    features: &mut Features,
    normal: &mut String,
    text: &str,
    options: &Options,
    checkpoint: &mut dyn FnMut(),
    mut feature: impl FnMut(Occurrence, &mut dyn FnMut()),
) {
    features.reset();
    for chunk in Chunks::new(text) {
        checkpoint();
        normal.clear();
        normalise(chunk, normal);
        features.chunk(normal, options, |f| feature(f, checkpoint));
    }
    features.finish(options, |f| feature(f, checkpoint));
    if text.len() <= CHUNK_BYTES {
        // `normal` is the whole text.
        features.short_runs(normal, options, |f| feature(f, checkpoint));
    }
}
