//! Which band values to look up, so that no near fingerprint is missed.
//!
//! The pigeonhole principle: look in each band i at all values within radius rᵢ, or not at all (rᵢ = −1). A
//! fingerprint that is missed differs in at least rᵢ + 1 bits in every band, so in at least Σ(rᵢ + 1). So nothing
//! within k is missed as soon as Σ(rᵢ + 1) = k + 1. With four bands and k = 3 that is one value a band.

use crate::band::{MAX_NEIGHBOURS, choose};

/// How many fetched rows a look-up in one place of an index costs: measured with B-trees and everything in memory.
const DESCENT: f64 = 1.0;

/// What a probe costs that looks at so many places of an index and finds `rows` rows, in fetched rows.
pub fn price(places: f64, rows: f64) -> f64 {
    DESCENT * places + rows
}

/// A band that can be probed.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its bits.
    pub width: u32,
    /// What one probe costs, the rows that it finds among it.
    pub price: f64,
    /// Whether many values can be looked up at once; where not, only the value itself is.
    pub takes_neighbours: bool,
}

/// The cheapest complete set of probes.
#[derive(Clone, Debug, PartialEq)]
pub struct Probes {
    /// For each slot the radius of its probes; `None` where it is not probed.
    pub radii: Vec<Option<u32>>,
    /// How many values are looked up.
    pub count: u64,
    /// What they cost together.
    pub cost: f64,
}

/// The cheapest probes of `slots` that find everything within `k`; `None` where no set of probes does.
///
/// A radius grows by one at a time, each time where that costs least. Every further ring of a band costs more than the
/// one before as long as it is the smaller part of the band's values, so the sum is least too.
pub fn cheapest(k: u32, slots: &[Slot]) -> Option<Probes> {
    let mut probes = Probes { radii: vec![None; slots.len()], count: 0, cost: 0.0 };
    for _ in 0..=k {
        let next = |at: usize| {
            let radius = probes.radii[at].map_or(0, |radius| radius + 1);
            let slot = &slots[at];
            let ring = (radius == 0 || slot.takes_neighbours && radius <= slot.width / 2)
                .then(|| choose(slot.width, radius))??;
            let count = probes.count + ring;
            (count <= MAX_NEIGHBOURS).then_some((at, radius, count, ring as f64 * slot.price))
        };
        let (at, radius, count, cost) =
            (0..slots.len()).filter_map(next).min_by(|a, b| a.3.total_cmp(&b.3))?;
        probes.radii[at] = Some(radius);
        probes.count = count;
        probes.cost += cost;
    }
    Some(probes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::{Band, Family};
    use proptest::prelude::*;

    fn slots(bands: i32) -> Vec<Slot> {
        let family = Family::new(bands).unwrap();
        let slot = |b| Slot { width: family.width(b), price: 1.0, takes_neighbours: true };
        (0..family.bands()).map(slot).collect()
    }

    /// The table of the design: four bands, k from 0 to 7.
    #[test]
    fn four_bands() {
        let counts: Vec<u64> = (0..8).map(|k| cheapest(k, &slots(4)).unwrap().count).collect();
        assert_eq!(counts, [1, 2, 3, 4, 20, 36, 52, 68]);
    }

    #[test]
    fn two_and_three_bands() {
        assert_eq!(cheapest(3, &slots(2)).unwrap().count, 66);
        assert_eq!(cheapest(7, &slots(2)).unwrap().count, 10_978);
        // The radius is wider where the band is narrower.
        assert_eq!(cheapest(3, &slots(3)).unwrap().radii, [Some(0), Some(1), Some(0)]);
        assert_eq!(cheapest(7, &slots(3)).unwrap().count, 487);
    }

    /// A band that costs more is probed less.
    #[test]
    fn a_hot_band_is_left_out() {
        let mut hot = slots(4);
        hot[2].price = 1000.0;
        assert_eq!(cheapest(2, &hot).unwrap().radii, [Some(0), Some(0), None, Some(0)]);
        assert_eq!(cheapest(3, &hot).unwrap().radii, [Some(1), Some(0), None, Some(0)]);
    }

    #[test]
    fn no_way() {
        assert_eq!(cheapest(0, &[]), None);
        let exact = Slot { width: 16, price: 1.0, takes_neighbours: false };
        assert!(cheapest(1, &[exact, exact]).is_some());
        assert_eq!(cheapest(2, &[exact, exact]), None);
        assert_eq!(cheapest(64, &slots(4)), None);
    }

    proptest! {
        /// Whatever the bands and their prices, everything within k shares a probe with the query, and k of a pair
        /// that shares none is exceeded.
        #[test]
        fn nothing_is_missed(
            query: u64,
            flips in prop::collection::vec(0..64u32, 0..12),
            bands in 1..=16i32,
            prices in prop::collection::vec(0.5..50.0, 16),
            missing in prop::collection::vec(any::<bool>(), 16),
        ) {
            let other = flips.iter().fold(query, |bits, flip| bits ^ 1 << flip);
            let k = (query ^ other).count_ones();
            let family = Family::new(bands).unwrap();
            let at: Vec<u32> = (0..family.bands()).filter(|&b| !missing[b as usize]).collect();
            let slots: Vec<Slot> = at
                .iter()
                .map(|&b| Slot { width: family.width(b), price: prices[b as usize], takes_neighbours: true })
                .collect();
            if let Some(probes) = cheapest(k, &slots) {
                let found = at.iter().zip(&probes.radii).any(|(&b, radius)| {
                    let cut = |fingerprint| Band::of(fingerprint, b as i32, family).unwrap();
                    radius.is_some_and(|r| cut(query).neighbours(r).unwrap().contains(&cut(other)))
                });
                prop_assert!(found);
            }
        }

        /// The oracle: all ways to share k + 1 among three bands.
        #[test]
        fn no_other_way_is_cheaper(prices in prop::collection::vec(0.5..50.0, 3), k in 0..9u32) {
            let mut slots = slots(5);
            slots.truncate(3);
            slots.iter_mut().zip(&prices).for_each(|(slot, &price)| slot.price = price);
            let price = |at: usize, rings: u32| -> f64 {
                (0..rings).map(|r| choose(slots[at].width, r).unwrap() as f64 * prices[at]).sum()
            };
            let least = (0..=k + 1)
                .flat_map(|a| (0..=k + 1 - a).map(move |b| [a, b, k + 1 - a - b]))
                .map(|rings| (0..3).map(|at| price(at, rings[at])).sum::<f64>())
                .fold(f64::INFINITY, f64::min);
            let cost = cheapest(k, &slots).unwrap().cost;
            prop_assert!((cost - least).abs() <= 1e-9 * least);
        }
    }
}
