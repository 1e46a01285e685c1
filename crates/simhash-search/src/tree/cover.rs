//! Covers: which bands of the query a search uses, and within which radius.
//!
//! A cover treats the 64 bits as a ring and cuts them into bands that begin at stored rotations. Band i is searched within radius
//! rᵢ, where Σ(rᵢ + 1) = k + 1. By the pigeonhole principle nothing within k is missed.

use super::key::{MAX_ROTATIONS, rotate};
use super::meta::Meta;
use crate::distance::hamming;

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
    bands: [CoverBand; MAX_ROTATIONS as usize],
    count: usize,
    /// How many leaves a search is expected to read, if fingerprints are spread evenly.
    pub leaves: f64,
}

/// Bits of the narrowest band.
const UNIT: u32 = 64 / MAX_ROTATIONS as u32;

impl Cover {
    /// The cheapest cover for `k`, if one rotation has `leaves` leaves.
    pub fn cheapest(k: u32, meta: Meta, leaves: f64) -> Cover {
        let stored: Vec<u8> = meta.stored().collect();
        let prices = Prices::new(leaves);
        let mut cheapest = Draft::default();
        // Covers that are rotated against each other cost the same. So it is enough to try covers that have a band at the first
        // rotation.
        for subset in (1..1u32 << stored.len()).step_by(2) {
            let starts = stored.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, &r)| r);
            let draft = Draft::of_bands(starts, k, prices);
            if cheapest.count == 0 || draft.leaves < cheapest.leaves {
                cheapest = draft;
            }
        }
        let mut cover = Cover { bands: Default::default(), count: 0, leaves: cheapest.leaves };
        for band in &cheapest.bands[..cheapest.count] {
            if let Some(radius) = band.rings.checked_sub(1) {
                cover.bands[cover.count] = CoverBand { rotation: band.rotation, width: band.width, radius };
                cover.count += 1;
            }
        }
        cover
    }

    /// The bands that have something to search.
    pub fn bands(&self) -> &[CoverBand] {
        &self.bands[..self.count]
    }

    /// Whether band number `at` is the first one that finds a fingerprint which differs from the query in the bits of `difference`.
    /// Each fingerprint within k has exactly one such band.
    pub fn is_first(&self, at: usize, difference: u64) -> bool {
        self.bands()[at].reaches(difference)
            && !self.bands()[..at].iter().any(|band| band.reaches(difference))
    }
}

impl CoverBand {
    /// Whether a fingerprint that differs from the query in the bits of `difference` is within the radius in this band.
    pub fn reaches(self, difference: u64) -> bool {
        hamming(rotate(difference, self.rotation) >> (64 - self.width), 0) <= self.radius
    }
}

/// A cover under construction. A search makes many of them and chooses one, so it is on the stack.
#[derive(Default)]
struct Draft {
    bands: [DraftBand; MAX_ROTATIONS as usize],
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
    /// The cover with bands that begin at `starts`. Each further bit of radius goes to the band where it costs least.
    fn of_bands(starts: impl Iterator<Item = u8>, k: u32, prices: Prices) -> Draft {
        let mut draft = Draft::default();
        for rotation in starts {
            draft.bands[draft.count].rotation = rotation;
            draft.count += 1;
        }
        let bands = &mut draft.bands[..draft.count];
        for at in 0..bands.len() {
            let next = bands.get(at + 1).map_or(bands[0].rotation + MAX_ROTATIONS, |band| band.rotation);
            bands[at].width = u32::from(next - bands[at].rotation) * UNIT;
            bands[at].price = prices.first(bands[at].width);
        }
        for _ in 0..=k.min(64) {
            let open = bands.iter_mut().filter(|band| band.rings <= band.width);
            let Some(band) = open.min_by(|a, b| a.price.total_cmp(&b.price)) else { break };
            draft.leaves += band.price;
            band.price = prices.next(band.width, band.rings, band.price);
            band.rings += 1;
        }
        draft
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

    const FOUR: Meta = Meta { rotations: 4 };

    #[test]
    fn four_bands_for_three_bits() {
        let cover = Cover::cheapest(3, FOUR, 10_000.0);
        assert_eq!(cover.bands().iter().map(|b| (b.width, b.radius)).collect::<Vec<_>>(), [(16, 0); 4]);
        let cover = Cover::cheapest(7, FOUR, 10_000.0);
        assert_eq!(cover.bands().iter().map(|b| (b.width, b.radius)).collect::<Vec<_>>(), [(16, 1); 4]);
    }

    #[test]
    fn one_look_for_an_equal_fingerprint() {
        let cover = Cover::cheapest(0, FOUR, 10_000_000.0);
        assert_eq!(cover.bands().len(), 1);
        assert!(cover.leaves < 2.0);
    }

    #[test]
    fn no_cover_costs_more_than_all_leaves() {
        for k in 0..=64 {
            for rotations in [1, 2, 4] {
                let cover = Cover::cheapest(k, Meta { rotations }, 1000.0);
                assert!(cover.leaves <= 1001.0, "{k} {cover:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn each_near_fingerprint_has_one_band(
            difference: u64, masks: [u64; 3], k in 0..=64u32, power in 0..3u32, leaves in 1.0..1e9f64
        ) {
            let difference = masks.iter().fold(difference, |d, mask| d & mask);
            let cover = Cover::cheapest(k, Meta { rotations: 1 << power }, leaves);
            prop_assert_eq!(cover.bands().iter().map(|b| b.radius + 1).sum::<u32>(), k + 1);
            let firsts = (0..cover.bands().len()).filter(|&at| cover.is_first(at, difference)).count();
            prop_assert!(firsts <= 1);
            if difference.count_ones() <= k {
                prop_assert_eq!(firsts, 1);
            }
        }
    }
}
