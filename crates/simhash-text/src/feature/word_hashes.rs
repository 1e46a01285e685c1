//! The hashes of many words.

use crate::hash::word_hash;
use crate::segment::Span;

/// The number of words that are hashed together.
const BATCH: usize = 256;

/// Appends the hashes of words.
///
/// The hash uses different code for words of different lengths, and the processor cannot predict the length of the next word. So
/// words are first sorted into classes of lengths, by stores without branches. Then each class is hashed in its own loop.
pub fn push_word_hashes(text: &str, words: &[Span], seed: u64, hashes: &mut Vec<u64>) {
    let text = text.as_bytes();
    for words in words.chunks(BATCH) {
        let (mut tiny, mut short, mut long, mut other) =
            <(LengthClass, LengthClass, LengthClass, LengthClass)>::default();
        for (i, word) in words.iter().enumerate() {
            let len = word.bytes();
            tiny.push_if(len <= 3, i);
            short.push_if((len > 3) & (len <= 8), i);
            long.push_if((len > 8) & (len <= 16), i);
            other.push_if(len > 16, i);
        }
        let start = hashes.len();
        hashes.resize(start + words.len(), 0);
        let hashes = &mut hashes[start..];
        tiny.hash::<1, 3>(text, words, seed, hashes);
        short.hash::<4, 8>(text, words, seed, hashes);
        long.hash::<9, 16>(text, words, seed, hashes);
        other.hash::<17, { usize::MAX }>(text, words, seed, hashes);
    }
}

/// The words of a batch for which the hash uses the same code.
struct LengthClass {
    /// Their positions in the batch.
    numbers: [u8; BATCH],
    len: usize,
}

impl Default for LengthClass {
    fn default() -> Self {
        LengthClass { numbers: [0; BATCH], len: 0 }
    }
}

impl LengthClass {
    /// Adds a word if it belongs to this class.
    #[inline(always)]
    fn push_if(&mut self, belongs: bool, number: usize) {
        self.numbers[self.len % BATCH] = number as u8;
        self.len += usize::from(belongs);
    }

    /// Hashes its words, which have from `LEAST` to `MOST` bytes.
    #[inline(always)]
    fn hash<const LEAST: usize, const MOST: usize>(
        &self,
        text: &[u8],
        words: &[Span],
        seed: u64,
        hashes: &mut [u64],
    ) {
        for number in &self.numbers[..self.len] {
            let word = words[usize::from(*number)];
            // The limits do not change the length. They tell the compiler which lengths are possible, so that the hash becomes code
            // without branches.
            let len = word.bytes().clamp(LEAST, MOST);
            let start = word.start as usize;
            hashes[usize::from(*number)] = word_hash(&text[start..start + len], seed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_hash_like_one(words in prop::collection::vec("[a-zé中]{1,20}", 0..600), seed in any::<u64>()) {
            let text = words.concat();
            let mut start = 0;
            let spans: Vec<Span> = words
                .iter()
                .map(|word| {
                    start += word.len() as u32;
                    Span { start: start - word.len() as u32, end: start }
                })
                .collect();
            let mut hashes = vec![7];
            push_word_hashes(&text, &spans, seed, &mut hashes);
            let one_by_one = words.iter().map(|word| word_hash(word.as_bytes(), seed));
            prop_assert_eq!(hashes, [7].into_iter().chain(one_by_one).collect::<Vec<_>>());
        }
    }
}
