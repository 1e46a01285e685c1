//! Feature → 64 bits: XXH3-64, seed 0 unless the quality lab asks for another.

/// Hashes the UTF-8 bytes of a feature. Endian-independent and frozen: stored fingerprints depend on it.
#[inline]
pub fn feature_hash(feature: &[u8], seed: u64) -> u64 {
    if seed == 0 {
        xxhash_rust::xxh3::xxh3_64(feature)
    } else {
        xxhash_rust::xxh3::xxh3_64_with_seed(feature, seed)
    }
}

/// Hashes dimension `index` of a numeric vector: the 64 signs of that dimension's random hyperplanes.
#[inline]
pub fn dimension_hash(index: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&index.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u64> {
        let words = (0..20_000u32).map(|i| feature_hash(format!("w{i}").as_bytes(), 0));
        let dimensions = (0..20_000u64).map(dimension_hash);
        words.chain(dimensions).collect()
    }

    /// Every bit is set in about half of the hashes: five standard deviations at most.
    #[test]
    fn bits_are_balanced() {
        let hashes = sample();
        let n = hashes.len() as f64;
        for bit in 0..64 {
            let ones = hashes.iter().filter(|h| *h >> bit & 1 == 1).count() as f64;
            assert!((ones - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(), "bit {bit}: {ones} of {n}");
        }
    }

    /// Every pair of bits agrees in about half of the hashes: 2,016 pairs, five standard deviations.
    #[test]
    fn bits_are_pairwise_independent() {
        let hashes = sample();
        let n = hashes.len() as f64;
        for a in 0..64 {
            for b in a + 1..64 {
                let agree = hashes.iter().filter(|h| (*h >> a ^ *h >> b) & 1 == 0).count() as f64;
                assert!((agree - n / 2.0).abs() < 5.0 * (n / 4.0).sqrt(), "bits {a} and {b}: {agree} of {n}");
            }
        }
    }

    /// The published test values of XXH3-64, so that other implementations agree with ours.
    #[test]
    fn is_xxh3() {
        assert_eq!(feature_hash(b"", 0), 0x2D06_8005_38D3_94C2);
        assert_eq!(feature_hash(b"", 0x9E37_79B1_85EB_CA8D), 0xA8A6_B918_B2F0_364A);
    }
}
