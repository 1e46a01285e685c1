//! Text → chunks: a long text is processed chunk by chunk, so that memory use stays small and a cancel is answered.

/// The maximum size of a chunk, in bytes.
pub const CHUNK_BYTES: usize = 16 * 1024;

/// The length of the first chunk of a text that is longer than `limit`: at most `limit` bytes, or one character if that is longer.
/// The cut is before white space or Chinese punctuation, where no word and no composed character can span it. If a stretch longer
/// than `limit` has neither, the cut is between two characters.
pub fn chunk_len(text: &str, limit: usize) -> usize {
    let last = (0..=limit).rev().find(|i| text.is_char_boundary(*i)).filter(|i| *i > 0);
    // If the limit is smaller than the first character, the chunk is this character.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunks(text: &str, limit: usize) -> Vec<&str> {
        let mut chunks = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (chunk, left) =
                rest.split_at(if rest.len() <= limit { rest.len() } else { chunk_len(rest, limit) });
            chunks.push(chunk);
            rest = left;
        }
        chunks
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
        fn nothing_is_lost(text in "\\PC*", limit in 1usize..40) {
            prop_assert_eq!(chunks(&text, limit).concat(), text);
        }
    }
}
