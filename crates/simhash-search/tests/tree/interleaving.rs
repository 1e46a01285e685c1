//! Inserts, searches and vacuum at the same time.

use crate::disk::{Disk, Random, SMALL, one_by_one};
use crate::scheduler::Scheduler;
use simhash_search::filter::{Ball, select};
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
    begun: BTreeMap<Tid, Option<u64>>,
    /// Rows whose insert has ended and that no vacuum removes.
    there: BTreeMap<Tid, Option<u64>>,
    /// Rows that vacuum has removed.
    gone: BTreeSet<Tid>,
}

const INSERTERS: usize = 3;
const SEARCHERS: usize = 2;
const ORDERED: usize = INSERTERS + 1;
const THREADS: usize = ORDERED + 1 + SEARCHERS;

fn run(seed: u64) {
    let meta = Meta { rotations: 4 >> (seed % 3) };
    let base = Random(seed).next();
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
                    INSERTERS => vacuums(&mut pager, history, random),
                    ORDERED => nearest(&mut pager, meta, history, random, base),
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
        let near = history.there.iter().filter(|(_, fp)| fp.is_some_and(|fp| balls[0].contains(fp)));
        assert_eq!(disk.near(&balls), near.map(|(&tid, _)| tid).collect::<Vec<_>>());
    }
}

fn inserts(
    pager: &mut impl Pager,
    meta: Meta,
    history: &Mutex<History>,
    thread: u32,
    random: &mut Random,
    base: u64,
) {
    for number in 0..60 {
        let (tid, fp) = (Tid::new(number, thread as u16), random.fingerprint(base));
        history.lock().unwrap().begun.insert(tid, fp);
        insert(pager, meta, fp, tid).unwrap();
        history.lock().unwrap().there.insert(tid, fp);
    }
}

fn vacuums(pager: &mut impl Pager, history: &Mutex<History>, random: &mut Random) {
    for _ in 0..3 {
        let dead: BTreeSet<Tid> = {
            let mut history = history.lock().unwrap();
            let dead: BTreeSet<Tid> =
                history.there.keys().copied().filter(|_| random.below(3) == 0).collect();
            history.there.retain(|tid, _| !dead.contains(tid));
            dead
        };
        vacuum(pager, one_by_one(|tid| dead.contains(&tid))).unwrap();
        history.lock().unwrap().gone.extend(dead);
    }
}

fn searches(pager: &mut impl Pager, meta: Meta, history: &Mutex<History>, random: &mut Random, base: u64) {
    for _ in 0..12 {
        let ball = Ball { center: random.fingerprint(base).unwrap_or(base), radius: random.below(12) as u32 };
        let before: Vec<Tid> = {
            let history = history.lock().unwrap();
            let near = history.there.iter().filter(|(_, fp)| fp.is_some_and(|fp| ball.contains(fp)));
            near.map(|(&tid, _)| tid).collect()
        };
        let gone = history.lock().unwrap().gone.clone();
        let blocks = pager.blocks();
        let mut search = Search::new(What::Within(vec![ball]), meta, blocks);
        let mut found = vec![];
        while search.step(pager, select, &mut found).unwrap() {}
        let history = history.lock().unwrap();
        let distinct: BTreeSet<Tid> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len(), "a row was found twice");
        for tid in &distinct {
            assert!(
                history.begun[tid].is_some_and(|fp| ball.contains(fp)),
                "a row was found that is not near"
            );
            assert!(!gone.contains(tid), "a row was found that vacuum had taken out");
        }
        for tid in before.iter().filter(|tid| history.there.contains_key(tid)) {
            assert!(distinct.contains(tid), "a row was missed");
        }
    }
}

fn nearest(pager: &mut impl Pager, meta: Meta, history: &Mutex<History>, random: &mut Random, base: u64) {
    for _ in 0..8 {
        let query = random.fingerprint(base).unwrap_or(base);
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
            let expected = history.begun[tid].map(|fp| (fp ^ query).count_ones());
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
