//! Where a full page is split in two.
//!
//! The closer the key ranges of pages are to blocks aligned at powers of two, the fewer pages a search has to read. So of all
//! positions near the wanted one, a page is split at the one where the separator ends in the most zeros.
//!
//! If each leaf were split into two equal blocks, evenly spread fingerprints would fill all leaves at the same time. Then all
//! leaves would be half empty at the same time, and the index would have twice the size. So the wanted position is not the same in
//! every leaf.
//!
//! Where keys arrive in ascending order, nothing fills the lower part of a split page again. Rows without a fingerprint do so, and
//! rows with the same fingerprint, because their tids ascend. So the lower part stays nearly full if the new key is the greatest of
//! the page. A run of equal fingerprints that ends with the new key is split where it ends: from then on its keys are the greatest.

use super::key::{Entry, Key};
use super::page::Downlink;
use std::ops::RangeInclusive;

/// Items of a page that can be split. They are sorted by their keys.
pub trait Breakable: Copy {
    /// The least key of the upper part if it begins with `self` and the lower part ends with `last`.
    fn separator(self, last: Self, rotation: u8) -> Key;
}

impl Breakable for Entry {
    /// The shortest key between the two: all bits after the first one that differs are zero.
    fn separator(self, last: Entry, rotation: u8) -> Key {
        match (self.bits ^ last.bits).checked_ilog2() {
            Some(bit) => Key::from(rotation, self.bits >> bit << bit),
            None => Key::new(rotation, self),
        }
    }
}

impl Breakable for Downlink {
    /// The low key of the child. Its downlink has to have this key.
    fn separator(self, _last: Downlink, _rotation: u8) -> Key {
        self.low
    }
}

/// How many of the sorted `items` the lower part gets, a number in `within`, and the key at which the upper part begins.
pub fn break_at<T: Breakable>(items: &[T], rotation: u8, within: RangeInclusive<usize>) -> (usize, Key) {
    let (first, last) = ((*within.start()).max(1), (*within.end()).min(items.len() - 1));
    let middle = first.midpoint(last);
    let candidate = |at: usize| (at, items[at].separator(items[at - 1], rotation));
    let worth = |&(at, key): &(usize, Key)| {
        let zeros = if key.tid() == super::key::Tid::MIN { 1 + key.bits().trailing_zeros() } else { 0 };
        (zeros, std::cmp::Reverse(at.abs_diff(middle)))
    };
    (first..=last).map(candidate).max_by_key(worth).unwrap_or_else(|| candidate(last))
}

/// The positions at which a full page with `len` items, including the new one, may be split: the middle third.
pub fn middle(len: usize) -> RangeInclusive<usize> {
    len / 3..=len - len / 3
}

/// The positions at which a full leaf may be split, if the entry number `new` is the one for which there is no room.
pub fn of_leaf(entries: &[Entry], new: usize) -> RangeInclusive<usize> {
    let len = entries.len();
    let Some(next) = entries.get(new + 1) else { return len - (len / 16).max(1)..=len - 1 };
    let is_equal = |entry: &&Entry| entry.bits == entries[new].bits;
    let run = entries[..=new].iter().rev().take_while(is_equal).count();
    match next.bits != entries[new].bits && run >= len / 4 {
        true => new + 1..=new + 1,
        false => scattered(entries),
    }
}

/// An eighth of the leaf, around a position between three and five eighths of it. That position depends on the entries in an
/// unpredictable way.
fn scattered(entries: &[Entry]) -> RangeInclusive<usize> {
    let len = entries.len();
    let chance = entries.first().map_or(0, |entry| entry.bits ^ entry.tid.to_bits().rotate_left(32));
    let chance = (chance.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize;
    let wanted = (len * (3 * 256 + 2 * chance) / (8 * 256)).max(1);
    wanted - len / 16..=wanted + len / 16
}

#[cfg(test)]
mod tests {
    use super::super::key::Tid;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_roundest_separator_near_the_middle() {
        let entries: Vec<Entry> =
            [1, 5, 7, 8, 9, 11, 13, 15, 33].map(|bits| Entry { bits, tid: Tid::new(1, 1) }).into();
        // The separator between 7 and 8 is 8. 32 ends in more zeros, but is too far from the middle.
        assert_eq!(break_at(&entries, 0, middle(entries.len())), (3, Key::from(0, 8)));
    }

    #[test]
    fn equal_fingerprints_are_broken_by_place() {
        let entries: Vec<Entry> = (0..10).map(|i| Entry { bits: 7, tid: Tid::new(0, i) }).collect();
        let (count, key) = break_at(&entries, 3, middle(entries.len()));
        assert_eq!((count, key), (5, Key::new(3, entries[5])));
    }

    #[test]
    fn a_leaf_stays_full_below_the_greatest_key_and_below_the_end_of_a_run() {
        let leaf = |bits: &[u64]| -> Vec<Entry> {
            bits.iter().zip(0..).map(|(&bits, i)| Entry { bits, tid: Tid::new(i, 1) }).collect()
        };
        let ascending: Vec<u64> = (0..160).collect();
        assert_eq!(of_leaf(&leaf(&ascending), 159), 150..=159);
        assert_eq!(of_leaf(&leaf(&ascending), 80), scattered(&leaf(&ascending)));
        let run: Vec<u64> = (0..160).map(|i| if (20..90).contains(&i) { 20 } else { i }).collect();
        assert_eq!(of_leaf(&leaf(&run), 89), 90..=90);
        // The new entry is in the middle of the run, or the run is short.
        assert_eq!(of_leaf(&leaf(&run), 50), scattered(&leaf(&run)));
        assert_eq!(of_leaf(&leaf(&run), 90), scattered(&leaf(&run)));
        assert_eq!(of_leaf(&leaf(&[7, 7]), 1), 1..=1);
    }

    proptest! {
        #[test]
        fn a_separator_separates(mut bits in prop::collection::vec(0..1u64 << 12, 2..200), shift in 0..52) {
            bits.sort();
            let entries: Vec<Entry> = bits
                .iter()
                .enumerate()
                .map(|(i, bits)| Entry { bits: bits << shift, tid: Tid::new(i as u32, 1) })
                .collect();
            let of_leaf = |new| of_leaf(&entries, new);
            for within in [middle(entries.len()), of_leaf(0), of_leaf(entries.len() / 2), of_leaf(entries.len() - 1)] {
                let (count, key) = break_at(&entries, 2, within);
                prop_assert!(count > 0 && count < entries.len());
                prop_assert!(entries[..count].iter().all(|&entry| Key::new(2, entry) < key));
                prop_assert!(entries[count..].iter().all(|&entry| Key::new(2, entry) >= key));
            }
        }
    }
}
