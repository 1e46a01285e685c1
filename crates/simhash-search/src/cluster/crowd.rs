//! A growing index of fingerprints: those of the leaders of a component that has many.

use super::scheme::{PartKey, bands};
use simhash_memory::{OutOfMemory, push};
use std::collections::HashMap;

/// Fingerprints by their k + 1 bands: two fingerprints within k are equal in at least one band.
pub struct Crowd {
    bands: Vec<(PartKey, HashMap<u32, Vec<Member>>)>,
    /// All fingerprints, if the bits cannot be cut into k + 1 bands.
    all: Vec<Member>,
}

type Member = (u32, u64);

impl Crowd {
    /// An index of `members`, by bands of the bits in which they differ. The other bits do not distinguish them.
    pub fn of(members: &[Member], k: u32) -> Result<Crowd, OutOfMemory> {
        let differing = members.iter().fold(0, |mask, &(_, bits)| mask | bits ^ members[0].1);
        let keys = bands(differing, k + 1);
        let mut crowd =
            Crowd { bands: keys.into_iter().map(|key| (key, HashMap::new())).collect(), all: vec![] };
        for &(number, bits) in members {
            crowd.add(number, bits)?;
        }
        Ok(crowd)
    }

    /// Adds a fingerprint.
    pub fn add(&mut self, number: u32, bits: u64) -> Result<(), OutOfMemory> {
        for (key, members) in &mut self.bands {
            members.try_reserve(1).map_err(|_| OutOfMemory)?;
            push(members.entry(key.of_fingerprint(bits)).or_default(), (number, bits))?;
        }
        match self.bands.is_empty() {
            true => push(&mut self.all, (number, bits)),
            false => Ok(()),
        }
    }

    /// Calls `visit` with every fingerprint within k of `bits`, and with some others. It may be called more than once for the same
    /// one.
    pub fn each_candidate(&self, bits: u64, visit: &mut impl FnMut(u32, u64)) {
        let sharing = self.bands.iter().filter_map(|(key, members)| members.get(&key.of_fingerprint(bits)));
        sharing.chain([&self.all]).flatten().for_each(|&(number, other)| visit(number, other));
    }
}
