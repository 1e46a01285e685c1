//! Rows sorted by a key, so that rows with the same key are adjacent.

use super::rows::{Checkpoint, STEPS_PER_CHECK};
use super::scheme::PartKey;
use simhash_memory::{OutOfMemory, filled, with_room};

/// Words of a key and a row, sorted by the digits of the key.
pub struct RadixSorter {
    words: Vec<u64>,
    spare: Vec<u64>,
}

/// Bits of a digit. The counters for this width fit in the fastest cache.
const DIGIT_BITS: u32 = 13;

/// Up to this many words are sorted by comparison.
const FEW: usize = 4096;

impl RadixSorter {
    /// A sorter for `len` rows.
    pub fn with_room(len: usize, checkpoint: Checkpoint) -> Result<RadixSorter, OutOfMemory> {
        Ok(RadixSorter { words: with_room(len)?, spare: filled(len, 0, &mut || checkpoint(0.0))? })
    }

    /// Sorts `rows` by `key`.
    pub fn sort(
        &mut self,
        key: &PartKey,
        fingerprints: &[u64],
        rows: impl Iterator<Item = u32>,
        checkpoint: Checkpoint,
    ) {
        let word = |row| u64::from(key.of_fingerprint(fingerprints[row as usize])) << 32 | u64::from(row);
        self.words.clear();
        for row in rows {
            if self.words.len().is_multiple_of(STEPS_PER_CHECK) {
                checkpoint(0.0);
            }
            self.words.push(word(row));
        }
        if self.words.len() <= FEW {
            self.words.sort_unstable();
            return;
        }
        let passes = key.width().div_ceil(DIGIT_BITS);
        let bits = key.width().div_ceil(passes);
        for pass in 0..passes {
            self.by_digit(32 + pass * bits, bits, checkpoint);
        }
    }

    /// One pass: a stable sort by `bits` bits from bit `shift` on.
    fn by_digit(&mut self, shift: u32, bits: u32, checkpoint: Checkpoint) {
        let mask = (1 << bits) - 1;
        let digit = |word: u64| (word >> shift & mask) as usize;
        let mut next = vec![0u32; 1 << bits];
        for words in self.words.chunks(STEPS_PER_CHECK) {
            checkpoint(0.0);
            words.iter().for_each(|&word| next[digit(word)] += 1);
        }
        let mut start = 0;
        for count in &mut next {
            start += std::mem::replace(count, start);
        }
        for words in self.words.chunks(STEPS_PER_CHECK) {
            checkpoint(0.0);
            for &word in words {
                let position = &mut next[digit(word)];
                self.spare[*position as usize] = word;
                *position += 1;
            }
        }
        std::mem::swap(&mut self.words, &mut self.spare);
    }

    /// Calls `visit` with each group of at least two rows that have the same key.
    pub fn each_group(
        &self,
        checkpoint: Checkpoint,
        mut visit: impl FnMut(&[u32], Checkpoint) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let mut rows: Vec<u32> = vec![];
        let mut steps = 0;
        for group in self.words.chunk_by(|a, b| a >> 32 == b >> 32) {
            steps += group.len();
            if group.len() > 1 {
                rows.clear();
                rows.try_reserve(group.len()).map_err(|_| OutOfMemory)?;
                rows.extend(group.iter().map(|&word| word as u32));
                visit(&rows, checkpoint)?;
                steps += group.len() * group.len().min(256);
            }
            if steps >= STEPS_PER_CHECK {
                steps = 0;
                checkpoint(0.0);
            }
        }
        Ok(())
    }
}
