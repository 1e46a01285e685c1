//! Properties of scripts that several steps need: where ASCII ends, and which characters are Han.

/// How many bytes at the start of `text` are ASCII.
#[inline]
pub fn ascii_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (blocks, _) = bytes.as_chunks::<16>();
    let whole = 16 * blocks.iter().take_while(|block| block.is_ascii()).count();
    whole + bytes[whole..].iter().take_while(|b| b.is_ascii()).count()
}

/// How many bytes at the start are Han characters of the main block, U+4E00 to U+9FFF, which have three bytes each.
#[inline(always)]
pub fn main_han_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    // The first two bytes are enough to recognize them.
    while let Some([a, b, _]) = bytes[len..].first_chunk()
        && matches!(u16::from_be_bytes([*a, *b]), 0xE4B8..=0xE9BF)
    {
        len += 3;
    }
    len
}

/// Whether a character is Han.
#[inline(always)]
pub fn is_han(c: char) -> bool {
    is_cut_by_jieba(c) || matches!(c, '\u{2FA20}'..='\u{3FFFF}')
}

/// Whether a character is one of the Han characters that jieba cuts into words. The other Han characters, in the last planes of
/// Unicode, are words of one character each.
#[inline(always)]
pub fn is_cut_by_jieba(c: char) -> bool {
    // This range decides in nearly all cases.
    matches!(c, '\u{4E00}'..='\u{9FFF}')
        || matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The weights of words and the segmentation use the same definition of Han, except for the planes that jieba does not know.
    #[test]
    fn one_definition_of_han() {
        let only_han: Vec<char> = ('\0'..=char::MAX).filter(|c| is_han(*c) != is_cut_by_jieba(*c)).collect();
        assert_eq!((only_han.first(), only_han.last()), (Some(&'\u{2FA20}'), Some(&'\u{3FFFF}')));
        // Hexagrams are between two blocks of Han, but they are not Han.
        assert!(!is_han('\u{4DC0}') && !is_han('\u{4DFF}'));
    }

    proptest! {
        #[test]
        fn ascii_is_counted(text in "[a-z]{0,40}(é[a-z]{0,20}){0,2}") {
            prop_assert_eq!(ascii_len(&text), text.bytes().take_while(|b| b.is_ascii()).count());
        }

        #[test]
        fn han_is_counted(text in "[中文字䶮a\u{20000}]{0,12}") {
            let main: String = text.chars().take_while(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')).collect();
            prop_assert_eq!(main_han_len(text.as_bytes()), main.len());
        }
    }
}
