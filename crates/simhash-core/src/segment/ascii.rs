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

/// Hands every word of the ASCII `text` to `word`: runs of letters, digits and underscores that hold at least
/// one letter or digit, with single marks inside (`can't`, `3.14`, `example.org`).
pub fn words(text: &str, mut word: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let class = |at: usize| CLASSES[usize::from(bytes[at])];
    let run =
        |from: usize| bytes[from..].iter().take_while(|b| CLASSES[usize::from(**b)] & WORD != 0).count();
    let mut at = 0;
    while at < bytes.len() {
        if class(at) & WORD == 0 {
            at += 1;
            continue;
        }
        let start = at;
        at += run(at);
        while at + 1 < bytes.len() && joins(class(at - 1), class(at), class(at + 1)) {
            at += 1;
            at += run(at);
        }
        if class(start) != CONNECTOR || bytes[start..at].iter().any(|b| *b != b'_') {
            word(&text[start..at]);
        }
    }
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
