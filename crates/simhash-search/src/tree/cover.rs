//! Covers: which bands of the query a search uses, and within which radius.
//!
//! A cover treats the 64 bits of each word as a ring and cuts them into bands that begin at stored rotations. Band i is searched
//! within radius rᵢ, where Σ(rᵢ + 1) = k + 1. By the pigeonhole principle nothing within k is missed.
//!
//! The bands of one word together find all rows that differ from the query in at most Σ(rᵢ + 1) - 1 bits of this word, where the sum
//! is over these bands. A word without a band is not searched.

use super::key::{MAX_ROTATIONS, rotate, word_of};
use super::meta::Meta;
use crate::distance::{chance, hamming};
use crate::fingerprint::MAX_WORDS;

/// One band of a cover: the highest bits of a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverBand {
    /// The rotation that begins with this band.
    pub rotation: u8,
    /// How many bits it has.
    pub width: u32,
    /// In how many of them a fingerprint may differ from the query.
    pub radius: u32,
}

/// The bands to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cover {
    bands: [CoverBand; MAX_BANDS],
    count: usize,
    /// How many leaves a search is expected to read, if fingerprints are spread evenly.
    pub leaves: f64,
}

/// The maximum number of bands.
const MAX_BANDS: usize = MAX_ROTATIONS as usize * MAX_WORDS;

/// Bits of the narrowest band.
const UNIT: u32 = 64 / MAX_ROTATIONS as u32;

/// How many leaves can be read in the time in which the server rejects a row that the index has found. An index on fingerprints of
/// several words finds rows by one word, so it finds some that are not near.
const LEAVES_PER_FALSE_ROW: f64 = 1.0;

impl Cover {
    /// The cheapest cover for `k`, if one rotation has `leaves` leaves with `rows` rows.
    pub fn cheapest(k: u32, meta: Meta, leaves: f64, rows: f64) -> Cover {
        let prices = Prices::new(leaves);
        let finds = |cover: &Cover| match meta.words {
            1 => 0.0,
            _ => LEAVES_PER_FALSE_ROW * rows * cover.chance(k),
        };
        let mut cheapest = Cover::of_one_word(leaves);
        let mut price = leaves + finds(&cheapest);
        // Covers that are rotated against each other cost the same. So it is enough to try covers that have a band at the first
        // rotation of each word, and to cut all words in the same way.
        for subset in (1..1u32 << meta.rotations).step_by(2) {
            let Some(draft) = Draft::of_bands(subset, meta, k, prices, price) else { continue };
            let cover = draft.finish();
            let own = cover.leaves + finds(&cover);
            if own < price {
                (cheapest, price) = (cover, own);
            }
        }
        cheapest
    }

    /// The cover that reads a whole rotation of the first word.
    pub fn of_one_word(leaves: f64) -> Cover {
        let mut cover = Cover { bands: Default::default(), count: 1, leaves };
        cover.bands[0] = CoverBand { rotation: 0, width: 64, radius: 64 };
        cover
    }

    /// The bands that have something to search.
    pub fn bands(&self) -> &[CoverBand] {
        &self.bands[..self.count]
    }

    /// Whether it has bands of several words.
    pub fn has_several_words(&self) -> bool {
        self.bands().iter().any(|band| band.word() != self.bands()[0].word())
    }

    /// In how many bits of a word the rows that its bands find differ from the query, at most.
    pub fn radius_in(&self, word: usize) -> u32 {
        let of_word = self.bands().iter().filter(|band| band.word() == word);
        of_word.map(|band| band.radius + 1).sum::<u32>().saturating_sub(1)
    }

    /// Whether band number `at` is the first one of its word that finds a fingerprint whose word differs from the query's in the
    /// bits of `difference`. For each word within its radius there is exactly one such band.
    pub fn is_first(&self, at: usize, difference: u64) -> bool {
        let band = self.bands()[at];
        let mut before = self.bands()[..at].iter().filter(|other| other.word() == band.word());
        band.reaches(difference) && !before.any(|other| other.reaches(difference))
    }

    /// The share of rows that it finds by chance in a search within `k` bits, at most.
    pub fn chance(&self, k: u32) -> f64 {
        let words = (0..MAX_WORDS).filter(|&word| self.bands().iter().any(|band| band.word() == word));
        words.map(|word| chance(64, self.radius_in(word).min(k))).sum::<f64>().min(1.0)
    }
}

impl CoverBand {
    /// The number of the word that it is of.
    pub fn word(self) -> usize {
        word_of(self.rotation)
    }

    /// Whether a word that differs from the query's in the bits of `difference` is within the radius in this band.
    pub fn reaches(self, difference: u64) -> bool {
        hamming(rotate(difference, self.rotation) >> (64 - self.width), 0) <= self.radius
    }
}

/// A cover under construction. A search makes many of them and chooses one, so it is on the stack.
#[derive(Default)]
struct Draft {
    bands: [DraftBand; MAX_BANDS],
    count: usize,
    leaves: f64,
}

#[derive(Clone, Copy, Default)]
struct DraftBand {
    rotation: u8,
    width: u32,
    /// The radius plus one.
    rings: u32,
    /// How many leaves the next ring has.
    price: f64,
}

impl Draft {
    /// The cover with bands that begin, in each word, at the stored rotations in the set of bits `subset`. Each further bit of
    /// radius goes to the band where it costs least. `None` if it has more leaves than `most`.
    fn of_bands(subset: u32, meta: Meta, k: u32, prices: Prices, most: f64) -> Option<Draft> {
        let mut draft = Draft::default();
        let step = MAX_ROTATIONS / meta.rotations;
        let starts = (0..meta.rotations).filter(|i| subset >> i & 1 == 1).map(|i| i * step);
        for word in 0..meta.words {
            let first = draft.count;
            for start in starts.clone() {
                draft.bands[draft.count].rotation = word * MAX_ROTATIONS + start;
                draft.count += 1;
            }
            let bands = &mut draft.bands[first..draft.count];
            for at in 0..bands.len() {
                let next = bands.get(at + 1).map_or(bands[0].rotation + MAX_ROTATIONS, |band| band.rotation);
                bands[at].width = u32::from(next - bands[at].rotation) * UNIT;
                bands[at].price = prices.first(bands[at].width);
            }
        }
        let bands = &mut draft.bands[..draft.count];
        for _ in 0..=k.min(64 * u32::from(meta.words)) {
            let open = bands.iter_mut().filter(|band| band.rings <= band.width);
            // Among bands that cost the same, the words share the radius, because a word with a large radius finds many rows.
            let cheaper = |a: &&mut DraftBand, b: &&mut DraftBand| {
                a.price.total_cmp(&b.price).then(a.rings.cmp(&b.rings))
            };
            let Some(band) = open.min_by(cheaper) else { break };
            draft.leaves += band.price;
            if draft.leaves > most {
                return None;
            }
            band.price = prices.next(band.width, band.rings, band.price);
            band.rings += 1;
        }
        Some(draft)
    }

    /// The bands that got something to search.
    fn finish(&self) -> Cover {
        let mut cover = Cover { bands: Default::default(), count: 0, leaves: self.leaves };
        for band in &self.bands[..self.count] {
            if let Some(radius) = band.rings.checked_sub(1) {
                cover.bands[cover.count] = CoverBand { rotation: band.rotation, width: band.width, radius };
                cover.count += 1;
            }
        }
        cover
    }
}

/// How many leaves a ring around the query has, if fingerprints are spread evenly. A ring has the fingerprints that differ from the
/// query in exactly n of the first bits.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    leaves: f64,
    /// How many bits distinguish leaves.
    bits: u32,
}

impl Prices {
    /// The prices, if a rotation has `leaves` leaves.
    pub fn new(leaves: f64) -> Prices {
        Prices { leaves, bits: leaves.clamp(1.0, u32::MAX.into()).log2().round() as u32 }
    }

    /// The leaves of the fingerprints that have the query's first `width` bits.
    pub fn first(self, width: u32) -> f64 {
        self.leaves / (1u64 << width.min(self.bits)) as f64
    }

    /// The leaves of the ring after the ring of `radius`. The ring of `radius` has `price` leaves.
    pub fn next(self, width: u32, radius: u32, price: f64) -> f64 {
        price * f64::from(width.min(self.bits).saturating_sub(radius)) / f64::from(radius + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FOUR: Meta = Meta { rotations: 4, words: 1 };

    fn cover(k: u32, meta: Meta, leaves: f64) -> Cover {
        Cover::cheapest(k, meta, leaves, leaves * 450.0)
    }

    #[test]
    fn four_bands_for_three_bits() {
        let bands =
            |k| cover(k, FOUR, 10_000.0).bands().iter().map(|b| (b.width, b.radius)).collect::<Vec<_>>();
        assert_eq!(bands(3), [(16, 0); 4]);
        assert_eq!(bands(7), [(16, 1); 4]);
    }

    #[test]
    fn a_sixteenth_of_the_bits_for_each_band_of_four_words() {
        let cover = cover(31, Meta { rotations: 4, words: 4 }, 10_000.0);
        assert_eq!(cover.bands().iter().map(|b| (b.width, b.radius)).collect::<Vec<_>>(), [(16, 1); 16]);
        assert_eq!((0..5).map(|word| cover.radius_in(word)).collect::<Vec<_>>(), [7, 7, 7, 7, 0]);
    }

    #[test]
    fn one_look_for_an_equal_fingerprint() {
        for words in [1, 4] {
            let cover = cover(0, Meta { rotations: 4, words }, 10_000_000.0);
            assert_eq!(cover.bands().len(), 1);
            assert!(cover.leaves < 2.0);
        }
    }

    #[test]
    fn no_cover_costs_more_than_all_leaves() {
        for words in [1, 4] {
            for k in 0..=64 * u32::from(words) {
                for rotations in [1, 2, 4] {
                    let cover = Cover::cheapest(k, Meta { rotations, words }, 1000.0, 0.0);
                    assert!(cover.leaves <= 1001.0, "{k} {cover:?}");
                }
            }
        }
    }

    /// With one leaf, a single word would be enough. But then half of all rows would be found.
    #[test]
    fn rows_that_are_not_near_have_a_price() {
        let meta = Meta { rotations: 4, words: 4 };
        let cover = Cover::cheapest(31, meta, 20.0, 9_000.0);
        assert!(cover.has_several_words() && cover.chance(31) * 9_000.0 < 20.0, "{cover:?}");
        assert!(!Cover::cheapest(31, meta, 20.0, 0.0).has_several_words());
    }

    proptest! {
        #[test]
        fn each_near_fingerprint_has_one_band_in_a_word(
            masks in prop::collection::vec(any::<[u64; 5]>(), 1..=MAX_WORDS), k in 0..=512u32, power in 0..3u32,
            leaves in 1.0..1e9f64
        ) {
            let difference: Vec<u64> = masks.iter().map(|masks| masks.iter().fold(!0, |d, mask| d & mask)).collect();
            let words = difference.len() as u8;
            let k = k % (64 * u32::from(words) + 1);
            let cover = cover(k, Meta { rotations: 1 << power, words }, leaves);
            let is_whole = cover.bands() == Cover::of_one_word(leaves).bands();
            prop_assert!(is_whole || cover.bands().iter().map(|b| b.radius + 1).sum::<u32>() == k + 1);
            let mut found = false;
            for (word, &difference) in difference.iter().enumerate() {
                let of_word = (0..cover.bands().len()).filter(|&at| cover.bands()[at].word() == word);
                let of_word: Vec<usize> = of_word.collect();
                let firsts = of_word.iter().filter(|&&at| cover.is_first(at, difference)).count();
                prop_assert!(firsts <= 1);
                if !of_word.is_empty() && hamming(difference, 0) <= cover.radius_in(word) {
                    prop_assert_eq!(firsts, 1);
                    found = true;
                }
            }
            let distance: u32 = difference.iter().map(|&word| hamming(word, 0)).sum();
            prop_assert!(found || distance > k);
        }
    }
}
