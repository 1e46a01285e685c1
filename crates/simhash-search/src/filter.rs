//! The comparison of the words of a leaf with a query: where a search spends its time.

use crate::distance::hamming;

/// All words of 64 bits within `radius` bits of `center`. A fingerprint has one such word or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordBall {
    /// The word in the center.
    pub center: u64,
    /// How many bits may differ.
    pub radius: u32,
}

impl WordBall {
    /// Whether the word is in the ball.
    pub const fn contains(self, word: u64) -> bool {
        hamming(self.center, word) <= self.radius
    }
}

/// Finds the words of an array, stored as bytes, that are in a ball. Appends their positions.
pub type Kernel = fn(&[[u8; 8]], WordBall, &mut Vec<u16>);

/// The plain kernel: the compiler chooses its instructions. It is inlined, so that a caller that is compiled for newer processors
/// uses the instructions of those.
#[inline(always)]
pub fn select(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    select_from(0, words, ball, found);
}

/// How many words are counted together, before each of them is compared.
const BLOCK: usize = 64;

/// The kernel for processors that count the bits of several words with one instruction. Nearly all blocks have no word in
/// the ball. Such a block is skipped without a branch for each word.
#[inline(always)]
pub fn select_by_blocks(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    let (blocks, rest) = words.as_chunks::<BLOCK>();
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
fn select_from(start: usize, words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    for (at, bytes) in words.iter().enumerate() {
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
                kernel(&stored, WordBall { center, radius }, &mut found);
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
