//! Text → the same text with one space for each stretch of white space.

/// Appends `text` with one space for each stretch of white space between words, and none at the ends.
pub fn fold_white_space(text: &str, out: &mut String) {
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    out.extend(words.next());
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// A lower bound of the number of characters of `text` with its white space folded. It is cheaper than the exact number.
pub fn least_length(text: &str) -> usize {
    // First bytes of characters, except those that white space can begin with.
    let is_certain = |b: &u8| matches!(b, b'!'..=b'~' | 0xC3..=0xE0 | 0xE3..=0xFF);
    text.as_bytes().iter().filter(|b| is_certain(b)).count()
}

/// Whether a character is white space or a control character, as the normal form contains them.
fn is_blank(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\x7f'..='\u{9f}' | '\u{1680}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn white_space_becomes_one_space() {
        let mut folded = String::new();
        fold_white_space("\n a \t\r\n b\u{2028}c ", &mut folded);
        assert_eq!(folded, "a b c");
    }

    proptest! {
        #[test]
        fn the_least_length_is_not_above_the_length(text in "[a-c \n\x7f\u{80}\u{1680}\u{2028}é中“👍]{0,40}|\\PC{0,40}") {
            let mut folded = String::new();
            fold_white_space(&text, &mut folded);
            prop_assert!(least_length(&text) <= folded.chars().count());
        }
    }
}
