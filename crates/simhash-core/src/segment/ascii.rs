//! The Unicode word rules (UAX #29) on ASCII, where they need no tables but one of bytes.

/// What a byte does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Other,
    Letter,
    Digit,
    /// The underscore: joins to letters and digits on both sides.
    Connector,
    /// Joins two letters.
    MidLetter,
    /// Joins two digits.
    MidDigit,
    /// Joins two letters or two digits.
    MidBoth,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut b = 0;
    while b < 128 {
        classes[b as usize] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Connector,
            b':' => Class::MidLetter,
            b',' | b';' => Class::MidDigit,
            b'.' | b'\'' => Class::MidBoth,
            _ => Class::Other,
        };
        b += 1;
    }
    classes
};

#[inline(always)]
fn class(bytes: &[u8], at: usize) -> Class {
    bytes.get(at).map_or(Class::Other, |b| CLASSES[usize::from(*b)])
}

/// Hands every word of the ASCII `text` to `word`: runs of letters, digits and underscores that hold at least
/// one letter or digit, with single marks inside (`can't`, `3.14`, `example.org`).
pub fn words(text: &str, mut word: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let mut last = class(bytes, at);
        if !matches!(last, Class::Letter | Class::Digit | Class::Connector) {
            at += 1;
            continue;
        }
        let start = at;
        let mut spoken = last != Class::Connector;
        at += 1;
        loop {
            let next = class(bytes, at);
            match next {
                Class::Letter | Class::Digit => spoken = true,
                Class::Connector => {}
                Class::Other => break,
                Class::MidLetter if last == Class::Letter && class(bytes, at + 1) == Class::Letter => {}
                Class::MidDigit if last == Class::Digit && class(bytes, at + 1) == Class::Digit => {}
                Class::MidBoth
                    if matches!(last, Class::Letter | Class::Digit) && class(bytes, at + 1) == last => {}
                _ => break,
            }
            last = next;
            at += 1;
        }
        if spoken {
            word(&text[start..at]);
        }
    }
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
