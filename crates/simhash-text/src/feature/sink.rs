//! The receiver of features.

use super::single::Single;
use crate::segment::Span;
use crate::weight::Form;

/// Receives features, many at a time. The sink may overwrite the slice.
pub trait Sink {
    /// Receives every word of the chunk `text`, in order, before the features that contain it.
    fn units(&mut self, text: &str, words: &[Span]);

    /// Receives single words of the chunk `text` that are features.
    fn words(&mut self, text: &str, words: &mut [Single]);

    /// Receives the hashes of runs of `length` words. The first run begins with word `first` of the text, the second with the next
    /// word, and so on.
    fn runs(&mut self, first: usize, length: usize, hashes: &mut [u64]);

    /// Receives the hashes of runs of characters; `run` returns each run by its number.
    fn characters<'a>(&mut self, run: impl Fn(usize) -> &'a [u8], hashes: &mut [u64], form: Form);
}
