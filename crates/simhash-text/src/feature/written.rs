//! The characters of words, without the characters between words.

use crate::script::{ascii_len, main_han_len};
use crate::segment::{ascii_runs, is_written};

/// Appends the characters of `text` that belong to words.
pub fn push_written(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let (ascii, other) = rest.split_at(ascii_len(rest));
        ascii_runs(ascii.as_bytes(), |start, end| push_part(rest.as_bytes(), start, end, out));
        rest = push_written_to_ascii(other, out);
    }
}

/// Appends the written characters of `text` up to the first ASCII character, and returns the rest.
fn push_written_to_ascii<'a>(text: &'a str, out: &mut Vec<u8>) -> &'a str {
    let mut at = 0;
    loop {
        let han = main_han_len(&text.as_bytes()[at..]);
        push_part(text.as_bytes(), at, at + han, out);
        at += han;
        match text[at..].chars().next() {
            Some(c) if !c.is_ascii() => {
                let end = at + c.len_utf8();
                if is_written(c) {
                    out.extend_from_slice(&text.as_bytes()[at..end]);
                }
                at = end;
            }
            _ => return &text[at..],
        }
    }
}

/// Appends the bytes of `text` from `start` to `end`. Most parts are short, and a copy of fixed size is the fastest.
#[inline(always)]
fn push_part(text: &[u8], start: usize, end: usize, out: &mut Vec<u8>) {
    const BLOCK: usize = 16;
    match text[start..].first_chunk::<BLOCK>() {
        Some(block) if end - start <= BLOCK => {
            let len = out.len();
            out.extend_from_slice(block);
            out.truncate(len + end - start);
        }
        _ => out.extend_from_slice(&text[start..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_what_is_written(text in "[a-cA-C0-2_ .,é\u{301}中文字。，は👍\u{20000}-]{0,60}|\\PC{0,60}") {
            let mut written = b"before".to_vec();
            push_written(&text, &mut written);
            let is_kept = |c: &char| match c {
                '_' => true,
                c if c.is_ascii() => c.is_ascii_alphanumeric(),
                c => is_written(*c),
            };
            let kept: String = text.chars().filter(is_kept).collect();
            prop_assert_eq!(String::from_utf8(written).expect("whole characters"), format!("before{kept}"));
        }
    }
}
