//! The first page: what kind of index this is.

use super::failure::Corrupt;
use super::key::{Entry, Key, MAX_ROTATIONS, Tid};
use super::page::{Image, SERVER_HEADER};
use crate::fingerprint::{Fingerprint, MAX_WORDS};

/// Marks the first page of a simhash index: "SimH".
const MAGIC: u32 = 0x5369_6D48;

/// The version of the format that this code reads and writes.
pub const FORMAT: u32 = 1;

/// The content of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// How many rotations of each word are stored: 1, 2 or 4.
    pub rotations: u8,
    /// How many words a fingerprint has.
    pub words: u8,
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
    /// An index with `rotations` rotations of `words` words; `None` if no index has these numbers of them.
    pub fn new(rotations: u32, words: u32) -> Option<Meta> {
        let fits = matches!(rotations, 1 | 2 | 4) && (1..=MAX_WORDS as u32).contains(&words);
        fits.then_some(Meta { rotations: rotations as u8, words: words as u8 })
    }

    /// The first page, with `size` bytes.
    pub fn to_image(self, size: usize) -> Image {
        let further_words = u32::from(self.words) - 1;
        let words = [MAGIC, FORMAT, u32::from(self.rotations), further_words];
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
        match Meta::new(word(2), word(3).saturating_add(1)) {
            Some(meta) => Ok(meta),
            None => corrupt("number of rotations or of words is wrong"),
        }
    }

    /// The rotations that are stored, those of all words.
    pub fn stored(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..self.nulls()).step_by(usize::from(MAX_ROTATIONS / self.rotations))
    }

    /// The rotation of rows without a fingerprint.
    pub fn nulls(self) -> u8 {
        MAX_ROTATIONS * self.words
    }

    /// The keys of the row at `tid`.
    pub fn keys_of(self, fingerprint: Option<Fingerprint>, tid: Tid) -> impl Iterator<Item = Key> {
        let of_null = fingerprint.is_none().then(|| Key::new(self.nulls(), Entry { bits: 0, tid }));
        let of_words = fingerprint.into_iter();
        let of_words = of_words.flat_map(move |f| self.stored().map(move |r| Key::of_row(r, &f, tid)));
        of_words.chain(of_null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        for (rotations, words) in [(1, 1), (2, 1), (4, 1), (1, 8), (4, 2), (2, 4)] {
            let meta = Meta { rotations, words };
            assert_eq!(Meta::read(meta.to_image(512).as_bytes()), Ok(meta));
            assert_eq!(meta.stored().count(), usize::from(rotations * words));
            assert_eq!(Meta::new(rotations.into(), words.into()), Some(meta));
        }
        assert_eq!([Meta::new(3, 1), Meta::new(4, 0), Meta::new(4, 9)], [None; 3]);
    }

    /// Before there were fingerprints of several words, the last of the four numbers was 0.
    #[test]
    fn an_index_of_single_words_is_what_it_always_was() {
        let image = Meta { rotations: 4, words: 1 }.to_image(512);
        let stored = &image.as_bytes()[SERVER_HEADER..SERVER_HEADER + 16];
        assert_eq!(stored, [0x5369_6D48u32, 1, 4, 0].map(u32::to_ne_bytes).concat());
    }

    #[test]
    fn other_formats_are_told_from_damage() {
        let mut bytes = Meta { rotations: 4, words: 1 }.to_image(512).as_bytes().to_vec();
        bytes[SERVER_HEADER + 4] = 9;
        assert_eq!(Meta::read(&bytes), Err(Unreadable::Format(9)));
        for (at, value) in [(8, 3), (12, 8)] {
            let mut bytes = Meta { rotations: 4, words: 1 }.to_image(512).as_bytes().to_vec();
            bytes[SERVER_HEADER + at..SERVER_HEADER + at + 4].copy_from_slice(&u32::to_ne_bytes(value));
            assert!(matches!(Meta::read(&bytes), Err(Unreadable::Corrupt(_))));
        }
        bytes[SERVER_HEADER] = 0;
        assert!(matches!(Meta::read(&bytes), Err(Unreadable::Corrupt(_))));
        assert!(matches!(Meta::read(&[]), Err(Unreadable::Corrupt(_))));
    }
}
