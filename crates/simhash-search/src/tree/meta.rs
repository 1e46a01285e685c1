//! The first page: what kind of index this is.

use super::failure::Corrupt;
use super::page::{Image, SERVER_HEADER};

/// Marks the first page of a simhash index: "SimH".
const MAGIC: u32 = 0x5369_6D48;

/// The version of the format that this code reads and writes.
pub const FORMAT: u32 = 1;

/// The content of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// How many rotations of each fingerprint are stored: 1, 2 or 4.
    pub rotations: u8,
}

/// Why an index cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The page is damaged.
    Corrupt(Corrupt),
    /// It was written by another version of this code.
    Format(u32),
}

impl Meta {
    /// An index with `rotations` rotations; `None` if no index has this number of them.
    pub fn with_rotations(rotations: i32) -> Option<Meta> {
        match rotations {
            1 | 2 | 4 => Some(Meta { rotations: rotations as u8 }),
            _ => None,
        }
    }

    /// The first page, with `size` bytes.
    pub fn to_image(self, size: usize) -> Image {
        let words = [MAGIC, FORMAT, u32::from(self.rotations), 0];
        Image::plain(size, &words.map(u32::to_ne_bytes).concat())
    }

    /// Reads the content of the first page.
    pub fn read(bytes: &[u8]) -> Result<Meta, Unreadable> {
        let word = |at: usize| {
            let start = SERVER_HEADER + 4 * at;
            bytes.get(start..start + 4).map_or(0, |word| u32::from_ne_bytes(std::array::from_fn(|i| word[i])))
        };
        let corrupt = |what| Err(Unreadable::Corrupt(Corrupt { block: super::block::META, what }));
        if word(0) != MAGIC {
            return corrupt("first page is not that of a simhash index");
        }
        if word(1) != FORMAT {
            return Err(Unreadable::Format(word(1)));
        }
        match i32::try_from(word(2)).ok().and_then(Meta::with_rotations) {
            Some(meta) => Ok(meta),
            None => corrupt("number of rotations is wrong"),
        }
    }

    /// The rotations that are stored.
    pub fn stored(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..super::key::MAX_ROTATIONS).step_by(usize::from(super::key::MAX_ROTATIONS / self.rotations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        for rotations in [1, 2, 4] {
            let meta = Meta { rotations };
            assert_eq!(Meta::read(meta.to_image(512).as_bytes()), Ok(meta));
            assert_eq!(meta.stored().count(), usize::from(rotations));
        }
    }

    #[test]
    fn other_formats_are_told_from_damage() {
        let mut bytes = Meta { rotations: 4 }.to_image(512).as_bytes().to_vec();
        bytes[SERVER_HEADER + 4] = 9;
        assert_eq!(Meta::read(&bytes), Err(Unreadable::Format(9)));
        bytes[SERVER_HEADER] = 0;
        assert!(matches!(Meta::read(&bytes), Err(Unreadable::Corrupt(_))));
        assert!(matches!(Meta::read(&[]), Err(Unreadable::Corrupt(_))));
    }
}
