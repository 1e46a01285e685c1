//! Votes with real weights, summed exactly: the result depends neither on the order of the features nor on the platform, even if
//! large and small weights are mixed. They are for ready-made features, aggregates and numeric vectors.

use super::unit::UnitVotes;
use crate::hash::{SEED, dimension_hash, dimension_weight, feature_hash};

/// Sums of ±weight for each of the 64 bits.
///
/// A weight is an integer of 53 bits times a power of two. The powers are grouped into steps of 2^32, and each step has 64 sums,
/// which are wide integers. At the end, carries from the low steps to the high ones give the signs. Features of weight 1, the usual
/// ones, are counted separately.
///
/// There are at most 66 steps, of a kilobyte each. `S` is the container of the steps.
#[derive(Clone)]
pub struct RealVotes<S = Vec<Step>> {
    ones: UnitVotes,
    steps: S,
}

/// A container of steps, in ascending order.
pub trait Steps {
    /// The steps.
    fn as_slice(&self) -> &[Step];

    /// The steps, mutable.
    fn as_mut_slice(&mut self) -> &mut [Step];

    /// Inserts a step at the index `at`.
    fn insert(&mut self, at: usize, step: Step);
}

impl Steps for Vec<Step> {
    fn as_slice(&self) -> &[Step] {
        self
    }

    fn as_mut_slice(&mut self) -> &mut [Step] {
        self
    }

    fn insert(&mut self, at: usize, step: Step) {
        self.insert(at, step);
    }
}

/// The sums of the weights that are multiples of one power of 2^32.
#[derive(Clone, Copy)]
pub struct Step {
    sums: [Sum; 64],
    number: i16,
}

/// A wide integer in two halves, the low half first. It has halves because memory of the server is aligned to eight bytes.
#[derive(Clone, Copy)]
struct Sum([u64; 2]);

impl Sum {
    #[inline(always)]
    fn get(self) -> i128 {
        (u128::from(self.0[1]) << 64 | u128::from(self.0[0])) as i128
    }

    #[inline(always)]
    fn add(&mut self, amount: i128) {
        let sum = self.get() + amount;
        self.0 = [sum as u64, (sum >> 64) as u64];
    }
}

const STEP_BITS: i32 = 32;

/// From this number of dimensions on, hyperplanes whose normal vectors consist of ±1 are as good as any other.
const MANY_DIMENSIONS: usize = 8;

impl Default for RealVotes<Vec<Step>> {
    fn default() -> Self {
        RealVotes::with(Vec::new())
    }
}

impl<S: Steps> RealVotes<S> {
    /// No votes yet; `steps` is empty.
    pub fn with(steps: S) -> Self {
        RealVotes { ones: UnitVotes::default(), steps }
    }

    /// Lets a ready-made feature vote. `weight` must be finite. A feature with a negative weight votes against the bits of its
    /// hash.
    pub fn add_feature(&mut self, feature: &str, weight: f64) {
        self.add(feature_hash(feature, SEED), weight);
    }

    /// Lets dimension `index` of a vector with this number of `dimensions` vote. The 64 bits of its hash are its signs in the
    /// hyperplanes; with few dimensions it has a weight in each hyperplane instead.
    pub fn add_dimension(&mut self, index: u64, dimensions: usize, value: f64) {
        if dimensions < MANY_DIMENSIONS {
            let weights = std::array::from_fn(|bit| dimension_weight(index, bit as u64));
            self.add_weighted(&weights, value);
        } else {
            self.add(dimension_hash(index), value);
        }
    }

    /// Lets a value vote with a separate weight on each bit.
    fn add_weighted(&mut self, weights: &[i32; 64], value: f64) {
        debug_assert!(value.is_finite());
        if value != 0.0 {
            let (step, amount) = in_step(value);
            for (sum, weight) in self.sums(step).iter_mut().zip(weights) {
                sum.add(amount * i128::from(*weight));
            }
        }
    }

    /// Lets a hash vote.
    pub fn add(&mut self, hash: u64, weight: f64) {
        debug_assert!(weight.is_finite());
        if weight == 1.0 {
            self.ones.add(hash);
        } else if weight != 0.0 {
            let (step, amount) = in_step(weight);
            for (bit, sum) in self.sums(step).iter_mut().enumerate() {
                sum.add(if hash >> bit & 1 == 1 { amount } else { -amount });
            }
        }
    }

    /// Adds the votes of `other`.
    pub fn merge<T: Steps>(&mut self, other: &RealVotes<T>) {
        let [ones] = other.ones.sums();
        self.add_ones(&ones);
        for step in other.steps.as_slice() {
            for (sum, more) in self.sums(step.number).iter_mut().zip(&step.sums) {
                sum.add(more.get());
            }
        }
    }

    /// The fingerprint of the votes so far; `None` if there are no votes, or the votes cancel out on every bit.
    pub fn fingerprint(&self) -> Option<u64> {
        let [ones] = self.ones.sums();
        let steps = self.steps.as_slice();
        let (below, others) = steps.split_at(steps.partition_point(|step| step.number < 0));
        let (units, above) = others.split_at(others.partition_point(|step| step.number == 0));
        let signs: [i32; 64] = std::array::from_fn(|bit| {
            let sum = |step: &Step| (i32::from(step.number), step.sums[bit].get());
            let whole = i128::from(ones[bit]) + units.first().map_or(0, |step| step.sums[bit].get());
            sign(below.iter().map(sum).chain([(0, whole)]).chain(above.iter().map(sum)))
        });
        signs
            .iter()
            .any(|sign| *sign != 0)
            .then(|| signs.iter().rev().fold(0, |fp, sign| fp << 1 | u64::from(*sign > 0)))
    }

    /// The votes as bytes, for another process of the same server.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [ones] = self.ones.sums();
        let ones = ones.into_iter().flat_map(i64::to_le_bytes);
        let steps = self.steps.as_slice().iter().flat_map(|step| {
            let sums = step.sums.iter().flat_map(|sum| sum.get().to_le_bytes());
            step.number.to_le_bytes().into_iter().chain(sums)
        });
        ones.chain(steps).collect()
    }

    /// Adds the votes that `to_bytes` wrote; `None` if the bytes are not of that form.
    pub fn merge_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let (ones, mut rest) = bytes.split_at_checked(64 * 8)?;
        let (ones, _) = ones.as_chunks();
        self.add_ones(&std::array::from_fn(|bit| i64::from_le_bytes(ones[bit])));
        while !rest.is_empty() {
            let (number, sums) = rest.split_first_chunk()?;
            let (sums, next) = sums.split_at_checked(64 * 16)?;
            let (sums, _) = sums.as_chunks();
            for (sum, more) in self.sums(i16::from_le_bytes(*number)).iter_mut().zip(sums) {
                sum.add(i128::from_le_bytes(*more));
            }
            rest = next;
        }
        Some(())
    }

    /// Adds sums of votes of weight 1.
    fn add_ones(&mut self, ones: &[i64; 64]) {
        if ones.iter().any(|sum| *sum != 0) {
            for (sum, more) in self.sums(0).iter_mut().zip(ones) {
                sum.add(i128::from(*more));
            }
        }
    }

    /// The sums of a step, which is inserted if it is missing.
    fn sums(&mut self, number: i16) -> &mut [Sum; 64] {
        let at = match self.steps.as_slice().binary_search_by_key(&number, |step| step.number) {
            Ok(at) => at,
            Err(at) => {
                self.steps.insert(at, Step { sums: [Sum([0; 2]); 64], number });
                at
            }
        };
        &mut self.steps.as_mut_slice()[at].sums
    }
}

/// The step that a weight belongs to, and the weight in units of this step.
fn in_step(weight: f64) -> (i16, i128) {
    let (mantissa, exponent) = decompose(weight);
    (exponent.div_euclid(STEP_BITS) as i16, mantissa << exponent.rem_euclid(STEP_BITS))
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

    fn votes(votes: &[(u64, f64)]) -> RealVotes {
        let mut real = RealVotes::default();
        votes.iter().for_each(|(hash, weight)| real.add(*hash, *weight));
        real
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
        // In floating point, the tiny vote would be lost because of 1e300 - 1e300.
        let real = votes(&[(a, 1e300), (b, 5e-324), (a, -1e300)]);
        assert_eq!(real.fingerprint(), Some(b));
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

    fn of_vector(vector: &[f64]) -> u64 {
        let mut real = RealVotes::default();
        (0..).zip(vector).for_each(|(i, value)| real.add_dimension(i, vector.len(), *value));
        real.fingerprint().expect("not a zero vector")
    }

    /// The angle that fingerprints imply has an error of about 0.16 rad if the 64 hyperplanes are random and the angle is a right
    /// angle, and a smaller error for other angles. With signs alone, the error is 0.35 to 0.63 rad for two to four dimensions.
    #[test]
    fn angles_of_vectors_of_few_dimensions() {
        let random = |i: u64| {
            let uniform = |salt: u64| {
                (crate::hash::pair_hash(i, salt, 7) >> 11) as f64 / (1u64 << 53) as f64 + f64::MIN_POSITIVE
            };
            (-2.0 * uniform(1).ln()).sqrt() * (std::f64::consts::TAU * uniform(2)).cos()
        };
        for dimensions in (2..=9).chain([16, 64]) {
            let pairs = 2_000;
            let (mut error, mut ideal) = (0.0, 0.0);
            for pair in 0..pairs {
                let vector = |which: u64| -> Vec<f64> {
                    (0..dimensions as u64).map(|d| random((pair * 2 + which) << 8 | d)).collect()
                };
                let (a, b) = (vector(0), vector(1));
                let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
                let angle = (dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).clamp(-1.0, 1.0).acos();
                let implied =
                    std::f64::consts::PI * f64::from((of_vector(&a) ^ of_vector(&b)).count_ones()) / 64.0;
                error += (angle - implied).abs() / pairs as f64;
                // The mean of |x| for a normally distributed x is 0.8 of its standard deviation.
                let share = angle / std::f64::consts::PI;
                ideal += 0.8 * std::f64::consts::PI * (share * (1.0 - share) / 64.0).sqrt() / pairs as f64;
            }
            println!("{dimensions} dimensions: off by {error:.3} rad, ideally by {ideal:.3}");
            assert!(error < 1.25 * ideal, "{dimensions} dimensions: {error} against {ideal}");
        }
    }

    #[test]
    fn vectors_of_few_dimensions_are_exact() {
        let vector = [3.5, -1.25, 0.125];
        // All values are rational numbers: multiples of 1/8.
        let naive = (0..64).fold(0, |fp, bit| {
            let sum: i64 =
                (0..).zip(&vector).map(|(i, v)| (v * 8.0) as i64 * i64::from(dimension_weight(i, bit))).sum();
            fp | u64::from(sum > 0) << bit
        });
        assert_eq!(of_vector(&vector), naive);
        // The scale does not matter, up to the ends of the range.
        for scale in [1e300, 5e307, f64::from_bits(1 << 14)] {
            assert_eq!(of_vector(&vector.map(|v| v * scale)), naive);
        }
        assert_eq!(of_vector(&vector.map(|v| -v)), !naive);
    }

    #[test]
    fn memory_of_the_server_is_aligned_well_enough() {
        assert_eq!((align_of::<Step>(), align_of::<RealVotes>()), (8, 8));
    }

    #[test]
    fn broken_bytes_are_refused() {
        let bytes = votes(&[(7, 2.5)]).to_bytes();
        for len in (0..bytes.len()).filter(|len| *len != 512) {
            assert!(RealVotes::<Vec<Step>>::default().merge_bytes(&bytes[..len]).is_none(), "{len}");
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
            let mut sent = merged.clone();
            merged.merge(&votes(right));
            prop_assert_eq!(merged.fingerprint(), whole);
            sent.merge_bytes(&votes(right).to_bytes()).expect("own bytes");
            prop_assert_eq!(sent.fingerprint(), whole);
        }
    }
}
