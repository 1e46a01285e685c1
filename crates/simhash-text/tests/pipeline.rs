//! The whole pipeline against a naive one, which reads the text in one piece, keeps features as strings in a map, and counts votes
//! by the definition.

use proptest::prelude::*;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::hash::{SEED, feature_hash, part_hash};
use simhash_text::normalise::{Script, normalise};
use simhash_text::options::Options;
use simhash_text::segment::segment;
use std::collections::HashMap;

fn options(json: &str) -> Options {
    Options::from_json(json).expect("valid options")
}

fn words(text: &str) -> Vec<String> {
    let (mut normal, mut words) = (String::new(), Vec::new());
    normalise(text, Script::Fold, &mut normal);
    segment(&normal, false, |word| words.push(word.to_owned()));
    words
}

/// Counts runs of words of the given lengths. Chunks do not matter here.
fn counts(text: &str, lengths: &[usize]) -> HashMap<String, u32> {
    let words = words(text);
    let mut counts = HashMap::new();
    for length in lengths {
        for run in words.windows(*length) {
            *counts.entry(run.join(" ")).or_default() += 1;
        }
    }
    counts
}

/// Bit i of a part is 1 if the features whose hashes for this part have bit i set have more weight than the other features.
fn naive_votes(features: impl Iterator<Item = (u64, f64)> + Clone) -> Option<[u64; 4]> {
    features.clone().next()?;
    let part = |part: usize| {
        let sign = |hash: u64, bit: u32| if part_hash(hash, part) >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let sum = |bit: u32| -> f64 { features.clone().map(|(hash, weight)| sign(hash, bit) * weight).sum() };
        (0..64).fold(0, |bits, bit| bits | u64::from(sum(bit) > 0.0) << bit)
    };
    Some(std::array::from_fn(part))
}

/// The fingerprint of 256 bits. It begins with those of 64 and of 128 bits.
fn fingerprint(text: &str, options: &Options) -> Option<[u64; 4]> {
    let wide: Option<[u64; 4]> = parts_of(&mut Fingerprinter::default(), text, options);
    assert_eq!(parts_of(&mut Fingerprinter::default(), text, options), wide.map(|[first, ..]| [first]));
    assert_eq!(parts_of(&mut Fingerprinter::default(), text, options), wide.map(|[a, b, ..]| [a, b]));
    wide
}

fn parts_of<const PARTS: usize>(
    fingerprinter: &mut Fingerprinter,
    text: &str,
    options: &Options,
) -> Option<[u64; PARTS]> {
    fingerprinter.fingerprint(text, options, &mut || ()).expect("enough memory")
}

/// Texts of words in several scripts, some longer than a chunk.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-e]{1,4}",
        Just("the".to_owned()),
        "[中文字数据库的了數據庫]{1,5}",
        "[é-í]{1,3}",
        "[ァ-カ]{1,4}",
        "[0-9]{1,3}",
        Just("。".to_owned()),
    ];
    (prop::collection::vec((word, "[ \n,，]{1,2}"), 0..40), prop_oneof![Just(1usize), Just(1), Just(90)])
        .prop_map(|(words, times)| {
            let text: String = words.into_iter().flat_map(|(word, gap)| [word, gap]).collect();
            text.repeat(times)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn counted_words_and_runs(text in text()) {
        let counts = counts(&text, &[1, 3]);
        let naive = naive_votes(counts.iter().map(|(f, n)| (feature_hash(f, SEED), f64::from(*n))));
        let given = options(r#"{"runs": [1, 3], "weights": "count", "noise": "keep"}"#);
        prop_assert_eq!(fingerprint(&text, &given), naive);
    }

    #[test]
    fn distinct_words_and_pairs(text in text()) {
        let counts = counts(&text, &[1, 2]);
        let naive = naive_votes(counts.keys().map(|f| (feature_hash(f, SEED), 1.0)));
        let given = options(r#"{"weights": "once", "noise": "keep"}"#);
        prop_assert_eq!(fingerprint(&text, &given), naive);
    }

    /// The features that `features` lists are those that vote, for all options. Listing and voting are separate code.
    #[test]
    fn listed_features_add_up(text in text()) {
        for json in [
            "{}",
            r#"{"noise": "keep"}"#,
            r#"{"runs": [1, 2, 4]}"#,
            r#"{"runs": 2, "weights": "log"}"#,
            r#"{"weights": "tfidf"}"#,
            r#"{"runs": 1, "weights": "levels"}"#,
            r#"{"features": "characters", "runs": [1, 4]}"#,
            r#"{"features": "characters", "weights": "count"}"#,
        ] {
            let given = options(json);
            let listed = Fingerprinter::default().features(&text, &given, &mut || ()).expect("enough memory");
            let naive = naive_votes(listed.iter().map(|f| (f.hash, f.weight)));
            prop_assert_eq!(fingerprint(&text, &given), naive, "{}", json);
            for f in listed.iter() {
                prop_assert_eq!(feature_hash(f.text, SEED), f.hash, "{}: {}", json, f.text);
            }
        }
    }

    /// Reused buffers do not affect the next text.
    #[test]
    fn one_after_the_other(texts in prop::collection::vec(text(), 1..4)) {
        let mut kept = Fingerprinter::default();
        for text in &texts {
            for given in [Options::default(), options(r#"{"weights": "log"}"#), options(r#"{"features": "characters"}"#)] {
                let first = parts_of(&mut kept, text, &given).map(|[first]| first);
                let again = parts_of(&mut kept, text, &given);
                prop_assert_eq!(again, fingerprint(text, &given));
                prop_assert_eq!(again.map(|parts| parts[0]), first);
            }
        }
    }
}
