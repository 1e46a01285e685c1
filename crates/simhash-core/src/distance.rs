//! How far two fingerprints are from each other.

/// Hamming distance: the number of bits, 0 to 64, in which `a` and `b` differ.
#[inline]
pub const fn hamming(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook's pair: 10101 and 00110 differ in the first, fourth and fifth place.
    #[test]
    fn textbook_example() {
        assert_eq!(hamming(0b10101, 0b00110), 3);
    }

    #[test]
    fn extremes() {
        assert_eq!(hamming(0, 0), 0);
        assert_eq!(hamming(0, u64::MAX), 64);
        assert_eq!(hamming(1 << 63, 0), 1);
    }
}
