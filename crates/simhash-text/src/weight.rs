//! The weights of votes. They are whole multiples of 1/65,536, so that sums are exact and do not depend on the order.

use crate::information::{HalfBits, level};
use serde::Deserialize;

/// How much a feature's vote weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// Every distinct feature counts once: a word weighs 2 to 5 by its length, a run of words weighs 1. In a short text, runs of
    /// four characters are features too: see `feature`.
    Balanced,
    /// Every distinct feature weighs 1.
    Once,
    /// The number of times that the feature occurs.
    Count,
    /// 1 + ln of that number.
    Log,
    /// That number times the information of its most informative word.
    Tfidf,
    /// Five levels, 1 to 5, by that information; every distinct feature counts once.
    Levels,
}

/// What a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A single word.
    Word,
    /// Several words.
    WordRun,
    /// A run of characters, if the options ask for characters.
    CharacterRun,
    /// A run of characters of a short text, and its weight.
    ShortRun(Weight),
}

/// A weight, in units of 1/65,536.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(i64);

/// The weight 1.
pub const ONE: Weight = Weight(1 << 16);

/// A text of this many characters is no longer short.
pub const SHORT_CHARACTERS: usize = 400;

/// The weight of a run of characters in the shortest texts: like that of a word with some information.
const SHORT_RUN: i64 = 3;

impl Weight {
    /// The weight 0.
    pub const ZERO: Weight = Weight(0);

    /// The weight in its units.
    #[inline]
    pub fn units(self) -> i64 {
        self.0
    }

    /// The weight as a whole number below 8; `None` if it is not one.
    #[inline]
    pub fn small(self) -> Option<u32> {
        (self.0 % ONE.0 == 0 && self.0 < 8 * ONE.0).then_some((self.0 / ONE.0) as u32)
    }

    /// A weight of this number of units.
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

/// The weight of a feature that occurs `count` times. `information` is called only if the weights need it.
#[inline]
pub fn weight(weights: Weights, form: Form, count: u32, information: impl FnOnce() -> HalfBits) -> Weight {
    match (weights, form) {
        (_, Form::ShortRun(weight)) => weight,
        // A quarter of its information.
        (Weights::Balanced, Form::Word) => ONE.times(information() / 8),
        (Weights::Balanced, _) | (Weights::Once, _) => ONE,
        (Weights::Count, _) => ONE.times(count),
        (Weights::Log, _) => log(count),
        (Weights::Tfidf, _) => Weight(i64::from(information()) * ONE.0 / 2).times(count),
        (Weights::Levels, _) => ONE.times(level(information())),
    }
}

/// 1 + ln of the number of occurrences, by a logarithm that is the same on every platform.
fn log(count: u32) -> Weight {
    Weight(ONE.0 + libm::round(libm::log(f64::from(count)) * ONE.0 as f64) as i64)
}

/// The weight of a run of characters in a text of this number of `characters`; `None` if the text is not short or is empty.
pub fn short_run(characters: usize) -> Option<Weight> {
    let missing =
        SHORT_CHARACTERS.checked_sub(characters).filter(|missing| *missing > 0 && characters > 0)?;
    Some(Weight(SHORT_RUN * ONE.0 * missing as i64 / SHORT_CHARACTERS as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(weights: Weights, form: Form, count: u32, bits: HalfBits) -> f64 {
        weight(weights, form, count, || 2 * bits).value()
    }

    #[test]
    fn weights() {
        assert_eq!(value(Weights::Once, Form::Word, 3, 12), 1.0);
        assert_eq!(value(Weights::Count, Form::Word, 3, 12), 3.0);
        assert_eq!(value(Weights::Log, Form::Word, 1, 12), 1.0);
        assert!((value(Weights::Log, Form::Word, 1_000, 12) - (1.0 + 1_000f64.ln())).abs() < 1e-5);
        assert_eq!(value(Weights::Tfidf, Form::Word, 2, 12), 24.0);
        assert_eq!(value(Weights::Levels, Form::Word, 9, 12), 2.0);
        assert_eq!(value(Weights::Balanced, Form::Word, 9, 4), 1.0);
        assert_eq!(value(Weights::Balanced, Form::Word, 9, 19), 4.0);
        assert_eq!(value(Weights::Balanced, Form::Word, 9, 24), 6.0);
        assert_eq!(value(Weights::Balanced, Form::WordRun, 9, 24), 1.0);
    }

    #[test]
    fn short_runs_fade() {
        assert_eq!(short_run(0), None);
        assert_eq!(short_run(200).map(Weight::value), Some(1.5));
        assert!(short_run(399).is_some_and(|weight| weight.value() > 0.0));
        assert_eq!(short_run(400), None);
    }
}
