//! Hashes → votes → fingerprint: bit i is 1 if the hashes with bit i set have more weight than the others.
//!
//! A fingerprint has parts of 64 bits. The votes on the first part are the hashes of the features; those on the further parts are
//! computed from these hashes (`part_hash`), so a fingerprint begins with the narrower ones of the same text.
//!
//! `Votes` is for texts, whose weights are multiples of a unit. `RealVotes` accepts any weight.
//!
//! ```text
//! hashes of equal weight ── unit ──┬── bit_counts
//! hashes with weights ─────────────┴── Votes ── fingerprint, one part or several
//! hashes with real weights ── real ── RealVotes ── fingerprint, one part
//! ```

mod bit_counts;
mod real;
mod unit;

use crate::hash::part_hash;
use crate::weight::{ONE, Weight};
pub use real::{RealVotes, Step, Steps};
use unit::UnitVotes;

/// Votes with weights. Those of weight 1 to 7 are counted in three planes, for votes of 1, 2 and 4. The others are summed.
#[derive(Clone)]
pub struct Votes<const PARTS: usize = 1> {
    planes: [UnitVotes<PARTS>; 3],
    /// For each bit of each part, the sum of the other weights that vote for it, in units.
    others: [[i64; 64]; PARTS],
    others_total: i64,
    any: bool,
}

/// For each number of four bits, a mask for each bit: all ones if it is set.
const MASKS: [[i64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut number = 0;
    while number < 16 {
        let bits = number as i64;
        masks[number] = [-(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 3 & 1)];
        number += 1;
    }
    masks
};

impl<const PARTS: usize> Default for Votes<PARTS> {
    fn default() -> Self {
        Votes { planes: Default::default(), others: [[0; 64]; PARTS], others_total: 0, any: false }
    }
}

impl<const PARTS: usize> Votes<PARTS> {
    /// Lets one hash vote on every bit.
    #[inline]
    pub fn add(&mut self, hash: u64, weight: Weight) {
        match weight.small() {
            Some(whole) => self.add_small(hash, whole),
            None => self.add_other(hash, weight.units()),
        }
    }

    /// Lets one hash vote with a whole weight below 8.
    #[inline(always)]
    pub fn add_small(&mut self, hash: u64, weight: u32) {
        for (i, plane) in self.planes.iter_mut().enumerate() {
            plane.add_if(weight >> i & 1 == 1, hash);
        }
        self.any |= weight > 0;
    }

    /// Lets many hashes vote with the same weight.
    pub fn add_all(&mut self, hashes: &[u64], weight: Weight) {
        let Some(whole) = weight.small() else { return self.add_all_others(hashes, weight.units()) };
        for (i, plane) in self.planes.iter_mut().enumerate() {
            if whole >> i & 1 == 1 {
                plane.add_all(hashes);
            }
        }
        self.any |= whole > 0 && !hashes.is_empty();
    }

    /// Lets one hash vote with a weight that the planes cannot represent.
    fn add_other(&mut self, hash: u64, units: i64) {
        for (part, sums) in self.others.iter_mut().enumerate() {
            let hash = part_hash(hash, part);
            for (i, sums) in sums.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let masks = &MASKS[(hash >> (4 * i) & 0xF) as usize];
                sums.iter_mut().zip(masks).for_each(|(sum, mask)| *sum += units & mask);
            }
        }
        self.others_total += units;
        self.any = true;
    }

    /// Lets many hashes vote with a weight that the planes cannot represent, by counting them first.
    fn add_all_others(&mut self, hashes: &[u64], units: i64) {
        let mut equal = UnitVotes::<PARTS>::default();
        equal.add_all(hashes);
        let voters = hashes.len() as i64;
        let leads = equal.sums();
        for (sum, lead) in self.others.as_flattened_mut().iter_mut().zip(leads.as_flattened()) {
            *sum += (voters + lead) / 2 * units;
        }
        self.others_total += voters * units;
        self.any |= voters > 0;
    }

    /// The fingerprint of the votes so far; `None` if there was no weight above 0.
    pub fn fingerprint(&self) -> Option<[u64; PARTS]> {
        let planes = self.planes.each_ref().map(UnitVotes::sums);
        let sum = |part: usize, bit: usize| {
            let whole = planes[0][part][bit] + 2 * planes[1][part][bit] + 4 * planes[2][part][bit];
            whole * ONE.units() + 2 * self.others[part][bit] - self.others_total
        };
        let bits = |part: usize| (0..64).fold(0, |bits, bit| bits | u64::from(sum(part, bit) > 0) << bit);
        self.any.then(|| std::array::from_fn(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: a set bit votes +w, a clear bit votes -w, and the result is 1 if the sum is above 0.
    fn naive<const PARTS: usize>(votes: &[(u64, i64)]) -> Option<[u64; PARTS]> {
        if votes.iter().all(|(_, w)| *w == 0) {
            return None;
        }
        let mut fingerprint = [0; PARTS];
        for (part, bits) in fingerprint.iter_mut().enumerate() {
            for bit in 0..64 {
                let is_set = |hash: u64| part_hash(hash, part) >> bit & 1 == 1;
                let sum: i64 = votes.iter().map(|(h, w)| if is_set(*h) { *w } else { -*w }).sum();
                *bits |= u64::from(sum > 0) << bit;
            }
        }
        Some(fingerprint)
    }

    fn unit<const PARTS: usize>(hashes: &[u64]) -> Option<[u64; PARTS]> {
        let mut votes = Votes::default();
        votes.add_all(hashes, ONE);
        votes.fingerprint()
    }

    fn weighted<const PARTS: usize>(votes: &[(u64, i64)]) -> Option<[u64; PARTS]> {
        let mut sums = Votes::default();
        votes.iter().for_each(|(h, w)| sums.add(*h, Weight::from_units(*w)));
        sums.fingerprint()
    }

    fn added_together<const PARTS: usize>(groups: &[(Vec<u64>, i64)]) -> Option<[u64; PARTS]> {
        let mut sums = Votes::default();
        groups.iter().for_each(|(hashes, weight)| sums.add_all(hashes, Weight::from_units(*weight)));
        sums.fingerprint()
    }

    /// The worked example of the documentation on six bits: 美国 = 100101 and 51区 = 101011 with weights 4 and 5 add up to 9 -9 1 -1 1
    /// 9. With weights 3 and 5 they add up to 8 -8 2 -2 2 8. Both give 101011.
    #[test]
    fn worked_example() {
        for weight in [4, 3] {
            let votes = [(0b100101, weight << 16), (0b101011, 5 << 16)];
            assert_eq!(weighted(&votes), Some([0b101011]));
            assert_eq!(naive(&votes), Some([0b101011]));
        }
    }

    #[test]
    fn nobody_votes() {
        assert_eq!(unit::<4>(&[]), None);
        assert_eq!(weighted::<4>(&[]), None);
        assert_eq!(weighted::<4>(&[(7, 0)]), None);
    }

    #[test]
    fn a_tie_is_zero() {
        assert_eq!(unit(&[u64::MAX, 0]), Some([0]));
    }

    /// Enough votes to fill the byte counters several times.
    #[test]
    fn many_equal_votes() {
        let hash = 0x0123_4567_89AB_CDEF;
        assert_eq!(unit(&vec![hash; 5_000]), Some([hash]));
    }

    fn weight() -> impl Strategy<Value = i64> {
        prop_oneof![0i64..1 << 40, (0i64..9).prop_map(|n| n << 16)]
    }

    proptest! {
        #[test]
        fn unit_votes_match_the_definition(hashes in prop::collection::vec(any::<u64>(), 0..5_000)) {
            let votes: Vec<_> = hashes.iter().map(|h| (*h, 1)).collect();
            prop_assert_eq!(unit::<1>(&hashes), naive(&votes));
            prop_assert_eq!(unit::<4>(&hashes), naive(&votes));
        }

        #[test]
        fn votes_of_equal_weight_match_the_definition(
            groups in prop::collection::vec((prop::collection::vec(any::<u64>(), 0..50), weight()), 0..4),
        ) {
            let votes: Vec<_> =
                groups.iter().flat_map(|(hashes, weight)| hashes.iter().map(|hash| (*hash, *weight))).collect();
            prop_assert_eq!(added_together::<1>(&groups), naive(&votes));
            prop_assert_eq!(added_together::<4>(&groups), naive(&votes));
        }

        #[test]
        fn weighted_votes_match_the_definition(
            votes in prop::collection::vec((any::<u64>(), weight()), 0..200),
        ) {
            prop_assert_eq!(weighted::<1>(&votes), naive(&votes));
            prop_assert_eq!(weighted::<2>(&votes), naive(&votes));
            prop_assert_eq!(weighted::<4>(&votes), naive(&votes));
        }
    }
}
