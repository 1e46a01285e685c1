//! Fingerprints of 64, 128 and 256 bits side by side, and beside them 64 bits with an exact measure that decides.

use crate::corpus::Corpus;
use crate::gold::GoldPair;
use crate::judge::Pair;
use crate::measure::{EIGHT, TRUTHS, share};
use simhash_search::distance::hamming;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::Options;
use simhash_text::similarity::features::Comparison;
use std::collections::HashSet;
use std::thread;

/// The widths, in parts of 64 bits.
const WIDTHS: [usize; 3] = [1, 2, 4];

/// The parts of the widest.
const PARTS: usize = 4;

/// The values of k of which precision and recall are reported, for each part of 64 bits.
pub const KS: [usize; 3] = [3, 7, 10];

/// The largest k of the candidates that an exact measure decides on.
const CANDIDATE_K: u32 = 10;

/// The exact measures, with the names of their SQL functions.
const MEASURES: [(&str, ExactMeasure); 2] = [
    ("simhash_cosine", |compared| compared.cosine(&mut || ())),
    ("simhash_jaccard", |compared| compared.jaccard(&mut || ())),
];

type ExactMeasure = fn(&Comparison) -> Option<f64>;

/// Pairs found up to a distance, or from a similarity on, with those of them that have a Jaccard of at least 0.8.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    pub found: u64,
    pub hits: u64,
    /// The pairs that have such a Jaccard, found or not.
    pub gold: u64,
}

impl Verdict {
    /// The share of the pairs found that are hits; `None` if nothing was found.
    pub fn precision(self) -> Option<f64> {
        share(self.hits, self.found)
    }

    /// The share of the hits among the pairs to find; `None` if there are none.
    pub fn recall(self) -> Option<f64> {
        share(self.hits, self.gold)
    }

    /// The harmonic mean of both; `None` if there is nothing to find.
    pub fn f1(self) -> Option<f64> {
        share(2 * self.hits, self.found + self.gold).filter(|_| self.gold > 0)
    }
}

/// What fingerprints of one width find, over all seeds.
pub struct Width {
    pub bits: usize,
    /// For each k, the pairs with at most this distance.
    pub within: Vec<Verdict>,
    /// The share of the pairs of a gold pair with a Jaccard of at least 0.8 and another gold pair in which the former has the
    /// smaller distance; half of the equal ones. `None` if there are no such pairs.
    pub area: Option<f64>,
}

impl Width {
    /// The best F1 with the smallest k that reaches it, if k is at most `largest`.
    pub fn best(&self, largest: usize) -> Option<(f64, usize)> {
        let up_to = self.within.iter().enumerate().take(largest + 1);
        up_to.filter_map(|(k, verdict)| Some((verdict.f1()?, k))).rev().max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// What an exact measure finds among the candidates of 64 bits with the threshold that is best for F1, over all seeds.
pub struct Decided {
    pub measure: &'static str,
    pub least: f64,
    pub verdict: Verdict,
}

/// All widths, and all measures.
pub struct Widths {
    pub widths: Vec<Width>,
    pub decided: Vec<Decided>,
}

/// Pairs by distance.
type Histogram = [u64; 64 * PARTS + 1];

/// What is counted for each width: all pairs, the gold pairs with a Jaccard of at least 0.8, and the other gold pairs.
#[derive(Clone)]
struct Counted {
    pairs: Histogram,
    near: Histogram,
    others: Histogram,
}

/// The values of `MEASURES` for a candidate, and whether it has a Jaccard of at least 0.8.
type Compared = ([f64; MEASURES.len()], bool);

/// Measures a corpus with the default options and this number of hash seeds.
pub fn measure(corpus: &Corpus, gold: &[GoldPair], seeds: u64) -> Widths {
    let empty = [0; 64 * PARTS + 1];
    let mut counted = vec![Counted { pairs: empty, near: empty, others: empty }; WIDTHS.len()];
    let mut candidates = Vec::new();
    let near: HashSet<Pair> =
        gold.iter().filter(|pair| pair.jaccard >= TRUTHS[EIGHT]).map(|pair| (pair.a, pair.b)).collect();
    for seed in 0..seeds {
        let default = Options::default();
        let options = Options { seed: default.seed + seed, ..default };
        let fingerprints = fingerprints(corpus, &options);
        let pairs = count(&fingerprints, gold, &mut counted);
        candidates.extend(compare(corpus, &options, &pairs, &near));
    }
    let to_find = near.len() as u64 * seeds;
    let widths = WIDTHS.iter().zip(&counted).map(|(parts, counted)| width(64 * parts, counted, to_find));
    let decided = (0..MEASURES.len()).filter_map(|i| decide(i, &candidates, to_find));
    Widths { widths: widths.collect(), decided: decided.collect() }
}

fn fingerprints(corpus: &Corpus, options: &Options) -> Vec<Option<[u64; PARTS]>> {
    let mut fingerprinter = Fingerprinter::default();
    let texts = corpus.documents.iter().map(|document| &document.text);
    let fingerprints = texts.map(|text| fingerprinter.fingerprint(text, options, &mut || ()));
    fingerprints.collect::<Result<_, _>>().expect("memory for a document")
}

/// Counts all pairs, and returns the candidates of 64 bits.
fn count(fingerprints: &[Option<[u64; PARTS]>], gold: &[GoldPair], counted: &mut [Counted]) -> Vec<Pair> {
    let known: Vec<_> = fingerprints.iter().enumerate().filter_map(|(i, fp)| Some((i, (*fp)?))).collect();
    let mut candidates = Vec::new();
    for (at, (a, one)) in known.iter().enumerate() {
        for (b, other) in &known[at + 1..] {
            let distances = distances(one, other);
            counted.iter_mut().zip(distances).for_each(|(counted, distance)| counted.pairs[distance] += 1);
            if distances[0] <= CANDIDATE_K as usize {
                candidates.push((*a, *b));
            }
        }
    }
    for pair in gold {
        if let (Some(one), Some(other)) = (&fingerprints[pair.a], &fingerprints[pair.b]) {
            for (counted, distance) in counted.iter_mut().zip(distances(one, other)) {
                let is_near = pair.jaccard >= TRUTHS[EIGHT];
                let histogram = if is_near { &mut counted.near } else { &mut counted.others };
                histogram[distance] += 1;
            }
        }
    }
    candidates
}

/// The distance of two fingerprints for each of `WIDTHS`.
fn distances(one: &[u64; PARTS], other: &[u64; PARTS]) -> [usize; WIDTHS.len()] {
    let by_part: [u32; PARTS] = std::array::from_fn(|part| hamming(one[part], other[part]));
    WIDTHS.map(|parts| by_part[..parts].iter().sum::<u32>() as usize)
}

/// The figures of one width.
fn width(bits: usize, counted: &Counted, gold: u64) -> Width {
    let mut sum = Verdict { gold, ..Verdict::default() };
    let within = counted.pairs[..=bits].iter().zip(&counted.near).map(|(pairs, near)| {
        sum.found += pairs;
        sum.hits += near;
        sum
    });
    let (near, others) = (&counted.near[..=bits], &counted.others[..=bits]);
    let mut farther: u64 = others.iter().sum();
    let mut ordered = 0.0;
    for (near, others) in near.iter().zip(others) {
        farther -= others;
        ordered += *near as f64 * (farther as f64 + *others as f64 / 2.0);
    }
    let all = near.iter().sum::<u64>() as f64 * others.iter().sum::<u64>() as f64;
    Width { bits, within: within.collect(), area: (all > 0.0).then(|| ordered / all) }
}

/// Compares the texts of candidates.
fn compare(corpus: &Corpus, options: &Options, pairs: &[Pair], near: &HashSet<Pair>) -> Vec<Compared> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // Each thread takes pairs at equal intervals, because long texts are adjacent and take the most time.
    let work = |thread: usize| {
        let mut fingerprinter = Fingerprinter::default();
        let mine = pairs.iter().skip(thread).step_by(threads);
        mine.map(|pair| {
            let [one, other] = [pair.0, pair.1].map(|i| {
                let features = fingerprinter.features(&corpus.documents[i].text, options, &mut || ());
                features.expect("memory for a document")
            });
            let compared = Comparison::of(one, other, &mut || ()).expect("memory for two documents");
            (MEASURES.map(|(_, of)| of(&compared).unwrap_or(0.0)), near.contains(pair))
        })
        .collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect()
    })
}

/// What the measure with this number finds with its best threshold, a multiple of 0.01; `None` if there is nothing to find.
fn decide(number: usize, candidates: &[Compared], gold: u64) -> Option<Decided> {
    let with = |percent: u32| {
        let least = f64::from(percent) / 100.0;
        let found = candidates.iter().filter(|(values, _)| values[number] >= least);
        let mut verdict = Verdict { gold, ..Verdict::default() };
        for (_, is_near) in found {
            verdict.found += 1;
            verdict.hits += u64::from(*is_near);
        }
        Some((verdict.f1()?, Decided { measure: MEASURES[number].0, least, verdict }))
    };
    let best = (0..=100).filter_map(with).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, decided)| decided)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold() -> Vec<GoldPair> {
        vec![
            GoldPair { a: 0, b: 1, jaccard: 0.9 },
            GoldPair { a: 0, b: 2, jaccard: 0.5 },
            GoldPair { a: 1, b: 3, jaccard: 0.8 },
        ]
    }

    #[test]
    fn counted_by_distance() {
        // Distances in 64 and in 256 bits: 0-1 1 and 3, 0-2 2 and 2, 1-2 3 and 5. The last document has no fingerprint.
        let fingerprints = [Some([0; 4]), Some([1, 0, 3, 0]), Some([6, 0, 0, 0]), None];
        let empty = [0; 257];
        let mut counted = vec![Counted { pairs: empty, near: empty, others: empty }; 3];
        assert_eq!(count(&fingerprints, &gold(), &mut counted), [(0, 1), (0, 2), (1, 2)]);
        let [narrow, _, wide] = [0, 1, 2].map(|i| width(64 * WIDTHS[i], &counted[i], 2));
        assert_eq!(narrow.within[1], Verdict { found: 1, hits: 1, gold: 2 });
        assert_eq!(wide.within[2], Verdict { found: 1, hits: 0, gold: 2 });
        assert_eq!(wide.within[256], Verdict { found: 3, hits: 1, gold: 2 });
        assert_eq!((narrow.best(7), wide.best(28)), (Some((2.0 / 3.0, 1)), Some((0.5, 3))));
        assert_eq!(wide.best(2), Some((0.0, 0)));
        assert_eq!((narrow.area, wide.area), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn the_best_threshold() {
        let candidates = [([0.5, 0.1], false), ([0.7, 0.3], true), ([0.9, 0.2], true)];
        let decided = |number| decide(number, &candidates, 2).expect("pairs to find");
        assert_eq!((decided(0).least, decided(0).verdict.f1()), (0.7, Some(1.0)));
        assert_eq!(decided(1).verdict, Verdict { found: 2, hits: 2, gold: 2 });
        assert!(decide(0, &candidates, 0).is_none());
    }

    #[test]
    fn a_tiny_corpus() {
        let texts = [
            "the harbour master counted the boats",
            "apples and quinces",
            "The harbour master counted the boats",
            "",
        ];
        let given = texts.iter().map(|text| (text.to_string(), text.to_string(), None)).collect();
        let gold = [GoldPair { a: 0, b: 2, jaccard: 1.0 }];
        let Widths { widths, decided } = measure(&Corpus::new("test", given), &gold, 2);
        assert!(widths.iter().all(|width| width.best(0) == Some((1.0, 0)) && width.area.is_none()));
        assert!(decided.iter().all(|decided| decided.verdict == Verdict { found: 2, hits: 2, gold: 2 }));
    }
}
