//! Explains why two fingerprints are near each other or not.

use super::features::{Comparison, Shared};
use crate::pace::Pace;
use simhash_memory::{OutOfMemory, with_room};

/// The contribution of a feature to the difference of two texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explained<'a> {
    /// The feature.
    pub text: &'a str,
    /// The bits that it votes for.
    pub hash: u64,
    /// Its weight in the first text; `None` if that text does not have it.
    pub weight_a: Option<f64>,
    /// Its weight in the second text; `None` if that text does not have it.
    pub weight_b: Option<f64>,
    /// The sum of its votes on the bits in which the fingerprints differ. Votes that increase the difference of the two texts are
    /// positive.
    pub influence: f64,
}

/// The features of two texts by their influence, the largest first.
pub struct Explanation {
    comparison: Comparison,
    /// Influences, with the numbers of the features that have them.
    order: Vec<(f64, usize)>,
}

impl Explanation {
    /// Explains what two texts have in common, and in what they differ.
    pub fn of(comparison: Comparison, checkpoint: &mut dyn FnMut()) -> Result<Explanation, OutOfMemory> {
        let (a, b) = fingerprints(&comparison, checkpoint);
        let fingerprints = (a.unwrap_or(0), b.unwrap_or(0));
        let mut pace = Pace::new(checkpoint);
        let mut order = with_room(comparison.features().len())?;
        for (number, feature) in comparison.features().iter().enumerate() {
            pace.step(STEPS_PER_FEATURE);
            order.push((influence(feature, fingerprints), number));
        }
        // The number is compared too, so that features of equal influence keep their order.
        order.sort_unstable_by(|one, other| {
            pace.step(STEPS_PER_COMPARISON);
            other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
        });
        Ok(Explanation { comparison, order })
    }

    /// The feature with the number `rank` in the order of influence, counted from 0; `None` after the last one.
    pub fn get(&self, rank: usize) -> Option<Explained<'_>> {
        let &(influence, number) = self.order.get(rank)?;
        let feature = &self.comparison.features()[number];
        let weight = |weight: f64| (weight != 0.0).then_some(weight);
        Some(Explained {
            text: self.comparison.text(feature),
            hash: feature.hash,
            weight_a: weight(feature.weight_a),
            weight_b: weight(feature.weight_b),
            influence,
        })
    }
}

/// The fingerprints of the two texts; `None` for a text without features.
fn fingerprints(comparison: &Comparison, checkpoint: &mut dyn FnMut()) -> (Option<u64>, Option<u64>) {
    let a = fingerprint(comparison, |feature| feature.weight_a, checkpoint);
    (a, fingerprint(comparison, |feature| feature.weight_b, checkpoint))
}

fn fingerprint(
    comparison: &Comparison,
    weight: fn(&Shared) -> f64,
    checkpoint: &mut dyn FnMut(),
) -> Option<u64> {
    let mut pace = Pace::new(checkpoint);
    let mut any = false;
    let margins = margins(comparison.features().iter().map(|feature| {
        pace.step(STEPS_PER_FEATURE);
        any |= weight(feature) != 0.0;
        (feature.hash, weight(feature))
    }));
    let bits = margins.iter().enumerate().fold(0, |bits, (bit, sum)| bits | u64::from(*sum > 0.0) << bit);
    any.then_some(bits)
}

/// The sum of the votes on each of the 64 bits. The fingerprint's bit is 1 if its sum is positive.
pub fn margins(features: impl Iterator<Item = (u64, f64)>) -> [f64; 64] {
    let mut sums = [0.0; 64];
    for (hash, weight) in features {
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    sums
}

/// The influence of a feature on the bits in which the fingerprints differ.
fn influence(feature: &Shared, (a, b): (u64, u64)) -> f64 {
    let difference = feature.weight_a - feature.weight_b;
    let apart = |bit: &u32| (a >> bit & 1 == 1) == (feature.hash >> bit & 1 == 1);
    let differing = (0..64).filter(|bit| (a ^ b) >> bit & 1 == 1);
    differing.map(|bit| if apart(&bit) { difference } else { -difference }).sum()
}

/// The cost of computing the votes of a feature, and of comparing two features, in steps between checkpoints.
const STEPS_PER_FEATURE: usize = 64;
const STEPS_PER_COMPARISON: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprinter;
    use crate::options::Options;

    const A: &str = "the harbour master counted the boats";
    const B: &str = "the harbour master counted no boats at all";

    fn compare(a: &str, b: &str) -> Comparison {
        let features = |text: &str| {
            Fingerprinter::default().features(text, &Options::default(), &mut || ()).expect("enough memory")
        };
        Comparison::of(features(a), features(b), &mut || ()).expect("enough memory")
    }

    fn fingerprint(text: &str) -> Option<u64> {
        let fingerprint = Fingerprinter::default()
            .fingerprint(text, &Options::default(), &mut || ())
            .expect("enough memory");
        fingerprint.map(|[bits]| bits)
    }

    /// The fingerprints are those of the texts, and influences explain every differing bit.
    #[test]
    fn influences() {
        let (a, b) = fingerprints(&compare(A, B), &mut || ());
        assert_eq!((a, b), (fingerprint(A), fingerprint(B)));
        let explanation = Explanation::of(compare(A, B), &mut || ()).expect("enough memory");
        let features: Vec<Explained> = (0..).map_while(|i| explanation.get(i)).collect();
        assert!(features.is_sorted_by(|one, next| one.influence >= next.influence));
        let votes = |weight: fn(&Explained) -> Option<f64>| {
            margins(features.iter().map(|feature| (feature.hash, weight(feature).unwrap_or(0.0))))
        };
        let (one, other) = (votes(|feature| feature.weight_a), votes(|feature| feature.weight_b));
        let differing = (0..64).filter(|bit| (a.unwrap() ^ b.unwrap()) >> bit & 1 == 1);
        let moved: f64 = differing.map(|bit: usize| (one[bit] - other[bit]).abs()).sum();
        let influence: f64 = features.iter().map(|feature| feature.influence).sum();
        assert!((influence - moved).abs() < 1e-6);
    }

    #[test]
    fn features_of_equal_influence_keep_their_order() {
        let explanation =
            Explanation::of(compare("one two three", "one two three"), &mut || ()).expect("enough memory");
        let texts: Vec<_> = (0..4).filter_map(|i| explanation.get(i)).map(|f| f.text).collect();
        assert_eq!(texts, ["one", "two", "three", "one two"]);
    }

    #[test]
    fn a_text_without_features() {
        assert_eq!(fingerprints(&compare("", B), &mut || ()), (None, fingerprint(B)));
        let explanation = Explanation::of(compare("", B), &mut || ()).expect("enough memory");
        assert!(explanation.get(0).is_some_and(|feature| feature.weight_a.is_none()));
    }
}
