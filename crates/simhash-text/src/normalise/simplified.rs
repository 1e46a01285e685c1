//! Traditional Chinese characters → simplified ones, character by character.
//!
//! The table is OpenCC's `TSCharacters`. If it names several forms, the first one is used. The right form depends on the phrase
//! around the character (瞭解 is 了解, 瞭望 stays), but phrases are not considered. OpenCC's first form keeps such characters or is the
//! usual form, in the same way for every text.

/// All pairs, sorted by the first character.
static PAIRS: &[(char, char)] = &include!(concat!(env!("OUT_DIR"), "/simplified.rs"));

/// The first two bytes of U+4E00, the first character of the main block of Han, which ends at U+9FFF. The stem of a character of
/// this block is its first two bytes, counted from these.
const MAIN: u16 = 0xE4B8;

/// The number of stems of the main block.
const STEMS: usize = 0xE9BF - 0xE4B8 + 1;

/// For each stem, a bit for each of its 64 characters: whether it changes. The lowest bit is for the first character.
static CHANGED: [u64; STEMS] = {
    let mut changed = [0; STEMS];
    let mut i = 0;
    while i < PAIRS.len() {
        if let Some((stem, last)) = cell(PAIRS[i].0) {
            changed[stem] |= 1 << last;
        }
        i += 1;
    }
    changed
};

/// For each stem, the index of the first pair that is not before its characters.
static FIRST: [u16; STEMS] = {
    let mut first = [0; STEMS];
    let (mut i, mut stem) = (0, 0);
    while stem < STEMS {
        while i < PAIRS.len() && is_before(PAIRS[i].0, stem) {
            i += 1;
        }
        first[stem] = i as u16;
        stem += 1;
    }
    first
};

/// Whether a character is before those of a stem.
const fn is_before(c: char, stem: usize) -> bool {
    match cell(c) {
        Some((own, _)) => own < stem,
        None => (c as u32) < 0x4E00,
    }
}

/// The stem of a character of the main block, and the low six bits of its third byte; `None` for other characters.
#[inline(always)]
const fn cell(c: char) -> Option<(usize, u32)> {
    let code = c as u32;
    if code < 0x4E00 || code > 0x9FFF {
        return None;
    }
    let stem = (0xE0 | code >> 12) << 8 | (0x80 | code >> 6 & 0x3F);
    Some(((stem - MAIN as u32) as usize, code & 0x3F))
}

/// How many bytes at the start are Han characters of the main block that stay as they are.
#[inline(always)]
pub fn unchanged_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    while let Some([a, b, c]) = bytes[len..].first_chunk()
        && let Some(changed) = CHANGED.get(usize::from(u16::from_be_bytes([*a, *b]).wrapping_sub(MAIN)))
        && changed >> (c & 0x3F) & 1 == 0
    {
        len += 3;
    }
    len
}

/// The simplified form of a character; the character itself if it has none.
#[inline]
pub fn simplified(c: char) -> char {
    match c {
        '\u{4E00}'..='\u{9FFF}' => {
            let Some((stem, last)) = cell(c) else { return c };
            let changed = CHANGED[stem];
            if changed >> last & 1 == 0 {
                return c;
            }
            let before = (changed & ((1 << last) - 1)).count_ones();
            PAIRS[usize::from(FIRST[stem]) + before as usize].1
        }
        '\u{3400}'..='\u{4DBF}' | '\u{20000}'..='\u{3FFFF}' => rare(c),
        _ => c,
    }
}

/// The simplified form of a character beyond the main block.
#[cold]
fn rare(c: char) -> char {
    PAIRS.binary_search_by_key(&c, |pair| pair.0).map_or(c, |at| PAIRS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::word_hash;
    use crate::script::is_han;

    /// Stored fingerprints depend on the table: another table needs another ALGORITHM.
    #[test]
    fn the_table_does_not_move() {
        let text: String = PAIRS.iter().flat_map(|(from, to)| [*from, *to]).collect();
        assert_eq!((PAIRS.len(), word_hash(text.as_bytes(), 0)), (4105, 17642315521072930960));
    }

    #[test]
    fn usual_characters() {
        let folded = |text: &str| text.chars().map(simplified).collect::<String>();
        assert_eq!(folded("臺灣的資訊與電腦，後來發現頭髮乾了"), "台湾的资讯与电脑，后来发现头发干了");
        assert_eq!(folded("简体中文不变，abc，かな，한글"), "简体中文不变，abc，かな，한글");
        // Characters of several meanings: the result is OpenCC's first choice.
        assert_eq!(
            folded("瞭解 憑藉 覆蓋 著名 看著 乾坤 徵求 什麼 麽"),
            "瞭解 凭藉 覆盖 著名 看著 干坤 征求 什么 么"
        );
        // Characters outside the main block.
        assert_eq!(folded("㑯𠌥㑮"), "㑔𠆿𫝈");
    }

    /// Every character against the list of pairs, which is read from the start.
    #[test]
    fn the_quick_way_is_the_table() {
        let mut pairs = PAIRS.iter().peekable();
        for c in '\0'..=char::MAX {
            let expected = pairs.next_if(|pair| pair.0 == c).map_or(c, |pair| pair.1);
            assert_eq!(simplified(c), expected, "{c}");
            let stays = matches!(c, '\u{4E00}'..='\u{9FFF}') && expected == c;
            assert_eq!(unchanged_len(format!("{c}").as_bytes()), if stays { 3 } else { 0 }, "{c}");
        }
        assert_eq!(pairs.next(), None);
    }

    #[test]
    fn twice_is_once_and_han_stays_han() {
        for (from, to) in PAIRS {
            assert!(is_han(*from) && is_han(*to) && from != to);
            assert_eq!(simplified(*to), *to, "{from}");
        }
    }
}
