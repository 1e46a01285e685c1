//! Votes with real weights, summed exactly: the result depends neither on the order of the features nor on the
//! platform, however large and small weights are mixed. For ready-made features, aggregates and numeric vectors.

use crate::hash::{SEED, dimension_hash, feature_hash};
use crate::vote::UnitVotes;
use std::collections::BTreeMap;

/// Sums of ±weight for each of the 64 bits.
///
/// A weight is an integer of 53 bits times a power of two. The powers are put in steps of 2^32, each with 64 wide
/// integer sums, and the signs are read off at the end by carrying from the low steps to the high ones. Features of
/// weight 1, the usual ones, are counted apart.
#[derive(Clone, Default)]
pub struct ExactVotes {
    ones: UnitVotes,
    /// Ones that were merged in from elsewhere, as sums.
    merged_ones: Option<Box<[i64; 64]>>,
    steps: BTreeMap<i16, Box<[i128; 64]>>,
}

const STEP_BITS: i32 = 32;

impl ExactVotes {
    /// Lets a ready-made feature vote. `weight` must be finite; a negative one votes against.
    pub fn add_feature(&mut self, feature: &str, weight: f64) {
        self.add(feature_hash(feature, SEED), weight);
    }

    /// Lets dimension `index` of a vector vote: its hyperplanes are the 64 signs of its hash.
    pub fn add_dimension(&mut self, index: u64, value: f64) {
        self.add(dimension_hash(index), value);
    }

    /// Lets a hash vote.
    pub fn add(&mut self, hash: u64, weight: f64) {
        debug_assert!(weight.is_finite());
        if weight == 1.0 {
            self.ones.add(hash);
        } else if weight != 0.0 {
            let (mantissa, exponent) = decompose(weight);
            let step = exponent.div_euclid(STEP_BITS);
            let amount = mantissa << exponent.rem_euclid(STEP_BITS);
            let sums = self.steps.entry(step as i16).or_insert_with(|| Box::new([0; 64]));
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if hash >> bit & 1 == 1 { amount } else { -amount };
            }
        }
    }

    /// Takes in the votes of another.
    pub fn merge(&mut self, other: &ExactVotes) {
        let merged = self.merged_ones.get_or_insert_with(|| Box::new([0; 64]));
        for (sum, more) in merged.iter_mut().zip(other.ones()) {
            *sum += more;
        }
        for (step, sums) in &other.steps {
            let own = self.steps.entry(*step).or_insert_with(|| Box::new([0; 64]));
            for (sum, more) in own.iter_mut().zip(sums.iter()) {
                *sum += more;
            }
        }
    }

    /// The fingerprint of the votes so far; `None` where nobody voted, or the votes cancel out on every bit.
    pub fn fingerprint(&self) -> Option<u64> {
        let mut steps = self.steps.clone();
        let units = steps.entry(0).or_insert_with(|| Box::new([0; 64]));
        for (sum, ones) in units.iter_mut().zip(self.ones()) {
            *sum += i128::from(ones);
        }
        let signs: [i32; 64] =
            std::array::from_fn(|bit| sign(steps.iter().map(|(step, sums)| (i32::from(*step), sums[bit]))));
        signs
            .iter()
            .any(|sign| *sign != 0)
            .then(|| signs.iter().rev().fold(0, |fp, sign| fp << 1 | u64::from(*sign > 0)))
    }

    /// The votes as bytes, for another process of the same server.
    pub fn to_bytes(&self) -> Vec<u8> {
        let ones = self.ones().into_iter().flat_map(i64::to_le_bytes);
        let steps = self.steps.iter().flat_map(|(step, sums)| {
            step.to_le_bytes().into_iter().chain(sums.iter().flat_map(|sum| sum.to_le_bytes()))
        });
        ones.chain(steps).collect()
    }

    /// The votes that `to_bytes` wrote; `None` where the bytes are not of that form.
    pub fn from_bytes(bytes: &[u8]) -> Option<ExactVotes> {
        let (ones, mut rest) = bytes.split_at_checked(64 * 8)?;
        let (ones, _) = ones.as_chunks();
        let ones = std::array::from_fn(|bit| i64::from_le_bytes(ones[bit]));
        let mut votes = ExactVotes { merged_ones: Some(Box::new(ones)), ..ExactVotes::default() };
        while !rest.is_empty() {
            let (step, sums) = rest.split_at_checked(2)?;
            let (sums, next) = sums.split_at_checked(64 * 16)?;
            let (sums, _) = sums.as_chunks();
            let step = i16::from_le_bytes([step[0], step[1]]);
            let sums = std::array::from_fn(|bit| i128::from_le_bytes(sums[bit]));
            votes.steps.insert(step, Box::new(sums));
            rest = next;
        }
        Some(votes)
    }

    /// The sums of all votes of weight 1.
    fn ones(&self) -> [i64; 64] {
        let mut sums = self.ones.sums();
        for (sum, more) in sums.iter_mut().zip(self.merged_ones.iter().flat_map(|sums| sums.iter())) {
            *sum += more;
        }
        sums
    }
}

/// `weight` as an integer times a power of two.
fn decompose(weight: f64) -> (i128, i32) {
    let bits = weight.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let fraction = i128::from(bits & ((1 << 52) - 1));
    // Subnormal numbers have no hidden bit.
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if weight < 0.0 { -mantissa } else { mantissa }, exponent)
}

/// The sign of the sum of all `value · 2^(32 · step)`, lowest step first.
fn sign(steps: impl Iterator<Item = (i32, i128)>) -> i32 {
    let (mut level, mut sum) = (i32::from(i16::MIN), 0i128);
    // Whether carrying has rounded down, that is, the true sum is above `sum` by less than one.
    let mut above = false;
    for (step, value) in steps {
        let shift = (STEP_BITS * (step - level)).min(127);
        let carried = sum >> shift;
        above |= if shift == 127 { sum != 0 } else { carried << shift != sum };
        (level, sum) = (step, carried + value);
    }
    match sum {
        0 => i32::from(above),
        _ => sum.signum() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn votes(votes: &[(u64, f64)]) -> ExactVotes {
        let mut exact = ExactVotes::default();
        votes.iter().for_each(|(hash, weight)| exact.add(*hash, *weight));
        exact
    }

    /// The definition, in rational numbers: all weights here are multiples of 2^-40 below 2^20.
    fn naive(votes: &[(u64, f64)]) -> Option<u64> {
        let scaled = |w: f64| (w * (1i64 << 40) as f64) as i128;
        let sums: Vec<i128> = (0..64)
            .map(|bit| {
                votes
                    .iter()
                    .map(|(h, w)| if h >> bit & 1 == 1 { scaled(*w) } else { -scaled(*w) })
                    .sum::<i128>()
            })
            .collect();
        sums.iter()
            .any(|sum| *sum != 0)
            .then(|| sums.iter().enumerate().fold(0, |fp, (bit, sum)| fp | u64::from(*sum > 0) << bit))
    }

    #[test]
    fn huge_and_tiny_weights_are_exact() {
        let (a, b) = (0xFF, 0xF0F0);
        // In floating point the tiny vote would be lost behind 1e300 - 1e300.
        let exact = votes(&[(a, 1e300), (b, 5e-324), (a, -1e300)]);
        assert_eq!(exact.fingerprint(), Some(b));
        let against = votes(&[(a, 1e300), (b, -5e-324), (a, -1e300)]);
        assert_eq!(against.fingerprint(), Some(!b));
        assert_eq!(votes(&[(a, f64::MAX), (a, f64::MAX), (b, -f64::MAX)]).fingerprint(), Some(a));
    }

    #[test]
    fn nothing_to_decide() {
        assert_eq!(votes(&[]).fingerprint(), None);
        assert_eq!(votes(&[(7, 0.0), (9, -0.0)]).fingerprint(), None);
        assert_eq!(votes(&[(7, 2.5), (7, -2.5)]).fingerprint(), None);
        assert_eq!(votes(&[(7, 1.0), (7, -1.0)]).fingerprint(), None);
    }

    #[test]
    fn broken_bytes_are_refused() {
        let bytes = votes(&[(7, 2.5)]).to_bytes();
        for len in (0..bytes.len()).filter(|len| *len != 512) {
            assert!(ExactVotes::from_bytes(&bytes[..len]).is_none(), "{len}");
        }
    }

    fn weight() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(1.0),
            Just(0.0),
            (-1_000i32..1_000, 0i32..40).prop_map(|(m, e)| f64::from(m) / (1u64 << e) as f64),
        ]
    }

    proptest! {
        #[test]
        fn matches_the_definition(given in prop::collection::vec((any::<u64>(), weight()), 0..60)) {
            prop_assert_eq!(votes(&given).fingerprint(), naive(&given));
        }

        #[test]
        fn order_parts_and_bytes_do_not_matter(
            given in prop::collection::vec((any::<u64>(), any::<f64>().prop_filter("finite", |w| w.is_finite())), 0..40),
            cut in 0usize..40,
        ) {
            let whole = votes(&given).fingerprint();
            let reversed: Vec<_> = given.iter().rev().copied().collect();
            prop_assert_eq!(votes(&reversed).fingerprint(), whole);
            let (left, right) = given.split_at(cut.min(given.len()));
            let mut merged = votes(left);
            let sent = ExactVotes::from_bytes(&votes(right).to_bytes()).expect("own bytes");
            merged.merge(&sent);
            prop_assert_eq!(merged.fingerprint(), whole);
        }
    }
}
