//! All pairs of fingerprints within k.

use super::scheme::{Key, keys};
use super::{Checkpoint, STEPS_A_CHECK, filled, numbers, with_room};
use crate::Error;
use crate::distance::hamming;

/// What is done with near pairs.
pub trait Near {
    /// Takes note of a pair; a pair may come more than once.
    fn pair(&mut self, a: u32, b: u32);

    /// Whether nothing new can come of pairs among `values`.
    fn is_settled(&mut self, values: &[u32]) -> bool;

    /// Whether nothing new can come at all.
    fn is_complete(&self) -> bool;
}

/// How many fingerprints with the same key are compared each with each; more are sorted by their other bits.
const CROWD: usize = 256;

/// Hands every pair of distinct `fingerprints` within `k` to `near`, at least once.
pub fn each_near_pair(
    fingerprints: &[u64],
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), Error> {
    let Some(keys) = keys(fingerprints.len(), u64::MAX, k) else {
        each_with_each(fingerprints, &numbers(fingerprints.len())?, k, near, checkpoint);
        return Ok(());
    };
    let mut sorter = Sorter::with_room(fingerprints.len())?;
    for (i, key) in keys.iter().enumerate() {
        let done = i as f64 / keys.len() as f64;
        let mut checkpoint = |_| checkpoint(done);
        let numbers = 0..fingerprints.len() as u32;
        sorter.sort(key, numbers.map(|i| (fingerprints[i as usize], i)), &mut checkpoint);
        sorter.each_group(&mut checkpoint, |group, checkpoint| {
            within(fingerprints, group, key.rest_of(u64::MAX), k, near, checkpoint)
        })?;
        if near.is_complete() {
            break;
        }
    }
    Ok(())
}

/// The same for some of the fingerprints, which are equal in all bits but those of `mask`.
fn within(
    fingerprints: &[u64],
    values: &[u32],
    mask: u64,
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), Error> {
    let crowd = values.len() > CROWD;
    if crowd && near.is_settled(values) {
        return Ok(());
    }
    let Some(keys) = crowd.then(|| keys(values.len(), mask, k)).flatten() else {
        each_with_each(fingerprints, values, k, near, checkpoint);
        return Ok(());
    };
    let mut sorter = Sorter::with_room(values.len())?;
    for key in &keys {
        sorter.sort(key, values.iter().map(|&i| (fingerprints[i as usize], i)), checkpoint);
        sorter.each_group(checkpoint, |group, checkpoint| {
            within(fingerprints, group, key.rest_of(mask), k, near, checkpoint)
        })?;
        if near.is_settled(values) {
            break;
        }
    }
    Ok(())
}

/// Compares each with each.
fn each_with_each(
    fingerprints: &[u64],
    values: &[u32],
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) {
    let bits: Vec<u64> = values.iter().map(|&value| fingerprints[value as usize]).collect();
    let mut steps = 0;
    for (i, &one) in bits.iter().enumerate() {
        for (j, &other) in bits[..i].iter().enumerate() {
            if hamming(one, other) <= k {
                near.pair(values[i], values[j]);
            }
        }
        steps += i;
        if steps >= STEPS_A_CHECK {
            steps = 0;
            checkpoint(0.0);
            if near.is_complete() {
                return;
            }
        }
    }
}

/// Sorts fingerprints by a key: words of a key and a number, by the digits of the key.
struct Sorter {
    words: Vec<u64>,
    spare: Vec<u64>,
}

impl Sorter {
    fn with_room(len: usize) -> Result<Sorter, Error> {
        Ok(Sorter { words: with_room(len)?, spare: filled(len, 0)? })
    }

    fn sort(&mut self, key: &Key, values: impl Iterator<Item = (u64, u32)>, checkpoint: Checkpoint) {
        self.words.clear();
        self.words.extend(values.map(|(bits, i)| u64::from(key.of_fingerprint(bits)) << 32 | u64::from(i)));
        if self.words.len() <= CROWD * 16 {
            self.words.sort_unstable();
            return;
        }
        let passes = key.width().div_ceil(DIGIT_BITS);
        let digit_bits = key.width().div_ceil(passes);
        for pass in 0..passes {
            checkpoint(0.0);
            self.by_digit(32 + pass * digit_bits, digit_bits);
        }
    }

    /// One pass: stable, by `bits` bits from `shift` on.
    fn by_digit(&mut self, shift: u32, bits: u32) {
        let mask = (1 << bits) - 1;
        let digit = |word: u64| (word >> shift & mask) as usize;
        let mut next = vec![0u32; 1 << bits];
        self.words.iter().for_each(|&word| next[digit(word)] += 1);
        let mut start = 0;
        for count in &mut next {
            start += std::mem::replace(count, start);
        }
        for &word in &self.words {
            let place = &mut next[digit(word)];
            self.spare[*place as usize] = word;
            *place += 1;
        }
        std::mem::swap(&mut self.words, &mut self.spare);
    }

    /// Hands each group of numbers with the same key to `visit`; a number by itself is no group.
    fn each_group(
        &self,
        checkpoint: Checkpoint,
        mut visit: impl FnMut(&[u32], Checkpoint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut group: Vec<u32> = vec![];
        let mut steps = 0;
        for (i, &word) in self.words.iter().enumerate() {
            let ends = self.words.get(i + 1).is_none_or(|next| next >> 32 != word >> 32);
            if !ends || !group.is_empty() {
                group.push(word as u32);
            }
            if ends && !group.is_empty() {
                visit(&group, checkpoint)?;
                steps += group.len() * group.len().min(CROWD);
                group.clear();
            }
            steps += 1;
            if steps >= STEPS_A_CHECK {
                steps = 0;
                checkpoint(0.0);
            }
        }
        Ok(())
    }
}

/// Digits of that many bits are counted in the fastest cache.
const DIGIT_BITS: u32 = 13;
