//! Text → normalised text: NFKC (which includes full-width to half-width), case folding, removal of invisible characters,
//! traditional Chinese characters to simplified ones. Texts that look the same, or that are the same in the other script, become
//! the same bytes. Control characters stay, because they separate words.

mod simplified;

use crate::script::{ascii_len, main_han_len};
use caseless::Caseless;
use serde::Deserialize;
pub use simplified::simplified;
use simplified::unchanged_len;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// What happens to traditional Chinese characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// They become simplified ones: a text is the same text in both scripts.
    #[default]
    Fold,
    /// They stay.
    Keep,
}

/// Appends the normal form of `text` to `out`.
///
/// For nearly all characters of ordinary text, `settled` gives the normal form of the character alone. The others go through the
/// full Unicode algorithms, together with the one settled character before them, because they may combine with it.
pub fn normalise(text: &str, script: Script, out: &mut String) {
    match script {
        Script::Fold => normalise_as::<true>(text, out),
        Script::Keep => normalise_as::<false>(text, out),
    }
}

/// Appends the normal form of `text` to `out`, with simplified characters if `FOLD` is set.
fn normalise_as<const FOLD: bool>(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        // A stretch of ASCII is copied in one piece. Its last character may combine with the next one, and is not settled yet.
        let ascii = ascii_len(rest);
        let start = out.len();
        out.push_str(&rest[..ascii]);
        out[start..].make_ascii_lowercase();
        if ascii == rest.len() {
            return;
        }
        let last = ascii.saturating_sub(1);
        out.truncate(start + last);
        rest = &rest[last..];
        rest = &rest[normalise_to_ascii::<FOLD>(rest, out)..];
    }
}

/// Appends the normal form of `text` up to the second of two ASCII characters in a row, and returns where that one begins.
fn normalise_to_ascii<const FOLD: bool>(text: &str, out: &mut String) -> usize {
    // The last settled character: its position in the text and in the output.
    let (mut settled_start, mut settled_out) = (0, out.len());
    let mut after_ascii = false;
    let mut at = 0;
    loop {
        let rest = &text.as_bytes()[at..];
        let han = if FOLD { unchanged_len(rest) } else { main_han_len(rest) };
        if han > 0 {
            // A stretch of Han characters is copied in one piece.
            out.push_str(&text[at..at + han]);
            at += han;
            (settled_start, settled_out) = (at - 3, out.len() - 3);
            after_ascii = false;
        }
        let Some(c) = text[at..].chars().next() else { return at };
        if let Some(mapped) = settled(c) {
            if c.is_ascii() && after_ascii {
                return at;
            }
            after_ascii = c.is_ascii();
            (settled_start, settled_out) = (at, out.len());
            out.push(fold::<FOLD>(mapped));
            at += c.len_utf8();
        } else {
            at += text[at..].find(|c| settled(c).is_some()).unwrap_or(text.len() - at);
            out.truncate(settled_out);
            unicode_normalise::<FOLD>(&text[settled_start..at], out);
            (settled_start, settled_out) = (at, out.len());
            after_ascii = false;
        }
    }
}

/// The normal form of a character if it does not depend on its neighbours. Such a character is a starter, does not compose with the
/// character before it, and its normal form is one character.
#[inline(always)]
fn settled(c: char) -> Option<char> {
    match c {
        '\0'..='\x7f' => Some(c.to_ascii_lowercase()),
        // Han characters, and the kana that do not combine.
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' => Some(c),
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' => Some(c),
        '\u{A0}' | '\u{3000}' => Some(' '),
        '、'..='〃' | '〈'..='】' | '“' | '”' | '–' | '—' | '→' => Some(c),
        // The letters of Western Europe, except the sharp s.
        'à'..='ö' | 'ø'..='ÿ' => Some(c),
        'À'..='Ö' | 'Ø'..='Þ' => char::from_u32(c as u32 + 0x20),
        // The typographic apostrophe becomes the ASCII one, as in "it's".
        '‘' | '’' => Some('\''),
        // Full-width ASCII.
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).map(|ascii| ascii.to_ascii_lowercase()),
        _ => None,
    }
}

/// The full algorithm: invisible characters are removed, then NFKC, case folding, NFKC again, simplified characters.
#[cold]
fn unicode_normalise<const FOLD: bool>(text: &str, out: &mut String) {
    let visible = text.chars().filter(|c| !is_invisible(*c));
    let normal = visible.nfkc().default_case_fold().nfkc();
    out.extend(normal.map(|c| fold::<FOLD>(settled(c).unwrap_or(c))));
}

/// The simplified form of a character if `FOLD` is set.
#[inline(always)]
fn fold<const FOLD: bool>(c: char) -> char {
    if FOLD { simplified(c) } else { c }
}

/// The length of the first part of a text that is longer than `limit`: at most `limit` bytes, or one character if that is longer.
/// The normal forms of the parts, one after another, are the normal form of the text. There is one exception: a text with more than
/// `limit` bytes of marks or of invisible characters in a row is cut among these, because memory is limited.
pub fn part_len(text: &str, limit: usize) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let cuts = || (first..=limit).rev().filter(|&at| text.is_char_boundary(at));
    cuts().find(|&at| text[at..].starts_with(starts_anew)).or(cuts().next()).unwrap_or(first)
}

/// Whether the normal form of a character is independent of the characters before it, and theirs of this character.
fn starts_anew(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    let is_starter =
        |c| canonical_combining_class(c) == 0 && is_nfkc_quick([c].into_iter()) == IsNormalized::Yes;
    settled(c).is_some() || !is_invisible(c) && first.is_some_and(is_starter)
}

/// Whether a character is invisible: soft hyphens, zero-width and directional marks, variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}'
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        let mut out = String::new();
        normalise(text, Script::Fold, &mut out);
        out
    }

    fn kept(text: &str) -> String {
        let mut out = String::new();
        normalise(text, Script::Keep, &mut out);
        out
    }

    /// The whole text through the Unicode algorithms at once.
    fn naive(text: &str) -> String {
        naive_kept(text).chars().map(simplified).collect()
    }

    fn naive_kept(text: &str) -> String {
        let mut out = String::new();
        unicode_normalise::<false>(text, &mut out);
        out
    }

    #[test]
    fn what_looks_the_same_becomes_the_same() {
        assert_eq!(normal("Ｓｉｍ哈希　２０２６"), "sim哈希 2026");
        assert_eq!(normal("STRASSE Straße ﬁne"), "strasse strasse fine");
        assert_eq!(normal("it’s"), "it's");
        assert_eq!(normal("cafe\u{301} CAFÉ"), "café café");
        assert_eq!(normal("ｶﾞｷﾞ が か\u{3099}"), "ガギ が が");
        assert_eq!(normal("soft\u{AD}hyphen\u{200B}zero"), "softhyphenzero");
        assert_eq!(normal("①②　㎏ ™"), "12 kg tm");
        assert_eq!(normal("\u{1100}\u{1161}\u{11A8}"), "각");
        assert_eq!(kept("豈\u{F900}"), "豈豈");
    }

    #[test]
    fn both_scripts_are_one() {
        assert_eq!(normal("臺灣的資料庫，Ｔａｉｗａｎ　豈\u{F900}"), "台湾的资料库,taiwan 岂岂");
        assert_eq!(kept("臺灣的資料庫，Ｔａｉｗａｎ"), "臺灣的資料庫,taiwan");
        // A simplified form of another length, and a mark after it that may combine.
        assert_eq!(normal("中㑮文蓮\u{301}x"), "中𫝈文莲\u{301}x");
        assert_eq!(normal("穞\u{301}穞"), naive("穞\u{301}穞"));
    }

    #[test]
    fn appends() {
        let mut out = String::from("é");
        normalise("\u{301}x", Script::Fold, &mut out);
        assert_eq!(out, "é\u{301}x");
    }

    #[test]
    fn settled_is_what_can_be_told_alone() {
        for c in '\0'..=char::MAX {
            let Some(mapped) = settled(c) else { continue };
            assert_eq!(naive_kept(&format!("{c}")), format!("{mapped}"));
            for before in ["a", "é", "か", "\u{1100}", "\u{301}"] {
                assert_eq!(naive_kept(&format!("{before}{c}b")), format!("{before}{mapped}b"));
            }
        }
    }

    proptest! {
        #[test]
        fn the_short_way_is_the_full_way(text in any::<String>()) {
            prop_assert_eq!(normal(&text), naive(&text));
            prop_assert_eq!(kept(&text), naive_kept(&text));
        }

        #[test]
        fn the_short_way_is_the_full_way_where_things_combine(
            text in "[a-eA-EÀ-ÿ\u{A0}→가-갂ᄀ-나-ᅣᆨ-ᆪか-ごカ-ゴ゙゚ﾞ中文龍㑮穞㐹𠌥，。Ａ-Ｅ\u{300}-\u{308}\u{AD}\u{200D}ßİıΣσςﬁ①㍿\u{FE0F}\t ]{0,24}",
        ) {
            prop_assert_eq!(normal(&text), naive(&text));
            prop_assert_eq!(kept(&text), naive_kept(&text));
        }

        #[test]
        fn parts_are_normal_by_themselves(
            text in "([a-cÀ-ÿΣſﬁ가각かｶﾊﾞﾟ中龍㑮。\u{3099}\u{300}-\u{308}\u{345}\u{AD}\u{200D}①ä\u{9BE}\u{9C7} ]|[^\u{300}-\u{308}\u{AD}]){0,40}",
            limit in 1usize..12,
        ) {
            let mut parts: Vec<&str> = Vec::new();
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (part, left) = rest.split_at(if rest.len() <= limit { rest.len() } else { part_len(rest, limit) });
                parts.push(part);
                rest = left;
            }
            prop_assert_eq!(parts.concat(), text.clone());
            prop_assert!(parts.iter().all(|part| part.len() <= limit || part.chars().count() == 1));
            // Except for a text that is cut only because a part is too long.
            if parts.iter().skip(1).all(|part| part.starts_with(starts_anew)) {
                prop_assert_eq!(parts.iter().map(|part| normal(part)).collect::<String>(), normal(&text));
            }
        }

        #[test]
        fn twice_is_once(text in "\\PC{0,40}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once.clone());
            prop_assert_eq!(normal(&kept(&text)), once);
        }
    }
}
