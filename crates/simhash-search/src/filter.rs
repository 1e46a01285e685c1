//! The comparison of a leaf's fingerprints with a query: where a search spends its time.

use crate::distance::hamming;

/// All fingerprints within `radius` bits of `center`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ball {
    /// The fingerprint in the center.
    pub center: u64,
    /// How many bits may differ.
    pub radius: u32,
}

impl Ball {
    /// Whether the fingerprint is in the ball.
    pub const fn contains(self, fingerprint: u64) -> bool {
        hamming(self.center, fingerprint) <= self.radius
    }
}

/// Finds the fingerprints of an array, stored as bytes, that are in a ball. Appends their positions.
pub type Kernel = fn(&[[u8; 8]], Ball, &mut Vec<u16>);

/// The plain kernel: the compiler chooses its instructions. It is inlined, so that a caller that is compiled for newer processors
/// uses the instructions of those.
#[inline(always)]
pub fn select(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    select_from(0, fingerprints, ball, found);
}

/// How many fingerprints are counted together, before each of them is compared.
const BLOCK: usize = 64;

/// The kernel for processors that count the bits of several fingerprints with one instruction. Nearly all blocks have no
/// fingerprint in the ball. Such a block is skipped without a branch for each fingerprint.
#[inline(always)]
pub fn select_by_blocks(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    let (blocks, rest) = fingerprints.as_chunks::<BLOCK>();
    let mut start = 0;
    for block in blocks {
        let distance = |bytes: &[u8; 8]| u64::from(hamming(u64::from_ne_bytes(*bytes), ball.center));
        let within =
            block.iter().map(|bytes| u64::from(distance(bytes) <= u64::from(ball.radius))).sum::<u64>();
        if within > 0 {
            select_from(start, block, ball, found);
        }
        start += BLOCK;
    }
    select_from(start, rest, ball, found);
}

#[inline(always)]
fn select_from(start: usize, fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    for (at, bytes) in fingerprints.iter().enumerate() {
        if ball.contains(u64::from_ne_bytes(*bytes)) {
            found.push((start + at) as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_kernels_find_what_is_in_the_ball(
            masks in prop::collection::vec(any::<[u64; 3]>(), 0..300), center: u64, radius in 0..=64u32
        ) {
            let fingerprints: Vec<u64> = masks.iter().map(|m| center ^ (m[0] & m[1] & m[2])).collect();
            let stored: Vec<[u8; 8]> = fingerprints.iter().map(|fingerprint| fingerprint.to_ne_bytes()).collect();
            let near = |at: &usize| (fingerprints[*at] ^ center).count_ones() <= radius;
            let expected: Vec<u16> = (0..stored.len()).filter(near).map(|at| at as u16).collect();
            for kernel in [select, select_by_blocks] {
                let mut found = vec![];
                kernel(&stored, Ball { center, radius }, &mut found);
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
