//! Judges a method of finding pairs by the pairs that it finds.

use crate::corpus::{CLASSES, Corpus};
use crate::gold::GoldPair;
use crate::measure::{EIGHT, HALF, TRUTHS, share};
use std::collections::HashMap;

/// Two documents by their positions in the corpus, the lower position first.
pub type Pair = (usize, usize);

/// All pairs, then those of each class of the shorter document.
pub const SCOPES: usize = 1 + CLASSES.len();

/// A figure in every scope.
pub type Scoped<T> = [T; SCOPES];

/// The name of a scope in the report.
pub fn scope_name(scope: usize) -> &'static str {
    if scope == 0 { "all" } else { CLASSES[scope - 1] }
}

/// How many pairs were found, and how many of them are true.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Pairs found.
    pub found: u64,
    /// Those of them that are versions of one document or have a Jaccard of at least 0.5.
    pub related: u64,
    /// Those of them that are true, for each of `TRUTHS`.
    pub hits: [u64; TRUTHS.len()],
    /// True pairs, found or not.
    pub gold: [u64; TRUTHS.len()],
}

impl Found {
    /// The share of the pairs found that are true; `None` if nothing was found.
    pub fn precision(&self, truth: usize) -> Option<f64> {
        share(self.hits[truth], self.found)
    }

    /// The share of the true pairs that were found; `None` if there are none.
    pub fn recall(&self, truth: usize) -> Option<f64> {
        share(self.hits[truth], self.gold[truth])
    }

    /// The share of the pairs found that are versions of one document or have a Jaccard of at least 0.5.
    pub fn related_share(&self) -> Option<f64> {
        share(self.related, self.found)
    }

    /// F1 against Jaccard ≥ 0.8; `None` if there is nothing to find.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.hits[EIGHT], self.found + self.gold[EIGHT]).filter(|_| self.gold[EIGHT] > 0)
    }
}

/// The gold pairs of a corpus, which can be looked up by pair.
pub struct Judge<'a> {
    corpus: &'a Corpus,
    jaccards: HashMap<Pair, f64>,
}

impl<'a> Judge<'a> {
    /// A judge that compares with `gold`.
    pub fn new(corpus: &'a Corpus, gold: &[GoldPair]) -> Judge<'a> {
        Judge { corpus, jaccards: gold.iter().map(|p| ((p.a, p.b), p.jaccard)).collect() }
    }

    /// Counts the pairs found. No pair may be given twice.
    pub fn judge(&self, pairs: impl Iterator<Item = Pair>) -> Scoped<Found> {
        let mut counts: Scoped<Found> = Default::default();
        let mut count = |(a, _): Pair, add: &dyn Fn(&mut Found)| {
            // The documents are sorted by class, so the first of two has the class of the pair.
            for scope in [0, 1 + self.corpus.documents[a].class] {
                add(&mut counts[scope]);
            }
        };
        for pair in pairs {
            let (a, b) = pair;
            let jaccard = self.jaccards.get(&pair).copied().unwrap_or(0.0);
            let one_group = self.corpus.documents[a].group == self.corpus.documents[b].group;
            count(pair, &|f| {
                f.found += 1;
                f.related += u64::from(one_group || jaccard >= TRUTHS[HALF]);
                add_true(&mut f.hits, jaccard);
            });
        }
        for (pair, jaccard) in &self.jaccards {
            count(*pair, &|f| add_true(&mut f.gold, *jaccard));
        }
        counts
    }

    /// How many other texts a text is paired with on average, by the class of the text.
    pub fn candidates(&self, pairs: impl Iterator<Item = Pair>) -> Scoped<Option<f64>> {
        let (mut texts, mut candidates) = ([0; SCOPES], [0; SCOPES]);
        let add = |counts: &mut Scoped<u64>, i: usize| {
            for scope in [0, 1 + self.corpus.documents[i].class] {
                counts[scope] += 1;
            }
        };
        for i in 0..self.corpus.documents.len() {
            add(&mut texts, i);
        }
        for (a, b) in pairs {
            add(&mut candidates, a);
            add(&mut candidates, b);
        }
        std::array::from_fn(|scope| share(candidates[scope], texts[scope]))
    }
}

/// Counts a pair for each of `TRUTHS` that its Jaccard reaches.
fn add_true(counts: &mut [u64; TRUTHS.len()], jaccard: f64) {
    for (count, least) in counts.iter_mut().zip(TRUTHS) {
        *count += u64::from(jaccard >= least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::NINE;

    /// Two short documents of one group, a middle one, two long ones.
    fn corpus() -> Corpus {
        let lengths = [(10, "one"), (20, "one"), (200, "two"), (600, "three"), (700, "four")];
        let given = lengths.iter().enumerate();
        let given = given.map(|(i, (n, group))| (i.to_string(), "x".repeat(*n), Some(group.to_string())));
        Corpus::new("tiny", given.collect())
    }

    fn gold() -> Vec<GoldPair> {
        let pair = |a, b, jaccard| GoldPair { a, b, jaccard };
        vec![pair(0, 1, 0.4), pair(0, 2, 0.85), pair(1, 2, 0.6), pair(3, 4, 0.95)]
    }

    #[test]
    fn found_by_class_of_the_shorter() {
        let corpus = corpus();
        let [all, short, middle, long] =
            Judge::new(&corpus, &gold()).judge([(0, 1), (0, 2), (0, 3), (2, 4)].into_iter());
        assert_eq!((all.found, all.related, all.hits, all.gold), (4, 2, [1, 1, 0], [3, 2, 1]));
        assert_eq!((short.found, short.related, short.gold), (3, 2, [2, 1, 0]));
        assert_eq!((middle.found, middle.gold), (1, [0; 3]));
        assert_eq!((long.found, long.gold), (0, [1; 3]));
        assert_eq!(
            (all.precision(HALF), all.recall(EIGHT), all.recall(NINE)),
            (Some(0.25), Some(0.5), Some(0.0))
        );
        assert_eq!((all.related_share(), all.f1()), (Some(0.5), Some(2.0 / 6.0)));
        assert_eq!((middle.precision(HALF), middle.f1()), (Some(0.0), None));
        assert_eq!((long.precision(HALF), long.f1()), (None, Some(0.0)));
    }

    #[test]
    fn candidates_by_class_of_the_text() {
        let corpus = corpus();
        let candidates = Judge::new(&corpus, &[]).candidates([(0, 1), (0, 3)].into_iter());
        assert_eq!(candidates, [Some(0.8), Some(1.5), Some(0.0), Some(0.5)]);
    }
}
