//! Votes of equal weight, many at a time.

use super::bit_counts::{BLOCK, BitCounts};
use crate::hash::part_hash;

/// Votes of equal weight. Hashes wait until there is a block of them. Then the hashes of the further parts are computed, and each
/// part is counted.
#[derive(Clone)]
pub struct UnitVotes<const PARTS: usize = 1> {
    pending: [u64; BLOCK],
    pending_len: usize,
    voters: u64,
    parts: [BitCounts; PARTS],
}

impl<const PARTS: usize> Default for UnitVotes<PARTS> {
    fn default() -> Self {
        UnitVotes { pending: [0; BLOCK], pending_len: 0, voters: 0, parts: [BitCounts::ZERO; PARTS] }
    }
}

impl<const PARTS: usize> UnitVotes<PARTS> {
    /// Lets one hash vote on every bit.
    #[inline(always)]
    pub fn add(&mut self, hash: u64) {
        self.add_if(true, hash);
    }

    /// Lets one hash vote if `may` is set, without a branch that the processor has to predict.
    #[inline(always)]
    pub fn add_if(&mut self, may: bool, hash: u64) {
        self.pending[self.pending_len % BLOCK] = hash;
        self.pending_len += usize::from(may);
        self.voters += u64::from(may);
        if self.pending_len == BLOCK {
            self.pending_len = 0;
            let pending = self.pending;
            self.add_block(&pending);
        }
    }

    /// Lets many hashes vote.
    pub fn add_all(&mut self, hashes: &[u64]) {
        let (blocks, rest) = hashes.as_chunks();
        self.voters += (hashes.len() - rest.len()) as u64;
        blocks.iter().for_each(|block| self.add_block(block));
        rest.iter().for_each(|hash| self.add(*hash));
    }

    #[inline]
    fn add_block(&mut self, block: &[u64; BLOCK]) {
        for (part, counts) in self.parts.iter_mut().enumerate() {
            counts.add(&block.map(|hash| part_hash(hash, part)));
        }
    }

    /// For every bit of each part, the votes for it minus the votes against it.
    pub fn sums(&self) -> [[i64; 64]; PARTS] {
        if self.voters == 0 {
            return [[0; 64]; PARTS];
        }
        std::array::from_fn(|part| {
            let mut rest = [0; BLOCK];
            for (rest, hash) in rest.iter_mut().zip(&self.pending[..self.pending_len]) {
                *rest = part_hash(*hash, part);
            }
            self.parts[part].totals_with(&rest).map(|votes| 2 * votes as i64 - self.voters as i64)
        })
    }
}
