//! Normalised text → words. Han characters are cut as jieba cuts them, other scripts by the Unicode word rules. Scripts without
//! spaces give overlapping pairs of characters.
//!
//! ```text
//! normalised text ── own            own words, found first
//!                 ── han ── route   Han, by the dictionary
//!                 ── ascii          words of ASCII, without tables
//!                 ── unicode        other words; pairs of characters
//!                 ── span           the position of each word
//! ```

mod ascii;
mod han;
pub mod own;
mod route;
mod span;
mod unicode;

use crate::dictionary::jieba;
use crate::script::{ascii_len, is_cut_by_jieba};
pub use ascii::runs as ascii_runs;
use route::Route;
pub use span::Span;
pub use unicode::{is_spoken, is_written};

/// Finds words, and keeps its buffers from one text to the next.
#[derive(Default)]
pub struct Segmenter {
    route: Route,
}

impl Segmenter {
    /// Passes the span of every word of the normalised `text` to `word`, in order. Punctuation and white space are left out. `hmm`
    /// lets jieba guess words that its dictionary lacks.
    pub fn words(&mut self, text: &str, hmm: bool, mut word: impl FnMut(Span)) {
        let mut at = 0;
        while at < text.len() {
            let start = at + han::find(&text[at..]);
            spaced_words(&text[at..start], |found| word(found.behind(at)));
            at = start
                + match hmm {
                    false => han::words(&text[start..], &mut self.route, |found| word(found.behind(start))),
                    true => guessed_words(&text[start..], |found| word(found.behind(start))),
                };
        }
    }

    /// Passes the span of every word of the normalised `text` to `word`, in order. The spans in `wholes`, which are in order and do
    /// not overlap, are not cut.
    pub fn words_with(&mut self, wholes: &[Span], text: &str, hmm: bool, mut word: impl FnMut(Span)) {
        let mut at = 0;
        for whole in wholes {
            self.words(&text[at..whole.start as usize], hmm, |found| word(found.behind(at)));
            word(*whole);
            at = whole.end as usize;
        }
        self.words(&text[at..], hmm, |found| word(found.behind(at)));
    }
}

/// Passes the words of the first part of `text` to `word`, and returns the length of this part. It consists of Han characters and
/// of separators that may be between them. Jieba guesses words that its dictionary lacks.
fn guessed_words(text: &str, mut word: impl FnMut(Span)) -> usize {
    let end = han::stretch_len(text);
    if end > 0 {
        let tokens = jieba().cut(&text[..end], true).into_iter();
        tokens
            .filter(|token| token.word.starts_with(is_cut_by_jieba))
            .for_each(|token| word(Span::new(token.byte_start, token.byte_end)));
    }
    end
}

/// Passes every word of one normalised text to `word`, in order.
pub fn segment(text: &str, hmm: bool, mut word: impl FnMut(&str)) {
    Segmenter::default().words(text, hmm, |span| word(span.text(text)));
}

/// Passes the words of a text without Han to `word`: ASCII goes through the fast function, the other words through the Unicode
/// rules.
fn spaced_words(text: &str, mut word: impl FnMut(Span)) {
    let is_space = |b: &u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let foreign = ascii_len(rest);
        if foreign == rest.len() {
            return ascii::words(rest, |found| word(found.behind(at)));
        }
        // The piece is from white space to white space. It includes the space before, because a mark may combine with that.
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

    /// The words of a Chinese text by jieba itself.
    fn by_jieba(text: &str, hmm: bool) -> Vec<&str> {
        let mut words: Vec<&str> = jieba().cut(text, hmm).into_iter().map(|token| token.word).collect();
        words.retain(|word| word.starts_with(is_cut_by_jieba));
        words
    }

    /// The words of the dictionary that consist of Han characters that jieba cuts. They have many lengths.
    fn some_words() -> &'static [String] {
        static WORDS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
        WORDS.get_or_init(|| {
            let mut words = crate::dictionary::table::tests::all_words();
            words.retain(|(word, _)| word.chars().all(is_cut_by_jieba));
            words.into_iter().map(|(word, _)| word).collect()
        })
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
        /// The words are in the text, in order, and do not skip an ASCII letter or digit.
        #[test]
        fn words_are_parts_of_the_text(text in "[a-c0-2é中文字は。，.,:;'_ \\n-]{0,40}") {
            let words = words(&text);
            for word in &words {
                prop_assert!(text.contains(word.as_str()));
            }
            let kept = |s: &str| s.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>();
            prop_assert_eq!(kept(&words.concat()), kept(&text));
        }

        /// Jieba is the oracle.
        #[test]
        fn han_is_cut_as_jieba_cuts_it(
            texts in prop::collection::vec(("([中国人民法院杭研䶮\u{20000}\u{2A6E0}]{1,4}[，。 ]?){0,12}", any::<bool>()), 1..12),
        ) {
            let mut segmenter = Segmenter::default();
            for (text, hmm) in texts {
                let mut words = Vec::new();
                segmenter.words(&text, hmm, |word| words.push(word.text(&text)));
                prop_assert_eq!(words, by_jieba(&text, hmm));
            }
        }

        /// The same for arbitrary Han characters, most of which are in no word.
        #[test]
        fn rare_han_is_cut_as_jieba_cuts_it(text in "([\u{3400}-\u{4DBF}\u{F900}-\u{FAFF}\u{2A6D0}-\u{2A710}\u{2EBE0}-\u{2EC00}\u{2F7F0}-\u{2FA1F}]|[一-龥]|[“”…—·、〈】#$'~，]){0,60}") {
            let mut words = Vec::new();
            Segmenter::default().words(&text, false, |word| words.push(word.text(&text)));
            prop_assert_eq!(words, by_jieba(&text, false));
        }

        /// The same for words of the dictionary one after another, with many possible segmentations.
        #[test]
        fn words_in_a_row_are_cut_as_jieba_cuts_them(picks in prop::collection::vec((any::<prop::sample::Index>(), 0..8usize), 0..200)) {
            let listed = some_words();
            let text: String = picks.iter().map(|(pick, break_by)| format!("{}{}", pick.get(listed), if *break_by == 0 { "，" } else { "" })).collect();
            let mut words = Vec::new();
            Segmenter::default().words(&text, false, |word| words.push(word.text(&text)));
            prop_assert_eq!(words, by_jieba(&text, false));
        }

        /// Splitting off the ASCII pieces and the Han characters changes nothing: the Unicode rules give the same words for the
        /// whole text.
        #[test]
        fn pieces_agree_with_the_whole(text in "[a-cé0-2\u{301}.,:;'_ \\n”…-]{0,40}") {
            let mut whole = Vec::new();
            unicode::words(&text, |word| whole.push(word.text(&text).to_owned()));
            prop_assert_eq!(words(&text), whole);
        }
    }
}
