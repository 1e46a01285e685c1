//! Noise words: function words of English and Chinese that say little about what a text is about.

mod lists;

use xxhash_rust::const_xxh3::xxh3_64;

/// Names the lists in `simhash_version()`; a changed list is a new version.
pub const VERSION: u32 = 1;

const SLOTS: usize = 1024;

/// An open-addressing hash table of all noise words, built by the compiler: hashes, and the words beside them.
static TABLE: ([u64; SLOTS], [&str; SLOTS]) = {
    let mut hashes = [0; SLOTS];
    let mut words = [""; SLOTS];
    let lists = [lists::ENGLISH, lists::CHINESE];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            let word = lists[list][i];
            let hash = xxh3_64(word.as_bytes());
            let mut slot = hash as usize % SLOTS;
            while hashes[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            (hashes[slot], words[slot]) = (hash, word);
            i += 1;
        }
        list += 1;
    }
    (hashes, words)
};

/// Whether `word` is a noise word; `hash` is its unseeded feature hash, which the caller has at hand.
#[inline]
pub fn is_noise(word: &[u8], hash: u64) -> bool {
    let (hashes, words) = &TABLE;
    let mut slot = hash as usize % SLOTS;
    while hashes[slot] != 0 {
        if hashes[slot] == hash && words[slot].as_bytes() == word {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::feature_hash;

    fn noise(word: &str) -> bool {
        is_noise(word.as_bytes(), feature_hash(word.as_bytes(), 0))
    }

    #[test]
    fn every_listed_word_is_found_and_no_other() {
        let listed = || lists::ENGLISH.iter().chain(lists::CHINESE);
        for word in listed() {
            assert!(noise(word), "{word}");
            assert!(!noise(&format!("{word}{word}x")), "{word}");
        }
        assert!(!noise(""));
        assert!(!noise("数据库"));
        assert!(listed().count() < SLOTS / 2, "the table is too full to be quick");
    }

    /// Words that turn a sentence round are content.
    #[test]
    fn negations_are_no_noise() {
        for word in ["not", "no", "never", "isn't", "不", "没有", "未", "非"] {
            assert!(!noise(word), "{word}");
        }
    }
}
