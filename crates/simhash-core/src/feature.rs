//! Words → features: runs of words or of characters.

use crate::hash::feature_hash;
use crate::information::{HalfBits, information};
use crate::noise::is_noise;
use crate::options::{MAX_RUN, Noise, Options, Unit, Weights};
use crate::segment::{is_spoken, segment};

/// One feature as it occurs in a text.
pub struct Occurrence<'a> {
    /// The words of the run with a space between them, or its characters.
    pub text: &'a str,
    /// Its hash.
    pub hash: u64,
    /// The information of its most informative word; 0 where the weights do not ask for it.
    pub information: HalfBits,
}

/// Cuts a text, given chunk by chunk in normal form, into features.
///
/// The last units stand one after the other in a buffer, so that every run is a slice of it and no feature
/// is allocated.
pub struct Features {
    joined: String,
    /// Where each of the last units starts in `joined`, and its information.
    recent: [(usize, HalfBits); MAX_RUN],
    /// Units so far.
    units: usize,
}

/// The buffer is emptied, but for the units that runs still need, beyond this size.
const BUFFER_BYTES: usize = 64 * 1024;

impl Features {
    /// An empty buffer.
    pub fn new() -> Self {
        Features { joined: String::new(), recent: [(0, 0); MAX_RUN], units: 0 }
    }

    /// Makes ready for a new text.
    pub fn reset(&mut self) {
        self.joined.clear();
        self.units = 0;
    }

    /// Hands the features that the normalised chunk `text` completes to `feature`.
    pub fn chunk(&mut self, text: &str, options: &Options, mut feature: impl FnMut(Occurrence)) {
        match options.unit {
            Unit::Words => segment(text, options.hmm, |word| self.word(word, options, &mut feature)),
            Unit::Characters => {
                for c in text.chars().filter(|c| is_spoken(*c)) {
                    self.character(c, options, &mut feature);
                }
            }
        }
    }

    /// Ends the text: one that is shorter than the shortest run is a feature as a whole.
    pub fn finish(&mut self, options: &Options, mut feature: impl FnMut(Occurrence)) {
        if self.units > 0 && self.units < options.runs.shortest() {
            self.run(self.units, options, &mut feature);
        }
    }

    #[inline]
    fn word(&mut self, word: &str, options: &Options, feature: &mut impl FnMut(Occurrence)) {
        if options.noise == Noise::Drop && is_noise(word.as_bytes(), feature_hash(word.as_bytes(), 0)) {
            return;
        }
        self.make_room(options);
        if !self.joined.is_empty() {
            self.joined.push(' ');
        }
        let says = match options.weights {
            Weights::Tfidf | Weights::Levels => information(word),
            Weights::Once | Weights::Count | Weights::Log => 0,
        };
        self.recent[self.units % MAX_RUN] = (self.joined.len(), says);
        self.joined.push_str(word);
        self.complete(options, feature);
    }

    #[inline]
    fn character(&mut self, c: char, options: &Options, feature: &mut impl FnMut(Occurrence)) {
        self.make_room(options);
        self.recent[self.units % MAX_RUN] = (self.joined.len(), 1);
        self.joined.push(c);
        self.complete(options, feature);
    }

    /// Hands out the runs that end with the newest unit.
    #[inline]
    fn complete(&mut self, options: &Options, feature: &mut impl FnMut(Occurrence)) {
        self.units += 1;
        for length in options.runs.iter() {
            if length <= self.units {
                self.run(length, options, feature);
            }
        }
    }

    /// Hands out the run of the last `length` units.
    #[inline]
    fn run(&self, length: usize, options: &Options, feature: &mut impl FnMut(Occurrence)) {
        let units = (1..=length).map(|back| self.recent[(self.units - back) % MAX_RUN]);
        let information = match options.weights {
            Weights::Tfidf | Weights::Levels => units.map(|(_, says)| says).max().unwrap_or(0),
            Weights::Once | Weights::Count | Weights::Log => 0,
        };
        let (start, _) = self.recent[(self.units - length) % MAX_RUN];
        let text = &self.joined[start..];
        feature(Occurrence { text, hash: feature_hash(text.as_bytes(), options.seed), information });
    }

    /// Forgets the units that no run will need again, when the buffer is full.
    #[inline]
    fn make_room(&mut self, options: &Options) {
        if self.joined.len() > BUFFER_BYTES {
            self.forget(options);
        }
    }

    #[cold]
    fn forget(&mut self, options: &Options) {
        let kept = (options.runs.longest() - 1).min(self.units);
        let cut = if kept == 0 { self.joined.len() } else { self.recent[(self.units - kept) % MAX_RUN].0 };
        self.joined.drain(..cut);
        for back in 1..=kept {
            self.recent[(self.units - back) % MAX_RUN].0 -= cut;
        }
    }
}
