//! What a vote weighs. Weights are whole multiples of 1/65,536, so that sums are exact and in any order equal.

use crate::information::{self, HalfBits};

/// A weight, in units of 1/65,536.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(i64);

const ONE: i64 = 1 << 16;

impl Weight {
    /// The weight in its units.
    pub fn units(self) -> i64 {
        self.0
    }

    /// The weight as a number.
    pub fn value(self) -> f64 {
        self.0 as f64 / ONE as f64
    }
}

/// The number of occurrences.
pub fn count(occurrences: u32) -> Weight {
    Weight(i64::from(occurrences) * ONE)
}

/// 1 + ln of the number of occurrences, by a logarithm that is the same on every platform.
pub fn log(occurrences: u32) -> Weight {
    Weight(ONE + libm::round(libm::log(f64::from(occurrences)) * ONE as f64) as i64)
}

/// The number of occurrences times the information of the feature.
pub fn tfidf(occurrences: u32, information: HalfBits) -> Weight {
    Weight(i64::from(occurrences) * i64::from(information) * (ONE / 2))
}

/// One of five levels, 1 to 5.
pub fn level(information: HalfBits) -> Weight {
    count(information::level(information))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        assert_eq!(count(3).value(), 3.0);
        assert_eq!(log(1).value(), 1.0);
        assert!((log(1_000).value() - (1.0 + 1_000f64.ln())).abs() < 1e-5);
        assert_eq!(tfidf(2, 21).value(), 21.0);
        assert_eq!(level(2 * 12).value(), 2.0);
    }
}
