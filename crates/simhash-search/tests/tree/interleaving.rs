//! Inserts, searches and vacuum at the same time.

use crate::disk::{Disk, Random, SMALL, one_by_one};
use crate::scheduler::Scheduler;
use simhash_search::filter::select;
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::insert;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use simhash_search::tree::nearest::Nearest;
use simhash_search::tree::pager::Pager;
use simhash_search::tree::search::{Search, What};
use simhash_search::tree::vacuum::vacuum;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// What the threads have done so far. Threads that search compare their results with it.
#[derive(Default)]
struct History {
    /// Rows whose insert has begun.
    begun: BTreeMap<Tid, Option<Fingerprint>>,
    /// Rows whose insert has ended and that no vacuum removes.
    there: BTreeMap<Tid, Option<Fingerprint>>,
    /// Rows that vacuum has removed.
    gone: BTreeSet<Tid>,
}

const INSERTERS: usize = 3;
const SEARCHERS: usize = 2;
const ORDERED: usize = INSERTERS + 1;
const THREADS: usize = ORDERED + 1 + SEARCHERS;

fn run(seed: u64) {
    let words = if seed % 4 == 3 { 3 } else { 1 };
    let meta = Meta { rotations: 4 >> (seed % 3), words };
    let base = Random(seed).words(words.into());
    let scheduler = Scheduler::new(Disk::empty(SMALL, meta), THREADS, seed);
    let history = Mutex::new(History::default());
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (scheduler, history) = (scheduler.clone(), &history);
            scope.spawn(move || {
                let mut pager = scheduler.pager(thread);
                let random = &mut Random(seed * 100 + thread as u64);
                match thread {
                    0..INSERTERS => inserts(&mut pager, meta, history, thread as u32, random, base),
                    INSERTERS => vacuums(&mut pager, meta, history, random),
                    ORDERED if words == 1 => nearest(&mut pager, meta, history, random, base),
                    _ => searches(&mut pager, meta, history, random, base),
                }
                drop(pager);
                scheduler.done(thread);
            });
        }
    });
    let mut disk = scheduler.into_disk();
    let checked = disk.check();
    assert_eq!(checked.missing_downlinks, 0);
    let history = history.into_inner().unwrap();
    let there: Vec<Tid> = history.there.keys().copied().collect();
    assert_eq!(disk.search(What::All), there);
    for radius in [0, 3, 9, 20, 64] {
        let balls = [Ball { center: base, radius }];
        let is_near = |tid: &Tid| history.there[tid].is_some_and(|fp| balls[0].contains(&fp));
        let found: Vec<Tid> = disk.near(&balls).into_iter().filter(is_near).collect();
        assert_eq!(found, history.there.keys().copied().filter(is_near).collect::<Vec<_>>());
    }
}

fn inserts(
    pager: &mut impl Pager,
    meta: Meta,
    history: &Mutex<History>,
    thread: u32,
    random: &mut Random,
    base: Fingerprint,
) {
    for number in 0..60 {
        let (tid, fp) = (Tid::new(number, thread as u16), random.fingerprint(base));
        history.lock().unwrap().begun.insert(tid, fp);
        insert(pager, meta, fp, tid).unwrap();
        history.lock().unwrap().there.insert(tid, fp);
    }
}

fn vacuums(pager: &mut impl Pager, meta: Meta, history: &Mutex<History>, random: &mut Random) {
    for _ in 0..3 {
        let dead: BTreeSet<Tid> = {
            let mut history = history.lock().unwrap();
            let dead: BTreeSet<Tid> =
                history.there.keys().copied().filter(|_| random.below(3) == 0).collect();
            history.there.retain(|tid, _| !dead.contains(tid));
            dead
        };
        vacuum(pager, meta, one_by_one(|tid| dead.contains(&tid))).unwrap();
        history.lock().unwrap().gone.extend(dead);
    }
}

fn searches(
    pager: &mut impl Pager,
    meta: Meta,
    history: &Mutex<History>,
    random: &mut Random,
    base: Fingerprint,
) {
    for _ in 0..12 {
        let ball = Ball { center: random.fingerprint(base).unwrap_or(base), radius: random.below(12) as u32 };
        let before: Vec<Tid> = {
            let history = history.lock().unwrap();
            let near = history.there.iter().filter(|(_, fp)| fp.is_some_and(|fp| ball.contains(&fp)));
            near.map(|(&tid, _)| tid).collect()
        };
        let gone = history.lock().unwrap().gone.clone();
        let blocks = pager.blocks();
        let mut search = Search::new(What::Within(vec![ball]), meta, blocks, 0);
        let mut found = vec![];
        while search.step(pager, select, &mut found).unwrap() {}
        let history = history.lock().unwrap();
        let distinct: BTreeSet<Tid> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len(), "a row was found twice");
        for tid in &distinct {
            let near_in = |word: usize, fp: &Fingerprint| ball.of_word(word).contains(fp.word(word));
            let is_near = |fp: Fingerprint| (0..meta.words.into()).any(|word| near_in(word, &fp));
            assert!(history.begun[tid].is_some_and(is_near), "a row was found that is not near");
            assert!(!gone.contains(tid), "a row was found that vacuum had taken out");
        }
        for tid in before.iter().filter(|tid| history.there.contains_key(tid)) {
            assert!(distinct.contains(tid), "a row was missed");
        }
    }
}

fn nearest(
    pager: &mut impl Pager,
    meta: Meta,
    history: &Mutex<History>,
    random: &mut Random,
    base: Fingerprint,
) {
    for _ in 0..8 {
        let query = random.fingerprint(base).unwrap_or(base).word(0);
        let before = history.lock().unwrap().there.clone();
        let blocks = pager.blocks();
        let mut nearest = Nearest::new(query, vec![], meta, blocks, 0);
        let mut found = vec![];
        while let Some(neighbour) = nearest.next(pager, select).unwrap() {
            found.push(neighbour);
        }
        let history = history.lock().unwrap();
        let distinct: BTreeSet<Tid> = found.iter().map(|&(tid, _)| tid).collect();
        assert_eq!(distinct.len(), found.len(), "a row was found twice");
        for (tid, distance) in &found {
            let expected = history.begun[tid].map(|fp| fp.distance(&query.into()));
            assert_eq!(*distance, expected, "a row has another distance");
        }
        for tid in before.keys().filter(|tid| history.there.contains_key(tid)) {
            assert!(distinct.contains(tid), "a row was missed");
        }
        // Rows that were there before come in order. The order of others does not matter, because a snapshot does not show them.
        let old = found.iter().filter(|(tid, _)| before.contains_key(tid));
        assert!(old.map(|(_, distance)| distance.unwrap_or(65)).is_sorted(), "rows are out of order");
    }
}

/// In whatever order threads access pages, no row is lost, missed, or found twice.
#[test]
fn inserts_searches_and_vacuum_in_random_order() {
    for seed in 0..40 {
        run(seed);
    }
}
