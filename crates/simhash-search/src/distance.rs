//! The distance between two fingerprints.

/// Hamming distance: the number of bits, 0 to 64, in which `a` and `b` differ.
#[inline]
pub const fn hamming(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The number of bits in which two strings of bytes of the same length differ.
pub fn hamming_bytes(a: &[u8], b: &[u8]) -> usize {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    let words = a.iter().zip(b).map(|(a, b)| hamming(u64::from_ne_bytes(*a), u64::from_ne_bytes(*b)));
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| (a ^ b).count_ones());
    words.chain(rest).map(|bits| bits as usize).sum()
}

/// The share of all fingerprints of `bits` bits that are within `k` bits of a given one.
pub fn chance(bits: u32, k: u32) -> f64 {
    if k >= bits {
        return 1.0;
    }
    if bits > MAX_SUMMED {
        // A distance has nearly a normal distribution, which a logistic one approximates.
        let deviations = (f64::from(k) + 0.5 - f64::from(bits) / 2.0) / (f64::from(bits).sqrt() / 2.0);
        return 1.0 / (1.0 + (-1.702 * deviations).exp());
    }
    let mut at_distance = (-f64::from(bits)).exp2();
    let mut within = at_distance;
    for distance in 0..k {
        at_distance *= f64::from(bits - distance) / f64::from(distance + 1);
        within += at_distance;
    }
    within
}

/// For more bits than this, `chance` is approximated: 2 to minus this power is nearly the least positive number.
const MAX_SUMMED: u32 = 1000;

/// In how many ways `k` of `n` things can be chosen.
pub fn choose(n: u32, k: u32) -> Option<u64> {
    let ways =
        (0..k).try_fold(1u128, |ways, i| Some(ways.checked_mul(u128::from(n - i))? / u128::from(i + 1)));
    ways.and_then(|ways| u64::try_from(ways).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_choose() {
        assert_eq!(
            [choose(16, 0), choose(16, 1), choose(16, 2), choose(64, 32)],
            [Some(1), Some(16), Some(120), Some(1_832_624_140_942_590_534)]
        );
    }

    #[test]
    fn chances() {
        assert_eq!(chance(64, 0), (-64f64).exp2());
        assert_eq!(chance(64, 1), 65.0 * (-64f64).exp2());
        assert!((chance(64, 31) + 0.5 * choose(64, 32).unwrap() as f64 / 64f64.exp2() - 0.5).abs() < 1e-12);
        assert_eq!(chance(512, 0), (-512f64).exp2());
        assert!(chance(4000, 1000) < 1e-9 && chance(4000, 3000) > 1.0 - 1e-9);
        for bits in [64, 128, 512, 1000, 1001, 83_886_080] {
            let (below, middle) = (chance(bits, (bits - 1) / 2), chance(bits, bits / 2));
            assert!((below + middle - 1.0).abs() < 1e-9, "{bits}: {below} + {middle}");
            assert_eq!([chance(bits, bits), chance(bits, bits + 100)], [1.0, 1.0]);
        }
    }

    /// The pair of the textbook: 10101 and 00110 differ at the first, fourth and fifth position.
    #[test]
    fn textbook_example() {
        assert_eq!(hamming(0b10101, 0b00110), 3);
    }

    #[test]
    fn bytes_after_the_last_word_count() {
        let (a, b) = ([0xFF; 19], [0x7F; 19]);
        assert_eq!(
            (0..=19).map(|len| hamming_bytes(&a[..len], &b[..len])).collect::<Vec<_>>(),
            Vec::from_iter(0..=19)
        );
    }

    #[test]
    fn extremes() {
        assert_eq!(hamming(0, 0), 0);
        assert_eq!(hamming(0, u64::MAX), 64);
        assert_eq!(hamming(1 << 63, 0), 1);
    }
}
