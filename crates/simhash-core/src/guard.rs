//! What an insert locks, so that two near fingerprints cannot come in at the same time.
//!
//! A fingerprint has a key for each of k + 1 bands. Two fingerprints within k are equal in one of the bands, so they have a
//! key in common: a transaction that holds all keys of a fingerprint blocks inserts of near ones.

use crate::band::{BANDS, Band, Family};

/// How many bits of a band's value distinguish keys. It bounds the number of locks that one transaction can hold.
const KEY_BITS: u32 = 10;

/// The largest k for which there are enough bands.
pub const MAX_K: u32 = *BANDS.end() - 1;

/// The keys of a fingerprint in ascending order, the order in which every transaction locks them; `None` where k is
/// larger than `MAX_K`.
pub fn keys(fingerprint: u64, k: u32) -> Option<Vec<u32>> {
    let family = Family::new(i32::try_from(k).ok()?.checked_add(1)?)?;
    let key = |band| {
        let value = Band::of(fingerprint, band as i32, family).map_or(0, Band::value);
        let bucket = if family.width(band) <= KEY_BITS { value } else { scattered(value) };
        band << KEY_BITS | bucket as u32
    };
    Some((0..family.bands()).map(key).collect())
}

/// A value of `KEY_BITS` bits that depends on all bits of `value`: Fibonacci hashing.
fn scattered(value: u64) -> u64 {
    value.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KEY_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_key_for_each_band_in_ascending_order() {
        for k in 0..=MAX_K {
            let keys = keys(0x0123_4567_89AB_CDEF, k).unwrap();
            assert_eq!(keys.len(), k as usize + 1);
            assert!(keys.is_sorted_by(|a, b| a < b));
        }
        assert_eq!(keys(0, MAX_K + 1), None);
        assert_eq!(keys(0, u32::MAX), None);
    }

    /// Many fingerprints use many of the keys, so that they seldom wait for each other.
    #[test]
    fn keys_are_spread() {
        let all: std::collections::HashSet<u32> = (0..100_000u64)
            .flat_map(|i| keys(xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes()), 3).unwrap())
            .collect();
        assert_eq!(all.len(), 4 << KEY_BITS);
    }

    proptest! {
        #[test]
        fn near_fingerprints_share_a_key(one: u64, flips in prop::collection::vec(0..64u32, 0..=15), k in 0..=15u32) {
            let other = flips.iter().fold(one, |bits, flip| bits ^ 1 << flip);
            prop_assume!((one ^ other).count_ones() <= k);
            let (one, other) = (keys(one, k).unwrap(), keys(other, k).unwrap());
            prop_assert!(one.iter().any(|key| other.contains(key)));
        }
    }
}
