//! The options for how a text becomes features and weights, and their JSON form.

use crate::hash::{MAX_RUN, SEED};
use crate::markup::Markup;
use crate::noise::OwnNoise;
use crate::normalise::{Script, normalise};
use crate::segment::is_spoken;
use crate::segment::own::OwnWords;
use crate::weight::Weights;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use simhash_memory::{OutOfMemory, with_room};
use std::hint::black_box;
use std::sync::Arc;

/// The maximum length of the JSON text of options, in bytes: enough for some thousands of words.
pub const MAX_JSON: usize = 256 * 1024;

/// The maximum memory that the parser needs, in bytes per byte of JSON.
const BYTES_PER_BYTE: usize = 64;

/// The maximum number of words in the lists `own_words` and `own_noise`.
pub const MAX_OWN: usize = 10_000;

/// The maximum number of characters of such a word.
pub const MAX_OWN_CHARACTERS: usize = 64;

/// What a run is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Words, as segmentation finds them.
    Words,
    /// Characters of words, across word boundaries; the text is not segmented.
    Characters,
}

/// What happens to noise words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// They are not features as single words, unless the text has no other words. They stay in longer runs.
    Drop,
    /// They are words like all others.
    Keep,
}

/// How the characters of a text are read, before all other steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What happens to traditional Chinese characters.
    pub script: Script,
    /// The markup of the text.
    pub markup: Markup,
}

/// The lengths of runs that are features: a set of numbers from 1 to `MAX_RUN`, not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs(u32);

impl Runs {
    /// The set of `lengths`; `None` if it is empty or a length is out of range.
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

    /// Whether all features are single units.
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
    /// How the characters of the text are read.
    pub reading: Reading,
    /// What runs are made of.
    pub unit: Unit,
    /// Which lengths of runs are features.
    pub runs: Runs,
    /// How much the vote of a feature weighs.
    pub weights: Weights,
    /// What happens to noise words. Runs of characters ignore it.
    pub noise: Noise,
    /// Whether jieba guesses words that its dictionary lacks.
    pub hmm: bool,
    /// The user's own words, which are never split.
    pub own_words: Option<Arc<OwnWords>>,
    /// The user's own noise words, in addition to the built-in ones.
    pub own_noise: Option<Arc<OwnNoise>>,
    /// The seed of the feature hash. It is not for users: fingerprints with different seeds cannot be compared.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            reading: Reading::default(),
            unit: Unit::Words,
            runs: Runs(1 << 1 | 1 << 2),
            weights: Weights::Balanced,
            noise: Noise::Drop,
            hmm: false,
            own_words: None,
            own_noise: None,
            seed: SEED,
        }
    }
}

/// A user's option that cannot be accepted.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionError {
    /// The JSON text has more than `MAX_JSON` bytes.
    TooLong {
        /// The number of bytes.
        bytes: usize,
    },
    /// The options did not fit in memory.
    OutOfMemory,
    /// The options are not a JSON object.
    NotAnObject,
    /// A key that is not known.
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A value that the key does not accept.
    InvalidValue {
        /// The key.
        key: &'static str,
        /// The value, as JSON.
        value: String,
        /// What the key accepts.
        allowed: &'static str,
    },
}

impl From<OutOfMemory> for OptionError {
    fn from(OutOfMemory: OutOfMemory) -> OptionError {
        OptionError::OutOfMemory
    }
}

/// What `own_words` and `own_noise` accept.
const OWN: &str = "an array of up to 10000 words, each with a letter or a digit and of up to 64 characters";

/// Every key with the values that it accepts. No other list names the keys.
pub const KEYS: [(&str, &str); 9] = [
    ("features", "\"words\" or \"characters\""),
    ("runs", "a number from 1 to 16, or an array of such numbers"),
    ("weights", "\"balanced\", \"once\", \"count\", \"log\", \"tfidf\" or \"levels\""),
    ("noise", "\"drop\" or \"keep\""),
    ("hmm", "true or false"),
    ("script", "\"fold\" or \"keep\""),
    ("markup", "\"none\" or \"html\""),
    ("own_words", OWN),
    ("own_noise", OWN),
];

impl Options {
    /// Options from a JSON object. Keys that are missing have their defaults.
    pub fn from_json(json: &str) -> Result<Options, OptionError> {
        // The parser cannot report that memory is exhausted. So its input is limited, and the memory that it may need is requested
        // and released first.
        if json.len() > MAX_JSON {
            return Err(OptionError::TooLong { bytes: json.len() });
        }
        black_box(with_room::<u8>(BYTES_PER_BYTE * json.len())?);
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
        options.reading.script = take(&mut given, 5)?.unwrap_or_default();
        options.reading.markup = take(&mut given, 6)?.unwrap_or_default();
        // Own words and own noise words are in the normal form of the text.
        if let Some(words) = take_words(&mut given, 7, options.reading.script)? {
            options.own_words = Some(Arc::new(OwnWords::new(words)?));
        }
        if let Some(words) = take_words(&mut given, 8, options.reading.script)? {
            options.own_noise = Some(Arc::new(OwnNoise::new(&words)?));
        }
        match given.keys().next() {
            Some(key) => Err(OptionError::UnknownKey { key: key.clone() }),
            None => Ok(options),
        }
    }
}

/// Removes the value of `KEYS[index]` from `given` and parses it; `None` if it is missing.
fn take<T: DeserializeOwned>(given: &mut Map<String, Value>, index: usize) -> Result<Option<T>, OptionError> {
    let (key, allowed) = KEYS[index];
    let Some(value) = given.remove(key) else { return Ok(None) };
    let text = value.to_string();
    match serde_json::from_value(value) {
        Ok(parsed) => Ok(Some(parsed)),
        Err(_) => Err(OptionError::InvalidValue { key, value: text, allowed }),
    }
}

/// Removes the words of `KEYS[index]` from `given`, and returns them in normal form with single spaces; `None` if there are none.
fn take_words(
    given: &mut Map<String, Value>,
    index: usize,
    script: Script,
) -> Result<Option<Vec<String>>, OptionError> {
    let (key, allowed) = KEYS[index];
    let invalid = |value: String| OptionError::InvalidValue { key, value, allowed };
    let words = match given.remove(key) {
        None => return Ok(None),
        Some(Value::Array(words)) => words,
        Some(other) => return Err(invalid(other.to_string())),
    };
    if words.len() > MAX_OWN {
        return Err(invalid(format!("{} words", words.len())));
    }
    let mut normal = String::new();
    let normal_word = |word: Value| {
        let Value::String(text) = &word else { return Err(invalid(word.to_string())) };
        normal.clear();
        normalise(text, script, &mut normal);
        let spaced = normal.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_word = spaced.chars().any(is_spoken) && spaced.chars().count() <= MAX_OWN_CHARACTERS;
        if is_word { Ok(spaced) } else { Err(invalid(word.to_string())) }
    };
    let words: Vec<String> = words.into_iter().map(normal_word).collect::<Result<_, _>>()?;
    Ok((!words.is_empty()).then_some(words))
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
        let json = r#"{"features": "characters", "runs": [3, 5], "weights": "log", "noise": "keep", "hmm": true,
            "script": "keep", "markup": "html"}"#;
        let options = Options::from_json(json).expect("valid options");
        assert_eq!(options.unit, Unit::Characters);
        assert_eq!(options.runs.iter().collect::<Vec<_>>(), [3, 5]);
        assert_eq!((options.runs.shortest(), options.runs.longest()), (3, 5));
        assert_eq!(options.weights, Weights::Log);
        assert_eq!(options.noise, Noise::Keep);
        assert!(options.hmm);
        assert_eq!(options.reading, Reading { script: Script::Keep, markup: Markup::Html });
    }

    #[test]
    fn characters_come_in_runs_of_four() {
        let options = Options::from_json(r#"{"features": "characters"}"#).expect("valid options");
        assert_eq!(Some(options.runs), Runs::new(&[4]));
        let options = Options::from_json(r#"{"features": "characters", "runs": 2}"#).expect("valid options");
        assert_eq!(Some(options.runs), Runs::new(&[2]));
    }

    #[test]
    fn long_options_are_refused_unread() {
        let json = |bytes: usize| format!("{{\"hmm\": {}true}}", " ".repeat(bytes - 13));
        assert!(Options::from_json(&json(MAX_JSON)).is_ok_and(|options| options.hmm));
        assert_eq!(
            Options::from_json(&json(MAX_JSON + 1)),
            Err(OptionError::TooLong { bytes: MAX_JSON + 1 })
        );
    }

    #[test]
    fn own_words_are_in_normal_form() {
        let own = |json: &str| Options::from_json(json).expect("valid options");
        let plain = own(r#"{"own_words": ["new york", "数字藏品"], "own_noise": ["记者"]}"#);
        assert_eq!(
            own(r#"{"own_words": ["数字藏品", " Ｎｅｗ\n York", "new york"], "own_noise": ["记者"]}"#),
            plain
        );
        assert_ne!(own(r#"{"own_words": ["new york"], "own_noise": ["记者"]}"#), plain);
        assert_eq!(own(r#"{"own_words": [], "own_noise": []}"#), Options::default());
    }

    #[test]
    fn own_words_are_limited() {
        let json = |count: usize, len: usize| {
            let words: Vec<String> = (0..count).map(|i| format!("{i:0len$}")).collect();
            serde_json::json!({ "own_noise": words }).to_string()
        };
        assert!(Options::from_json(&json(MAX_OWN, 5)).is_ok());
        assert!(Options::from_json(&json(100, MAX_OWN_CHARACTERS)).is_ok());
        for json in [json(MAX_OWN + 1, 5), json(1, MAX_OWN_CHARACTERS + 1)] {
            assert!(matches!(
                Options::from_json(&json),
                Err(OptionError::InvalidValue { key: "own_noise", .. })
            ));
        }
        let (most, characters) = (MAX_OWN.to_string(), MAX_OWN_CHARACTERS.to_string());
        assert!(OWN.contains(&most) && OWN.contains(&characters));
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
            (r#"{"script": "traditional"}"#, 5, "\"traditional\""),
            (r#"{"markup": "xml"}"#, 6, "\"xml\""),
            (r#"{"own_words": "word"}"#, 7, "\"word\""),
            (r#"{"own_words": null}"#, 7, "null"),
            (r#"{"own_words": ["a", 1]}"#, 7, "1"),
            (r#"{"own_words": ["a", ""]}"#, 7, "\"\""),
            (r#"{"own_words": ["a", "。 "]}"#, 7, "\"。 \""),
            (r#"{"own_noise": {"a": "b"}}"#, 8, "{\"a\":\"b\"}"),
            (r#"{"own_noise": ["..."]}"#, 8, "\"...\""),
        ] {
            let (key, allowed) = KEYS[index];
            let expected = OptionError::InvalidValue { key, value: value.to_owned(), allowed };
            assert_eq!(Options::from_json(json), Err(expected), "{json}");
        }
    }
}
