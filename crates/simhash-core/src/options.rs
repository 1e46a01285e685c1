//! How a text becomes features and weights, and how a user says so in JSON.

use crate::hash::SEED;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The longest run of words or characters that can be a feature.
pub const MAX_RUN: usize = 16;

/// What a run is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Words, as segmentation finds them.
    Words,
    /// Characters of words, across word boundaries; nothing is segmented.
    Characters,
}

/// How much a feature's vote weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// Every distinct feature counts once: a word weighs 2 to 5 by its length, a run of words 1. In a short text, runs
    /// of four characters join in: see `feature`.
    Balanced,
    /// Every distinct feature weighs 1.
    Once,
    /// The number of times it occurs.
    Count,
    /// 1 + ln of that number.
    Log,
    /// That number times the information of its most informative word.
    Tfidf,
    /// Five levels, 1 to 5, by that information; every distinct feature counts once.
    Levels,
}

/// What happens to noise words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// They are no features by themselves, unless the text has no other words; in longer runs they stay.
    Drop,
    /// They are words like others.
    Keep,
}

/// The lengths of runs that are features: a set of numbers from 1 to `MAX_RUN`, not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs(u32);

impl Runs {
    /// The set of `lengths`; `None` where it is empty or a length is out of range.
    pub fn new(lengths: &[usize]) -> Option<Runs> {
        let in_range = |n: &usize| (1..=MAX_RUN).contains(n);
        (!lengths.is_empty() && lengths.iter().all(in_range))
            .then(|| Runs(lengths.iter().fold(0, |set, n| set | 1 << n)))
    }

    /// The lengths, shortest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut set = self.0;
        std::iter::from_fn(move || {
            (set != 0).then(|| {
                let n = set.trailing_zeros() as usize;
                set &= set - 1;
                n
            })
        })
    }

    /// Whether runs of this length are features.
    #[inline]
    pub fn contains(self, length: usize) -> bool {
        self.0 >> length & 1 == 1
    }

    /// Whether single units are all the features.
    pub fn is_one(self) -> bool {
        self.longest() == 1
    }

    /// The shortest run.
    pub fn shortest(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// The longest run.
    pub fn longest(self) -> usize {
        self.0.ilog2() as usize
    }
}

/// How a text becomes a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What runs are made of.
    pub unit: Unit,
    /// Which lengths of runs are features.
    pub runs: Runs,
    /// What a feature's vote weighs.
    pub weights: Weights,
    /// What happens to noise words; characters know none.
    pub noise: Noise,
    /// Whether jieba guesses words that its dictionary lacks.
    pub hmm: bool,
    /// Seeds the feature hash. Not for users: fingerprints of different seeds have nothing in common.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            unit: Unit::Words,
            runs: Runs(1 << 1 | 1 << 2),
            weights: Weights::Balanced,
            noise: Noise::Drop,
            hmm: false,
            seed: SEED,
        }
    }
}

/// A user's option that cannot be accepted.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The options are not a JSON object.
    NotAnObject,
    /// A key that is not known.
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A value that the key does not take.
    InvalidValue {
        /// The key.
        key: &'static str,
        /// The value, as JSON.
        value: String,
        /// What the key takes.
        allowed: &'static str,
    },
}

/// Every key with what it takes: the one place that names them.
pub const KEYS: [(&str, &str); 5] = [
    ("features", "\"words\" or \"characters\""),
    ("runs", "a number from 1 to 16, or an array of such numbers"),
    ("weights", "\"balanced\", \"once\", \"count\", \"log\", \"tfidf\" or \"levels\""),
    ("noise", "\"drop\" or \"keep\""),
    ("hmm", "true or false"),
];

impl Options {
    /// Options from a JSON object: what is not named keeps its default.
    pub fn from_json(json: &str) -> Result<Options, OptionError> {
        let Ok(Value::Object(mut given)) = serde_json::from_str(json) else {
            return Err(OptionError::NotAnObject);
        };
        let mut options = Options::default();
        if let Some(unit) = take(&mut given, 0)? {
            options.unit = unit;
            if unit == Unit::Characters {
                options.runs = Runs(1 << 4);
            }
        }
        if let Some(RunsValue(runs)) = take(&mut given, 1)? {
            options.runs = runs;
        }
        options.weights = take(&mut given, 2)?.unwrap_or(options.weights);
        options.noise = take(&mut given, 3)?.unwrap_or(options.noise);
        options.hmm = take(&mut given, 4)?.unwrap_or(options.hmm);
        match given.keys().next() {
            Some(key) => Err(OptionError::UnknownKey { key: key.clone() }),
            None => Ok(options),
        }
    }
}

/// Takes the value of `KEYS[index]` out of `given`, if it is there.
fn take<T: DeserializeOwned>(given: &mut Map<String, Value>, index: usize) -> Result<Option<T>, OptionError> {
    let (key, allowed) = KEYS[index];
    let Some(value) = given.remove(key) else { return Ok(None) };
    let text = value.to_string();
    match serde_json::from_value(value) {
        Ok(parsed) => Ok(Some(parsed)),
        Err(_) => Err(OptionError::InvalidValue { key, value: text, allowed }),
    }
}

/// Runs in JSON: one length or several.
#[derive(Deserialize)]
#[serde(try_from = "RunsJson")]
struct RunsValue(Runs);

#[derive(Deserialize)]
#[serde(untagged)]
enum RunsJson {
    One(usize),
    Several(Vec<usize>),
}

impl TryFrom<RunsJson> for RunsValue {
    type Error = &'static str;

    fn try_from(json: RunsJson) -> Result<Self, Self::Error> {
        let runs = match json {
            RunsJson::One(n) => Runs::new(&[n]),
            RunsJson::Several(lengths) => Runs::new(&lengths),
        };
        runs.map(RunsValue).ok_or("out of range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_object_is_the_default() {
        assert_eq!(Options::from_json("{}"), Ok(Options::default()));
    }

    #[test]
    fn every_key_is_taken() {
        let json =
            r#"{"features": "characters", "runs": [3, 5], "weights": "log", "noise": "keep", "hmm": true}"#;
        let options = Options::from_json(json).expect("valid options");
        assert_eq!(options.unit, Unit::Characters);
        assert_eq!(options.runs.iter().collect::<Vec<_>>(), [3, 5]);
        assert_eq!((options.runs.shortest(), options.runs.longest()), (3, 5));
        assert_eq!(options.weights, Weights::Log);
        assert_eq!(options.noise, Noise::Keep);
        assert!(options.hmm);
    }

    #[test]
    fn characters_come_in_runs_of_four() {
        let options = Options::from_json(r#"{"features": "characters"}"#).expect("valid options");
        assert_eq!(Some(options.runs), Runs::new(&[4]));
        let options = Options::from_json(r#"{"features": "characters", "runs": 2}"#).expect("valid options");
        assert_eq!(Some(options.runs), Runs::new(&[2]));
    }

    #[test]
    fn errors_name_the_key() {
        assert_eq!(Options::from_json("[1]"), Err(OptionError::NotAnObject));
        assert_eq!(Options::from_json("null"), Err(OptionError::NotAnObject));
        assert_eq!(
            Options::from_json(r#"{"weight": "log"}"#),
            Err(OptionError::UnknownKey { key: "weight".to_owned() })
        );
        for (json, index, value) in [
            (r#"{"features": "letters"}"#, 0, "\"letters\""),
            (r#"{"runs": 0}"#, 1, "0"),
            (r#"{"runs": [1, 17]}"#, 1, "[1,17]"),
            (r#"{"runs": []}"#, 1, "[]"),
            (r#"{"runs": 1.5}"#, 1, "1.5"),
            (r#"{"runs": null}"#, 1, "null"),
            (r#"{"weights": 3}"#, 2, "3"),
            (r#"{"noise": true}"#, 3, "true"),
            (r#"{"hmm": "yes"}"#, 4, "\"yes\""),
        ] {
            let (key, allowed) = KEYS[index];
            let expected = OptionError::InvalidValue { key, value: value.to_owned(), allowed };
            assert_eq!(Options::from_json(json), Err(expected), "{json}");
        }
    }
}
