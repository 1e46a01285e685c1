//! The classical description, step by step: two words, six bits.
//!
//! "美国" hashes to 100101 and weighs 4, "51区" hashes to 101011 and weighs 5. Each word votes with its weight for the bits that are
//! set in its hash and against the other bits. The sum of the votes decides each bit.

use simhash_text::similarity::explain::margins;
use simhash_text::vote::RealVotes;

const AMERICA: u64 = 0b100101;
const AREA_51: u64 = 0b101011;

/// The votes on the six bits, the highest bit first.
fn votes(features: &[(u64, f64)]) -> Vec<f64> {
    margins(features.iter().copied())[..6].iter().rev().copied().collect()
}

/// The six bits of the fingerprint.
fn fingerprint(features: &[(u64, f64)]) -> u64 {
    let mut votes = RealVotes::default();
    features.iter().for_each(|&(hash, weight)| votes.add(hash, weight));
    votes.fingerprint().unwrap() & 0b111111
}

#[test]
fn weigh() {
    assert_eq!(votes(&[(AMERICA, 4.0)]), [4.0, -4.0, -4.0, 4.0, -4.0, 4.0]);
    assert_eq!(votes(&[(AREA_51, 5.0)]), [5.0, -5.0, 5.0, -5.0, 5.0, 5.0]);
}

#[test]
fn merge() {
    assert_eq!(votes(&[(AMERICA, 4.0), (AREA_51, 5.0)]), [9.0, -9.0, 1.0, -1.0, 1.0, 9.0]);
    assert_eq!(votes(&[(AMERICA, 3.0), (AREA_51, 5.0)]), [8.0, -8.0, 2.0, -2.0, 2.0, 8.0]);
}

#[test]
fn reduce() {
    assert_eq!(fingerprint(&[(AMERICA, 4.0), (AREA_51, 5.0)]), 0b101011);
    assert_eq!(fingerprint(&[(AMERICA, 3.0), (AREA_51, 5.0)]), 0b101011);
    // With the weights exchanged, the first word decides the bits on which the two words disagree.
    assert_eq!(fingerprint(&[(AMERICA, 5.0), (AREA_51, 4.0)]), 0b100101);
}
