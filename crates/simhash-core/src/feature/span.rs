//! Words and where they stand.

/// Where a word stands in its chunk.
#[derive(Clone, Copy, Default)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// The place of `word`, which is a part of `chunk`.
    #[inline(always)]
    pub fn of(word: &str, chunk: &str) -> Span {
        let start = (word.as_ptr() as usize - chunk.as_ptr() as usize) as u32;
        Span { start, end: start + word.len() as u32 }
    }

    /// The word in the chunk that it is from.
    #[inline(always)]
    pub fn text(self, chunk: &str) -> &str {
        &chunk[self.start as usize..self.end as usize]
    }

    /// The bytes of the word.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// A word that is a feature by itself.
#[derive(Clone, Copy, Default)]
pub struct Single {
    /// Its hash.
    pub hash: u64,
    /// Where it stands.
    pub span: Span,
}
