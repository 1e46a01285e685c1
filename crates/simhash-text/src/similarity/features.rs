//! Similarities of the features of two texts. The features are the same ones that are hashed.

use crate::fingerprint::FeatureList;
use crate::pace::Pace;
use crate::tally::Tally;
use simhash_memory::{OutOfMemory, with_room};

/// The features of two texts: those of the first text in their order, then those that only the second text has.
pub struct Comparison {
    a: FeatureList,
    b: FeatureList,
    features: Vec<Shared>,
}

/// A feature with its weights in two texts. The weight is 0 in a text that does not have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// The bits that it votes for.
    pub hash: u64,
    /// Its weight in the first text.
    pub weight_a: f64,
    /// Its weight in the second text.
    pub weight_b: f64,
    /// Its number in the first text, or in the second text if only that has it.
    number: u32,
    only_b: bool,
}

impl Comparison {
    /// Combines the features of two texts.
    pub fn of(
        a: FeatureList,
        b: FeatureList,
        checkpoint: &mut dyn FnMut(),
    ) -> Result<Comparison, OutOfMemory> {
        // For each hash, the number of a feature of the first text, plus 1.
        let mut numbers = Tally::default();
        numbers.reset(a.len(), true);
        for (feature, number) in a.iter().zip(1..) {
            *numbers.number(feature.hash, checkpoint)? = number;
        }
        let mut pace = Pace::new(checkpoint);
        let new = |hash| numbers.get(hash) == 0;
        let only_b = b.iter().filter(|feature| {
            pace.step(STEPS_PER_FEATURE);
            new(feature.hash)
        });
        let mut features: Vec<Shared> = with_room(a.len() + only_b.count())?;
        for (feature, number) in a.iter().zip(0..) {
            pace.step(STEPS_PER_FEATURE);
            let (hash, weight_a) = (feature.hash, feature.weight);
            features.push(Shared { hash, weight_a, weight_b: 0.0, number, only_b: false });
        }
        for (feature, number) in b.iter().zip(0..) {
            pace.step(STEPS_PER_FEATURE);
            let (hash, weight_b) = (feature.hash, feature.weight);
            match numbers.get(hash) {
                0 => features.push(Shared { hash, weight_a: 0.0, weight_b, number, only_b: true }),
                in_a => features[in_a as usize - 1].weight_b = weight_b,
            }
        }
        Ok(Comparison { a, b, features })
    }

    /// The features of both texts.
    pub fn features(&self) -> &[Shared] {
        &self.features
    }

    /// The text of a feature.
    pub fn text(&self, feature: &Shared) -> &str {
        let list = if feature.only_b { &self.b } else { &self.a };
        list.get(feature.number as usize).map_or("", |feature| feature.text)
    }

    /// The cosine of the two weight vectors; `None` if a text has no features.
    pub fn cosine(&self, checkpoint: &mut dyn FnMut()) -> Option<f64> {
        let mut pace = Pace::new(checkpoint);
        let (mut a, mut b, mut both, mut same) = (0.0, 0.0, 0.0, true);
        for f in &self.features {
            pace.step(STEPS_PER_FEATURE);
            a += f.weight_a * f.weight_a;
            b += f.weight_b * f.weight_b;
            both += f.weight_a * f.weight_b;
            same &= f.weight_a == f.weight_b;
        }
        if a == 0.0 || b == 0.0 {
            return None;
        }
        // Rounding must not make the similarity of equal texts smaller than 1.
        Some(if same { 1.0 } else { (both / (a.sqrt() * b.sqrt())).clamp(0.0, 1.0) })
    }

    /// The share of the features that both texts have; `None` if a text has no features.
    pub fn jaccard(&self, checkpoint: &mut dyn FnMut()) -> Option<f64> {
        let mut pace = Pace::new(checkpoint);
        let (mut a, mut b, mut both) = (0, 0, 0);
        for f in &self.features {
            pace.step(STEPS_PER_FEATURE);
            let (in_a, in_b) = (f.weight_a > 0.0, f.weight_b > 0.0);
            a += usize::from(in_a);
            b += usize::from(in_b);
            both += usize::from(in_a && in_b);
        }
        (a.min(b) > 0).then(|| both as f64 / self.features.len() as f64)
    }

    /// 1 − d / √2, where d is the Euclidean distance of the two weight vectors scaled to length 1. It is √2 if the texts have no
    /// common features. `None` if a text has no features.
    pub fn euclidean(&self, checkpoint: &mut dyn FnMut()) -> Option<f64> {
        self.cosine(checkpoint).map(|cosine| 1.0 - (1.0 - cosine).sqrt())
    }
}

/// The cost of reading a feature, in steps between checkpoints.
const STEPS_PER_FEATURE: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprinter;
    use crate::options::Options;

    fn both(a: &str, b: &str) -> Comparison {
        let features = |text: &str, json: &str| {
            let options = Options::from_json(json).expect("valid options");
            Fingerprinter::default().features(text, &options, &mut || ()).expect("enough memory")
        };
        let json = r#"{"runs": 1, "weights": "count"}"#;
        Comparison::of(features(a, json), features(b, json), &mut || ()).expect("enough memory")
    }

    fn all(comparison: &Comparison) -> [Option<f64>; 3] {
        let checkpoint = &mut || ();
        [comparison.cosine(checkpoint), comparison.jaccard(checkpoint), comparison.euclidean(checkpoint)]
    }

    #[test]
    fn extremes() {
        let same = both("指纹相近的文章，just the same", "指纹相近的文章，just the same");
        assert_eq!(all(&same), [Some(1.0); 3]);
        assert_eq!(all(&both("apples", "quince")), [Some(0.0); 3]);
        assert_eq!(all(&both("", "words")), [None; 3]);
        assert_eq!(all(&both("", "")), [None; 3]);
    }

    #[test]
    fn by_hand() {
        let f = both("x x x yy yy yy yy", "yy");
        let texts: Vec<_> =
            f.features().iter().map(|shared| (f.text(shared), shared.weight_a, shared.weight_b)).collect();
        assert_eq!(texts, [("x", 3.0, 0.0), ("yy", 4.0, 1.0)]);
        let [cosine, jaccard, euclidean] = all(&f);
        assert_eq!((cosine, jaccard), (Some(0.8), Some(0.5)));
        assert!((euclidean.expect("features") - (1.0 - 0.4f64.sqrt() / 2f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn those_of_the_first_come_first() {
        let f = both("one two", "three one four");
        let texts: Vec<_> = f.features().iter().map(|shared| f.text(shared)).collect();
        assert_eq!(texts, ["one", "two", "three", "four"]);
    }
}
