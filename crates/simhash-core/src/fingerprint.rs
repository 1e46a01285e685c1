//! The whole way: text → chunks → normal form → features → votes → fingerprint.

use crate::Error;
use crate::chunk::Chunks;
use crate::feature::{Features, Occurrence};
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit, Weights};
use crate::tally::Tally;
use crate::vote::{UnitVotes, WeightedVotes};
use crate::weight::{self, Weight};
use std::collections::HashMap;

/// Computes fingerprints, and keeps its buffers from one text to the next.
#[derive(Default)]
pub struct Fingerprinter {
    normal: String,
    features: Features,
    tally: Tally,
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
    /// The fingerprint of `text`; `None` where it has no features. `checkpoint` is called often, and may
    /// unwind to abandon the work.
    pub fn fingerprint(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<u64>, Error> {
        let fingerprint = self.vote(text, options, checkpoint)?;
        if fingerprint.is_none() && options.noise == Noise::Drop {
            // Nothing but noise words: then they are what the text says.
            return self.vote(text, &Options { noise: Noise::Keep, ..options.clone() }, checkpoint);
        }
        Ok(fingerprint)
    }

    /// The distinct features of `text`, in the order in which they first occur.
    pub fn features(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Vec<Feature>, Error> {
        let listed = self.list(text, options, checkpoint)?;
        if listed.is_empty() && options.noise == Noise::Drop {
            return self.list(text, &Options { noise: Noise::Keep, ..options.clone() }, checkpoint);
        }
        Ok(listed)
    }

    fn vote(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<u64>, Error> {
        let mut unit = UnitVotes::default();
        let mut weighted = WeightedVotes::default();
        let tally = &mut self.tally;
        // A guess, for the first size of the table: words of six bytes, half of them new; every second run of
        // characters new.
        let expected = text.len() / if options.unit == Unit::Words { 5 } else { 2 };
        match options.weights {
            Weights::Once => {
                tally.reset(expected, false);
                each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, checkpoint| {
                    let is_new = tally.insert(f.hash, checkpoint);
                    unit.add_if(is_new, f.hash);
                });
                tally.check()?;
                Ok(unit.fingerprint())
            }
            Weights::Count => {
                each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, _| {
                    unit.add(f.hash)
                });
                Ok(unit.fingerprint())
            }
            Weights::Tfidf => {
                each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, _| {
                    weighted.add(f.hash, weight::tfidf(1, f.information).units());
                });
                Ok(weighted.fingerprint())
            }
            Weights::Log => {
                tally.reset(expected, true);
                each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, checkpoint| {
                    tally.insert(f.hash, checkpoint);
                });
                tally.check()?;
                for (i, (hash, count)) in tally.iter().enumerate() {
                    if i % 65_536 == 0 {
                        checkpoint();
                    }
                    weighted.add(hash, weight::log(count).units());
                }
                Ok(weighted.fingerprint())
            }
            Weights::Levels => {
                tally.reset(expected, false);
                each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, checkpoint| {
                    if tally.insert(f.hash, checkpoint) {
                        weighted.add(f.hash, weight::level(f.information).units());
                    }
                });
                tally.check()?;
                Ok(weighted.fingerprint())
            }
        }
    }

    fn list(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Vec<Feature>, Error> {
        struct Seen {
            text: String,
            hash: u64,
            information: u32,
            count: u32,
        }
        let mut order: HashMap<u64, usize> = HashMap::new();
        let mut seen: Vec<Seen> = Vec::new();
        each(&mut self.features, &mut self.normal, text, options, checkpoint, |f, _| {
            let at = *order.entry(f.hash).or_insert(seen.len());
            if at == seen.len() {
                let (hash, information) = (f.hash, f.information);
                seen.push(Seen { text: f.text.to_owned(), hash, information, count: 0 });
            }
            seen[at].count += 1;
        });
        let weigh = |s: &Seen| -> Weight {
            match options.weights {
                Weights::Once => weight::count(1),
                Weights::Count => weight::count(s.count),
                Weights::Log => weight::log(s.count),
                Weights::Tfidf => weight::tfidf(s.count, s.information),
                Weights::Levels => weight::level(s.information),
            }
        };
        Ok(seen
            .into_iter()
            .map(|s| Feature { weight: weigh(&s).value(), text: s.text, hash: s.hash })
            .collect())
    }
}

/// Hands every feature of `text` to `feature`.
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
}
