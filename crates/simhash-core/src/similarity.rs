//! Exact similarities of two texts: the second stage, for the few candidates that fingerprints leave.
//!
//! All are 1 for equal texts and 0 for texts that have nothing in common. `features` compares what is hashed, and
//! `explain` tells why fingerprints differ; `edit` and `subsequence` compare characters, bit by bit in parallel over
//! `pattern`.

mod characters;
pub mod edit;
pub mod explain;
pub mod features;
mod pattern;
pub mod subsequence;

use crate::distance::hamming;

/// The cosine that the distance of two fingerprints implies: cos(π · distance / 64).
pub fn implied_cosine(a: u64, b: u64) -> f64 {
    // By libm, so that it is the same on every platform.
    match hamming(a, b) {
        32 => 0.0,
        distance => libm::cos(std::f64::consts::PI * f64::from(distance) / 64.0),
    }
}

#[cfg(test)]
mod tests {
    use super::implied_cosine;

    #[test]
    fn cosines() {
        assert_eq!(implied_cosine(5, 5), 1.0);
        assert_eq!(implied_cosine(0, u64::MAX), -1.0);
        assert_eq!(implied_cosine(0, u64::from(u32::MAX)), 0.0);
        assert!((implied_cosine(0, 0b111) - 0.98918).abs() < 1e-5);
    }
}
