//! Which features a text has, and how often: an open-addressing table of their hashes.

use simhash_memory::{OutOfMemory, filled};

/// Counts hashes. There is no allocation per hash. The table doubles when it is half full, and is kept between texts.
#[derive(Default)]
pub struct Tally {
    /// The hashes; 0 is an empty slot. The number of slots is a power of two after the first `reset`.
    hashes: Vec<u64>,
    /// How often each hash was seen; empty if the tally does not count.
    counts: Vec<u32>,
    counting: bool,
    used: usize,
    /// How often the hash 0 was seen, which cannot be in a slot.
    zeroes: u32,
    failed: bool,
}

/// The minimum and the maximum number of slots with which the table of a text begins.
const FIRST_SLOTS: std::ops::RangeInclusive<usize> = 256..=64 * 1024;

/// A table with more slots than this is freed before the next text.
const KEPT_SLOTS: usize = 64 * 1024;

/// The number of hashes between two checks whether the table must grow.
const BATCH: usize = 64;

/// The number of slots that are moved between two checkpoints while the table grows.
const SLOTS_PER_CHECKPOINT: usize = 64 * 1024;

impl Tally {
    /// Prepares for a text with about `features` distinct features. If `counting` is set, the tally counts hashes; otherwise it
    /// only remembers them.
    pub fn reset(&mut self, features: usize, counting: bool) {
        if self.hashes.capacity() > KEPT_SLOTS {
            *self = Tally::default();
        }
        let slots = (features * 4).clamp(*FIRST_SLOTS.start(), *FIRST_SLOTS.end()).next_power_of_two();
        self.hashes.clear();
        self.hashes.resize(slots, 0);
        self.counting = counting;
        self.counts.clear();
        self.counts.resize(if counting { slots } else { 0 }, 0);
        (self.used, self.zeroes, self.failed) = (0, 0, false);
    }

    /// Moves the items whose hashes are new to the front, in order, and returns their number.
    #[inline]
    pub fn keep_new<T: Copy>(
        &mut self,
        items: &mut [T],
        hash: impl Fn(&T) -> u64,
        checkpoint: &mut dyn FnMut(),
    ) -> usize {
        let mut kept = 0;
        for start in (0..items.len()).step_by(BATCH) {
            if !self.has_room(checkpoint) {
                break;
            }
            let end = items.len().min(start + BATCH);
            let hashes = self.hashes.as_mut_slice();
            let kept_before = kept;
            for i in start..end {
                let item = items[i];
                let hash = hash(&item);
                let slot = find(hashes, hash);
                // A known hash is stored again in its slot. This is cheaper than a branch that the processor cannot predict.
                let is_new = hashes[slot] == 0;
                hashes[slot] = hash;
                items[kept] = item;
                kept += usize::from(is_new);
                if hash == 0 {
                    self.zeroes += 1;
                    kept -= usize::from(self.zeroes > 1);
                }
            }
            self.used += kept - kept_before;
        }
        kept
    }

    /// Counts hashes.
    pub fn count(&mut self, hashes: &[u64], checkpoint: &mut dyn FnMut()) {
        for batch in hashes.chunks(BATCH) {
            if !self.has_room(checkpoint) {
                return;
            }
            for hash in batch {
                if *hash == 0 {
                    self.zeroes += 1;
                    continue;
                }
                let slot = find(&self.hashes, *hash);
                self.used += usize::from(self.hashes[slot] == 0);
                self.hashes[slot] = *hash;
                self.counts[slot] += 1;
            }
        }
    }

    /// The number that is stored with a hash, for the caller to set; 0 if the hash is new. For a tally that counts.
    #[inline]
    pub fn number(&mut self, hash: u64, checkpoint: &mut dyn FnMut()) -> Result<&mut u32, OutOfMemory> {
        if !self.has_room(checkpoint) {
            return Err(OutOfMemory);
        }
        if hash == 0 {
            return Ok(&mut self.zeroes);
        }
        let slot = find(&self.hashes, hash);
        self.used += usize::from(self.hashes[slot] == 0);
        self.hashes[slot] = hash;
        Ok(&mut self.counts[slot])
    }

    /// The number that is stored with a hash; 0 if it was not seen. For a tally that counts.
    pub fn get(&self, hash: u64) -> u32 {
        if hash == 0 { self.zeroes } else { self.counts[find(&self.hashes, hash)] }
    }

    /// Every hash with the number of times that it was seen, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        let counted = self.hashes.iter().zip(&self.counts).filter(|(h, _)| **h != 0).map(|(h, n)| (*h, *n));
        counted.chain((self.zeroes > 0).then_some((0, self.zeroes)))
    }

    /// An error if there was not enough memory for the features so far.
    pub fn check(&self) -> Result<(), OutOfMemory> {
        if self.failed { Err(OutOfMemory) } else { Ok(()) }
    }

    /// Makes room for a batch; false if there is not enough memory.
    #[inline]
    fn has_room(&mut self, checkpoint: &mut dyn FnMut()) -> bool {
        while (self.used + BATCH) * 2 > self.hashes.len() && !self.failed {
            self.grow(checkpoint);
        }
        !self.failed
    }

    #[cold]
    fn grow(&mut self, checkpoint: &mut dyn FnMut()) {
        let slots = self.hashes.len() * 2;
        let counts = if self.counting { slots } else { 0 };
        let (Ok(mut hashes), Ok(mut counts)) = (filled(slots, 0, checkpoint), filled(counts, 0, checkpoint))
        else {
            self.failed = true;
            return;
        };
        for start in (0..self.hashes.len()).step_by(SLOTS_PER_CHECKPOINT) {
            let end = (start + SLOTS_PER_CHECKPOINT).min(self.hashes.len());
            for old in start..end {
                if self.hashes[old] != 0 {
                    let slot = find(&hashes, self.hashes[old]);
                    hashes[slot] = self.hashes[old];
                    if self.counting {
                        counts[slot] = self.counts[old];
                    }
                }
            }
            checkpoint();
        }
        (self.hashes, self.counts) = (hashes, counts);
    }
}

/// The slot of `hash`, or the empty slot where it belongs. The high bits of the hash select the slot where the search begins.
#[inline(always)]
fn find(hashes: &[u64], hash: u64) -> usize {
    let mask = hashes.len() - 1;
    let mut slot = (hash >> 32) as usize & mask;
    // One branch for "found" and "empty", and it is nearly always taken.
    while (hashes[slot] != hash) & (hashes[slot] != 0) {
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn counts_like_a_hash_map(
            texts in prop::collection::vec(
                (any::<bool>(), prop::collection::vec(prop_oneof![0u64..50, any::<u64>()], 0..2_000)),
                1..4,
            ),
        ) {
            let mut tally = Tally::default();
            for (counting, hashes) in texts {
                tally.reset(0, counting);
                let mut oracle: HashMap<u64, u32> = HashMap::new();
                let mut new = Vec::new();
                for hash in &hashes {
                    *oracle.entry(*hash).or_default() += 1;
                    if oracle[hash] == 1 {
                        new.push(*hash);
                    }
                }
                let (first, second) = hashes.split_at(hashes.len() / 3);
                if counting {
                    tally.count(first, &mut || ());
                    tally.count(second, &mut || ());
                    prop_assert_eq!(tally.iter().collect::<HashMap<_, _>>(), oracle.clone());
                    for (hash, count) in oracle {
                        prop_assert_eq!(tally.get(hash), count);
                        prop_assert_eq!(tally.number(hash, &mut || ()).map(|count| *count), Ok(count));
                    }
                } else {
                    let mut kept = Vec::new();
                    for part in [first, second] {
                        let mut part = part.to_vec();
                        let len = tally.keep_new(&mut part, |hash| *hash, &mut || ());
                        kept.extend_from_slice(&part[..len]);
                    }
                    prop_assert_eq!(kept, new);
                }
                prop_assert!(tally.check().is_ok());
            }
        }
    }
}
