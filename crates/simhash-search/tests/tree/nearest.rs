//! The nearest rows come in the same order as in a sort of all rows, each row once.

use crate::disk::{Disk, Random, SMALL};
use simhash_search::filter::select;
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::insert;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use simhash_search::tree::nearest::Nearest;
use simhash_search::tree::pager::Pager;
use std::collections::{BTreeMap, BTreeSet};

type Rows = BTreeMap<Tid, Option<Fingerprint>>;

/// The first `count` rows.
fn nearest(
    disk: &mut Disk,
    query: u64,
    within: &[Ball],
    memory: usize,
    count: usize,
) -> Vec<(Tid, Option<u32>)> {
    let meta = disk.meta();
    let mut nearest = Nearest::new(query, within.to_vec(), meta, disk.blocks(), memory);
    let mut found = vec![];
    while found.len() < count
        && let Some(row) = nearest.next(disk, select).unwrap()
    {
        found.push(row);
    }
    found
}

fn compare(disk: &mut Disk, rows: &Rows, query: u64, within: &[Ball], memory: usize, count: usize) {
    let fits = |fp: Option<Fingerprint>| match fp {
        Some(fp) => within.iter().all(|ball| ball.contains(&fp)),
        None => within.is_empty(),
    };
    // NULLs are last. `None` would come before `Some`.
    let distance = |fp: Option<Fingerprint>| fp.map_or(65, |fp| fp.distance(&query.into()));
    let mut expected: Vec<u32> = rows.values().filter(|&&fp| fits(fp)).map(|&fp| distance(fp)).collect();
    expected.sort();
    expected.truncate(count);
    let found = nearest(disk, query, within, memory, count);
    let distances: Vec<u32> = found.iter().map(|(_, distance)| distance.unwrap_or(65)).collect();
    assert_eq!(distances, expected);
    let tids: BTreeSet<Tid> = found.iter().map(|(tid, _)| *tid).collect();
    assert_eq!(tids.len(), found.len(), "a row came twice");
    for (tid, seen) in found {
        assert!(fits(rows[&tid]));
        assert_eq!(seen, rows[&tid].map(|fp| fp.distance(&query.into())));
    }
}

#[test]
fn rows_come_in_the_order_of_a_sort() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let meta = Meta { rotations: 1 << random.below(3), words: 1 };
        let size = if seed % 4 == 3 { 1024 } else { SMALL };
        let base = random.words(1);
        let mut rows = Rows::new();
        for number in 0..random.below(2500) {
            rows.insert(Tid::new(number as u32, 1), random.fingerprint(base));
        }
        let mut disk = Disk::built(size, meta, &rows);
        for number in 0..random.below(300) {
            let (tid, fp) = (Tid::new(number as u32, 2), random.fingerprint(base));
            insert(&mut disk, meta, fp, tid).unwrap();
            rows.insert(tid, fp);
        }
        for _ in 0..12 {
            let query = random.fingerprint(base).unwrap_or(base.map(|word| !word));
            let memory = [0, 4 << 20][random.below(2) as usize];
            let count = [1, 10, 200, usize::MAX][random.below(4) as usize];
            let mut within = vec![];
            if random.below(2) == 0 {
                within.push(Ball { center: query, radius: random.below(40) as u32 });
            }
            match random.below(6) {
                0 => within.push(Ball { center: random.words(1), radius: 32 }),
                1 | 2 => {
                    let center = random.fingerprint(base).unwrap_or(base);
                    within.push(Ball { center, radius: random.below(12) as u32 });
                }
                _ => {}
            }
            compare(&mut disk, &rows, query.word(0), &within, memory, count);
        }
    }
}

/// More rows at one distance than fit in memory.
#[test]
fn memory_is_bounded() {
    let mut random = Random(5);
    let meta = Meta { rotations: 4, words: 1 };
    let rows: Rows = (0..9000)
        .map(|n| (Tid::new(n, 1), Some(if n % 3 == 0 { 77 } else { random.next() }.into())))
        .chain((9000..9500).map(|n| (Tid::new(n, 1), None)))
        .collect();
    let mut disk = Disk::built(1024, meta, &rows);
    for query in [77, 76, !77, random.next()] {
        compare(&mut disk, &rows, query, &[], 0, usize::MAX);
    }
}

/// Rows that were dropped because of memory do not count as returned when farther rows are dropped after them.
#[test]
fn a_horizon_never_moves_away() {
    let mut random = Random(6);
    let meta = Meta { rotations: 4, words: 1 };
    // All in one step, in the order of the keys: more rows at distance 5 than fit in memory, then more rows at distance 7.
    let rows: Rows = (0..7000)
        .map(|n| {
            let fingerprint = match n {
                0..1500 => 0x1F,
                1500..3000 => 0x7F << 20,
                _ => random.next(),
            };
            (Tid::new(n, 1), Some(Fingerprint::from(fingerprint)))
        })
        .collect();
    let mut disk = Disk::built(1024, meta, &rows);
    compare(&mut disk, &rows, 0, &[], 0, usize::MAX);
}

/// The tree has so many leaves that the steps begin again with farther horizons before a pass pays.
#[test]
fn steps_begin_again() {
    let mut random = Random(7);
    for rotations in [4, 2] {
        let rows: Rows = (0..60_000)
            .map(|n| {
                (Tid::new(n, 1), Some(if n % 4 == 0 { random.next() & 0xFFFF } else { random.next() }.into()))
            })
            .collect();
        let mut disk = Disk::built(SMALL, Meta { rotations, words: 1 }, &rows);
        for (query, memory) in [(random.next(), 4 << 20), (0, 4 << 20), (0, 0), (random.next(), 0)] {
            for count in [10, 3000, usize::MAX] {
                compare(&mut disk, &rows, query, &[], memory, count);
            }
            let within =
                [Ball { center: query.into(), radius: 21 }, Ball { center: (!query).into(), radius: 50 }];
            compare(&mut disk, &rows, query, &within, memory, usize::MAX);
        }
    }
}
