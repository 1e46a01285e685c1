//! Keys: the tree is sorted by them.

use crate::fingerprint::Fingerprint;

/// The tid of a row: 32 bits for the block number, 16 bits for the offset number in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid(u64);

/// Bytes of a tid in a page: three words of 16 bits, the highest first, each in the byte order of the machine.
pub const TID_BYTES: usize = 6;

impl Tid {
    /// The least tid. No row has it.
    pub const MIN: Tid = Tid(0);

    /// The tid with offset number `offset` in block `block` of the table.
    pub const fn new(block: u32, offset: u16) -> Tid {
        Tid((block as u64) << 16 | offset as u64)
    }

    /// The tid with these 48 bits.
    pub const fn from_bits(bits: u64) -> Tid {
        Tid(bits & 0xFFFF_FFFF_FFFF)
    }

    /// The tid as 48 bits. Their order is the order of tids.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The block number.
    pub const fn block(self) -> u32 {
        (self.0 >> 16) as u32
    }

    /// The offset number in that block.
    pub const fn offset(self) -> u16 {
        self.0 as u16
    }

    /// The bytes that a page stores.
    pub fn to_bytes(self) -> [u8; TID_BYTES] {
        let mut bytes = [0; TID_BYTES];
        for (at, word) in [(0, self.0 >> 32), (2, self.0 >> 16), (4, self.0)] {
            bytes[at..at + 2].copy_from_slice(&(word as u16).to_ne_bytes());
        }
        bytes
    }

    /// The tid that `to_bytes` stored.
    pub fn from_bytes(bytes: [u8; TID_BYTES]) -> Tid {
        let word = |at| u64::from(u16::from_ne_bytes([bytes[at], bytes[at + 1]]));
        Tid(word(0) << 32 | word(2) << 16 | word(4))
    }
}

/// An entry of a leaf: a rotated word of a fingerprint and the tid of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The word, rotated.
    pub bits: u64,
    /// The tid of its row.
    pub tid: Tid,
}

/// A key of the tree: rotation, rotated word and tid of the row, compared in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u128);

/// The maximum number of rotations of a word. Word w of a fingerprint has the rotations from w times this number on. The rotation of
/// rows without a fingerprint comes after those of the last word.
pub const MAX_ROTATIONS: u8 = 4;

/// By how many bits one rotation moves a word.
const STEP: u32 = 64 / MAX_ROTATIONS as u32;

/// The number of the word that a rotation is of.
pub const fn word_of(rotation: u8) -> usize {
    (rotation / MAX_ROTATIONS) as usize
}

impl Key {
    /// The least key.
    pub const MIN: Key = Key(0);
    /// A key greater than all others.
    pub const MAX: Key = Key(u128::MAX);

    /// The key of an entry.
    pub const fn new(rotation: u8, entry: Entry) -> Key {
        Key((rotation as u128) << 112 | (entry.bits as u128) << 48 | entry.tid.0 as u128)
    }

    /// The least key of a rotation with these rotated bits or more.
    pub const fn from(rotation: u8, bits: u64) -> Key {
        Key::new(rotation, Entry { bits, tid: Tid::MIN })
    }

    /// The least key of a rotation.
    pub const fn start_of(rotation: u8) -> Key {
        Key::from(rotation, 0)
    }

    /// The key of the row at `tid` in a rotation.
    pub fn of_row(rotation: u8, fingerprint: &Fingerprint, tid: Tid) -> Key {
        Key::new(rotation, Entry { bits: rotate(fingerprint.word(word_of(rotation)), rotation), tid })
    }

    /// The greatest key that is less than this one. This one must not be the least key.
    pub const fn before(self) -> Key {
        Key(self.0 - 1)
    }

    /// The rotation.
    pub const fn rotation(self) -> u8 {
        (self.0 >> 112) as u8
    }

    /// The rotated word.
    pub const fn bits(self) -> u64 {
        (self.0 >> 48) as u64
    }

    /// The tid of the row.
    pub const fn tid(self) -> Tid {
        Tid::from_bits(self.0 as u64)
    }

    /// The entry without its rotation.
    pub const fn entry(self) -> Entry {
        Entry { bits: self.bits(), tid: self.tid() }
    }
}

/// A word as `rotation` stores it.
pub const fn rotate(word: u64, rotation: u8) -> u64 {
    word.rotate_left(STEP * rotation as u32)
}

/// The word that `rotation` stores as `bits`.
pub const fn unrotate(bits: u64, rotation: u8) -> u64 {
    bits.rotate_right(STEP * rotation as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_keeps_its_parts_and_their_order(
            rotations: [u8; 2], bits: [u64; 2], blocks: [u32; 2], offsets: [u16; 2]
        ) {
            let part = |i: usize| {
                let entry = Entry { bits: bits[i], tid: Tid::new(blocks[i], offsets[i]) };
                (rotations[i], entry.bits, blocks[i], offsets[i], Key::new(rotations[i], entry))
            };
            let (a, b) = (part(0), part(1));
            prop_assert_eq!((a.4.rotation(), a.4.bits(), a.4.tid().block(), a.4.tid().offset()), (a.0, a.1, a.2, a.3));
            prop_assert_eq!(a.4.cmp(&b.4), (a.0, a.1, a.2, a.3).cmp(&(b.0, b.1, b.2, b.3)));
            prop_assert_eq!(Tid::from_bytes(a.4.tid().to_bytes()), a.4.tid());
            prop_assert_eq!(unrotate(rotate(a.1, a.0), a.0), a.1);
            prop_assert!(Key::MIN <= a.4 && a.4 < Key::MAX);
        }
    }
}
