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

/// How many bytes at the start are Han characters from U+5000 to U+9FFF: three bytes each, and nothing else begins so.
#[inline(always)]
pub fn han_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some(0xE5..=0xE9) = bytes.get(len) {
        len += 3;
    }
    len
}

/// How far a stretch of Han and of what may stand between Han goes.
pub fn stretch(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Three bytes beginning so are always Han: U+5000 to U+9FFF.
        if matches!(bytes[at], 0xE5..=0xE9) {
            at += 3;
            continue;
        }
        match text[at..].chars().next() {
            Some(c) if is_han(c) || separates_han(c) => at += c.len_utf8(),
            _ => break,
        }
    }
    at
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
fn separates_han(c: char) -> bool {
    match c {
        '+' | '#' | '&' | '.' | '_' | '%' | '-' => false,
        '\0'..='\x7f' => !c.is_ascii_alphanumeric(),
        '、'..='〃' | '〈'..='】' | '‘'..='”' | '…' | '—' | '·' => true,
        _ => false,
    }
}
