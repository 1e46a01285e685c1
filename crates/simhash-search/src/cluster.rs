//! Deduplication of a whole table: groups of near fingerprints.
//!
//! ```text
//! fingerprints ── near ── components ── leader
//!                  │                     │
//!            scheme, sorter           crowd
//! ```
//!
//! Near rows are found by sorting on parts of their bits. Rows that are connected by near pairs form a component. Leaders are
//! chosen within each component, in the order of the rows.

mod components;
mod crowd;
mod leader;
mod near;
mod rows;
mod scheme;
mod sorter;

use components::Components;
pub use rows::Checkpoint;
use rows::{STEPS_PER_CHECK, UNKNOWN, numbers};
use simhash_memory::{OutOfMemory, filled, with_room};

/// The cluster of each row. Two rows are in one cluster if a chain of rows, each within `k` of the next, connects them. Clusters
/// are numbered from 0 in the order of their first rows.
pub fn clusters(fingerprints: Vec<u64>, k: i32, checkpoint: Checkpoint) -> Result<Vec<u32>, OutOfMemory> {
    let Ok(k) = u32::try_from(k) else { return numbers(fingerprints.len(), checkpoint) };
    let mut components = Components::of(&fingerprints, k, checkpoint)?;
    drop(fingerprints);
    // A component gets its number at its first row.
    let mut number_of = filled(components.len(), UNKNOWN, &mut || checkpoint(1.0))?;
    let mut clusters = with_room(components.len())?;
    let mut next = 0;
    for row in 0..components.len() as u32 {
        if (row as usize).is_multiple_of(STEPS_PER_CHECK) {
            checkpoint(1.0);
        }
        let number = &mut number_of[components.find(row) as usize];
        if *number == UNKNOWN {
            *number = next;
            next += 1;
        }
        clusters.push(*number);
    }
    Ok(clusters)
}

/// The leader of each row. A leader is itself a row. Rows are handled in their order. If no earlier leader is within `k` of a row,
/// the row is a leader. Otherwise its leader is the nearest earlier leader; of equally near ones it is the earliest.
pub fn leaders(fingerprints: Vec<u64>, k: i32, checkpoint: Checkpoint) -> Result<Vec<u32>, OutOfMemory> {
    let Ok(k) = u32::try_from(k) else { return numbers(fingerprints.len(), checkpoint) };
    let components = Components::of(&fingerprints, k, checkpoint)?;
    leader::of_rows(fingerprints, components, k, checkpoint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::hamming;
    use proptest::prelude::*;

    /// The oracle for clusters: goes from row to near row, and compares each row with all others.
    fn naive_clusters(rows: &[u64], k: i32) -> Vec<u32> {
        let mut number = vec![UNKNOWN; rows.len()];
        let mut next = 0;
        for start in 0..rows.len() {
            if number[start] != UNKNOWN {
                continue;
            }
            number[start] = next;
            let mut open = vec![start];
            while let Some(i) = open.pop() {
                for j in 0..rows.len() {
                    if number[j] == UNKNOWN && hamming(rows[i], rows[j]) as i32 <= k {
                        number[j] = next;
                        open.push(j);
                    }
                }
            }
            next += 1;
        }
        number
    }

    /// The oracle for leaders: the definition.
    fn naive_leaders(rows: &[u64], k: i32) -> Vec<u32> {
        let mut leaders: Vec<usize> = vec![];
        let mut of_row = vec![];
        for (i, &row) in rows.iter().enumerate() {
            let nearest = leaders
                .iter()
                .map(|&leader| (hamming(row, rows[leader]), leader))
                .filter(|&(distance, _)| distance as i32 <= k)
                .min();
            of_row.push(nearest.map_or(i, |(_, leader)| leader) as u32);
            if nearest.is_none() {
                leaders.push(i);
            }
        }
        of_row
    }

    fn check(rows: &[u64], k: i32) -> Result<(), TestCaseError> {
        let clusters = clusters(rows.to_vec(), k, &mut |_| ()).unwrap();
        prop_assert_eq!(clusters, naive_clusters(rows, k), "clusters of {:x?} within {}", rows, k);
        let leaders = leaders(rows.to_vec(), k, &mut |_| ()).unwrap();
        prop_assert_eq!(leaders, naive_leaders(rows, k), "leaders of {:x?} within {}", rows, k);
        Ok(())
    }

    #[test]
    fn few_rows() {
        check(&[], 3).unwrap();
        check(&[7], 3).unwrap();
        check(&[0, 0, 1, 15, 255], 3).unwrap();
        // A chain: each row is near the next, the first and the last are not near.
        check(&[0, 0b111, 0b111_111, 0b111_111_111], 3).unwrap();
        assert_eq!(clusters(vec![0, 7, 63, u64::MAX], 3, &mut |_| ()), Ok(vec![0, 0, 0, 1]));
        assert_eq!(leaders(vec![0, 7, 63, u64::MAX], 3, &mut |_| ()), Ok(vec![0, 0, 2, 3]));
    }

    #[test]
    fn absurd_k() {
        for k in [i32::MIN, -1, 63, 64, 65, i32::MAX] {
            check(&[0, 0, 1, u64::MAX, 1 << 63], k).unwrap();
        }
    }

    /// Many equal rows: the result is right, and is computed fast.
    #[test]
    fn many_equal_rows() {
        let mut rows = vec![42; 200_000];
        rows.extend(vec![43; 100_000]);
        let clusters = clusters(rows.clone(), 3, &mut |_| ()).unwrap();
        assert!(clusters.iter().all(|&cluster| cluster == 0));
        let leaders = leaders(rows, 0, &mut |_| ()).unwrap();
        assert!(
            leaders[..200_000].iter().all(|&l| l == 0) && leaders[200_000..].iter().all(|&l| l == 200_000)
        );
    }

    fn random(seed: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&seed.to_le_bytes())
    }

    /// Enough rows for sorting by digits, with added neighbours at distances 1 to 4.
    #[test]
    fn many_rows() {
        let mut rows: Vec<u64> = (0..5000).map(random).collect();
        for i in 0..1500 {
            let flips = (0..1 + i % 4).fold(0, |bits, j| bits | 1 << (random(i * 10 + j + 1_000_000) % 64));
            rows.push(rows[i as usize] ^ flips);
        }
        for k in [0, 1, 3, 7] {
            check(&rows, k).unwrap();
        }
    }

    /// Crowds: thousands of rows that are equal in most bits, near each other or not, and many leaders in one component.
    #[test]
    fn large_crowds() {
        let low_bits: Vec<u64> = (0..3000).map(|i| random(i) & 0xFFFF).collect();
        check(&low_bits, 1).unwrap();
        check(&low_bits, 3).unwrap();
        let scattered: Vec<u64> = (0..3000).map(|i| random(i) & 0x0000_00F0_F00F_0FFF).collect();
        check(&scattered, 2).unwrap();
        check(&scattered, 4).unwrap();
        // A long chain in which each row differs from the next in one bit: one component, every second row a leader.
        let chain: Vec<u64> = (0..2000)
            .scan(0u64, |row, i| {
                *row ^= 1 << (random(i) % 64);
                Some(*row)
            })
            .collect();
        check(&chain, 1).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn uniform(rows in prop::collection::vec(any::<u64>(), 0..200), k in -1..=64i32) {
            check(&rows, k)?;
        }

        /// Variants of a few fingerprints, at all distances.
        #[test]
        fn clustered(
            centres in prop::collection::vec(any::<u64>(), 1..4),
            flips in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(0..64u32, 0..9)), 0..150),
            k in 0..12i32,
        ) {
            let row = |(centre, bits): &(prop::sample::Index, Vec<u32>)| {
                bits.iter().fold(*centre.get(&centres), |row, bit| row ^ 1 << bit)
            };
            check(&flips.iter().map(row).collect::<Vec<_>>(), k)?;
        }

        /// All rows in one bucket: only a few bits differ.
        #[test]
        fn crowded(rows in prop::collection::vec(0..1u64 << 12, 0..300), shift in 0..52u32, k in 0..6i32) {
            check(&rows.iter().map(|row| row << shift | 1 << 63).collect::<Vec<_>>(), k)?;
        }
    }
}
