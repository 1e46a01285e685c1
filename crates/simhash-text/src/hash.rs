//! Feature → 64 bits: XXH3-64 with a fixed seed.
//!
//! The hash of a word is computed from its UTF-8 bytes. The hash of a run of words is computed from the hashes of its words, eight
//! bytes each with the lowest byte first; the text of a run has spaces between the words. Fingerprints of more than 64 bits have
//! further hashes of this hash. The hashes are the same for both byte orders. They are frozen, because stored fingerprints depend on
//! them.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The longest run of words or characters that can be a feature.
pub const MAX_RUN: usize = 16;

/// The seed of all fingerprints. Any other seed would be as good. Only the quality lab uses others, to measure how much results
/// depend on the seed.
pub const SEED: u64 = 3;

/// Hashes a word, or a run of characters.
#[inline]
pub fn word_hash(word: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(word, seed)
}

/// Hashes a run of at most `MAX_RUN` words by their hashes.
#[inline]
pub fn run_hash(words: impl ExactSizeIterator<Item = u64>, seed: u64) -> u64 {
    let mut bytes = [0; 8 * MAX_RUN];
    let len = 8 * words.len();
    for (slot, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *slot = word.to_le_bytes();
    }
    word_hash(&bytes[..len], seed)
}

/// Hashes a run of two words, the usual length.
#[inline(always)]
pub fn pair_hash(first: u64, second: u64, seed: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&first.to_le_bytes());
    bytes[8..].copy_from_slice(&second.to_le_bytes());
    word_hash(&bytes, seed)
}

/// Hashes a feature by its text. A text with single spaces inside is a run of words if it has at most `MAX_RUN` words.
pub fn feature_hash(feature: &str, seed: u64) -> u64 {
    let mut words = [0; MAX_RUN];
    let mut count = 0;
    for word in feature.as_bytes().split(|b| *b == b' ') {
        if count == MAX_RUN || word.is_empty() {
            return word_hash(feature.as_bytes(), seed);
        }
        words[count] = word_hash(word, seed);
        count += 1;
    }
    if count == 1 { words[0] } else { run_hash(words[..count].iter().copied(), seed) }
}

/// The hash of a feature for a part of a fingerprint, from its hash. Part 0, the first 64 bits, has that hash itself.
///
/// The further parts have XXH3-64 of its eight bytes, the lowest first, each part with another seed. So features are told apart by one
/// hash of 64 bits, however wide the fingerprint is, and texts are read once. Another implementation needs only XXH3. For eight
/// bytes it takes two multiplications and a few shifts, about as long as the votes themselves, so a cheaper function would gain
/// little. The tests below compare all 256 bits.
#[inline(always)]
pub fn part_hash(hash: u64, part: usize) -> u64 {
    match part {
        0 => hash,
        _ => word_hash(&hash.to_le_bytes(), SEED + part as u64),
    }
}

/// Hashes dimension `index` of a numeric vector. The bits are the signs of this dimension in 64 random hyperplanes.
#[inline]
pub fn dimension_hash(index: u64) -> u64 {
    word_hash(&index.to_le_bytes(), SEED)
}

/// The weight of dimension `index` in the hyperplane `bit`, for vectors of few dimensions. It has a nearly normal distribution with
/// a standard deviation of about 75,000. With few dimensions, signs alone give only a few different hyperplanes.
pub fn dimension_weight(index: u64, bit: u64) -> i32 {
    let hash = pair_hash(index, bit, SEED);
    // The sum of four numbers of 16 bits, centred. Integers are the same on every platform.
    let sum: u64 = (0..4).map(|i| hash >> (16 * i) & 0xFFFF).sum();
    2 * sum as i32 - 4 * 0xFFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u64> {
        let words = (0..10_000u32).map(|i| feature_hash(&format!("w{i}"), SEED));
        let pairs = (0..10_000u32).map(|i| feature_hash(&format!("w{i} w{}", i + 1), SEED));
        let dimensions = (0..20_000u64).map(dimension_hash);
        words.chain(pairs).chain(dimensions).collect()
    }

    /// Each of 256 bits of the sample, 64 hashes in a word.
    fn columns() -> Vec<Vec<u64>> {
        let sample = sample();
        let column = |part: usize, bit: usize| {
            let pack = |hashes: &[u64]| {
                hashes.iter().fold(0, |packed, hash| packed << 1 | part_hash(*hash, part) >> bit & 1)
            };
            sample.chunks(64).map(pack).collect()
        };
        (0..256).map(|bit| column(bit / 64, bit % 64)).collect()
    }

    fn ones(words: impl Iterator<Item = u64>) -> f64 {
        words.map(|word| f64::from(word.count_ones())).sum()
    }

    /// Every bit of all parts is set in about half of the hashes, within five standard deviations.
    #[test]
    fn bits_are_balanced() {
        let n = sample().len() as f64;
        for (bit, column) in columns().iter().enumerate() {
            let ones = ones(column.iter().copied());
            assert!((ones - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(), "bit {bit}: {ones} of {n}");
        }
    }

    /// Every pair of bits of all parts agrees in about half of the hashes: 32,640 pairs, within five standard deviations.
    #[test]
    fn bits_are_pairwise_independent() {
        let n = sample().len() as f64;
        let columns = columns();
        for (a, one) in columns.iter().enumerate() {
            for (b, other) in columns.iter().enumerate().skip(a + 1) {
                let differ = ones(one.iter().zip(other).map(|(one, other)| one ^ other));
                assert!(
                    (differ - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(),
                    "bits {a} and {b}: {differ} of {n}"
                );
            }
        }
    }

    /// The weights have the mean and the spread of the distribution that they approximate, and none is 0.
    #[test]
    fn dimension_weights_are_nearly_normal() {
        let weights: Vec<f64> =
            (0..100_000u64).map(|i| f64::from(dimension_weight(i / 64, i % 64))).collect();
        let n = weights.len() as f64;
        let mean = weights.iter().sum::<f64>() / n;
        let deviation = (weights.iter().map(|w| (w - mean).powi(2)).sum::<f64>() / n).sqrt();
        // The standard deviation of the sum of four uniform distributions of width 2^17 each is 2^17 / sqrt(3).
        assert!(
            mean.abs() < 5.0 * 75_674.0 / n.sqrt() && (deviation / 75_674.0 - 1.0).abs() < 0.01,
            "{mean} {deviation}"
        );
        let within = |width: f64| weights.iter().filter(|w| w.abs() < width * deviation).count() as f64 / n;
        assert!((within(1.0) - 0.683).abs() < 0.02 && (within(2.0) - 0.954).abs() < 0.02);
        assert!((0..8 * 64).all(|i| dimension_weight(i / 64, i % 64) != 0));
    }

    /// The published test values of XXH3-64, so that other implementations compute the same hashes.
    #[test]
    fn is_xxh3() {
        assert_eq!(word_hash(b"", 0), 0x2D06_8005_38D3_94C2);
        assert_eq!(word_hash(b"", 0x9E37_79B1_85EB_CA8D), 0xA8A6_B918_B2F0_364A);
    }

    #[test]
    fn ready_made_runs_hash_like_runs() {
        let hash = |word: &str| word_hash(word.as_bytes(), SEED);
        assert_eq!(feature_hash("a b", SEED), pair_hash(hash("a"), hash("b"), SEED));
        assert_eq!(feature_hash("a b c", SEED), run_hash(["a", "b", "c"].map(hash).into_iter(), SEED));
        assert_ne!(feature_hash("a b", SEED), feature_hash("b a", SEED));
        // A text that is not in the form of a run is hashed by its bytes.
        for odd in ["", " ", "a ", "a  b", &"x ".repeat(40)] {
            assert_eq!(feature_hash(odd, SEED), hash(odd));
        }
    }
}
