//! What an index has on disk does not change: indexes that were built before are read.

use crate::disk::Disk;
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use std::collections::BTreeMap;

fn mixed(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A row whose fingerprint has this number of words: NULL, equal to those of other rows, or like no other.
fn row(number: u32, words: u8) -> (Tid, Option<Fingerprint>) {
    let word = match number % 10 {
        0 => None,
        1..=3 => Some(1 << (number % 64)),
        _ => Some(mixed(number.into())),
    };
    let fingerprint = word.and_then(|word| Fingerprint::of_words((0..words).map(|at| word ^ u64::from(at))));
    (Tid::new(number / 100, (number % 100) as u16 + 1), fingerprint)
}

/// A checksum of all pages, as the usual processors store them.
fn checksum(disk: &Disk) -> u64 {
    let words = disk.pages.iter().flat_map(|page| page.as_chunks().0);
    words.fold(0, |sum, word| mixed(sum ^ u64::from_le_bytes(*word)))
}

#[test]
#[cfg(target_endian = "little")]
fn an_index_has_the_same_bytes_as_ever() {
    for (rotations, words, sum) in [
        (1, 1, 0x09AB_B7A2_204B_F9A6),
        (2, 1, 0x3F49_A00F_1C61_056A),
        (4, 1, 0x2CB4_C5BE_2BFA_D78C),
        (2, 4, 0x8F90_82B5_7435_5FC2),
        (4, 8, 0x87EA_629E_E64E_DDC7),
    ] {
        let rows: BTreeMap<_, _> = (0..5000).map(|number| row(number, words)).collect();
        let disk = Disk::built(8192, Meta { rotations, words }, &rows);
        assert_eq!(checksum(&disk), sum, "{rotations} rotations, {words} words");
    }
}
