//! Normalised text → words: Han by jieba, other scripts by the Unicode word rules, scripts that write
//! without spaces by overlapping pairs of characters.

mod ascii;
mod unicode;

use crate::dictionary::jieba;
pub use unicode::is_spoken;

/// Hands every word of the normalised `text` to `word`, in order. Punctuation and white space go.
/// `hmm` lets jieba guess words that its dictionary lacks.
pub fn segment(text: &str, hmm: bool, mut word: impl FnMut(&str)) {
    if text.is_ascii() {
        return ascii::words(text, word);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let (spaced, tail) = rest.split_at(rest.find(is_han).unwrap_or(rest.len()));
        spaced_words(spaced, &mut word);
        // Jieba takes a whole sentence with its punctuation: one call instead of one for each clause.
        let end = tail.find(|c| !is_han(c) && !separates_han(c)).unwrap_or(tail.len());
        let (chinese, next) = tail.split_at(end);
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

/// Words of a text without Han: the quick way for each piece that is ASCII, the Unicode way for the others.
fn spaced_words(text: &str, mut word: impl FnMut(&str)) {
    let mut rest = text;
    while !rest.is_empty() {
        // A piece begins with the white space before it, so that a mark combining with that space stays there.
        let skip = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[skip..].find([' ', '\n', '\t', '\r']).map_or(rest.len(), |i| i + skip);
        let (piece, next) = rest.split_at(end);
        if piece.is_ascii() {
            ascii::words(piece, &mut word);
        } else {
            unicode::words(piece, &mut word);
        }
        rest = next;
    }
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
