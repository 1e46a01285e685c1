//! Text → normalised text: NFKC (full-width to half-width among it), case folding, invisible characters
//! away. What looks the same becomes the same bytes. Control characters stay: they separate words.

use crate::chunk::ascii_len;
use crate::segment::han_len;
use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// Appends the normal form of `text` to `out`.
///
/// Nearly all characters of ordinary text are settled alone, by `settled`. The others go through the full
/// Unicode algorithms together with the one settled character before them, which they may combine with.
pub fn normalise(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        // ASCII goes over in one piece. Its last character may combine with what follows, and is not yet settled.
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
        rest = &rest[normalise_to_ascii(rest, out)..];
    }
}

/// Appends the normal form of `text` up to where its second ASCII character in a row begins, and tells where.
fn normalise_to_ascii(text: &str, out: &mut String) -> usize {
    // The last settled character: where it stands in the text, and in the output.
    let (mut settled_start, mut settled_out) = (0, out.len());
    let mut after_ascii = false;
    let mut at = 0;
    loop {
        let han = han_len(&text.as_bytes()[at..]);
        if han > 0 {
            // A stretch of Han goes over in one piece.
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
            out.push(mapped);
            at += c.len_utf8();
        } else {
            at += text[at..].find(|c| settled(c).is_some()).unwrap_or(text.len() - at);
            out.truncate(settled_out);
            unicode_normalise(&text[settled_start..at], out);
            (settled_start, settled_out) = (at, out.len());
            after_ascii = false;
        }
    }
}

/// The normal form of a character that can be told without its neighbours: a starter which neither
/// composes with what stands before it nor changes but to the one character given.
#[inline(always)]
fn settled(c: char) -> Option<char> {
    match c {
        '\0'..='\x7f' => Some(c.to_ascii_lowercase()),
        // Han, and the kana that do not combine.
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' => Some(c),
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' => Some(c),
        '\u{A0}' | '\u{3000}' => Some(' '),
        '、'..='〃' | '〈'..='】' | '“' | '”' | '–' | '—' | '→' => Some(c),
        // The letters of Western Europe, but for the sharp s.
        'à'..='ö' | 'ø'..='ÿ' => Some(c),
        'À'..='Ö' | 'Ø'..='Þ' => char::from_u32(c as u32 + 0x20),
        // The typographic apostrophe is the plain one of "it's".
        '‘' | '’' => Some('\''),
        // Full-width ASCII.
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).map(|ascii| ascii.to_ascii_lowercase()),
        _ => None,
    }
}

/// The full way: invisible characters away, NFKC, case folding, NFKC again.
#[cold]
fn unicode_normalise(text: &str, out: &mut String) {
    let visible = text.chars().filter(|c| !is_invisible(*c));
    out.extend(visible.nfkc().default_case_fold().nfkc().map(|c| settled(c).unwrap_or(c)));
}

/// Characters that take no part in what a reader sees: soft hyphens, zero-width and directional marks,
/// variation selectors.
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
        normalise(text, &mut out);
        out
    }

    /// The whole text through the Unicode algorithms at once.
    fn naive(text: &str) -> String {
        let mut out = String::new();
        unicode_normalise(text, &mut out);
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
        assert_eq!(normal("豈\u{F900}"), "豈豈");
    }

    #[test]
    fn appends() {
        let mut out = String::from("é");
        normalise("\u{301}x", &mut out);
        assert_eq!(out, "é\u{301}x");
    }

    #[test]
    fn settled_is_what_can_be_told_alone() {
        for c in '\0'..=char::MAX {
            let Some(mapped) = settled(c) else { continue };
            assert_eq!(naive(&format!("{c}")), format!("{mapped}"));
            for before in ["a", "é", "か", "\u{1100}", "\u{301}"] {
                assert_eq!(naive(&format!("{before}{c}b")), format!("{before}{mapped}b"));
            }
        }
    }

    proptest! {
        #[test]
        fn the_short_way_is_the_full_way(text in any::<String>()) {
            prop_assert_eq!(normal(&text), naive(&text));
        }

        #[test]
        fn the_short_way_is_the_full_way_where_things_combine(
            text in "[a-eA-EÀ-ÿ\u{A0}→가-갂ᄀ-나-ᅣᆨ-ᆪか-ごカ-ゴ゙゚ﾞ中文，。Ａ-Ｅ\u{300}-\u{308}\u{AD}\u{200D}ßİıΣσςﬁ①㍿\u{FE0F}\t ]{0,24}",
        ) {
            prop_assert_eq!(normal(&text), naive(&text));
        }

        #[test]
        fn twice_is_once(text in "\\PC{0,40}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once);
        }
    }
}
