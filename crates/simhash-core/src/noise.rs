//! Noise words: function words of English and Chinese that say little about what a text is about.

mod lists;

use crate::hash::SEED;
use xxhash_rust::const_xxh3::xxh3_64_with_seed;

/// Names the lists in `simhash_version()`; a changed list is a new version.
pub const VERSION: u32 = 1;

const SLOTS: usize = 1024;

/// The most bytes that a noise word has.
const LONGEST: usize = 8;

/// An open-addressing hash table of the hashes of all noise words, built by the compiler.
static TABLE: [u64; SLOTS] = {
    let mut hashes = [0; SLOTS];
    let lists = [lists::ENGLISH, lists::CHINESE];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            let word = lists[list][i];
            let hash = xxh3_64_with_seed(word.as_bytes(), SEED);
            let mut slot = hash as usize % SLOTS;
            while hashes[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            hashes[slot] = hash;
            i += 1;
        }
        list += 1;
    }
    hashes
};

/// A bit for every value of some bits of a hash, set where a noise word has it: most words are told off by this alone.
static FILTER: [u64; FILTER_BITS / 64] = {
    let mut filter = [0; FILTER_BITS / 64];
    let mut slot = 0;
    while slot < SLOTS {
        if TABLE[slot] != 0 {
            let bit = (TABLE[slot] >> 32) as usize % FILTER_BITS;
            filter[bit / 64] |= 1 << (bit % 64);
        }
        slot += 1;
    }
    filter
};

const FILTER_BITS: usize = 16 * 1024;

/// Whether `word` is a noise word; `hash` is its hash, which tells it from every other
/// word.
#[inline]
pub fn is_noise(word: &[u8], hash: u64) -> bool {
    let bit = (hash >> 32) as usize % FILTER_BITS;
    if word.len() > LONGEST || FILTER[bit / 64] >> (bit % 64) & 1 == 0 {
        return false;
    }
    let mut slot = hash as usize % SLOTS;
    while TABLE[slot] != 0 {
        if TABLE[slot] == hash {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::word_hash;

    fn noise(word: &str) -> bool {
        is_noise(word.as_bytes(), word_hash(word.as_bytes(), SEED))
    }

    #[test]
    fn every_listed_word_is_found_and_no_other() {
        let listed = || lists::ENGLISH.iter().chain(lists::CHINESE);
        for word in listed() {
            assert!(noise(word), "{word}");
            assert!(!noise(&format!("{word}{word}x")), "{word}");
        }
        assert_eq!(listed().map(|word| word.len()).max(), Some(LONGEST));
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
