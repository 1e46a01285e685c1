//! Crashes between any two log records.

use crate::disk::{Disk, Random, SMALL, one_by_one};
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::descend::contains;
use simhash_search::tree::insert;
use simhash_search::tree::key::Tid;
use simhash_search::tree::meta::Meta;
use simhash_search::tree::search::What;
use simhash_search::tree::vacuum::vacuum;
use std::collections::BTreeMap;

/// After a crash at any record the tree is intact, everything that was finished is there, and work can continue.
#[test]
fn a_crash_between_any_two_records() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let meta = Meta { rotations: 4 >> random.below(2), words: 1 + (seed % 3) as u8 };
        let base = random.words(meta.words.into());
        let before = Disk::empty(SMALL, meta);
        let mut disk = before.clone();
        let mut rows: BTreeMap<Tid, Option<Fingerprint>> = BTreeMap::new();
        // Numbers of log records, each with the rows that exist after these records.
        let mut states = vec![(0, rows.clone())];
        for number in 0..250u32 {
            if number % 90 == 89 {
                let dead: Vec<Tid> = rows.keys().copied().filter(|_| random.below(2) == 0).collect();
                vacuum(&mut disk, meta, one_by_one(|tid| dead.contains(&tid))).unwrap();
                rows.retain(|tid, _| !dead.contains(tid));
            } else {
                let (tid, fp) = (Tid::new(number, 1), random.fingerprint(base));
                insert(&mut disk, meta, fp, tid).unwrap();
                rows.insert(tid, fp);
            }
            states.push((disk.log.len(), rows.clone()));
        }
        let mut missing = 0;
        for records in 0..=disk.log.len() {
            let mut crashed = disk.after_crash(&before, records);
            if random.below(2) == 0 {
                // A page that was added, but is not in the log yet.
                crashed.pages.push(vec![0; SMALL]);
            }
            let checked = crashed.check();
            missing += checked.missing_downlinks;
            let (_, finished) = states.iter().rev().find(|(end, _)| *end <= records).unwrap();
            let next = states.iter().find(|(end, _)| *end > records).map(|(_, rows)| rows);
            // Rows of the unfinished step may be there or not.
            let unsure =
                |tid: &Tid| next.is_some_and(|next| next.contains_key(tid) != finished.contains_key(tid));
            for (&tid, &fp) in finished.iter().filter(|(tid, _)| !unsure(tid)) {
                assert!(meta.keys_of(fp, tid).all(|key| contains(&mut crashed, key).unwrap()));
            }
            for tid in crashed.search(What::All) {
                assert!(finished.contains_key(&tid) || unsure(&tid));
            }
            if records % 7 == 0 {
                for number in 0..60 {
                    insert(
                        &mut crashed,
                        meta,
                        Some(random.words(meta.words.into())),
                        Tid::new(1_000_000 + number, 1),
                    )
                    .unwrap();
                }
                let healed = crashed.check();
                assert!(healed.missing_downlinks <= checked.missing_downlinks);
            }
        }
        assert!(missing > 0, "no crash came between a split and its downlink");
    }
}

/// A downlink that is missing after a crash is added by the next insert that finds it missing.
#[test]
fn a_missing_downlink_is_mended() {
    let meta = Meta { rotations: 1, words: 1 };
    let before = Disk::empty(SMALL, meta);
    let mut disk = before.clone();
    let mut random = Random(1);
    for number in 0..40 {
        insert(&mut disk, meta, Some(random.words(1)), Tid::new(number, 1)).unwrap();
    }
    let lost = (0..disk.log.len())
        .find(|&records| disk.after_crash(&before, records).check().missing_downlinks > 0)
        .unwrap();
    let mut crashed = disk.after_crash(&before, lost);
    for number in 0..40 {
        insert(&mut crashed, meta, Some(random.words(1)), Tid::new(1000 + number, 1)).unwrap();
    }
    assert_eq!(crashed.check().missing_downlinks, 0);
}
