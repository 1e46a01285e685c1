//! How much a word says: its information in bits, from jieba's word frequencies where it has Han characters
//! and from its length where not. No table of its own, nothing to load for a text without Han.

use crate::dictionary::jieba;
use crate::{hash, noise};

/// Half bits of information; integers, so that sums are exact.
pub type HalfBits = u32;

/// The sum of all frequencies in jieba's dictionary.
const DICTIONARY_TOTAL: u128 = 60_101_967;

/// What a word says at least and at most.
const LEAST: HalfBits = 2 * 4;
const MOST: HalfBits = 2 * 24;

/// The information of a normalised word.
pub fn information(word: &str) -> HalfBits {
    if word.is_ascii()
        || !word.chars().any(|c| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}'))
    {
        return spaced_information(word);
    }
    // The number of words of the dictionary's corpus for one occurrence of this one.
    let frequency = jieba().suggest_freq(word).max(1) as u128;
    half_log2(DICTIONARY_TOTAL, frequency).clamp(LEAST, MOST)
}

/// Long words are rare words: a rough law, but one that holds in every language with spaces.
fn spaced_information(word: &str) -> HalfBits {
    if noise::is_noise(word.as_bytes(), hash::feature_hash(word.as_bytes(), 0)) {
        return LEAST;
    }
    let letters = word.chars().count().min(10) as u32;
    2 * (8 + letters)
}

/// 2·log2(a/b), rounded down, in integers.
fn half_log2(a: u128, b: u128) -> HalfBits {
    // log2 of the square is twice the log2.
    ((a * a << 32) / (b * b)).max(1 << 32).ilog2() - 32
}

/// The five levels of the classical description: 1 says little, 5 much.
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

    #[test]
    fn half_bits() {
        assert_eq!(half_log2(8, 1), 6);
        assert_eq!(half_log2(8, 8), 0);
        assert_eq!(half_log2(3, 2), 1);
        assert_eq!(half_log2(1, 1_000_000), 0);
    }

    /// The documents' example sentence: function words at the bottom, what the sentence is about at the top.
    #[test]
    fn levels_of_the_classical_example() {
        let levels =
            ["有", "称", "内部", "看见", "灰色", "飞碟", "外星人"].map(|word| level(information(word)));
        assert_eq!(levels, [1, 2, 3, 2, 3, 5, 5]);
    }

    #[test]
    fn words_with_spaces_need_no_dictionary() {
        assert_eq!(level(information("the")), 1);
        assert!(information("near") < information("fingerprint"));
        assert_eq!(information("привет"), information("friend"));
    }
}
