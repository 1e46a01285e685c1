//! Two stages: fingerprints give candidates, and an exact measure decides.

use crate::corpus::Corpus;
use crate::judge::Pair;
use simhash_search::distance::hamming;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::{Options, Reading};
use simhash_text::similarity::edit;
use simhash_text::similarity::features::Comparison;
use std::thread;

/// The largest distance of a candidate.
pub const CANDIDATE_K: u32 = 7;

/// An exact measure with the least value that counts as similar.
#[derive(Clone, Copy, Debug)]
pub enum Exact {
    /// The similarity of the characters, by edit distance.
    Edit(f64),
    /// The cosine of the weighted features.
    Cosine(f64),
}

/// The thresholds of both measures.
const LEAST: [f64; 3] = [0.8, 0.9, 0.95];

/// The measures that are compared.
pub const EXACT: [Exact; 6] = [
    Exact::Edit(LEAST[0]),
    Exact::Edit(LEAST[1]),
    Exact::Edit(LEAST[2]),
    Exact::Cosine(LEAST[0]),
    Exact::Cosine(LEAST[1]),
    Exact::Cosine(LEAST[2]),
];

impl Exact {
    /// Its name in the report.
    pub fn name(self) -> String {
        match self {
            Exact::Edit(least) => format!("edit ≥ {least}"),
            Exact::Cosine(least) => format!("cosine ≥ {least}"),
        }
    }
}

/// Two documents whose fingerprints are near.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The two documents.
    pub pair: Pair,
    /// The distance of their fingerprints.
    pub distance: u32,
    /// Whether each of `EXACT` counts the documents as similar.
    pub similar: [bool; EXACT.len()],
}

/// All candidates of a corpus with the default options.
pub fn candidates(corpus: &Corpus) -> Vec<Candidate> {
    let mut fingerprinter = Fingerprinter::default();
    let fingerprints: Vec<Option<u64>> = corpus
        .documents
        .iter()
        .map(|d| {
            let fingerprint = fingerprinter.fingerprint(&d.text, &Options::default(), &mut || ());
            fingerprint.expect("memory for a document").map(|[bits]| bits)
        })
        .collect();
    let near = near(&fingerprints);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // Each thread takes pairs at equal intervals, because long texts are adjacent and take the most time.
    let work = |thread: usize| {
        let mut fingerprinter = Fingerprinter::default();
        let mine = near.iter().skip(thread).step_by(threads);
        mine.map(|(pair, distance)| {
            let [a, b] = [pair.0, pair.1].map(|i| corpus.documents[i].text.as_str());
            Candidate { pair: *pair, distance: *distance, similar: similar(&mut fingerprinter, a, b) }
        })
        .collect::<Vec<_>>()
    };
    let mut all = thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let done = running.into_iter().map(|thread| thread.join().expect("no thread panics"));
        done.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|c| c.pair);
    all
}

/// The pairs of fingerprints with a distance of at most `CANDIDATE_K`, with this distance.
fn near(fingerprints: &[Option<u64>]) -> Vec<(Pair, u32)> {
    let known: Vec<(usize, u64)> =
        fingerprints.iter().enumerate().filter_map(|(i, fp)| Some((i, (*fp)?))).collect();
    let mut near = Vec::new();
    for (at, (a, one)) in known.iter().enumerate() {
        for (b, other) in &known[at + 1..] {
            let distance = hamming(*one, *other);
            if distance <= CANDIDATE_K {
                near.push(((*a, *b), distance));
            }
        }
    }
    near
}

/// Whether each of `EXACT` counts two texts as similar.
fn similar(fingerprinter: &mut Fingerprinter, a: &str, b: &str) -> [bool; EXACT.len()] {
    let [of_a, of_b] = [a, b].map(|text| {
        let features = fingerprinter.features(text, &Options::default(), &mut || ());
        features.expect("memory for a document")
    });
    let compared = Comparison::of(of_a, of_b, &mut || ()).expect("memory for two documents");
    let cosine = compared.cosine(&mut || ());
    // The strictest threshold is decided fastest, and a pair that reaches it reaches the others too.
    let is_similar = |least: &f64| {
        edit::is_similar(a, b, *least, Reading::default(), &mut || ()).expect("memory for two documents")
    };
    let edit = LEAST.into_iter().rev().find(is_similar);
    EXACT.map(|exact| match exact {
        Exact::Edit(least) => edit.is_some_and(|reached| reached >= least),
        Exact::Cosine(least) => cosine.is_some_and(|cosine| cosine >= least),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_fingerprints() {
        let fingerprints = [Some(0), None, Some(0x7f), Some(0xff), Some(u64::MAX)];
        assert_eq!(near(&fingerprints), [((0, 2), 7), ((2, 3), 1)]);
    }

    #[test]
    fn what_the_measures_say() {
        let mut fingerprinter = Fingerprinter::default();
        let text = "the harbour master counted the boats";
        assert_eq!(similar(&mut fingerprinter, text, text), [true; EXACT.len()]);
        // One of 36 characters differs by edit distance. The features differ more, because a word is another word.
        let edited = similar(&mut fingerprinter, text, "the harbour master counted the goats");
        assert_eq!(edited[..3], [true; 3]);
        assert!(!edited[5]);
        assert_eq!(similar(&mut fingerprinter, "", "words"), [false; EXACT.len()]);
    }

    #[test]
    fn candidates_of_a_corpus() {
        let texts = [
            "the harbour master counted the boats",
            "apples and quinces",
            "The harbour master counted the boats",
        ];
        let given = texts.iter().map(|text| (text.to_string(), text.to_string(), None)).collect();
        let found = candidates(&Corpus::new("test", given));
        assert_eq!(found, [Candidate { pair: (0, 2), distance: 0, similar: [true; EXACT.len()] }]);
    }
}
