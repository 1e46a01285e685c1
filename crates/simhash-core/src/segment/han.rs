//! Where Han characters are.

use crate::chunk::ascii_len;

/// Where the first Han character is; the length of the text where there is none.
pub fn find(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += ascii_len(&text[at..]);
        match text[at..].chars().next() {
            Some(c) if !is_han(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// How many bytes at the start are Han characters of the main block, U+4E00 to U+9FFF: three bytes each.
#[inline(always)]
pub fn main_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    // The first two bytes tell them.
    while let Some([a, b, _]) = bytes[len..].first_chunk()
        && matches!(u16::from_be_bytes([*a, *b]), 0xE4B8..=0xE9BF)
    {
        len += 3;
    }
    len
}

/// How many bytes at the start are Han characters.
#[inline(always)]
pub fn len(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += main_len(&text.as_bytes()[at..]);
        match text[at..].chars().next() {
            Some(c) if !c.is_ascii() && is_han(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// How many bytes at the start may stand between Han.
#[inline(always)]
pub fn separators_len(text: &str) -> usize {
    let mut at = 0;
    loop {
        match text.as_bytes().get(at) {
            Some(b) if b.is_ascii() && ASCII_SEPARATORS[usize::from(*b)] => at += 1,
            Some(0xC2 | 0xE2 | 0xE3) => match text[at..].chars().next() {
                Some(c) if separates_han(c) => at += c.len_utf8(),
                _ => return at,
            },
            _ => return at,
        }
    }
}

/// The Han characters that jieba segments. The rest of Unicode's Han are words of one character each.
#[inline(always)]
pub fn is_han(c: char) -> bool {
    // One range decides nearly always.
    matches!(c, '\u{4E00}'..='\u{9FFF}')
        || matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// What may stand between Han characters in a sentence that is given to jieba as a whole: characters that
/// jieba does not join to words and that no word of another script begins with.
#[inline(always)]
const fn separates_han(c: char) -> bool {
    match c {
        '+' | '#' | '&' | '.' | '_' | '%' | '-' => false,
        '\0'..='\x7f' => !c.is_ascii_alphanumeric(),
        '、'..='〃' | '〈'..='】' | '‘'..='”' | '…' | '—' | '·' => true,
        _ => false,
    }
}

/// Which characters of ASCII separate Han.
const ASCII_SEPARATORS: [bool; 128] = {
    let mut separators = [false; 128];
    let mut b = 0;
    while b < 128 {
        separators[b as usize] = separates_han(b as char);
        b += 1u8;
    }
    separators
};
