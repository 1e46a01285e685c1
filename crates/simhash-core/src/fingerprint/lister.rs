//! Features → a list of the distinct ones.

use super::Reader;
use crate::feature::{Form, Single, Sink};
use crate::segment::Span;
use std::collections::HashMap;

/// Lists features.
pub struct Lister<'a> {
    /// All words, for the texts of runs.
    words: Vec<String>,
    /// Where a feature stands in `seen`, by its hash.
    order: HashMap<u64, usize>,
    /// The distinct features so far.
    pub seen: Vec<Seen>,
    checkpoint: &'a mut dyn FnMut(),
}

/// A distinct feature, and how often it occurs.
pub struct Seen {
    pub text: String,
    pub hash: u64,
    pub form: Form,
    pub count: u32,
}

impl<'a> Lister<'a> {
    /// Nothing has been seen yet.
    pub fn new(checkpoint: &'a mut dyn FnMut()) -> Self {
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
