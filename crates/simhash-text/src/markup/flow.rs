//! Text as a page displays it: one space for each stretch of white space, one line for each block.

use simhash_memory::{OutOfMemory, push_bytes};

/// The white space between two words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

/// Text of blocks, without white space at either end.
#[derive(Default)]
pub struct Flow {
    /// UTF-8, except that the last character may be incomplete.
    text: Vec<u8>,
    /// Whether there has been text already.
    is_begun: bool,
    gap: Gap,
}

impl Flow {
    /// Appends characters. If `keeps_lines` is set, line breaks are kept; otherwise they are spaces.
    pub fn push(&mut self, mut text: &[u8], keeps_lines: bool) -> Result<(), OutOfMemory> {
        loop {
            let blank = text.iter().take_while(|b| is_white_space(**b)).count();
            if blank > 0 {
                let is_line = keeps_lines && text[..blank].contains(&b'\n');
                self.gap = self.gap.max(if is_line { Gap::Line } else { Gap::Space });
                text = &text[blank..];
            }
            if text.is_empty() {
                return Ok(());
            }
            let between: &[u8] = match self.gap {
                _ if !self.is_begun => b"",
                Gap::None => b"",
                Gap::Space => b" ",
                Gap::Line => b"\n",
            };
            let (words, rest) = text.split_at(words_len(text));
            push_bytes(&mut self.text, between)?;
            push_bytes(&mut self.text, words)?;
            (self.is_begun, self.gap) = (true, Gap::None);
            text = rest;
        }
    }

    /// Begins a new line.
    pub fn line(&mut self) {
        self.gap = Gap::Line;
    }

    /// How many bytes of text there are.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Removes everything after the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.is_begun = len > 0;
        self.gap = Gap::Line;
    }

    /// Removes the text and returns its bytes.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Removes the complete characters of the text and returns them. More text may follow.
    pub fn take(&mut self) -> String {
        let complete = match std::str::from_utf8(&self.text) {
            Err(cut) if cut.error_len().is_none() => cut.valid_up_to(),
            _ => self.text.len(),
        };
        let begun = self.text.split_off(complete);
        let text = std::mem::replace(&mut self.text, begun);
        // The input is UTF-8, and markup ends at ASCII characters, so the text is UTF-8.
        String::from_utf8(text).unwrap_or_default()
    }
}

/// How many bytes at the start are words with single spaces between them.
#[inline]
fn words_len(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|b| !is_white_space(**b)).count();
        match text[at..] {
            [b' ', next, ..] if !is_white_space(next) => at += 2,
            _ => return at,
        }
    }
}

/// Whether a byte is white space of HTML.
#[inline(always)]
fn is_white_space(b: u8) -> bool {
    matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flow(parts: &[&str], keeps_lines: bool) -> String {
        let mut flow = Flow::default();
        // The result is the same byte by byte as in one piece.
        for part in parts {
            match *part {
                "|" => flow.line(),
                part => {
                    part.as_bytes().chunks(1).for_each(|b| flow.push(b, keeps_lines).expect("enough memory"))
                }
            }
        }
        flow.take()
    }

    #[test]
    fn white_space_and_lines() {
        assert_eq!(flow(&["|", " a  b\n\tc ", "|", " d", "e ", "|", "|", "f ", "|"], false), "a b c\nde\nf");
        assert_eq!(flow(&["a \n b  c", "\n"], true), "a\nb c");
    }

    #[test]
    fn characters_are_taken_whole() {
        let mut flow = Flow::default();
        flow.push(&"中文".as_bytes()[..4], false).expect("enough memory");
        assert_eq!(flow.take(), "中");
        flow.push(&"中文".as_bytes()[4..], false).expect("enough memory");
        assert_eq!(flow.take(), "文");
    }

    proptest! {
        #[test]
        fn as_the_standard_library_folds(text in "[ab文 \n\t]{0,40}") {
            let folded: Vec<&str> = text.split_ascii_whitespace().collect();
            let mut flow = Flow::default();
            flow.push(text.as_bytes(), false).expect("enough memory");
            prop_assert_eq!(flow.take(), folded.join(" "));
            prop_assert_eq!(self::flow(&[&text], false), folded.join(" "));
        }
    }
}
