//! Features → a list of the distinct features.

use super::list::FeatureList;
use super::reader::Reader;
use crate::feature::{Single, Sink};
use crate::hash::MAX_RUN;
use crate::segment::Span;
use crate::tally::Tally;
use crate::weight::Form;
use simhash_memory::{OutOfMemory, push, push_str};

/// Lists features.
pub struct Lister<'a> {
    words: RecentWords,
    listing: Listing<'a>,
}

/// The list so far.
struct Listing<'a> {
    /// For the hash of each feature, its number in the list, plus 1.
    numbers: &'a mut Tally,
    list: FeatureList,
    /// An error if there was not enough memory. Then no more features are listed.
    state: Result<(), OutOfMemory>,
    checkpoint: &'a mut dyn FnMut(),
}

impl<'a> Lister<'a> {
    /// An empty list. `numbers` is ready for the text, and counts.
    pub fn new(numbers: &'a mut Tally, checkpoint: &'a mut dyn FnMut()) -> Self {
        let listing = Listing { numbers, list: FeatureList::default(), state: Ok(()), checkpoint };
        Lister { words: RecentWords::default(), listing }
    }

    /// The list, after all features have been passed to the lister.
    pub fn finish(self) -> Result<FeatureList, OutOfMemory> {
        self.listing.state.map(|()| self.listing.list)
    }
}

impl Listing<'_> {
    /// Counts an occurrence of a feature. `text` is called only for the first one.
    fn count<'t>(&mut self, hash: u64, form: Form, text: impl FnOnce() -> &'t str) {
        if self.state.is_ok() {
            self.state = self.try_count(hash, form, text);
        }
    }

    fn try_count<'t>(
        &mut self,
        hash: u64,
        form: Form,
        text: impl FnOnce() -> &'t str,
    ) -> Result<(), OutOfMemory> {
        let number = self.numbers.number(hash, self.checkpoint)?;
        if *number == 0 {
            self.list.push(text(), hash, form)?;
            *number = u32::try_from(self.list.len()).map_err(|_| OutOfMemory)?;
        }
        self.list.entry_mut(*number as usize - 1).count += 1;
        Ok(())
    }
}

impl Sink for Lister<'_> {
    fn units(&mut self, text: &str, words: &[Span]) {
        if self.listing.state.is_ok() {
            self.listing.state = self.words.add(words.iter().map(|word| word.text(text)));
        }
    }

    fn words(&mut self, text: &str, words: &mut [Single]) {
        for word in words {
            self.listing.count(word.hash, Form::Word, || word.span.text(text));
        }
    }

    fn runs(&mut self, first: usize, length: usize, hashes: &mut [u64]) {
        for (first, hash) in (first..).zip(hashes) {
            self.listing.count(*hash, Form::WordRun, || self.words.run(first, length));
        }
    }

    fn characters<'a>(&mut self, run: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form) {
        for (i, hash) in hashes.iter().enumerate() {
            let text = || str::from_utf8(run(i)).expect("a run has whole characters");
            self.listing.count(*hash, form, text);
        }
    }
}

impl Reader for Lister<'_> {
    fn checkpoint(&mut self) -> Result<(), OutOfMemory> {
        (self.listing.checkpoint)();
        self.listing.state
    }
}

/// The words of a chunk and the last ones before it, of which runs consist.
#[derive(Default)]
struct RecentWords {
    /// The words, with a space after each.
    text: String,
    /// Where they end, before the space.
    ends: Vec<usize>,
    /// The number of the first of them in the whole text.
    first: usize,
}

impl RecentWords {
    /// Adds the words of the next chunk, and removes those that can no longer begin a run.
    fn add<'t>(&mut self, words: impl Iterator<Item = &'t str>) -> Result<(), OutOfMemory> {
        let gone = self.ends.len().saturating_sub(MAX_RUN);
        let cut = self.start(gone);
        self.text.drain(..cut);
        self.ends.drain(..gone);
        self.ends.iter_mut().for_each(|end| *end -= cut);
        self.first += gone;
        for word in words {
            push_str(&mut self.text, word)?;
            push(&mut self.ends, self.text.len())?;
            push_str(&mut self.text, " ")?;
        }
        Ok(())
    }

    /// The run of `length` words that begins with the word with the number `first`.
    fn run(&self, first: usize, length: usize) -> &str {
        let first = first - self.first;
        &self.text[self.start(first)..self.ends[first + length - 1]]
    }

    /// Where a word starts. `word` is its position in `ends`.
    fn start(&self, word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| self.ends[before] + 1)
    }
}
