//! The Unicode word rules (UAX #29) on ASCII, where they need no tables but one of bytes.

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// The underscore: joins to letters and digits on both sides.
const CONNECTOR: u8 = 4;
/// A mark that joins two letters.
const MID_LETTER: u8 = 8;
/// A mark that joins two digits.
const MID_DIGIT: u8 = 16;

const WORD: u8 = LETTER | DIGIT | CONNECTOR;

/// What each byte does to a word.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut b = 0;
    while b < 128 {
        classes[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => CONNECTOR,
            b':' => MID_LETTER,
            b',' | b';' => MID_DIGIT,
            b'.' | b'\'' => MID_LETTER | MID_DIGIT,
            _ => 0,
        };
        b += 1;
    }
    classes
};

/// Hands every word of the ASCII `text` to `word`: runs of letters, digits and underscores that hold at least one
/// letter or digit, with single marks inside (`can't`, `3.14`, `example.org`).
#[inline]
pub fn words(text: &str, mut word: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let class = |at: usize| CLASSES[usize::from(bytes[at])];
    let mut emit = |start: usize, end: usize| {
        if bytes[start] != b'_' || bytes[start..end].iter().any(|b| *b != b'_') {
            word(&text[start..end]);
        }
    };
    // The last run of word characters: it may go on behind a mark.
    let mut last: Option<(usize, usize)> = None;
    spans(bytes, |start, end| {
        last = Some(match last {
            Some((first, mark)) if mark + 1 == start && joins(class(mark - 1), class(mark), class(start)) => {
                (first, end)
            }
            Some((first, last)) => {
                emit(first, last);
                (start, end)
            }
            None => (start, end),
        });
    });
    if let Some((start, end)) = last {
        emit(start, end);
    }
}

/// Hands the start and the end of every run of letters, digits and underscores in ASCII to `run`.
#[inline(always)]
pub fn spans(bytes: &[u8], mut run: impl FnMut(usize, usize)) {
    let mut open: Option<usize> = None;
    for (block, base) in bytes.chunks(64).zip((0..).step_by(64)) {
        let mut mask = word_mask(block);
        if let Some(start) = open {
            let end = mask.trailing_ones();
            if end == 64 {
                continue;
            }
            run(start, base + end as usize);
            open = None;
            mask &= u64::MAX << end;
        }
        while mask != 0 {
            let start = mask.trailing_zeros();
            let len = (mask >> start).trailing_ones();
            if start + len == 64 {
                open = Some(base + start as usize);
                break;
            }
            run(base + start as usize, base + (start + len) as usize);
            mask &= u64::MAX << (start + len);
        }
    }
    if let Some(start) = open {
        run(start, bytes.len());
    }
}

/// A bit for each of up to 64 bytes of ASCII, set where it is a letter, a digit or an underscore.
#[inline(always)]
fn word_mask(block: &[u8]) -> u64 {
    let (words, rest) = block.as_chunks::<8>();
    let mut mask = 0;
    for (i, word) in words.iter().enumerate() {
        mask |= word_bits(u64::from_le_bytes(*word)) << (8 * i);
    }
    for (i, b) in rest.iter().enumerate() {
        mask |= u64::from(CLASSES[usize::from(*b)] & WORD != 0) << (8 * words.len() + i);
    }
    mask
}

/// The same for eight bytes in one word: every byte is compared by an addition that carries into its highest bit.
#[inline(always)]
fn word_bits(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let at_least = |bytes: u64, least: u8| bytes + EACH * u64::from(0x80 - least);
    let folded = bytes | (EACH * 0x20);
    let letter = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
    let digit = at_least(bytes, b'0') & !at_least(bytes, b'9' + 1);
    let connector = at_least(bytes, b'_') & !at_least(bytes, b'_' + 1);
    // One bit a byte, gathered into the highest byte.
    ((letter | digit | connector) >> 7 & EACH).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Whether `mark` makes one word of what stands before and after it.
#[inline(always)]
fn joins(before: u8, mark: u8, after: u8) -> bool {
    let both = before & after;
    (mark & MID_LETTER != 0 && both & LETTER != 0) || (mark & MID_DIGIT != 0 && both & DIGIT != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn collect(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let base = text.as_ptr() as usize;
        words(text, |w| {
            let start = w.as_ptr() as usize - base;
            found.push(&text[start..start + w.len()]);
        });
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
