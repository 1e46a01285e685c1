//! The input of the tokenizer: markup, piece by piece, with checkpoints.

use html5gum::{Readable, Reader};
use std::convert::Infallible;

/// The maximum number of bytes that the tokenizer reads at once, and between two checkpoints.
const PIECE: usize = 16 * 1024;

/// The maximum number of letters that the tokenizer reads one by one. After `</` in a script or a title it keeps them until it
/// knows whether they are the end tag, and it cannot report that memory is exhausted. A name of this length is not that of the end
/// tag, so a space is inserted that ends it.
const LONGEST_NAME: usize = 16 * 1024;

/// A text with markup.
pub struct Input<'a> {
    rest: &'a [u8],
    /// Bytes since the last checkpoint.
    unchecked: usize,
    /// Letters that were read one by one, without other bytes between them.
    letters: usize,
    checkpoint: &'a mut dyn FnMut(),
}

impl<'a> Input<'a> {
    /// `checkpoint` may unwind to abandon the work.
    pub fn new(text: &'a str, checkpoint: &'a mut dyn FnMut()) -> Input<'a> {
        Input { rest: text.as_bytes(), unchecked: 0, letters: 0, checkpoint }
    }

    /// Removes bytes from the start and returns them.
    #[inline(always)]
    fn take(&mut self, len: usize) -> &'a [u8] {
        self.unchecked += len;
        if self.unchecked >= PIECE {
            self.unchecked = 0;
            (self.checkpoint)();
        }
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }
}

impl Reader for Input<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let Some(&byte) = self.rest.first() else { return Ok(None) };
        self.letters = if byte.is_ascii_alphabetic() { self.letters + 1 } else { 0 };
        if self.letters > LONGEST_NAME {
            self.letters = 0;
            return Ok(Some(b' '));
        }
        self.take(1);
        Ok(Some(byte))
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        single: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        self.letters = 0;
        let mut piece = self.rest[..self.rest.len().min(PIECE)].to_reader();
        let len = piece.read_until(needle, single)?.map(<[u8]>::len);
        Ok(len.map(|len| self.take(len)))
    }

    #[inline(always)]
    fn try_read_string(&mut self, expected: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let Some(found) = self.rest.get(..expected.len()) else { return Ok(false) };
        let is_same = found == expected || !case_sensitive && found.eq_ignore_ascii_case(expected);
        if is_same {
            self.take(expected.len());
        }
        Ok(is_same)
    }
}
