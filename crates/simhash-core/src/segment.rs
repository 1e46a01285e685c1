//! Normalised text → words: Han by jieba, other scripts by the Unicode word rules, scripts that write
//! without spaces by overlapping pairs of characters.

mod ascii;
mod han;
mod span;
mod unicode;

use crate::chunk::ascii_len;
use crate::dictionary::jieba;
pub use ascii::runs as ascii_runs;
pub use han::han_len;
pub use span::Span;
pub use unicode::is_written;

/// Finds words.
#[derive(Default)]
pub struct Segmenter {}

impl Segmenter {
    /// Hands the place of every word of the normalised `text` to `word`, in order. Punctuation and white space go.
    /// `hmm` lets jieba guess words that its dictionary lacks.
    pub fn words(&mut self, text: &str, hmm: bool, mut word: impl FnMut(Span)) {
        let mut at = 0;
        while at < text.len() {
            let start = at + han::find(&text[at..]);
            spaced_words(&text[at..start], |found| word(found.behind(at)));
            // Jieba takes a whole sentence with its punctuation: one call instead of one for each clause.
            let end = start + han::stretch(&text[start..]);
            if start < end {
                for token in jieba().cut(&text[start..end], hmm) {
                    if token.word.starts_with(han::is_han) {
                        word(Span::new(token.byte_start, token.byte_end).behind(start));
                    }
                }
            }
            at = end;
        }
    }
}

/// Hands every word of one normalised text to `word`, in order.
pub fn segment(text: &str, hmm: bool, mut word: impl FnMut(&str)) {
    Segmenter::default().words(text, hmm, |place| word(place.text(text)));
}

/// Words of a text without Han: the quick way for what is ASCII, the Unicode way for the other words.
fn spaced_words(text: &str, mut word: impl FnMut(Span)) {
    let is_space = |b: &u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let foreign = ascii_len(rest);
        if foreign == rest.len() {
            return ascii::words(rest, |found| word(found.behind(at)));
        }
        // From white space to white space. The space before belongs to the piece, because a mark may combine with it.
        let start = rest.as_bytes()[..foreign].iter().rposition(is_space).unwrap_or(0);
        let end = rest.as_bytes()[foreign..].iter().position(is_space).map_or(rest.len(), |i| i + foreign);
        ascii::words(&rest[..start], |found| word(found.behind(at)));
        unicode::words(&rest[start..end], |found| word(found.behind(at + start)));
        at += end;
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
            unicode::words(&text, |word| whole.push(word.text(&text).to_owned()));
            prop_assert_eq!(words(&text), whole);
        }
    }
}
