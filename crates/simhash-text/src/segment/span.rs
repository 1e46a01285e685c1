//! The positions of words.

/// The position of a word in its chunk, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// The span from the byte `start` to the byte `end`, which is not included.
    #[inline(always)]
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The span in a whole text, if this is the span in the part that begins at the byte `base`.
    #[inline(always)]
    pub fn behind(self, base: usize) -> Span {
        Span { start: self.start + base as u32, end: self.end + base as u32 }
    }

    /// The word. `chunk` is the chunk that it is from.
    #[inline(always)]
    pub fn text(self, chunk: &str) -> &str {
        &chunk[self.start as usize..self.end as usize]
    }

    /// How many bytes the word has.
    #[inline(always)]
    pub fn bytes(self) -> usize {
        (self.end - self.start) as usize
    }
}
