//! The Unicode word rules (UAX #29) for ASCII, where they need no tables.

use super::span::Span;

/// The number of bytes that are processed together.
const BLOCK: usize = 64;

/// Passes the span of every word of the ASCII `text` to `word`. A word is a run of letters, digits and underscores with at least
/// one letter or digit. It may have single marks inside (`can't`, `3.14`, `example.org`).
#[inline]
pub fn words(text: &str, mut word: impl FnMut(Span)) {
    let bytes = text.as_bytes();
    let mut before = 0;
    let in_word = |block: &[u8; BLOCK], at: usize| {
        let (written, marks) = (mask(block, is_written), mask(block, is_mark));
        let after = u64::from(bytes.get(at + BLOCK).is_some_and(|b| is_written(*b)));
        let mut between = marks & (written << 1 | before) & (written >> 1 | after << (BLOCK - 1));
        before = written >> (BLOCK - 1);
        let mut bits = written;
        while between != 0 {
            let mark = at + between.trailing_zeros() as usize;
            bits |= u64::from(joins(bytes[mark - 1], bytes[mark], bytes[mark + 1])) << (mark - at);
            between &= between - 1;
        }
        bits
    };
    runs_of_bits(bytes, in_word, |start, end| {
        if bytes[start] != b'_' || bytes[start..end].iter().any(|b| *b != b'_') {
            word(Span::new(start, end));
        }
    });
}

/// Passes the start and the end of every run of letters, digits and underscores in ASCII to `run`.
#[inline]
pub fn runs(bytes: &[u8], run: impl FnMut(usize, usize)) {
    runs_of_bits(bytes, |block, _| mask(block, is_written), run);
}

/// Passes the start and the end of every run of set bits to `run`. `bits` receives a block and its position, and returns the bits
/// of the block.
#[inline(always)]
fn runs_of_bits(
    bytes: &[u8],
    mut bits: impl FnMut(&[u8; BLOCK], usize) -> u64,
    mut run: impl FnMut(usize, usize),
) {
    let (blocks, rest) = bytes.as_chunks();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    // Where runs start and end, alternately. The first position is from the previous block if a run is still open.
    let mut edges = [0; BLOCK + 1];
    let mut open = 0;
    for (block, at) in blocks.iter().chain([&last]).zip((0..).step_by(BLOCK)) {
        let bits = bits(block, at);
        let mut changes = bits ^ (bits << 1 | open);
        let mut count = open as usize;
        while changes != 0 {
            edges[count] = at + changes.trailing_zeros() as usize;
            count += 1;
            changes &= changes - 1;
        }
        for [start, end] in edges[..count].as_chunks().0 {
            run(*start, *end);
        }
        open = bits >> (BLOCK - 1);
        edges[0] = edges[count.saturating_sub(1)];
    }
}

/// A bit for each byte, set if `is_set` is true for the byte.
#[inline(always)]
fn mask(block: &[u8; BLOCK], is_set: impl Fn(u8) -> bool) -> u64 {
    let set = block.map(|b| u8::from(is_set(b)));
    let (words, _) = set.as_chunks::<8>();
    // A multiplication gathers the lowest bits of eight bytes in the highest byte.
    let gather = |word: [u8; 8]| u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().rev().fold(0, |mask, word| mask << 8 | gather(*word))
}

/// Whether a byte is a letter, a digit or an underscore.
#[inline(always)]
fn is_written(b: u8) -> bool {
    (b | 0x20).wrapping_sub(b'a') < 26 || b.wrapping_sub(b'0') < 10 || b == b'_'
}

/// Whether a byte is a mark that may be inside a word.
#[inline(always)]
fn is_mark(b: u8) -> bool {
    matches!(b, b'\'' | b',' | b'.' | b':' | b';')
}

/// Whether `mark` joins the bytes before and after it to one word.
#[inline(always)]
fn joins(before: u8, mark: u8, after: u8) -> bool {
    let both = |is: fn(&u8) -> bool| is(&before) & is(&after);
    (matches!(mark, b':' | b'.' | b'\'') & both(u8::is_ascii_alphabetic))
        | (matches!(mark, b',' | b';' | b'.' | b'\'') & both(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn collect(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        words(text, |word| found.push(word.text(text)));
        found
    }

    #[test]
    fn marks_inside_words() {
        assert_eq!(
            collect("Can't stop: 3.14, 1,000; foo_bar __ a.b.c e.g."),
            ["Can't", "stop", "3.14", "1,000", "foo_bar", "a.b.c", "e.g"]
        );
    }

    proptest! {
        #[test]
        fn agrees_with_unicode_segmentation(text in "[ -~\\n\\t]{0,60}") {
            prop_assert_eq!(collect(&text), text.unicode_words().collect::<Vec<_>>());
        }

        #[test]
        fn agrees_where_marks_are_dense(text in "[ab01_:;,.'\" /-]{0,30}") {
            prop_assert_eq!(collect(&text), text.unicode_words().collect::<Vec<_>>());
        }
    }
}
