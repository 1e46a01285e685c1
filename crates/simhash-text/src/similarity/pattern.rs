//! The positions of each character in a text, as bits, in blocks of 64 characters.

use crate::pace::Pace;
use simhash_memory::{OutOfMemory, push, with_room};

/// The positions of characters in one block of a text.
struct Block {
    ascii: [u64; 128],
    /// Where its other characters end in the list of the other characters of all blocks.
    others_end: usize,
}

/// The positions of characters in a text. It takes 17 bytes per character, and at most 16 more for each character that is not
/// ASCII.
pub struct Pattern {
    blocks: Vec<Block>,
    /// The characters that are not ASCII, with their positions. Those of one block are in the order of their code points.
    others: Vec<(char, u64)>,
}

/// The cost of building a block, in steps between checkpoints.
const STEPS_PER_BLOCK: usize = 1024;

impl Pattern {
    /// The positions of the characters of `text`.
    pub fn of(text: &[char], pace: &mut Pace) -> Result<Pattern, OutOfMemory> {
        let mut pattern = Pattern { blocks: with_room(text.len().div_ceil(64))?, others: Vec::new() };
        for characters in text.chunks(64) {
            pace.step(STEPS_PER_BLOCK);
            pattern.add(characters)?;
        }
        Ok(pattern)
    }

    /// Appends a block, for which there is room.
    fn add(&mut self, characters: &[char]) -> Result<(), OutOfMemory> {
        let mut ascii = [0; 128];
        let mut others = [(char::MAX, 0); 64];
        let mut count = 0;
        for (position, &c) in characters.iter().enumerate() {
            match ascii.get_mut(c as usize) {
                Some(positions) => *positions |= 1 << position,
                None => {
                    others[count] = (c, 1 << position);
                    count += 1;
                }
            }
        }
        let others = &mut others[..count];
        others.sort_unstable();
        for same in others.chunk_by(|one, next| one.0 == next.0) {
            let positions = same.iter().fold(0, |positions, (_, position)| positions | position);
            push(&mut self.others, (same[0].0, positions))?;
        }
        self.blocks.push(Block { ascii, others_end: self.others.len() });
        Ok(())
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The positions of `c` in a block.
    #[inline]
    pub fn positions(&self, block: usize, c: char) -> u64 {
        match self.blocks[block].ascii.get(c as usize) {
            Some(positions) => *positions,
            None => self.positions_of_other(block, c),
        }
    }

    #[inline]
    fn positions_of_other(&self, block: usize, c: char) -> u64 {
        let start = block.checked_sub(1).map_or(0, |before| self.blocks[before].others_end);
        let others = &self.others[start..self.blocks[block].others_end];
        others.binary_search_by_key(&c, |other| other.0).map_or(0, |at| others[at].1)
    }
}
