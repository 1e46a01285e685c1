//! Finds the Han characters that jieba cuts into words, and their codes in the dictionary.

use super::route::Route;
use super::span::Span;
use crate::dictionary::table::{ALONE, BREAK, code};
use crate::script::{ascii_len, is_cut_by_jieba, main_han_len};

/// The position of the first Han character; the length of the text if there is none.
pub fn find(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += ascii_len(&text[at..]);
        match text[at..].chars().next() {
            Some(c) if !is_cut_by_jieba(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// Passes the words of the first part of `text` to `word`, and returns the length of this part. It consists of Han characters and
/// of separators that may be between them.
pub fn words(text: &str, route: &mut Route, mut word: impl FnMut(Span)) -> usize {
    let mut at = 0;
    loop {
        // These characters have three bytes each.
        let main = at + main_han_len(&text.as_bytes()[at..]);
        let characters = text.as_bytes()[at..main].as_chunks().0;
        route.extend(characters.iter().map(|bytes| code(main_han(*bytes))), at);
        at = main;
        match text[at..].chars().next() {
            Some(c) if is_cut_by_jieba(c) => {
                route.push(if is_known_to_jieba(c) { code(c) } else { ALONE }, at);
                at += c.len_utf8();
            }
            Some(c) if separates_han(c) => {
                if route.is_full() {
                    route.cut(at, &mut word);
                }
                route.push(BREAK, at);
                at += separators_len(&text[at..]);
            }
            _ => break,
        }
    }
    route.cut(at, word);
    at
}

/// The character of the main block that these bytes encode.
#[inline(always)]
fn main_han([a, b, c]: [u8; 3]) -> u32 {
    u32::from(a & 0x0F) << 12 | u32::from(b & 0x3F) << 6 | u32::from(c & 0x3F)
}

/// Whether jieba treats a character that is passed to it as Han. It does not know those that Unicode has added since.
fn is_known_to_jieba(c: char) -> bool {
    !matches!(c, '\u{2A6E0}'..='\u{2A6FF}' | '\u{2EBF0}'..='\u{2F7FF}')
}

/// How many bytes at the start are Han characters and separators that may be between them.
pub fn stretch_len(text: &str) -> usize {
    let mut at = 0;
    loop {
        let han = at + len(&text[at..]);
        let end = han + separators_len(&text[han..]);
        if end == at {
            return end;
        }
        at = end;
    }
}

/// How many bytes at the start are Han characters.
#[inline(always)]
fn len(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += main_han_len(&text.as_bytes()[at..]);
        match text[at..].chars().next() {
            Some(c) if !c.is_ascii() && is_cut_by_jieba(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// How many bytes at the start are separators that may be between Han characters.
#[inline(always)]
fn separators_len(text: &str) -> usize {
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

/// Whether a character may be between Han characters in a sentence that is passed to jieba as a whole: jieba does not join it to
/// words, and no word of another script begins with it.
#[inline(always)]
const fn separates_han(c: char) -> bool {
    match c {
        '+' | '#' | '&' | '.' | '_' | '%' | '-' => false,
        '\0'..='\x7f' => !c.is_ascii_alphanumeric(),
        '、'..='〃' | '〈'..='】' | '‘'..='”' | '…' | '—' | '·' => true,
        _ => false,
    }
}

/// Which ASCII characters may be between Han characters.
const ASCII_SEPARATORS: [bool; 128] = {
    let mut separators = [false; 128];
    let mut b = 0;
    while b < 128 {
        separators[b as usize] = separates_han(b as char);
        b += 1u8;
    }
    separators
};
