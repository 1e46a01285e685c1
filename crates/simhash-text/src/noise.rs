//! Noise words: function words of English and Chinese that say little about what a text is about.

mod lists;

use crate::hash::{SEED, word_hash};
use simhash_memory::OutOfMemory;
use simhash_memory::with_room;
use xxhash_rust::const_xxh3::xxh3_64_with_seed;

/// Names the lists in `simhash_version()`; a changed list is a new version.
pub const VERSION: u32 = 1;

const BUCKETS: usize = 512;
const WAYS: usize = 4;

/// The hashes of all noise words, in buckets that none overflows: a test looks at one bucket and needs no branch.
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

/// Found by trying: with it no bucket overflows.
const SHIFT: u32 = 32;

/// The bucket of the words with this hash.
#[inline(always)]
const fn bucket(hash: u64) -> usize {
    (hash >> SHIFT) as usize % BUCKETS
}

/// Whether the word with this hash, which distinguishes it from every other word, is a noise word.
#[inline(always)]
pub fn is_noise(hash: u64) -> bool {
    TABLE[bucket(hash)].iter().fold(false, |found, entry| found | (*entry == hash))
}

/// Noise words of the user's own, known by their hashes as the others are.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnNoise {
    /// The hashes at the places that they determine, or at the next free place. At most every second place is taken; a
    /// free one holds 0, which is the hash of no known word.
    places: Vec<u64>,
}

impl OwnNoise {
    /// The words are in normal form.
    pub fn new(words: &[String]) -> Result<OwnNoise, OutOfMemory> {
        let len = (2 * words.len()).next_power_of_two();
        let mut own = OwnNoise { places: with_room(len)? };
        own.places.resize(len, 0);
        for word in words {
            let hash = word_hash(word.as_bytes(), SEED);
            let place = own.place(hash);
            own.places[place] = hash;
        }
        Ok(own)
    }

    /// Whether the word with this hash is one of them.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.places[self.place(hash)] == hash
    }

    /// Where the hash is, or would be.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place] != hash && self.places[place] != 0 {
            place = (place + 1) & mask;
        }
        place
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

    /// Words that turn a sentence round are content.
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
