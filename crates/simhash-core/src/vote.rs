//! Hashes → votes → fingerprint: bit i is 1 where the weights of the hashes with bit i set outweigh the others.

use crate::weight::{ONE, Weight};

/// Votes of equal weight, counted in bit planes: eight hashes at a time go through a carry-save adder,
/// so that a vote on all 64 bits costs a handful of word operations.
#[derive(Clone)]
pub struct UnitVotes {
    pending: [u64; 8],
    pending_len: usize,
    ones: u64,
    twos: u64,
    fours: u64,
    /// Votes of eight, one byte a bit: byte j of word i belongs to bit 8·j + i.
    eights: [u64; 8],
    eights_len: u8,
    /// Votes of eight that no longer fit in a byte.
    spilled: [u64; 64],
    voters: u64,
}

impl Default for UnitVotes {
    fn default() -> Self {
        UnitVotes {
            pending: [0; 8],
            pending_len: 0,
            ones: 0,
            twos: 0,
            fours: 0,
            eights: [0; 8],
            eights_len: 0,
            spilled: [0; 64],
            voters: 0,
        }
    }
}

/// Full adder on 64 lanes: the sum bit and the carry bit of three inputs.
#[inline(always)]
fn add3(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

impl UnitVotes {
    /// Lets one hash vote on every bit.
    #[inline(always)]
    pub fn add(&mut self, hash: u64) {
        self.add_if(true, hash);
    }

    /// Lets one hash vote if it may, without a branch for the processor to guess.
    #[inline(always)]
    pub fn add_if(&mut self, may: bool, hash: u64) {
        self.pending[self.pending_len % 8] = hash;
        self.pending_len += usize::from(may);
        self.voters += u64::from(may);
        if self.pending_len == 8 {
            self.drain();
        }
    }

    /// Adds the eight pending hashes to the bit planes.
    fn drain(&mut self) {
        let [a, b, c, d, e, f, g, h] = self.pending;
        let (ones, twos_a) = add3(self.ones, a, b);
        let (ones, twos_b) = add3(ones, c, d);
        let (twos, fours_a) = add3(self.twos, twos_a, twos_b);
        let (ones, twos_a) = add3(ones, e, f);
        let (ones, twos_b) = add3(ones, g, h);
        let (twos, fours_b) = add3(twos, twos_a, twos_b);
        let (fours, eights) = add3(self.fours, fours_a, fours_b);
        (self.ones, self.twos, self.fours) = (ones, twos, fours);
        self.pending_len = 0;

        for (i, word) in self.eights.iter_mut().enumerate() {
            *word += eights >> i & 0x0101_0101_0101_0101;
        }
        self.eights_len += 1;
        if self.eights_len == u8::MAX {
            self.spill();
        }
    }

    /// Moves the byte counters to the wide ones.
    fn spill(&mut self) {
        for (i, word) in self.eights.iter_mut().enumerate() {
            for (j, byte) in word.to_le_bytes().into_iter().enumerate() {
                self.spilled[8 * j + i] += u64::from(byte);
            }
            *word = 0;
        }
        self.eights_len = 0;
    }

    /// For every bit, the votes for it less the votes against it.
    pub fn sums(&self) -> [i64; 64] {
        let mut rest = self.clone();
        rest.spill();
        std::array::from_fn(|bit| {
            let lane = |word: u64| word >> bit & 1;
            let pending: u64 = rest.pending[..rest.pending_len].iter().map(|h| lane(*h)).sum();
            let votes = pending
                + lane(rest.ones)
                + 2 * lane(rest.twos)
                + 4 * lane(rest.fours)
                + 8 * rest.spilled[bit];
            2 * votes as i64 - rest.voters as i64
        })
    }
}

/// Votes with weights. Those of weight 1 to 7 are counted in three planes of votes of 1, 2 and 4; others are summed.
#[derive(Clone)]
pub struct Votes {
    planes: [UnitVotes; 3],
    /// For each bit, the units of the other weights that vote for it.
    others: [i64; 64],
    others_total: i64,
    any: bool,
}

impl Default for Votes {
    fn default() -> Self {
        Votes { planes: Default::default(), others: [0; 64], others_total: 0, any: false }
    }
}

impl Votes {
    /// Lets one hash vote with weight 1 if it may.
    #[inline(always)]
    pub fn add_one_if(&mut self, may: bool, hash: u64) {
        self.planes[0].add_if(may, hash);
        self.any |= may;
    }

    /// Lets one hash vote on every bit.
    #[inline]
    pub fn add(&mut self, hash: u64, weight: Weight) {
        let (whole, part) = (weight.units() / ONE.units(), weight.units() % ONE.units());
        if part == 0 && whole < 8 {
            for (i, plane) in self.planes.iter_mut().enumerate() {
                plane.add_if(whole >> i & 1 == 1, hash);
            }
        } else {
            self.add_other(hash, weight.units());
        }
        self.any |= weight.units() > 0;
    }

    fn add_other(&mut self, hash: u64, units: i64) {
        for (bit, sum) in self.others.iter_mut().enumerate() {
            *sum += units & -((hash >> bit & 1) as i64);
        }
        self.others_total += units;
    }

    /// The fingerprint of the votes so far; `None` where no weight was given.
    pub fn fingerprint(&self) -> Option<u64> {
        let planes = self.planes.each_ref().map(UnitVotes::sums);
        let sum = |bit: usize| {
            let whole = planes[0][bit] + 2 * planes[1][bit] + 4 * planes[2][bit];
            whole * ONE.units() + 2 * self.others[bit] - self.others_total
        };
        self.any.then(|| (0..64).fold(0, |fp, bit| fp | u64::from(sum(bit) > 0) << bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, word for word: a set bit votes +w, a clear one -w, and 1 wins above 0.
    fn naive(votes: &[(u64, i64)]) -> Option<u64> {
        if votes.iter().all(|(_, w)| *w == 0) {
            return None;
        }
        let mut fingerprint = 0;
        for bit in 0..64 {
            let sum: i64 = votes.iter().map(|(h, w)| if h >> bit & 1 == 1 { *w } else { -*w }).sum();
            if sum > 0 {
                fingerprint |= 1 << bit;
            }
        }
        Some(fingerprint)
    }

    fn unit(hashes: &[u64]) -> Option<u64> {
        let mut votes = Votes::default();
        hashes.iter().for_each(|h| votes.add_one_if(true, *h));
        votes.fingerprint()
    }

    fn weighted(votes: &[(u64, i64)]) -> Option<u64> {
        let mut sums = Votes::default();
        votes.iter().for_each(|(h, w)| sums.add(*h, Weight::from_units(*w)));
        sums.fingerprint()
    }

    /// The documents' worked example on six bits: 美国 = 100101 and 51区 = 101011 with weights 4 and 5
    /// add up to 9 -9 1 -1 1 9, with weights 3 and 5 to 8 -8 2 -2 2 8, and both reduce to 101011.
    #[test]
    fn worked_example() {
        for weight in [4, 3] {
            let votes = [(0b100101, weight << 16), (0b101011, 5 << 16)];
            assert_eq!(weighted(&votes), Some(0b101011));
            assert_eq!(naive(&votes), Some(0b101011));
        }
    }

    #[test]
    fn nobody_votes() {
        assert_eq!(unit(&[]), None);
        assert_eq!(weighted(&[]), None);
        assert_eq!(weighted(&[(7, 0)]), None);
    }

    #[test]
    fn a_tie_is_zero() {
        assert_eq!(unit(&[u64::MAX, 0]), Some(0));
    }

    /// Enough votes to fill the byte counters several times.
    #[test]
    fn many_equal_votes() {
        let hash = 0x0123_4567_89AB_CDEF;
        assert_eq!(unit(&vec![hash; 5_000]), Some(hash));
    }

    proptest! {
        #[test]
        fn unit_votes_match_the_definition(hashes in prop::collection::vec(any::<u64>(), 0..5_000)) {
            let votes: Vec<_> = hashes.iter().map(|h| (*h, 1)).collect();
            prop_assert_eq!(unit(&hashes), naive(&votes));
        }

        #[test]
        fn weighted_votes_match_the_definition(
            votes in prop::collection::vec((any::<u64>(), prop_oneof![0i64..1 << 40, (0i64..9).prop_map(|n| n << 16)]), 0..200),
        ) {
            prop_assert_eq!(weighted(&votes), naive(&votes));
        }
    }
}
