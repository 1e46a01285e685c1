//! Figures: what a set of fingerprints finds, against the gold pairs.

use crate::corpus::{CLASSES, Corpus};
use crate::gold::GoldPair;
use simhash_core::distance::hamming;
use simhash_core::fingerprint::Fingerprinter;
use simhash_core::options::Options;

/// The largest distance that is looked at.
pub const MAX_K: usize = 12;

/// The largest distance that the best F1 may use.
pub const MAX_F1_K: usize = 7;

/// The Jaccards from which a pair counts as true.
pub const TRUTHS: [f64; 3] = [0.5, 0.8, 0.9];

/// The places in `TRUTHS`.
pub const HALF: usize = 0;
pub const EIGHT: usize = 1;
pub const NINE: usize = 2;

/// Bands of a fingerprint, for the skew.
const BANDS: u32 = 4;

/// Pairs by distance, and how many of them are true.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Pairs at most as far apart as the index says.
    pub found: [u64; MAX_K + 1],
    /// Those of them that are versions of one document.
    pub one_group: [u64; MAX_K + 1],
    /// Those of them that are true, for each of `TRUTHS`.
    pub hits: [[u64; MAX_K + 1]; TRUTHS.len()],
    /// True pairs at any distance.
    pub gold: [u64; TRUTHS.len()],
}

/// Everything that is measured of one configuration on one corpus.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Over all pairs.
    pub all: Figures,
    /// By the class of the shorter document.
    pub classes: [Figures; CLASSES.len()],
    /// How many more candidates four bands return than on uniform fingerprints.
    pub skew: f64,
    /// Documents without a fingerprint.
    pub without: usize,
}

impl Figures {
    /// The share of the pairs found at `k` that are true; `None` where nothing was found.
    pub fn precision(&self, truth: usize, k: usize) -> Option<f64> {
        share(self.hits[truth][k], self.found[k])
    }

    /// The share of the true pairs that were found at `k`; `None` where there are none.
    pub fn recall(&self, truth: usize, k: usize) -> Option<f64> {
        share(self.hits[truth][k], self.gold[truth])
    }

    /// The share of the pairs found at `k` that are versions of one document.
    pub fn one_group_share(&self, k: usize) -> Option<f64> {
        share(self.one_group[k], self.found[k])
    }

    /// The best F1 against Jaccard ≥ 0.8 with its k.
    pub fn best_f1(&self) -> Option<(f64, usize)> {
        let f1 = |k: usize| share(2 * self.hits[EIGHT][k], self.found[k] + self.gold[EIGHT]);
        let best = (0..=MAX_F1_K).filter_map(|k| Some((f1(k)?, k))).rev().max_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|_| self.gold[EIGHT] > 0)
    }

    /// Turns pairs at each distance into pairs up to each distance.
    fn accumulate(&mut self) {
        let rows = [&mut self.found, &mut self.one_group].into_iter().chain(&mut self.hits);
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
            for truth in 0..TRUTHS.len() {
                self.hits[truth][k] += other.hits[truth][k];
            }
        }
        for truth in 0..TRUTHS.len() {
            self.gold[truth] += other.gold[truth];
        }
    }
}

/// `part` of `whole`; `None` where there is no whole.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Fingerprints a corpus with `options` and measures the result.
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
        .collect();
    compare(&fingerprints, corpus, gold)
}

/// Measures fingerprints, one a document.
fn compare(fingerprints: &[Option<u64>], corpus: &Corpus, gold: &[GoldPair]) -> Measured {
    let mut classes: [Figures; CLASSES.len()] = Default::default();
    // The documents stand by class, so the first of two has the class of the pair.
    let documents: Vec<_> =
        fingerprints.iter().zip(&corpus.documents).filter_map(|(fp, d)| Some(((*fp)?, d))).collect();
    let plain: Vec<u64> = documents.iter().map(|(fp, _)| *fp).collect();
    for (i, (fp, document)) in documents.iter().enumerate() {
        let figures = &mut classes[document.class];
        for (j, other) in plain.iter().enumerate().skip(i + 1) {
            let distance = hamming(*fp, *other) as usize;
            if distance <= MAX_K {
                figures.found[distance] += 1;
                figures.one_group[distance] += u64::from(document.group == documents[j].1.group);
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
            }
        }
    }
    let mut all = Figures::default();
    for figures in &mut classes {
        figures.accumulate();
        all.add(figures);
    }
    let without = fingerprints.len() - plain.len();
    if std::env::var_os("LAB_SKEW").is_some() {
        let n = plain.len() as f64;
        let e = 4.0 * n * (n - 1.0) / 2.0 / 65536.0;
        let bands = |a: u64, b: u64| (0..4).filter(|i| (a ^ b) >> (16 * i) & 0xffff == 0).count() as f64;
        let (mut sum, mut uni) = (0.0, 0.0);
        for i in 0..plain.len() { for j in i + 1..plain.len() { let b = bands(plain[i], plain[j]); sum += b; if b > 0.0 { uni += 1.0; } } }
        let (mut gs, mut gu, mut g5s) = (0.0, 0.0, 0.0);
        for p in gold { if let (Some(a), Some(b)) = (fingerprints[p.a], fingerprints[p.b]) { let b = bands(a, b); gs += b; if b > 0.0 { gu += 1.0; } if p.jaccard >= 0.5 { g5s += b; } } }
        eprintln!("SKEW sum {:.2} union {:.2} sum-gold {:.2} union-gold {:.2} sum-gold5 {:.2} golds {}", sum / e, uni / e, (sum - gs) / e, (uni - gu) / e, (sum - g5s) / e, gold.len());
    }
    Measured { all, classes, skew: skew(&plain), without }
}

/// Pairs with an equal band, counted once a band, against the number that uniform fingerprints have.
fn skew(fingerprints: &[u64]) -> f64 {
    let n = fingerprints.len() as f64;
    let mut equal = 0;
    for band in 0..BANDS {
        let mut holders = vec![0_u64; 1 << 16];
        for fp in fingerprints {
            let value = (fp >> (16 * band)) as u16;
            equal += holders[value as usize];
            holders[value as usize] += 1;
        }
    }
    equal as f64 / (f64::from(BANDS) * n * (n - 1.0) / 2.0 / 65536.0)
}
