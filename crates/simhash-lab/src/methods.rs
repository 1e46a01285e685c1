//! The methods of finding pairs that are compared with fingerprints alone.

use crate::corpus::Corpus;
use crate::gold::GoldPair;
use crate::judge::{Found, Judge, Pair, Scoped};
use crate::{sentences, stages};
use std::collections::HashSet;

/// A method of finding pairs, with its figures.
#[derive(Clone, Debug)]
pub struct Method {
    /// What the report calls it.
    pub name: String,
    /// How many candidates a text has on average; `None` if there are no texts.
    pub candidates: Scoped<Option<f64>>,
    /// What it found.
    pub found: Scoped<Found>,
}

/// What is compared in the two parts of the report.
pub struct Methods {
    /// Longest sentences compared with fingerprints.
    pub sentences: Vec<Method>,
    /// Fingerprints alone, and with each exact measure applied after them.
    pub stages: Vec<Method>,
}

/// Measures the longest sentences, and fingerprints with an exact measure applied after them.
pub fn measure(corpus: &Corpus, gold: &[GoldPair]) -> Methods {
    let judge = Judge::new(corpus, gold);
    let candidates = stages::candidates(corpus);
    let near = |k: u32| candidates.iter().filter(move |c| c.distance <= k).map(|c| c.pair);
    let by_distance = [3, stages::CANDIDATE_K].map(|k| Method {
        name: format!("SimHash, k = {k}"),
        candidates: judge.candidates(near(k)),
        found: judge.judge(near(k)),
    });

    let signatures = sentences::signatures(corpus);
    let near_pairs: HashSet<Pair> = near(stages::CANDIDATE_K).collect();
    let mut by_sentence = by_distance.to_vec();
    for (least, shared) in [(1, "a sentence"), (2, "two sentences")] {
        let sharing = || sentences::pairs(&signatures, least);
        by_sentence.push(Method {
            name: format!("{shared} of {}", sentences::SENTENCES),
            candidates: judge.candidates(sharing()),
            found: judge.judge(sharing()),
        });
        let either = || {
            let further = sharing().filter(|pair| !near_pairs.contains(pair));
            near(stages::CANDIDATE_K).chain(further)
        };
        by_sentence.push(Method {
            name: format!("k = {} or {shared}", stages::CANDIDATE_K),
            candidates: judge.candidates(either()),
            found: judge.judge(either()),
        });
    }

    let mut by_stages = by_distance.to_vec();
    let of_last = by_distance[1].candidates;
    by_stages.extend(stages::EXACT.iter().enumerate().map(|(i, exact)| Method {
        name: format!("k = {}, then {}", stages::CANDIDATE_K, exact.name()),
        candidates: of_last,
        found: judge.judge(candidates.iter().filter(|c| c.similar[i]).map(|c| c.pair)),
    }));
    Methods { sentences: by_sentence, stages: by_stages }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simhash_text::fingerprint::Fingerprinter;
    use simhash_text::options::Options;

    /// Texts with more and more words changed. Neighbours are gold pairs.
    fn tiny() -> (Corpus, Vec<GoldPair>) {
        let text = |changed: usize| {
            let words = (0..60).map(|i| format!("word{}", if i < changed { i + 100 } else { i }));
            words.collect::<Vec<_>>().join(" ")
        };
        let texts: Vec<String> = (0..30).map(text).collect();
        let gold = (0..29).map(|a| GoldPair { a, b: a + 1, jaccard: 0.5 + a as f64 / 58.0 }).collect();
        (
            Corpus::new(
                "tiny",
                texts.into_iter().enumerate().map(|(i, t)| (i.to_string(), t, None)).collect(),
            ),
            gold,
        )
    }

    #[test]
    fn by_distance_as_measured_elsewhere() {
        let (corpus, gold) = tiny();
        let methods = measure(&corpus, &gold);
        let all =
            crate::measure::measure(&mut Fingerprinter::default(), &Options::default(), &corpus, &gold).all;
        for (method, k) in methods.stages.iter().zip([3, 7]) {
            let found = method.found[0];
            assert_eq!((found.found, found.related), (all.found[k], all.related[k]));
            assert_eq!((found.hits, found.gold), (all.hits.map(|hits| hits[k]), all.gold));
        }
        assert!(all.found[7] > all.found[3]);
    }

    #[test]
    fn a_second_stage_only_takes_away() {
        let (corpus, gold) = tiny();
        let Methods { sentences, stages } = measure(&corpus, &gold);
        let found = |methods: &[Method]| methods.iter().map(|m| m.found[0].found).collect::<Vec<_>>();
        let (by_sentence, by_stages) = (found(&sentences), found(&stages));
        assert!(by_stages[2..].iter().all(|n| *n <= by_stages[1]));
        assert!(by_stages[2] >= by_stages[3] && by_stages[3] >= by_stages[4]);
        assert!(by_stages[5] >= by_stages[6] && by_stages[6] >= by_stages[7]);
        // Each text is one sentence, and no two are the same.
        assert_eq!(by_sentence[2..], [0, by_stages[1], 0, by_stages[1]]);
    }
}
