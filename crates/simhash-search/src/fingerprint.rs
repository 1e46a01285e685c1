//! Fingerprints of one or several words of 64 bits.

use crate::distance::hamming;
use crate::filter::WordBall;

/// The maximum number of words.
pub const MAX_WORDS: usize = 8;

/// A fingerprint. Two fingerprints that are compared have the same number of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    count: u8,
    /// Words beyond `count` are 0.
    words: [u64; MAX_WORDS],
}

impl From<u64> for Fingerprint {
    fn from(word: u64) -> Fingerprint {
        let mut words = [0; MAX_WORDS];
        words[0] = word;
        Fingerprint { count: 1, words }
    }
}

impl Fingerprint {
    /// The fingerprint with these words; `None` if there are none or too many.
    pub fn of_words(words: impl IntoIterator<Item = u64>) -> Option<Fingerprint> {
        let mut fingerprint = Fingerprint { count: 0, words: [0; MAX_WORDS] };
        for word in words {
            *fingerprint.words.get_mut(usize::from(fingerprint.count))? = word;
            fingerprint.count += 1;
        }
        (fingerprint.count > 0).then_some(fingerprint)
    }

    /// Its words.
    pub fn words(&self) -> &[u64] {
        &self.words[..usize::from(self.count)]
    }

    /// Word number `at`, which it has.
    pub fn word(&self, at: usize) -> u64 {
        self.words[at]
    }

    /// How many bits it has.
    pub fn bits(&self) -> u32 {
        64 * u32::from(self.count)
    }

    /// In how many bits it differs from another fingerprint.
    pub fn distance(&self, other: &Fingerprint) -> u32 {
        debug_assert_eq!(self.count, other.count);
        self.words().iter().zip(other.words()).map(|(&a, &b)| hamming(a, b)).sum()
    }

    /// The fingerprint whose words are `change` of its words.
    #[must_use]
    pub fn map(mut self, change: impl Fn(u64) -> u64) -> Fingerprint {
        self.words[..usize::from(self.count)].iter_mut().for_each(|word| *word = change(*word));
        self
    }
}

/// All fingerprints within `radius` bits of `center`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ball {
    /// The fingerprint in the center.
    pub center: Fingerprint,
    /// How many bits may differ.
    pub radius: u32,
}

impl Ball {
    /// Whether the fingerprint is in the ball.
    pub fn contains(&self, fingerprint: &Fingerprint) -> bool {
        self.center.distance(fingerprint) <= self.radius
    }

    /// Which values word number `at` can have in the ball. If there is only one word, all these values are in the ball.
    pub fn of_word(&self, at: usize) -> WordBall {
        WordBall { center: self.center.word(at), radius: self.radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn too_many_words() {
        assert_eq!(Fingerprint::of_words([]), None);
        assert_eq!(Fingerprint::of_words([0; MAX_WORDS + 1]), None);
        assert_eq!(Fingerprint::of_words([7]), Some(Fingerprint::from(7)));
    }

    proptest! {
        #[test]
        fn a_distance_is_the_number_of_bits_that_differ(
            pairs in prop::collection::vec(any::<[u64; 2]>(), 1..=MAX_WORDS), radius in 0..=512u32
        ) {
            let [a, b] = [0, 1].map(|side| Fingerprint::of_words(pairs.iter().map(|pair| pair[side])).unwrap());
            let bit = |f: &Fingerprint, at: u32| f.words()[at as usize / 64] >> (63 - at % 64) & 1;
            let distance = (0..a.bits()).filter(|&at| bit(&a, at) != bit(&b, at)).count() as u32;
            prop_assert_eq!(a.distance(&b), distance);
            let ball = Ball { center: a, radius };
            prop_assert_eq!(ball.contains(&b), distance <= radius);
            if ball.contains(&b) {
                prop_assert!((0..pairs.len()).all(|at| ball.of_word(at).contains(b.word(at))));
            }
        }
    }
}
