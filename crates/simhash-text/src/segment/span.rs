//! Where words stand.

/// Where a word stands in its chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// From the byte `start` to before the byte `end`.
    #[inline(always)]
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The place in a text of what stands here in the part of it that begins at the byte `base`.
    #[inline(always)]
    pub fn behind(self, base: usize) -> Span {
        Span { start: self.start + base as u32, end: self.end + base as u32 }
    }

    /// The word in the chunk that it is from.
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
