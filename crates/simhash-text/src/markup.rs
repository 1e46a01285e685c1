//! Text with markup → chunks of plain text. A text without markup is cut in place, without a copy.
//!
//! ```text
//! HTML ── input ── tokens ── flow ── chunks of text
//!                    │
//!                  open ── element    which elements are open, and what each does to the text
//! ```

mod element;
mod flow;
mod input;
mod open;
mod tokens;

use crate::chunk::CHUNK_BYTES;
use html5gum::Tokenizer;
use input::Input;
use serde::Deserialize;
use simhash_memory::{OutOfMemory, push_str};
use tokens::Tokens;

/// The markup of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Markup {
    /// Plain text.
    #[default]
    None,
    /// HTML: tags are removed, and so are the elements that tags mark as not the content.
    Html,
}

/// Returns where the first chunk of a text that is longer than the limit ends: at the limit or before it, never at 0.
pub type Cut = fn(&str, usize) -> usize;

/// The maximum number of bytes after the limit that a cut reads: one character.
const LOOK_AHEAD: usize = 4;

/// The chunks of a text. Together, in this order, they are the text without its markup.
pub enum Source<'a> {
    /// No markup.
    Plain {
        /// The rest of the text.
        rest: &'a str,
        /// The function that finds where to cut.
        cut: Cut,
    },
    /// HTML.
    Html(Box<Html<'a>>),
}

/// The chunks of an HTML text.
pub struct Html<'a> {
    tokenizer: Tokenizer<Input<'a>, Tokens>,
    cut: Cut,
    /// Text without markup. The part from `at` on has not been returned yet.
    text: String,
    at: usize,
    is_complete: bool,
}

impl<'a> Source<'a> {
    /// The chunks of `text`. `checkpoint` is called while markup is read, and may unwind to abandon the work.
    pub fn new(text: &'a str, markup: Markup, cut: Cut, checkpoint: &'a mut dyn FnMut()) -> Source<'a> {
        match markup {
            Markup::None => Source::Plain { rest: text, cut },
            Markup::Html => Source::Html(Box::new(Html {
                tokenizer: Tokenizer::new_with_emitter(Input::new(text, checkpoint), Tokens::default()),
                cut,
                text: String::new(),
                at: 0,
                is_complete: false,
            })),
        }
    }

    /// The next chunk, of at most `CHUNK_BYTES` bytes or one character.
    #[inline]
    pub fn next_chunk(&mut self) -> Result<Option<&str>, OutOfMemory> {
        match self {
            Source::Plain { rest, cut } => {
                let (chunk, left) = rest.split_at(next_len(rest, *cut));
                *rest = left;
                Ok((!chunk.is_empty()).then_some(chunk))
            }
            Source::Html(html) => html.next(),
        }
    }
}

impl Html<'_> {
    fn next(&mut self) -> Result<Option<&str>, OutOfMemory> {
        while !self.is_complete && self.text.len() - self.at <= CHUNK_BYTES + LOOK_AHEAD {
            self.text.drain(..std::mem::take(&mut self.at));
            match self.tokenizer.next() {
                Some(Ok(piece)) => push_str(&mut self.text, &piece?)?,
                None => self.is_complete = true,
            }
        }
        let start = self.at;
        self.at += next_len(&self.text[start..], self.cut);
        Ok((start < self.at).then(|| &self.text[start..self.at]))
    }
}

/// The length of the next chunk.
#[inline]
fn next_len(text: &str, cut: Cut) -> usize {
    if text.len() <= CHUNK_BYTES { text.len() } else { cut(text, CHUNK_BYTES) }
}

#[cfg(test)]
mod tests;
