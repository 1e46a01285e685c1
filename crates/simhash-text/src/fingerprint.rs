//! The whole pipeline: text → chunks → normal form → features → votes → fingerprint.
//!
//! ```text
//! text ── markup, normalise, segment, feature ── reader ── voter ── fingerprint
//!                                                      └── lister ── list ── features with weights
//! ```

mod list;
mod lister;
mod reader;
mod voter;

use crate::chunk::chunk_len;
use crate::dictionary;
use crate::feature::Features;
use crate::information::{CHARACTERS_SAY, Information, information_by_length};
use crate::markup::Source;
use crate::normalise::normalise;
use crate::options::{Noise, Options, Unit};
use crate::pace::Pace;
use crate::tally::Tally;
use crate::vote::Votes;
use crate::weight::{Form, SHORT_CHARACTERS, Weights, weight};
pub use list::{Feature, FeatureList};
use lister::Lister;
use reader::Reader;
use simhash_memory::OutOfMemory;
use std::cell::RefCell;
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

impl Fingerprinter {
    /// The fingerprint of `text`, in parts of 64 bits; `None` if it has no features. Fewer parts are the first ones of more parts.
    /// `checkpoint` is called often, and may unwind to abandon the work.
    pub fn fingerprint<const PARTS: usize>(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<[u64; PARTS]>, OutOfMemory> {
        let fingerprint = self.vote(text, options, checkpoint)?;
        match self.keeping_noise_words(options) {
            Some(options) => self.vote(text, &options, checkpoint),
            None => Ok(fingerprint),
        }
    }

    /// The distinct features of `text`: for each chunk words, then runs, each in the order in which they first occur.
    pub fn features(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<FeatureList, OutOfMemory> {
        let listed = self.list(text, options, checkpoint)?;
        match self.keeping_noise_words(options) {
            Some(options) => self.list(text, &options, checkpoint),
            None => Ok(listed),
        }
    }

    /// The options to read the text again if it has only noise words: then these are its features.
    fn keeping_noise_words(&self, options: &Options) -> Option<Options> {
        (options.noise == Noise::Drop && self.features.is_all_noise())
            .then(|| Options { noise: Noise::Keep, ..options.clone() })
    }

    fn vote<const PARTS: usize>(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Option<[u64; PARTS]>, OutOfMemory> {
        let run_text = matches!(options.weights, Weights::Tfidf | Weights::Levels) && !options.runs.is_one();
        if run_text && options.unit == Unit::Words {
            // The weight of a run depends on its words, which are in the list of features.
            let mut votes = Votes::default();
            let list = self.list(text, options, checkpoint)?;
            let mut pace = Pace::new(checkpoint);
            for feature in list.entries() {
                pace.step(PARTS * STEPS_PER_VOTE);
                votes.add(feature.hash, feature.weight);
            }
            return Ok(votes.fingerprint());
        }
        let Fingerprinter { normal, features, tally, information, hashes } = self;
        // An estimate for the first size of the table: words have six bytes, and half of them are new; every second run of
        // characters is new.
        let only_words = options.unit == Unit::Words && text.len() >= 4 * SHORT_CHARACTERS;
        let expected = text.len() / if only_words { 5 } else { 2 };
        tally.reset(expected, options.weights == Weights::Log);
        // The reader of the text and the voter use the checkpoint in turn.
        let checkpoint = RefCell::new(checkpoint);
        let (mut reading, mut voting) = (|| checkpoint.borrow_mut()(), || checkpoint.borrow_mut()());
        let mut voter = Voter::new(options.weights, tally, information, hashes, &mut voting);
        each(features, normal, text, options, &mut voter, &mut reading)?;
        voter.finish()
    }

    fn list(
        &mut self,
        text: &str,
        options: &Options,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<FeatureList, OutOfMemory> {
        let Fingerprinter { normal, features, tally, information, .. } = self;
        tally.reset(text.len() / 2, true);
        let checkpoint = RefCell::new(checkpoint);
        let (mut reading, mut listing) = (|| checkpoint.borrow_mut()(), || checkpoint.borrow_mut()());
        let mut lister = Lister::new(tally, &mut listing);
        each(features, normal, text, options, &mut lister, &mut reading)?;
        let mut list = lister.finish()?;
        let mut pace = Pace::new(&mut reading);
        list.weigh(|text, feature| {
            pace.step(STEPS_PER_WEIGHT + text.len());
            let says = || match feature.form {
                _ if options.weights == Weights::Balanced => information_by_length(text),
                Form::Word | Form::WordRun => information.of_run(text),
                Form::CharacterRun | Form::ShortRun(_) => CHARACTERS_SAY,
            };
            weight(options.weights, feature.form, feature.count, says)
        });
        Ok(list)
    }
}

/// The cost of a vote on one part and of a weight, in steps between checkpoints. Words that have to be looked up in jieba's
/// dictionary are the most expensive.
const STEPS_PER_VOTE: usize = 8;
const STEPS_PER_WEIGHT: usize = 256;

/// Passes every feature of `text` to `sink`.
#[inline(always)]
fn each(
    features: &mut Features,
    normal: &mut String,
    text: &str,
    options: &Options,
    sink: &mut impl Reader,
    checkpoint: &mut dyn FnMut(),
) -> Result<(), OutOfMemory> {
    features.reset();
    let mut source = Source::new(text, options.reading.markup, chunk_len, checkpoint);
    let mut chunks = 0;
    while let Some(chunk) = source.next_chunk()? {
        sink.checkpoint()?;
        chunks += 1;
        normal.clear();
        normalise(chunk, options.reading.script, normal);
        dictionary::load_for(normal, options.hmm)?;
        features.chunk(normal, options, sink);
    }
    features.finish(options, sink);
    if chunks == 1 {
        // `normal` is the whole text.
        features.short_runs(normal, options, sink);
    }
    Ok(())
}
