//! Similarities of the features of two texts, the very ones that are hashed, and why fingerprints differ.

use crate::fingerprint::Feature;
use std::collections::HashMap;

/// A feature with its weights in two texts; 0 where a text has it not.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The feature.
    pub text: String,
    /// What it votes for.
    pub hash: u64,
    /// Its weight in the first text.
    pub weight_a: f64,
    /// Its weight in the second.
    pub weight_b: f64,
}

/// The features of two texts, those of the first in their order, then what only the second has.
pub fn shared(a: Vec<Feature>, b: Vec<Feature>) -> Vec<Shared> {
    let mut at: HashMap<u64, usize> = HashMap::with_capacity(a.len());
    let mut all: Vec<Shared> = Vec::with_capacity(a.len().max(b.len()));
    for f in a {
        at.insert(f.hash, all.len());
        all.push(Shared { text: f.text, hash: f.hash, weight_a: f.weight, weight_b: 0.0 });
    }
    for f in b {
        match at.get(&f.hash) {
            Some(&i) => all[i].weight_b = f.weight,
            None => all.push(Shared { text: f.text, hash: f.hash, weight_a: 0.0, weight_b: f.weight }),
        }
    }
    all
}

/// The cosine of the two weight vectors; `None` where a text has no features.
pub fn cosine(features: &[Shared]) -> Option<f64> {
    let sum = |product: fn(&Shared) -> f64| features.iter().map(product).sum::<f64>();
    let (a, b) = (sum(|f| f.weight_a * f.weight_a), sum(|f| f.weight_b * f.weight_b));
    if a == 0.0 || b == 0.0 {
        return None;
    }
    let same = features.iter().all(|f| f.weight_a == f.weight_b);
    // Rounding must not make equal texts a little less than equal.
    Some(if same { 1.0 } else { (sum(|f| f.weight_a * f.weight_b) / (a.sqrt() * b.sqrt())).clamp(0.0, 1.0) })
}

/// The share of features that both have; `None` where a text has none.
pub fn jaccard(features: &[Shared]) -> Option<f64> {
    let count = |has: fn(&Shared) -> bool| features.iter().filter(|f| has(f)).count();
    let both = count(|f| f.weight_a > 0.0 && f.weight_b > 0.0);
    let each = count(|f| f.weight_a > 0.0).min(count(|f| f.weight_b > 0.0));
    (each > 0).then(|| both as f64 / features.len() as f64)
}

/// 1 − d / √2, d being the Euclidean distance of the two weight vectors scaled to length 1, which is √2 where they share
/// nothing; `None` where a text has no features.
pub fn euclidean(features: &[Shared]) -> Option<f64> {
    cosine(features).map(|cosine| 1.0 - (1.0 - cosine).sqrt())
}

/// The sums of votes of the 64 bits: the fingerprint's bit is 1 where it is positive.
pub fn margins(features: impl Iterator<Item = (u64, f64)>) -> [f64; 64] {
    let mut sums = [0.0; 64];
    for (hash, weight) in features {
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    sums
}

/// How much a feature has to do with the bits in which the fingerprints differ: its votes there, counted positive where
/// they push the two texts apart.
pub fn influence(feature: &Shared, a: u64, b: u64) -> f64 {
    let difference = feature.weight_a - feature.weight_b;
    let apart = |bit: &u32| (a >> bit & 1 == 1) == (feature.hash >> bit & 1 == 1);
    let differing = (0..64).filter(|bit| (a ^ b) >> bit & 1 == 1);
    differing.map(|bit| if apart(&bit) { difference } else { -difference }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprinter;
    use crate::options::Options;

    fn features(text: &str) -> Vec<Feature> {
        Fingerprinter::default().features(text, &Options::default(), &mut || ()).unwrap()
    }

    fn both(a: &str, b: &str) -> Vec<Shared> {
        shared(features(a), features(b))
    }

    #[test]
    fn extremes() {
        let same = both("指纹相近的文章，just the same", "指纹相近的文章，just the same");
        assert_eq!((cosine(&same), jaccard(&same), euclidean(&same)), (Some(1.0), Some(1.0), Some(1.0)));
        let other = both("apples", "quince");
        assert_eq!((cosine(&other), jaccard(&other), euclidean(&other)), (Some(0.0), Some(0.0), Some(0.0)));
        let none = both("", "words");
        assert_eq!((cosine(&none), jaccard(&none), euclidean(&none)), (None, None, None));
    }

    #[test]
    fn by_hand() {
        let feature = |text: &str, hash, weight| Feature { text: text.to_owned(), hash, weight };
        let f = shared(vec![feature("x", 1, 3.0), feature("y", 2, 4.0)], vec![feature("y", 2, 1.0)]);
        assert_eq!(cosine(&f), Some(0.8));
        assert_eq!(jaccard(&f), Some(0.5));
        assert!((euclidean(&f).unwrap() - (1.0 - 0.4f64.sqrt() / 2f64.sqrt())).abs() < 1e-12);
    }

    /// The margins are what the fingerprint is made of, and influences explain every differing bit.
    #[test]
    fn margins_and_influences() {
        let (a, b) = ("the harbour master counted the boats", "the harbour master counted no boats at all");
        let sums = |text: &str| margins(features(text).iter().map(|f| (f.hash, f.weight)));
        let bits = |text: &str| {
            sums(text).iter().enumerate().fold(0, |fp, (bit, sum)| fp | u64::from(*sum > 0.0) << bit)
        };
        let fingerprint = |text: &str| {
            Fingerprinter::default().fingerprint(text, &Options::default(), &mut || ()).unwrap().unwrap()
        };
        assert_eq!((bits(a), bits(b)), (fingerprint(a), fingerprint(b)));
        let (fa, fb) = (fingerprint(a), fingerprint(b));
        let total: f64 = both(a, b).iter().map(|f| influence(f, fa, fb)).sum();
        let (ma, mb) = (sums(a), sums(b));
        let moved: f64 =
            (0..64).filter(|bit| (fa ^ fb) >> bit & 1 == 1).map(|bit| (ma[bit] - mb[bit]).abs()).sum();
        assert!((total - moved).abs() < 1e-6);
    }
}
