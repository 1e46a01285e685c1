//! The information of a word in bits: from jieba's word frequencies if it has Han characters, otherwise from its length. This
//! module has no table of its own and loads nothing for a text without Han characters.

use crate::dictionary::table::{logarithm_of_total, rank};
use crate::hash::{SEED, word_hash};
use crate::script::is_han;
use crate::segment::Segmenter;

/// Information in half bits. These are integers, so that sums are exact.
pub type HalfBits = u32;

/// The sum of all frequencies in jieba's dictionary.
const DICTIONARY_TOTAL: u128 = 60_101_967;

/// The minimum and the maximum information of a word.
const LEAST: HalfBits = 2 * 4;
const MOST: HalfBits = 2 * 24;

/// The information of a run of characters, which is the same for all runs.
pub const CHARACTERS_SAY: HalfBits = LEAST;

/// Computes the information of words, and keeps that of the Chinese words that it has looked up last.
#[derive(Default)]
pub struct Information {
    segmenter: Segmenter,
    /// By the high bits of the word's hash: the hash, with the information in the low six bits.
    recent: Vec<u64>,
}

const RECENT: usize = 16 * 1024;
const VALUE_BITS: u64 = 0x3F;

impl Information {
    /// The information of a normalised word; `hash` is its feature hash.
    #[inline]
    pub fn of_word(&mut self, word: &str, hash: u64) -> HalfBits {
        // A word of Han characters begins with a byte of at least 0xE3, and few other words do.
        if word.as_bytes().first().is_none_or(|b| *b < 0xE3) || !word.chars().any(is_han) {
            return information_by_length(word);
        }
        self.recent.resize(RECENT, 0);
        let slot = &mut self.recent[(hash >> 50) as usize % RECENT];
        if *slot & !VALUE_BITS != hash & !VALUE_BITS {
            *slot = hash & !VALUE_BITS | u64::from(han_information(word, &mut self.segmenter));
        }
        (*slot & VALUE_BITS) as HalfBits
    }

    /// The information of the most informative word of a run. The words are separated by spaces.
    pub fn of_run(&mut self, text: &str) -> HalfBits {
        text.split(' ')
            .map(|word| self.of_word(word, word_hash(word.as_bytes(), SEED)))
            .max()
            .unwrap_or(LEAST)
    }
}

/// The information from the number of words in the dictionary's corpus per occurrence of this word.
#[cold]
fn han_information(word: &str, segmenter: &mut Segmenter) -> HalfBits {
    half_log2(DICTIONARY_TOTAL, suggested_frequency(word, segmenter)).clamp(LEAST, MOST)
}

/// The frequency with which the word is not cut into its parts, as `Jieba::suggest_freq` computes it.
fn suggested_frequency(word: &str, segmenter: &mut Segmenter) -> u128 {
    let total = logarithm_of_total();
    let mut parts = 0.0;
    segmenter.words(word, false, |part| parts = parts + rank(part.text(word)).logarithm() - total);
    (u128::from((parts + total).exp() as u64) + 1).max(u128::from(rank(word).frequency()))
}

/// The information of a word by its length. Long words are rare words: this rule is rough, but it holds in every language. A Han
/// character counts as four letters.
#[inline]
pub fn information_by_length(word: &str) -> HalfBits {
    let is_ascii = word.bytes().fold(0, |all, b| all | b) < 0x80;
    let letters =
        if is_ascii { word.len() } else { word.chars().map(|c| if is_han(c) { 4 } else { 1 }).sum() };
    2 * (8 + letters.min(12) as u32)
}

/// 2·log2(a/b), rounded down, computed with integers.
fn half_log2(a: u128, b: u128) -> HalfBits {
    // The log2 of the square is twice the log2.
    (((a * a) << 32) / (b * b)).max(1 << 32).ilog2() - 32
}

/// The five levels of the classical description: 1 is little information, 5 is much.
pub fn level(information: HalfBits) -> u32 {
    match information / 2 {
        0..=9 => 1,
        10..=12 => 2,
        13..=15 => 3,
        16..=18 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn information(word: &str) -> HalfBits {
        Information::default().of_word(word, word_hash(word.as_bytes(), SEED))
    }

    #[test]
    fn half_bits() {
        assert_eq!(half_log2(8, 1), 6);
        assert_eq!(half_log2(8, 8), 0);
        assert_eq!(half_log2(3, 2), 1);
        assert_eq!(half_log2(1, 1_000_000), 0);
    }

    /// The example sentence of the documentation: function words have the lowest levels, words of the topic the highest.
    #[test]
    fn levels_of_the_classical_example() {
        let levels =
            ["有", "称", "内部", "看见", "灰色", "飞碟", "外星人"].map(|word| level(information(word)));
        assert_eq!(levels, [1, 2, 3, 2, 3, 5, 5]);
    }

    #[test]
    fn words_with_spaces_need_no_dictionary() {
        assert_eq!(level(information("i")), 1);
        assert!(information("near") < information("fingerprint"));
        assert_eq!(information("привет"), information("friend"));
    }

    #[test]
    fn what_is_remembered_is_what_was_found() {
        let mut remembering = Information::default();
        let words = ["的", "美国", "飞碟", "外星人", "雇员", "数据库", "不存在的词语"];
        for word in words.iter().chain(&words).chain(words.iter().rev()) {
            assert_eq!(
                remembering.of_word(word, word_hash(word.as_bytes(), SEED)),
                han_information(word, &mut Segmenter::default()),
                "{word}"
            );
        }
    }

    #[test]
    fn frequencies_are_those_of_jieba() {
        let mut segmenter = Segmenter::default();
        let listed = crate::dictionary::table::tests::all_words();
        let listed = listed.iter().map(|(word, _)| word.as_str()).filter(|word| word.chars().all(is_han));
        for word in listed.chain([
            "数据库里的文章",
            "中国人民法院杭研",
            "䶮",
            "\u{20000}",
            "\u{30000}",
            "不存在的词语",
        ]) {
            let expected = crate::dictionary::jieba().suggest_freq(word) as u128;
            assert_eq!(suggested_frequency(word, &mut segmenter), expected, "{word}");
        }
    }
}
