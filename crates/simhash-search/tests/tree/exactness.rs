//! A search finds the same rows as a scan of all rows, each row once.

use crate::disk::{Disk, Random, SMALL, one_by_one};
use simhash_search::filter::select;
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::descend::contains;
use simhash_search::tree::insert;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use simhash_search::tree::page::{Downlink, Image, Page};
use simhash_search::tree::search::{Search, What};
use simhash_search::tree::vacuum::vacuum;
use std::collections::BTreeMap;

type Rows = BTreeMap<Tid, Option<Fingerprint>>;

fn scan(rows: &Rows, balls: &[Ball]) -> Vec<Tid> {
    let is_near = |fp: Fingerprint| balls.iter().all(|ball| ball.contains(&fp));
    rows.iter().filter(|(_, fp)| fp.is_some_and(is_near)).map(|(&tid, _)| tid).collect()
}

/// The rows that a search finds, without those that are near in one word only. Asserts that it finds no row twice.
fn near(disk: &mut Disk, rows: &Rows, balls: &[Ball]) -> Vec<Tid> {
    let mut found = disk.near(balls);
    assert!(found.is_sorted_by(|a, b| a < b), "a row was found twice");
    if disk.meta().words > 1 {
        found.retain(|tid| rows[tid].is_some_and(|fp| balls.iter().all(|ball| ball.contains(&fp))));
    }
    found
}

fn not(fingerprint: Fingerprint) -> Fingerprint {
    fingerprint.map(|word| !word)
}

fn compare(disk: &mut Disk, rows: &Rows, random: &mut Random, base: Fingerprint) {
    let checked = disk.check();
    let meta = disk.meta();
    let with_fp = rows.values().flatten().count() as u64;
    for rotation in meta.stored() {
        assert_eq!(checked.entries[usize::from(rotation)], with_fp);
    }
    assert_eq!(checked.missing_downlinks, 0);
    for k in 0..=base.bits() {
        let center = random.fingerprint(base).unwrap_or(not(base));
        let balls = [Ball { center, radius: k }];
        assert_eq!(near(disk, rows, &balls), scan(rows, &balls), "k = {k}");
    }
    for _ in 0..10 {
        let ball = |random: &mut Random| Ball {
            center: random.fingerprint(base).unwrap_or(base),
            radius: random.below(u64::from(base.bits()) * 34 / 64) as u32,
        };
        let balls = [ball(random), ball(random), ball(random)];
        assert_eq!(near(disk, rows, &balls), scan(rows, &balls), "{balls:?}");
    }
    let nulls: Vec<Tid> = rows.iter().filter(|(_, fp)| fp.is_none()).map(|(&tid, _)| tid).collect();
    assert_eq!(disk.search(What::Nulls), nulls);
    assert_eq!(disk.search(What::All), rows.keys().copied().collect::<Vec<_>>());
    let other = random.words(base.words().len());
    for (&tid, &fp) in rows.iter().take(50) {
        assert!(meta.keys_of(fp, tid).all(|key| contains(disk, key).unwrap()));
        assert!(meta.keys_of(Some(other), tid).all(|key| !contains(disk, key).unwrap()));
    }
}

/// Builds, inserts and vacuums for trees of all shapes, with small pages and with pages of the server's size.
#[test]
fn searches_find_what_a_scan_finds() {
    for seed in 0..36 {
        let mut random = Random(seed);
        let words = if seed < 24 { 1 } else { 1 + random.below(8) as u8 };
        let meta = Meta { rotations: 1 << random.below(3), words };
        let size = if seed % 4 == 3 { 8192 } else { SMALL };
        let base = random.words(words.into());
        let count = random.below(if size == SMALL { 600 } else { 6000 }) / u64::from(words);
        let mut rows = Rows::new();
        for number in 0..count {
            rows.insert(Tid::new(number as u32 / 50, (number % 50) as u16 + 1), random.fingerprint(base));
        }
        let mut disk = Disk::built(size, meta, &rows);
        compare(&mut disk, &rows, &mut random, base);
        for number in 0..count {
            let (tid, fp) = (Tid::new(9_000 + number as u32, 7), random.fingerprint(base));
            insert(&mut disk, meta, fp, tid).unwrap();
            rows.insert(tid, fp);
        }
        compare(&mut disk, &rows, &mut random, base);
        let before = rows.len() as u64;
        let dead: Vec<Tid> = rows.keys().copied().filter(|_| random.below(3) == 0).collect();
        rows.retain(|tid, _| !dead.contains(tid));
        let done = vacuum(&mut disk, meta, one_by_one(|tid| dead.binary_search(&tid).is_ok())).unwrap();
        assert_eq!((done.left, done.removed), (rows.len() as u64, before - rows.len() as u64));
        compare(&mut disk, &rows, &mut random, base);
        for tid in dead {
            let fp = random.fingerprint(base);
            insert(&mut disk, meta, fp, tid).unwrap();
            rows.insert(tid, fp);
        }
        compare(&mut disk, &rows, &mut random, base);
    }
}

/// Thousands of equal fingerprints are split like others.
#[test]
fn equal_fingerprints_by_the_thousand() {
    let mut random = Random(7);
    let meta = Meta { rotations: 4, words: 1 };
    let mut disk = Disk::empty(8192, meta);
    let mut rows = Rows::new();
    for number in 0..20_000u32 {
        let tid = Tid::new(number.wrapping_mul(2_654_435_761), 1);
        let fp = if number % 10 == 0 { Some(random.words(1)) } else { Some(Fingerprint::from(42)) };
        insert(&mut disk, meta, fp, tid).unwrap();
        rows.insert(tid, fp);
    }
    compare(&mut disk, &rows, &mut random, 42.into());
    let bytes_a_row = disk.pages.len() * 8192 / rows.len();
    assert!(bytes_a_row < 120, "{bytes_a_row}");
}

/// More near rows than a search remembers: it goes on with one word, and finds each row once.
#[test]
fn more_near_rows_than_a_search_remembers() {
    let mut random = Random(8);
    let meta = Meta { rotations: 4, words: 4 };
    let base = random.words(4);
    let near = |random: &mut Random| {
        let words = base.words().iter().map(|word| word ^ 1 << random.below(64) ^ 1 << random.below(64));
        Fingerprint::of_words(words).unwrap()
    };
    let row = |n: u32| {
        (Tid::new(n, 1), Some(if n.is_multiple_of(4) { random.words(4) } else { near(&mut random) }))
    };
    let rows: Rows = (0..12_000).map(row).collect();
    let mut disk = Disk::built(8192, meta, &rows);
    for radius in [8, 9, 15, 31] {
        let balls = [Ball { center: base, radius }];
        let expected = scan(&rows, &balls);
        assert!(expected.len() > 3_000, "{}", expected.len());
        assert_eq!(self::near(&mut disk, &rows, &balls), expected, "{radius}");
        let mut search = Search::new(What::Within(balls.to_vec()), meta, disk.pages.len() as u32, 64 << 20);
        let mut found = vec![];
        while search.step(&mut disk, select, &mut found).unwrap() {}
        found.sort();
        // One word alone finds rows that are not near. With enough memory this is not needed.
        assert!(found == expected, "{radius}");
        assert!(radius < 31 || disk.near(&balls).len() > expected.len());
    }
}

/// How full pages are.
#[test]
fn pages_are_filled() {
    let mut random = Random(3);
    let meta = Meta { rotations: 4, words: 1 };
    let rows: Rows = (0..100_000).map(|n| (Tid::new(n, 1), Some(random.words(1)))).collect();
    let built = Disk::built(8192, meta, &rows);
    assert!(built.pages.len() * 8192 / rows.len() <= 66);
    // For any number of rows: leaves are not all half empty at the same time.
    let mut grown = Disk::empty(8192, meta);
    for (number, (&tid, &fp)) in rows.iter().enumerate() {
        insert(&mut grown, meta, fp, tid).unwrap();
        if number >= 20_000 && number % 1_000 == 0 {
            assert!(
                grown.pages.len() * 8192 / number <= 92,
                "{number}: {}",
                grown.pages.len() * 8192 / number
            );
        }
    }
    assert!(grown.pages.len() * 8192 / rows.len() <= 90, "{}", grown.pages.len() * 8192 / rows.len());
}

/// Rows that are inserted in the order of their keys fill pages like a build does, at most a quarter worse: rows with the same
/// fingerprint or without one, whose tids ascend, and ascending fingerprints. So do those among other rows.
#[test]
fn keys_in_ascending_order_fill_pages() {
    let mut random = Random(13);
    let meta = Meta { rotations: 4, words: 1 };
    let others: Vec<Fingerprint> = (0..20_000).map(|_| random.words(1)).collect();
    type Make<'m> = &'m dyn Fn(u32) -> Option<Fingerprint>;
    let kinds: [(&str, u64, Make); 6] = [
        ("equal", 0, &|_| Some(42.into())),
        ("nulls", 0, &|_| None),
        ("ascending", 0, &|n| Some(u64::from(n).into())),
        ("ascending in the highest bits", 0, &|n| Some((u64::from(n) << 44).into())),
        ("equal, among others", 20_000, &|_| Some(others[7])),
        ("two runs, among others", 20_000, &|n| Some(others[n as usize % 2])),
    ];
    for (kind, before, make) in kinds {
        let mut rows: Rows = (0..before).map(|n| (Tid::new(n as u32, 1), Some(others[n as usize]))).collect();
        let mut grown = Disk::built(8192, meta, &rows);
        let base = grown.pages.len();
        for n in 0..60_000 {
            let (tid, fp) = (Tid::new(100_000 + n / 100, (n % 100) as u16 + 1), make(n));
            insert(&mut grown, meta, fp, tid).unwrap();
            rows.insert(tid, fp);
        }
        grown.check();
        let built = Disk::built(8192, meta, &rows).pages.len();
        let (grown, built) = ((grown.pages.len() - base) as f64, (built - base) as f64);
        assert!(grown <= 1.25 * built, "{kind}: {grown} pages, {built} by a build");
    }
}

/// An inner page that is its own child is an error: an insert does not treat it as a leaf.
#[test]
fn a_page_that_is_its_own_child_is_an_error() {
    let mut random = Random(12);
    let meta = Meta { rotations: 4, words: 1 };
    let rows: Rows = (0..500).map(|n| (Tid::new(n, 1), random.fingerprint(99.into()))).collect();
    let good = Disk::built(SMALL, meta, &rows);
    let mut tried = 0;
    for block in 1..good.pages.len() {
        let page = Page::open(&good.pages[block], block as u32).unwrap();
        if page.header().level == 0 {
            continue;
        }
        let own = |downlink| Downlink { child: block as u32, ..downlink };
        let downlinks: Vec<Downlink> = page.downlinks().map(own).collect();
        let mut bad = good.clone();
        bad.pages[block] = Image::inner(SMALL, page.header(), &downlinks).as_bytes().to_vec();
        let key = page.low(0);
        if key.rotation() == 0 {
            assert!(insert(&mut bad, meta, Some(key.bits().into()), key.tid()).is_err());
            assert!(contains(&mut bad, key).is_err());
            tried += 1;
        }
    }
    assert!(tried > 1, "{tried}");
}

/// A damaged page causes an error, never an endless loop.
#[test]
fn damage_is_an_error() {
    let mut random = Random(11);
    let meta = Meta { rotations: 4, words: 1 };
    let rows: Rows = (0..500).map(|n| (Tid::new(n, 1), random.fingerprint(99.into()))).collect();
    let good = Disk::built(SMALL, meta, &rows);
    let mut errors = 0;
    for _ in 0..3000 {
        let mut bad = good.clone();
        let block = 1 + random.below(bad.pages.len() as u64 - 1) as usize;
        let byte = random.below(SMALL as u64) as usize;
        bad.pages[block][byte] ^= 1 << random.below(8);
        let outcome = std::panic::catch_unwind(move || {
            let checked = simhash_search::tree::check::check(&mut bad, meta, |_| ());
            let mut search = Search::new(
                What::Within(vec![Ball { center: 99.into(), radius: 9 }]),
                meta,
                bad.pages.len() as u32,
                0,
            );
            let mut found = vec![];
            while let Ok(true) = search.step(&mut bad, select, &mut found) {}
            let _ = insert(&mut bad, meta, Some(99.into()), Tid::new(7, 7));
            let _ = vacuum(&mut bad, meta, one_by_one(|_| false));
            checked.is_err()
        });
        match outcome {
            Ok(found) => errors += u32::from(found),
            // The disk has no page with that number. The server would raise an error.
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                assert!(text.contains("index out of bounds"), "{text}");
                errors += 1;
            }
        }
    }
    assert!(errors > 1000, "{errors}");
}
