//! Where features go.

use super::single::Single;
use crate::segment::Span;
use crate::weight::Form;

/// What is done with features. They come many at a time, and the sink may overwrite the slice.
pub trait Sink {
    /// Gets every word of the chunk `text`, in order and before the features that it is part of.
    fn units(&mut self, text: &str, words: &[Span]);

    /// Takes single words of the chunk `text`.
    fn words(&mut self, text: &str, words: &mut [Single]);

    /// Takes the hashes of runs of `length` words, the first of which begins with word `first` of the text, the second
    /// with the next word, and so on.
    fn runs(&mut self, first: usize, length: usize, hashes: &mut [u64]);

    /// Takes the hashes of runs of characters; `run` returns each by its number.
    fn characters<'a>(&mut self, run: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form);
}
