//! Text → chunks: a long text is worked on piece by piece, so that memory stays small and a cancel is heard.

/// The size that a chunk is cut to.
pub const CHUNK_BYTES: usize = 16 * 1024;

/// Cuts `text` into chunks of at most `limit` bytes, before white space or Chinese punctuation, where no
/// word and no composed character can span the cut. A stretch longer than `limit` without either is cut at
/// a character.
pub struct Chunks<'a> {
    rest: &'a str,
    limit: usize,
}

impl<'a> Chunks<'a> {
    /// Chunks of the usual size.
    pub fn new(text: &'a str) -> Self {
        Chunks { rest: text, limit: CHUNK_BYTES }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let cut =
            if self.rest.len() <= self.limit { self.rest.len() } else { cut_before(self.rest, self.limit) };
        let (chunk, rest) = self.rest.split_at(cut);
        self.rest = rest;
        Some(chunk)
    }
}

/// The best place to cut at or before `limit`, never 0.
fn cut_before(text: &str, limit: usize) -> usize {
    let last = (0..=limit).rev().find(|i| text.is_char_boundary(*i)).filter(|i| *i > 0);
    // A limit smaller than the first character takes the whole character.
    let last = last.unwrap_or_else(|| text.chars().next().map_or(1, char::len_utf8));
    let window = &text[..last];
    let after_first = |i: &usize| *i > 0;
    let space = window.bytes().rposition(|b| matches!(b, b' ' | b'\n' | b'\t' | b'\r'));
    // CR LF stays together: it is one line break.
    let space = space.map(|i| if i > 0 && window.as_bytes()[i - 1] == b'\r' { i - 1 } else { i });
    space
        .filter(after_first)
        .or_else(|| window.rfind(['。', '，', '、', '！', '？', '；']).filter(after_first))
        .unwrap_or(last)
}

/// How many bytes at the start of `text` are ASCII.
#[inline]
pub fn ascii_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (blocks, _) = bytes.as_chunks::<16>();
    let whole = 16 * blocks.iter().take_while(|block| block.is_ascii()).count();
    whole + bytes[whole..].iter().take_while(|b| b.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunks(text: &str, limit: usize) -> Vec<&str> {
        Chunks { rest: text, limit }.collect()
    }

    #[test]
    fn cuts_before_white_space_then_punctuation_then_characters() {
        assert_eq!(chunks("one two three", 9), ["one two", " three"]);
        assert_eq!(chunks("甲乙，丙丁", 10), ["甲乙", "，丙丁"]);
        assert_eq!(chunks("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(chunks("甲乙", 2), ["甲", "乙"]);
        assert_eq!(chunks("", 4), [""; 0]);
    }

    proptest! {
        #[test]
        fn ascii_is_counted(text in "[a-z]{0,40}(é[a-z]{0,20}){0,2}") {
            prop_assert_eq!(ascii_len(&text), text.bytes().take_while(|b| b.is_ascii()).count());
        }

        #[test]
        fn nothing_is_lost(text in "\\PC*", limit in 1usize..40) {
            prop_assert_eq!(chunks(&text, limit).concat(), text);
        }
    }
}
