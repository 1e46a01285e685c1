//! How near fingerprints are found: by sorting on parts of their bits.
//!
//! The bits are cut into m bands. Two fingerprints within k differ in at most k bands, so they are equal in at least m − k of them.
//! Fingerprints are sorted once for each choice of m − k bands, by the bits of these bands. In at least one of these sorts the two
//! have the same key. More bands mean wider keys, fewer unrelated fingerprints with the same key, and more choices to sort by.

use crate::distance::choose;
use simhash_memory::{OutOfMemory, push};

/// Some bits of a fingerprint, as stretches of adjacent bits.
#[derive(Clone, Debug)]
pub struct PartKey {
    mask: u64,
    stretches: Vec<(u32, u64)>,
}

/// The width of the widest key: a word has space for it and for a number of 32 bits.
const MAX_WIDTH: u32 = 32;

/// The measured cost of sorting one fingerprint and of comparing two, in nanoseconds.
const SORT: f64 = 16.0;
const COMPARE: f64 = 0.7;

impl PartKey {
    /// The key of the bits that are set in `mask`.
    fn of(mask: u64) -> PartKey {
        let mut stretches = vec![];
        let mut rest = mask;
        while rest != 0 {
            let low = rest.trailing_zeros();
            let width = (rest >> low).trailing_ones();
            let ones = u64::MAX >> (64 - width);
            stretches.push((low, ones));
            rest &= !(ones << low);
        }
        PartKey { mask, stretches }
    }

    /// The key of a fingerprint.
    #[inline]
    pub fn of_fingerprint(&self, fingerprint: u64) -> u32 {
        let join = |key: u64, &(low, ones): &(u32, u64)| key << ones.count_ones() | fingerprint >> low & ones;
        self.stretches.iter().fold(0, join) as u32
    }

    /// How many bits it has.
    pub fn width(&self) -> u32 {
        self.mask.count_ones()
    }

    /// The bits of `mask` that are not in the key.
    pub fn rest_of(&self, mask: u64) -> u64 {
        mask & !self.mask
    }
}

/// The keys by which `count` fingerprints that differ only in the bits of `mask` have to be sorted. All pairs within `k` are equal
/// in at least one of them. `None` if it is cheaper to compare all pairs.
pub fn keys(count: usize, mask: u64, k: u32) -> Result<Option<Vec<PartKey>>, OutOfMemory> {
    let n = count as f64;
    let pairs = n * n / 2.0;
    let bits = mask.count_ones();
    let best = (k + 1..=bits.min(k + 8))
        .filter_map(|bands| {
            let width = f64::from(bits) * f64::from(bands - k) / f64::from(bands);
            let keys = choose(bands, k)? as f64;
            let unrelated = pairs * (-width.min(f64::from(MAX_WIDTH))).exp2();
            Some((bands, keys * (n * SORT + unrelated * COMPARE)))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|best| best.1 < pairs * COMPARE);
    best.map(|(bands, _)| choices(mask, bands, k)).transpose()
}

/// The keys of all choices of `bands - k` bands.
fn choices(mask: u64, bands: u32, k: u32) -> Result<Vec<PartKey>, OutOfMemory> {
    let bands = cut(mask, bands);
    let mut keys = Vec::new();
    let mut choice: u128 = (1 << (bands.len() as u32 - k)) - 1;
    while choice < 1 << bands.len() {
        let chosen = bands.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, band)| band);
        push(&mut keys, PartKey::of(lowest(chosen.fold(0, |all, band| all | band), MAX_WIDTH)))?;
        choice = next_choice(choice);
    }
    Ok(keys)
}

/// The next larger number with the same number of set bits.
fn next_choice(choice: u128) -> u128 {
    let lowest = choice & choice.wrapping_neg();
    let carried = choice + lowest;
    carried | ((carried ^ choice) / lowest) >> 2
}

/// The keys of `count` single bands. There are none if `mask` has fewer bits, or if a band would be too wide.
pub fn bands(mask: u64, count: u32) -> Vec<PartKey> {
    let bits = mask.count_ones();
    let fits = count <= bits && bits.div_ceil(count) <= MAX_WIDTH;
    if fits { cut(mask, count).into_iter().map(PartKey::of).collect() } else { vec![] }
}

/// The set bits of `mask` cut into bands of nearly equal width.
fn cut(mask: u64, bands: u32) -> Vec<u64> {
    let bits = mask.count_ones();
    let mut rest = mask;
    (0..bands)
        .map(|band| {
            let taken = lowest(rest, bits / bands + u32::from(band < bits % bands));
            rest ^= taken;
            taken
        })
        .collect()
}

/// The lowest set bits of `mask`, at most `count` of them.
fn lowest(mask: u64, count: u32) -> u64 {
    (0..count).fold(0, |taken, _| {
        let rest = mask ^ taken;
        taken | rest & rest.wrapping_neg()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_classical_four_bands() {
        let keys = choices(u64::MAX, 4, 3).unwrap();
        assert_eq!(
            keys.iter().map(|key| key.mask).collect::<Vec<_>>(),
            [0xFFFF, 0xFFFF_0000, 0xFFFF_0000_0000, 0xFFFF_0000_0000_0000]
        );
        assert_eq!(keys[1].of_fingerprint(0x0123_4567_89AB_CDEF), 0x89AB);
    }

    #[test]
    fn large_tables_take_wider_keys() {
        let width = |count| keys(count, u64::MAX, 3).unwrap().unwrap()[0].width();
        assert!(width(100_000) < width(100_000_000));
    }

    #[test]
    fn few_fingerprints_or_a_large_k_are_compared_each_with_each() {
        assert!(keys(10, u64::MAX, 3).unwrap().is_none());
        assert!(keys(1000, u64::MAX, 40).unwrap().is_none());
        assert!(keys(1000, 0b111, 3).unwrap().is_none());
    }

    #[test]
    fn all_choices() {
        for bands in 1..=10u32 {
            for k in 0..bands {
                let keys = choices(u64::MAX, bands, k).unwrap();
                assert_eq!(Some(keys.len() as u64), choose(bands, k));
            }
        }
        assert_eq!(choices(u64::MAX, 40, 1).unwrap().len(), 40);
    }

    proptest! {
        #[test]
        fn near_fingerprints_share_a_key(
            mask: u64,
            one: u64,
            flips in prop::collection::vec(0..64u32, 0..8),
            more in 0..6u32,
        ) {
            let other = flips.iter().fold(one, |bits, flip| bits ^ (1 << flip & mask));
            let k = (one ^ other).count_ones();
            prop_assume!(k + 1 + more <= mask.count_ones());
            let keys = choices(mask, k + 1 + more, k).unwrap();
            let together = |key: &PartKey| key.of_fingerprint(one) == key.of_fingerprint(other);
            prop_assert!(keys.iter().any(together));
        }
    }
}
