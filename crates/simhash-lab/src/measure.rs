//! Figures: what a set of fingerprints finds, compared with the gold pairs.

use crate::corpus::{CLASSES, Corpus};
use crate::gold::GoldPair;
use simhash_search::distance::hamming;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::Options;

/// The largest distance that is measured.
pub const MAX_K: usize = 12;

/// The largest distance that the best F1 may use.
pub const MAX_F1_K: usize = 7;

/// A pair counts as true if its Jaccard is at least one of these.
pub const TRUTHS: [f64; 3] = [0.5, 0.8, 0.9];

/// The positions in `TRUTHS`.
pub const HALF: usize = 0;
pub const EIGHT: usize = 1;
pub const NINE: usize = 2;

/// How many bands a fingerprint has, for the skew.
const BANDS: u32 = 4;

/// Pairs by distance, and how many of them are true.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Pairs whose distance is at most the position in the array.
    pub found: [u64; MAX_K + 1],
    /// Those of them that are versions of one document.
    pub one_group: [u64; MAX_K + 1],
    /// Those of them that are versions of one document or have a Jaccard of at least 0.5.
    pub related: [u64; MAX_K + 1],
    /// Those of them that are true, for each of `TRUTHS`.
    pub hits: [[u64; MAX_K + 1]; TRUTHS.len()],
    /// True pairs at any distance.
    pub gold: [u64; TRUTHS.len()],
}

/// Everything that is measured for one configuration on one corpus.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Over all pairs.
    pub all: Figures,
    /// By the class of the shorter document.
    pub classes: [Figures; CLASSES.len()],
    /// How many times as many candidates four bands return as on uniform fingerprints.
    pub skew: f64,
    /// The same for pairs that are not gold pairs. A document is not its own candidate here.
    pub stray: f64,
    /// Documents without a fingerprint.
    pub without: usize,
}

/// The name of a figure, and the function that returns it.
pub type Figure = (&'static str, fn(&Measured) -> Option<f64>);

impl Figures {
    /// The share of the pairs found at `k` that are true; `None` if nothing was found.
    pub fn precision(&self, truth: usize, k: usize) -> Option<f64> {
        share(self.hits[truth][k], self.found[k])
    }

    /// The share of the true pairs that were found at `k`; `None` if there are none.
    pub fn recall(&self, truth: usize, k: usize) -> Option<f64> {
        share(self.hits[truth][k], self.gold[truth])
    }

    /// The share of the pairs found at `k` that are versions of one document.
    pub fn one_group_share(&self, k: usize) -> Option<f64> {
        share(self.one_group[k], self.found[k])
    }

    /// The share of the pairs found at `k` that are versions of one document or have a Jaccard of at least 0.5.
    pub fn related_share(&self, k: usize) -> Option<f64> {
        share(self.related[k], self.found[k])
    }

    /// The best F1 against Jaccard ≥ 0.8 with its k.
    pub fn best_f1(&self) -> Option<(f64, usize)> {
        let f1 = |k: usize| share(2 * self.hits[EIGHT][k], self.found[k] + self.gold[EIGHT]);
        let best = (0..=MAX_F1_K).filter_map(|k| Some((f1(k)?, k))).rev().max_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|_| self.gold[EIGHT] > 0)
    }

    /// Turns pairs at each distance into pairs up to each distance.
    fn accumulate(&mut self) {
        let rows =
            [&mut self.found, &mut self.one_group, &mut self.related].into_iter().chain(&mut self.hits);
        for row in rows {
            for k in 1..=MAX_K {
                row[k] += row[k - 1];
            }
        }
    }

    /// Adds the pairs of `other`.
    fn add(&mut self, other: &Figures) {
        for k in 0..=MAX_K {
            self.found[k] += other.found[k];
            self.one_group[k] += other.one_group[k];
            self.related[k] += other.related[k];
            for truth in 0..TRUTHS.len() {
                self.hits[truth][k] += other.hits[truth][k];
            }
        }
        for truth in 0..TRUTHS.len() {
            self.gold[truth] += other.gold[truth];
        }
    }
}

/// `part` divided by `whole`; `None` if `whole` is 0.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Computes the fingerprints of a corpus with `options` and measures the result.
pub fn measure(
    fingerprinter: &mut Fingerprinter,
    options: &Options,
    corpus: &Corpus,
    gold: &[GoldPair],
) -> Measured {
    let fingerprints: Vec<Option<u64>> = corpus
        .documents
        .iter()
        .map(|d| fingerprinter.fingerprint(&d.text, options, &mut || ()).expect("memory for a document"))
        .map(|fingerprint| fingerprint.map(|[bits]| bits))
        .collect();
    compare(&fingerprints, corpus, gold)
}

/// Measures fingerprints, one per document.
fn compare(fingerprints: &[Option<u64>], corpus: &Corpus, gold: &[GoldPair]) -> Measured {
    let mut classes: [Figures; CLASSES.len()] = Default::default();
    // The documents are sorted by class, so the first of two has the class of the pair.
    let documents: Vec<_> =
        fingerprints.iter().zip(&corpus.documents).filter_map(|(fp, d)| Some(((*fp)?, d))).collect();
    let plain: Vec<u64> = documents.iter().map(|(fp, _)| *fp).collect();
    for (i, (fp, document)) in documents.iter().enumerate() {
        let figures = &mut classes[document.class];
        for (j, other) in plain.iter().enumerate().skip(i + 1) {
            let distance = hamming(*fp, *other) as usize;
            if distance <= MAX_K {
                figures.found[distance] += 1;
                let one_group = u64::from(document.group == documents[j].1.group);
                figures.one_group[distance] += one_group;
                figures.related[distance] += one_group;
            }
        }
    }
    for pair in gold {
        let figures = &mut classes[corpus.documents[pair.a].class];
        let both = fingerprints[pair.a].zip(fingerprints[pair.b]);
        let distance = both.map(|(a, b)| hamming(a, b) as usize).filter(|d| *d <= MAX_K);
        for (truth, _) in TRUTHS.iter().enumerate().filter(|(_, least)| pair.jaccard >= **least) {
            figures.gold[truth] += 1;
            if let Some(distance) = distance {
                figures.hits[truth][distance] += 1;
                if truth == HALF && corpus.documents[pair.a].group != corpus.documents[pair.b].group {
                    figures.related[distance] += 1;
                }
            }
        }
    }
    let mut all = Figures::default();
    for figures in &mut classes {
        figures.accumulate();
        all.add(figures);
    }
    let without = fingerprints.len() - plain.len();
    Measured { all, classes, skew: skew(&plain), stray: stray(fingerprints, gold), without }
}

/// Candidates if every document is searched for with four bands, relative to uniform fingerprints.
///
/// A document is a candidate of itself in every band. A row that several bands return counts for each of them, because that is the
/// work that the probes cause.
fn skew(fingerprints: &[u64]) -> f64 {
    let n = fingerprints.len() as f64;
    let candidates = n * f64::from(BANDS) + 2.0 * equal_bands_of_all(fingerprints) as f64;
    candidates / (n * f64::from(BANDS) + 2.0 * uniform_equal_bands(fingerprints.len()))
}

/// Equal bands of pairs that are not gold pairs, relative to uniform fingerprints: the cost of frequent band values in addition to
/// the wanted pairs.
fn stray(fingerprints: &[Option<u64>], gold: &[GoldPair]) -> f64 {
    let plain: Vec<u64> = fingerprints.iter().flatten().copied().collect();
    let of_gold: u64 =
        gold.iter().filter_map(|p| Some(equal_bands(fingerprints[p.a]?, fingerprints[p.b]?))).sum();
    (equal_bands_of_all(&plain) - of_gold) as f64 / uniform_equal_bands(plain.len())
}

/// The number of bands in which two fingerprints are equal.
fn equal_bands(a: u64, b: u64) -> u64 {
    (0..BANDS).filter(|band| ((a ^ b) >> (16 * band)) as u16 == 0).count() as u64
}

/// The sum of `equal_bands` over all pairs.
fn equal_bands_of_all(fingerprints: &[u64]) -> u64 {
    let mut equal = 0;
    for band in 0..BANDS {
        let mut holders = vec![0_u64; 1 << 16];
        for fp in fingerprints {
            let value = (fp >> (16 * band)) as u16;
            equal += holders[value as usize];
            holders[value as usize] += 1;
        }
    }
    equal
}

/// The sum that uniform fingerprints have on average.
fn uniform_equal_bands(documents: usize) -> f64 {
    let pairs = documents as f64 * (documents as f64 - 1.0) / 2.0;
    f64::from(BANDS) * pairs / 65536.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five documents: two short ones, a middle one, two long ones; the last has no fingerprint.
    fn tiny() -> (Corpus, Vec<Option<u64>>, Vec<GoldPair>) {
        let document = |id: &str, length: usize, group: &str| {
            (id.to_owned(), "x".repeat(length), Some(group.to_owned()))
        };
        let given = vec![
            document("a", 10, "one"),
            document("b", 20, "one"),
            document("c", 200, "two"),
            document("d", 600, "two"),
            document("e", 700, "three"),
        ];
        let fingerprints = vec![Some(0), Some(0b1), Some(0b1111), Some(u64::MAX), None];
        let gold = vec![
            GoldPair { a: 0, b: 1, jaccard: 0.95 },
            GoldPair { a: 1, b: 2, jaccard: 0.6 },
            GoldPair { a: 2, b: 3, jaccard: 0.85 },
            GoldPair { a: 3, b: 4, jaccard: 0.9 },
        ];
        (Corpus::new("tiny", given), fingerprints, gold)
    }

    #[test]
    fn figures_of_a_tiny_corpus() {
        let (corpus, fingerprints, gold) = tiny();
        let Measured { all, classes, without, .. } = compare(&fingerprints, &corpus, &gold);
        // Distances: a-b 1, b-c 3, a-c 4. d is far from all others.
        assert_eq!(all.found[..6], [0, 1, 1, 2, 3, 3]);
        assert_eq!(all.found[MAX_K], 3);
        assert_eq!(all.one_group[..5], [0, 1, 1, 1, 1]);
        assert_eq!(all.related[..5], [0, 1, 1, 2, 2]);
        assert_eq!(all.gold, [4, 3, 2]);
        assert_eq!(all.precision(HALF, 0), None);
        assert_eq!(all.precision(HALF, 3), Some(1.0));
        assert_eq!(all.precision(EIGHT, 3), Some(0.5));
        assert_eq!(all.precision(HALF, 4), Some(2.0 / 3.0));
        assert_eq!(all.recall(HALF, 3), Some(0.5));
        assert_eq!(all.recall(EIGHT, 3), Some(1.0 / 3.0));
        assert_eq!(all.recall(NINE, 1), Some(0.5));
        // At k = 1: one found, one right, three to find. If several k are equally good, the smallest one is taken.
        assert_eq!(all.best_f1(), Some((0.5, 1)));
        assert_eq!(without, 1);
        assert_eq!(classes[0].found[MAX_K], 3);
        assert_eq!(classes.each_ref().map(|c| c.gold[HALF]), [2, 1, 1]);
    }

    #[test]
    fn nothing_to_find_is_no_figure() {
        let (corpus, fingerprints, _) = tiny();
        let all = compare(&fingerprints, &corpus, &[]).all;
        assert_eq!((all.recall(NINE, 3), all.best_f1()), (None, None));
        assert_eq!(all.precision(HALF, 3), Some(0.0));
    }

    #[test]
    fn bands_of_a_tiny_corpus() {
        let (_, fingerprints, gold) = tiny();
        let plain: Vec<u64> = fingerprints.iter().flatten().copied().collect();
        assert_eq!(equal_bands(0, 1), 3);
        assert_eq!(equal_bands(0, u64::MAX), 0);
        // a, b and c are pairwise equal in three bands.
        assert_eq!(equal_bands_of_all(&plain), 9);
        assert_eq!(skew(&plain), (16.0 + 18.0) / (16.0 + 2.0 * 4.0 * 6.0 / 65536.0));
        // Of these pairs only a-c is not a gold pair.
        assert_eq!(stray(&fingerprints, &gold), 3.0 / (4.0 * 6.0 / 65536.0));
    }
}
