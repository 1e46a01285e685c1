//! Normalised text → words: Han by jieba, other scripts by the Unicode word rules, scripts that write
//! without spaces by overlapping pairs of characters.

mod ascii;
mod unicode;

use crate::chunk::ascii_len;
use crate::dictionary::jieba;
pub use ascii::spans as ascii_runs;
pub use unicode::is_written;

/// Hands every word of the normalised `text` to `word`, in order. Punctuation and white space go.
/// `hmm` lets jieba guess words that its dictionary lacks.
pub fn segment(text: &str, hmm: bool, mut word: impl FnMut(&str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (spaced, tail) = rest.split_at(find_han(rest));
        spaced_words(spaced, &mut word);
        // Jieba takes a whole sentence with its punctuation: one call instead of one for each clause.
        let (chinese, next) = tail.split_at(han_stretch(tail));
        if !chinese.is_empty() {
            for token in jieba().cut(chinese, hmm) {
                if token.word.starts_with(is_han) {
                    word(token.word);
                }
            }
        }
        rest = next;
    }
}

/// Words of a text without Han: the quick way for what is ASCII, the Unicode way for the other words.
fn spaced_words(text: &str, mut word: impl FnMut(&str)) {
    let is_space = |b: &u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
    let mut rest = text;
    loop {
        let foreign = ascii_len(rest);
        if foreign == rest.len() {
            return ascii::words(rest, word);
        }
        // From white space to white space. The space before belongs to the piece, because a mark may combine with it.
        let start = rest.as_bytes()[..foreign].iter().rposition(is_space).unwrap_or(0);
        let end = rest.as_bytes()[foreign..].iter().position(is_space).map_or(rest.len(), |i| i + foreign);
        ascii::words(&rest[..start], &mut word);
        unicode::words(&rest[start..end], &mut word);
        rest = &rest[end..];
    }
}

/// Where the first Han character is; the length of the text where there is none.
fn find_han(text: &str) -> usize {
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
fn han_stretch(text: &str) -> usize {
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
fn is_han(c: char) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        segment(text, false, |w| words.push(w.to_owned()));
        words
    }

    #[test]
    fn chinese_by_jieba() {
        assert_eq!(
            words("我们中出了一个叛徒，在北京大学。"),
            ["我们", "中", "出", "了", "一个", "叛徒", "在", "北京大学"]
        );
        assert_eq!(
            words("美国51区雇员称内部有9架飞碟"),
            ["美国", "51", "区", "雇员", "称", "内部", "有", "9", "架", "飞碟"]
        );
        assert_eq!(words("他說：“臺灣”"), ["他", "說", "臺", "灣"]);
    }

    #[test]
    fn hmm_finds_words_that_the_dictionary_lacks() {
        let cut = |hmm| {
            let mut words = Vec::new();
            segment("他来到了网易杭研大厦", hmm, |w| words.push(w.to_owned()));
            words
        };
        assert_eq!(cut(false), ["他", "来到", "了", "网易", "杭", "研", "大厦"]);
        assert_eq!(cut(true), ["他", "来到", "了", "网易", "杭研", "大厦"]);
    }

    #[test]
    fn mixed_scripts() {
        assert_eq!(words("用postgresql 15.3做全文检索"), ["用", "postgresql", "15.3", "做", "全文检索"]);
        assert_eq!(words("l'été à paris, can't 3,000.5"), ["l'été", "à", "paris", "can't", "3,000.5"]);
        assert_eq!(words("привет мир"), ["привет", "мир"]);
        assert_eq!(words("안녕하세요 세계"), ["안녕하세요", "세계"]);
        assert_eq!(words("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
    }

    #[test]
    fn scripts_without_spaces_by_pairs_of_characters() {
        assert_eq!(words("食べる"), ["食", "べる"]);
        assert_eq!(words("カタカナ の"), ["カタ", "タカ", "カナ", "の"]);
        assert_eq!(words("สวัสดี"), ["สวั", "วัส", "สดี"]);
    }

    #[test]
    fn emoji_are_words_and_punctuation_is_not() {
        assert_eq!(words("好👍!!! —— … 《》"), ["好", "👍"]);
        assert_eq!(words(" \n\t。，！？()[]{}#$%^&*_+-=|~`<>"), [""; 0]);
    }

    proptest! {
        /// The words stand in the text, in order, and do not skip a letter or a digit of ASCII.
        #[test]
        fn words_are_parts_of_the_text(text in "[a-c0-2é中文字は。，.,:;'_ \\n-]{0,40}") {
            let words = words(&text);
            for word in &words {
                prop_assert!(text.contains(word.as_str()));
            }
            let kept = |s: &str| s.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>();
            prop_assert_eq!(kept(&words.concat()), kept(&text));
        }

        /// Splitting off the ASCII pieces and the Han changes nothing: the Unicode way on the whole text agrees.
        #[test]
        fn pieces_agree_with_the_whole(text in "[a-cé0-2\u{301}.,:;'_ \\n”…-]{0,40}") {
            let mut whole = Vec::new();
            unicode::words(&text, |w| whole.push(w.to_owned()));
            prop_assert_eq!(words(&text), whole);
        }
    }
}
