//! All pairs of fingerprints within k.

use super::rows::{Checkpoint, STEPS_PER_CHECK, numbers};
use super::scheme::{PartKey, keys};
use super::sorter::RadixSorter;
use crate::distance::hamming;
use simhash_memory::{OutOfMemory, with_room};

/// What is done with near pairs.
pub trait Near {
    /// Records a pair of rows. A pair may come more than once.
    fn pair(&mut self, a: u32, b: u32);

    /// Whether no further pair among `rows` can change anything.
    fn is_settled(&mut self, rows: &[u32]) -> bool;

    /// Whether no further pair can change anything.
    fn is_complete(&self) -> bool;
}

/// Up to this many rows with the same key are compared pairwise. More rows are sorted by their other bits.
const CROWD: usize = 256;

/// Passes enough pairs of rows within `k` to `near` to connect all of them: for equal rows a chain, for others every pair.
pub fn each_near_pair(
    fingerprints: &[u64],
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), OutOfMemory> {
    match keys(fingerprints.len(), u64::MAX, k)? {
        Some(keys) => by_keys(fingerprints, None, u64::MAX, &keys, k, near, checkpoint),
        None => {
            let rows = numbers(fingerprints.len(), checkpoint)?;
            each_with_each(fingerprints, &rows, k, near, checkpoint)
        }
    }
}

/// The pairs among `rows` (`None`: all rows), which differ only in the bits of `mask`. Sorts the rows by each of `keys`.
fn by_keys(
    fingerprints: &[u64],
    rows: Option<&[u32]>,
    mask: u64,
    keys: &[PartKey],
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), OutOfMemory> {
    let mut sorter = RadixSorter::with_room(rows.map_or(fingerprints.len(), <[u32]>::len), checkpoint)?;
    for (i, key) in keys.iter().enumerate() {
        // The share of the whole work is known only for the outermost keys.
        let done = if rows.is_none() { i as f64 / keys.len() as f64 } else { 0.0 };
        let checkpoint: Checkpoint = &mut |_| checkpoint(done);
        match rows {
            Some(rows) => sorter.sort(key, fingerprints, rows.iter().copied(), checkpoint),
            None => sorter.sort(key, fingerprints, 0..fingerprints.len() as u32, checkpoint),
        }
        sorter.each_group(checkpoint, |group, checkpoint| {
            within(fingerprints, group, key.rest_of(mask), k, near, checkpoint)
        })?;
        if near.is_complete() || rows.is_some_and(|rows| near.is_settled(rows)) {
            break;
        }
    }
    Ok(())
}

/// The pairs among `rows`, which differ only in the bits of `mask`.
#[inline]
fn within(
    fingerprints: &[u64],
    rows: &[u32],
    mask: u64,
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), OutOfMemory> {
    if let &[one, other] = rows {
        if hamming(fingerprints[one as usize], fingerprints[other as usize]) <= k {
            near.pair(one, other);
        }
        return Ok(());
    }
    if rows.len() <= CROWD {
        return each_with_each(fingerprints, rows, k, near, checkpoint);
    }
    within_crowd(fingerprints, rows, mask, k, near, checkpoint)
}

/// The same for many rows. Equal rows are handled as one row, and the rest is sorted further if that is cheaper.
fn within_crowd(
    fingerprints: &[u64],
    rows: &[u32],
    mask: u64,
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), OutOfMemory> {
    checkpoint(0.0);
    if near.is_settled(rows) {
        return Ok(());
    }
    let mut distinct = with_room(rows.len())?;
    distinct.extend_from_slice(rows);
    let mut steps = 0;
    distinct.sort_unstable_by(|&one, &other| {
        steps += 1;
        if steps % STEPS_PER_CHECK == 0 {
            checkpoint(0.0);
        }
        let key = |row: u32| (fingerprints[row as usize], row);
        key(one).cmp(&key(other))
    });
    checkpoint(0.0);
    distinct.dedup_by(|next, first| {
        let equal = fingerprints[*next as usize] == fingerprints[*first as usize];
        if equal {
            near.pair(*first, *next);
        }
        equal
    });
    match keys(distinct.len(), mask, k)? {
        Some(keys) => by_keys(fingerprints, Some(&distinct), mask, &keys, k, near, checkpoint),
        None => each_with_each(fingerprints, &distinct, k, near, checkpoint),
    }
}

/// Compares all pairs of rows.
fn each_with_each(
    fingerprints: &[u64],
    rows: &[u32],
    k: u32,
    near: &mut impl Near,
    checkpoint: Checkpoint,
) -> Result<(), OutOfMemory> {
    let mut bits: Vec<u64> = with_room(rows.len())?;
    bits.extend(rows.iter().map(|&row| fingerprints[row as usize]));
    let mut steps = 0;
    for (i, &one) in bits.iter().enumerate() {
        for (j, &other) in bits[..i].iter().enumerate() {
            if hamming(one, other) <= k {
                near.pair(rows[i], rows[j]);
            }
        }
        steps += i;
        if steps >= STEPS_PER_CHECK {
            steps = 0;
            checkpoint(0.0);
            if near.is_complete() {
                break;
            }
        }
    }
    Ok(())
}
