//! An index of fingerprints that grows: those of a component with many leaders.

use super::scheme::{PartKey, bands};
use simhash_memory::OutOfMemory;
use simhash_memory::push;
use std::collections::HashMap;

/// Fingerprints by their bands, of which there are k + 1: whatever is within k is equal in one.
pub struct Crowd {
    bands: Vec<(PartKey, HashMap<u32, Vec<Member>>)>,
    /// All of them, where there are not enough bits for so many bands.
    all: Vec<Member>,
}

type Member = (u32, u64);

impl Crowd {
    /// An index of `members`, by bands of the bits in which they differ: the other bits distinguish none.
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

    /// Hands everything within k of `bits` to `visit`, and others; some come more than once.
    pub fn each_candidate(&self, bits: u64, visit: &mut impl FnMut(u32, u64)) {
        let sharing = self.bands.iter().filter_map(|(key, members)| members.get(&key.of_fingerprint(bits)));
        sharing.chain([&self.all]).flatten().for_each(|&(number, other)| visit(number, other));
    }
}
