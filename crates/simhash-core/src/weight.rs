//! What a vote weighs. Weights are whole multiples of 1/65,536, so that sums are exact and in any order equal.

use crate::feature::{Form, SHORT_CHARACTERS};
use crate::information::{Information, level};
use crate::options::Weights;

/// A weight, in units of 1/65,536.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(i64);

/// The weight 1.
pub const ONE: Weight = Weight(1 << 16);

/// What a run of characters weighs in the shortest of texts: a weight as that of a word of some information.
const SHORT_RUN: i64 = 3;

impl Weight {
    /// The weight in its units.
    #[inline]
    pub fn units(self) -> i64 {
        self.0
    }

    /// The weight of so many units.
    #[cfg(test)]
    pub fn from_units(units: i64) -> Weight {
        Weight(units)
    }

    /// The weight as a number.
    pub fn value(self) -> f64 {
        self.0 as f64 / ONE.0 as f64
    }

    /// `n` times the weight.
    #[inline]
    pub fn times(self, n: u32) -> Weight {
        Weight(self.0 * i64::from(n))
    }
}

/// What a feature that occurs `count` times weighs.
#[inline]
pub fn weight(
    weights: Weights,
    text: &str,
    hash: u64,
    form: Form,
    count: u32,
    information: &mut Information,
) -> Weight {
    match (weights, form) {
        (_, Form::ShortRun(weight)) => weight,
        // A quarter of its information, four to twenty-four bits.
        (Weights::Balanced, Form::Word) => ONE.times(information.of_word(text, hash) / 8),
        (Weights::Balanced, _) | (Weights::Once, _) => ONE,
        (Weights::Count, _) => ONE.times(count),
        (Weights::Log, _) => log(count),
        (Weights::Tfidf, _) => Weight(i64::from(information.of_feature(text, form)) * ONE.0 / 2).times(count),
        (Weights::Levels, _) => ONE.times(level(information.of_feature(text, form))),
    }
}

/// 1 + ln of the number of occurrences, by a logarithm that is the same on every platform.
fn log(count: u32) -> Weight {
    Weight(ONE.0 + libm::round(libm::log(f64::from(count)) * ONE.0 as f64) as i64)
}

/// What a run of characters weighs in a text of `characters`; `None` where the text is not short or has none.
pub fn short_run(characters: usize) -> Option<Weight> {
    let missing =
        SHORT_CHARACTERS.checked_sub(characters).filter(|missing| *missing > 0 && characters > 0)?;
    Some(Weight(SHORT_RUN * ONE.0 * missing as i64 / SHORT_CHARACTERS as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(weights: Weights, text: &str, form: Form, count: u32) -> f64 {
        let hash = crate::hash::feature_hash(text.as_bytes(), 0);
        weight(weights, text, hash, form, count, &mut Information::default()).value()
    }

    #[test]
    fn weights() {
        assert_eq!(value(Weights::Once, "word", Form::Word, 3), 1.0);
        assert_eq!(value(Weights::Count, "word", Form::Word, 3), 3.0);
        assert_eq!(value(Weights::Log, "word", Form::Word, 1), 1.0);
        assert!((value(Weights::Log, "word", Form::Word, 1_000) - (1.0 + 1_000f64.ln())).abs() < 1e-5);
        assert_eq!(value(Weights::Tfidf, "word", Form::Word, 2), 24.0);
        assert_eq!(value(Weights::Tfidf, "a longestword", Form::WordRun, 1), 18.0);
        assert_eq!(value(Weights::Levels, "word", Form::Word, 9), 2.0);
    }

    #[test]
    fn balanced_words_weigh_one_to_six_and_runs_one() {
        assert_eq!(value(Weights::Balanced, "的", Form::Word, 9), 1.0);
        assert_eq!(value(Weights::Balanced, "fingerprint", Form::Word, 1), 4.0);
        assert_eq!(value(Weights::Balanced, "外星人", Form::Word, 1), 4.0);
        assert_eq!(value(Weights::Balanced, "two words", Form::WordRun, 7), 1.0);
    }

    #[test]
    fn short_runs_fade() {
        assert_eq!(short_run(0), None);
        assert_eq!(short_run(200).map(Weight::value), Some(1.5));
        assert!(short_run(399).is_some_and(|weight| weight.value() > 0.0));
        assert_eq!(short_run(400), None);
    }
}
