//! Scopes: one value for the columns before the fingerprint. Fingerprints are moved by this value.
//!
//! An index stores `word ^ scope` for each word of a fingerprint, and searches around `query ^ scope`. Within a scope distances do
//! not change. A fingerprint
//! of another scope is within k bits of a query only by chance. The caller of a search checks the columns of the rows that are
//! found.

use super::search::What;
use crate::fingerprint::{Ball, Fingerprint};

/// The value of a scope, computed from the hashes of its columns in their order, `None` for NULL. Without columns the value is 0
/// and fingerprints are not moved. It is part of the format of an index.
pub fn scope(columns: impl IntoIterator<Item = Option<u64>>) -> u64 {
    columns.into_iter().fold(0, |scope, hash| mixed(scope ^ hash.unwrap_or(NULL)))
}

/// Used as the hash of NULL: the fraction of the golden ratio.
const NULL: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of MurmurHash3: every output bit depends on every input bit, and different values have different results.
const fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    bits ^ bits >> 33
}

impl Fingerprint {
    /// The fingerprint as an index stores it for a row of this scope.
    #[must_use]
    pub fn moved(self, scope: u64) -> Fingerprint {
        self.map(|word| word ^ scope)
    }
}

impl Ball {
    /// The ball as it is in an index of this scope.
    #[must_use]
    pub fn moved(self, scope: u64) -> Ball {
        Ball { center: self.center.moved(scope), ..self }
    }
}

impl What {
    /// The search for the same rows in an index of this scope. If the scope is not known, fingerprints can be anywhere, and the
    /// search finds further rows.
    #[must_use]
    pub fn moved(self, scope: Option<u64>) -> What {
        match (self, scope) {
            (What::Within(balls), Some(scope)) => {
                What::Within(balls.into_iter().map(|ball| ball.moved(scope)).collect())
            }
            (What::Within(_), None) => What::NotNull,
            (other, _) => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::hamming;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn scopes_are_what_indexes_have_stored() {
        assert_eq!(scope([]), 0);
        assert_eq!(scope([Some(0)]), 0);
        assert_eq!(scope([Some(1)]), 0xB456_BCFC_34C2_CB2C);
        assert_eq!(scope([None]), mixed(NULL));
    }

    #[test]
    fn order_and_nulls_make_a_difference() {
        let columns = [None, Some(1), Some(2), Some(u64::MAX)];
        let mut scopes = HashSet::new();
        for a in columns {
            assert!(scopes.insert(scope([a])));
            for b in columns {
                assert!(scopes.insert(scope([a, b])));
            }
        }
    }

    proptest! {
        #[test]
        fn distances_stay_within_a_scope_and_are_chance_between_two(
            hashes: [u64; 2], pairs in prop::collection::vec(any::<[u64; 2]>(), 1..5)
        ) {
            let [one, other] = hashes.map(|hash| scope([Some(hash)]));
            let [a, b] = [0, 1].map(|side| Fingerprint::of_words(pairs.iter().map(|pair| pair[side])).unwrap());
            prop_assert_eq!(a.moved(one).distance(&b.moved(one)), a.distance(&b));
            let ball = Ball { center: a, radius: a.distance(&b) };
            prop_assert!(ball.moved(one).contains(&b.moved(one)));
            prop_assert_eq!(hamming(one, other) == 0, hashes[0] == hashes[1]);
        }
    }
}
