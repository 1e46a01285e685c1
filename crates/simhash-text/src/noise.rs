//! Noise words: function words of English and Chinese that carry little information about the topic of a text.

mod lists;

use crate::hash::{SEED, word_hash};
use simhash_memory::{OutOfMemory, with_room};
use xxhash_rust::const_xxh3::xxh3_64_with_seed;

/// The version of the lists in `simhash_version()`. A changed list needs a new version.
pub const VERSION: u32 = 1;

const BUCKETS: usize = 512;
const WAYS: usize = 4;

/// The hashes of all noise words, in buckets that do not overflow. A lookup reads one bucket and needs no branch.
static TABLE: [[u64; WAYS]; BUCKETS] = {
    let mut table = [[0; WAYS]; BUCKETS];
    let lists = [lists::ENGLISH, lists::CHINESE];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            let hash = xxh3_64_with_seed(lists[list][i].as_bytes(), SEED);
            let bucket = &mut table[bucket(hash)];
            let mut way = 0;
            while bucket[way] != 0 {
                way += 1;
                assert!(way < WAYS, "a bucket overflows: try another SHIFT");
            }
            bucket[way] = hash;
            i += 1;
        }
        list += 1;
    }
    table
};

/// Found by trial: with this shift, no bucket overflows.
const SHIFT: u32 = 32;

/// The bucket of the words with this hash.
#[inline(always)]
const fn bucket(hash: u64) -> usize {
    (hash >> SHIFT) as usize % BUCKETS
}

/// Whether the word with this hash is a noise word. The hash distinguishes the word from every other word.
#[inline(always)]
pub fn is_noise(hash: u64) -> bool {
    TABLE[bucket(hash)].iter().fold(false, |found, entry| found | (*entry == hash))
}

/// The user's own noise words. Like the built-in ones, they are identified by their hashes.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnNoise {
    /// A hash table: a hash is in the slot that it determines, or in the next free slot. At most half of the slots are taken. A
    /// free slot contains 0, which is not the hash of any known word.
    slots: Vec<u64>,
}

impl OwnNoise {
    /// The set of `words`, which are in normal form.
    pub fn new(words: &[String]) -> Result<OwnNoise, OutOfMemory> {
        let len = (2 * words.len()).next_power_of_two();
        let mut own = OwnNoise { slots: with_room(len)? };
        own.slots.resize(len, 0);
        for word in words {
            let hash = word_hash(word.as_bytes(), SEED);
            let slot = own.slot(hash);
            own.slots[slot] = hash;
        }
        Ok(own)
    }

    /// Whether the word with this hash is one of them.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.slots[self.slot(hash)] == hash
    }

    /// The slot of the hash, or the free slot where it would be.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != hash && self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(word: &str) -> bool {
        is_noise(word_hash(word.as_bytes(), SEED))
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
    }

    /// Words that negate a sentence are content.
    #[test]
    fn negations_are_no_noise() {
        for word in ["not", "no", "never", "isn't", "不", "没有", "未", "非"] {
            assert!(!noise(word), "{word}");
        }
    }

    #[test]
    fn own_words_are_found_and_no_others() {
        let words: Vec<String> = (0..1000).map(|i| format!("词{i}")).collect();
        let own = OwnNoise::new(&words).expect("enough memory");
        let contains = |word: &str| own.contains(word_hash(word.as_bytes(), SEED));
        assert!(words.iter().all(|word| contains(word)));
        assert!((1000..3000).all(|i| !contains(&format!("词{i}"))));
        let none = OwnNoise::new(&[]).expect("enough memory");
        assert!(!none.contains(word_hash("词".as_bytes(), SEED)));
    }
}
