//! Pages in memory, with a log of all changes.

use simhash_search::filter::select;
use simhash_search::fingerprint::{Ball, Fingerprint};
use simhash_search::tree::build::{Builder, Sink};
use simhash_search::tree::check::{Checked, check};
use simhash_search::tree::key::{Key, Tid};
use simhash_search::tree::meta::Meta;
use simhash_search::tree::page::{Image, Patch};
use simhash_search::tree::pager::{Locked, Pager};
use simhash_search::tree::search::{Search, What};
use simhash_search::tree::{Block, META};
use std::collections::BTreeMap;

/// Small pages, so that few rows make a high tree.
pub const SMALL: usize = 256;

/// A change. After a crash it is complete or absent.
#[derive(Clone)]
pub enum Record {
    Patch(Block, Patch),
    Replace(Vec<(Block, Image)>),
}

/// The pages of one tree.
#[derive(Clone)]
pub struct Disk {
    pub size: usize,
    pub pages: Vec<Vec<u8>>,
    pub log: Vec<Record>,
}

impl Disk {
    pub fn new(size: usize) -> Disk {
        Disk { size, pages: vec![], log: vec![] }
    }

    /// A tree without rows.
    pub fn empty(size: usize, meta: Meta) -> Disk {
        Disk::built(size, meta, &BTreeMap::new())
    }

    /// A tree that is built from all rows at once.
    pub fn built(size: usize, meta: Meta, rows: &BTreeMap<Tid, Option<Fingerprint>>) -> Disk {
        let mut disk = Disk::new(size);
        let mut builder = Builder::new(&mut disk, meta, 90);
        let mut keys: Vec<Key> = rows.iter().flat_map(|(&tid, &fp)| meta.keys_of(fp, tid)).collect();
        keys.sort();
        keys.into_iter().for_each(|key| builder.push(key));
        builder.finish();
        disk
    }

    /// The state after a crash, if only the first `records` changes have reached the log.
    pub fn after_crash(&self, before: &Disk, records: usize) -> Disk {
        let mut disk = before.clone();
        disk.log.clear();
        self.log[..records].iter().for_each(|record| disk.apply(record));
        disk
    }

    pub fn apply(&mut self, record: &Record) {
        match record {
            Record::Patch(block, patch) => patch.apply(&mut self.pages[*block as usize]),
            Record::Replace(images) => {
                for (block, image) in images {
                    let needed = self.pages.len().max(*block as usize + 1);
                    self.pages.resize(needed, vec![0; self.size]);
                    self.pages[*block as usize] = image.as_bytes().to_vec();
                }
            }
        }
    }

    pub fn meta(&mut self) -> Meta {
        self.read(META, Meta::read).unwrap()
    }

    /// Checks the invariants.
    pub fn check(&mut self) -> Checked {
        let meta = self.meta();
        check(self, meta, |_| ()).unwrap()
    }

    /// The tids of all rows that are in all of the balls. If fingerprints have several words, also those of rows that are near in one
    /// word only.
    pub fn near(&mut self, balls: &[Ball]) -> Vec<Tid> {
        self.search(What::Within(balls.to_vec()))
    }

    pub fn search(&mut self, what: What) -> Vec<Tid> {
        let meta = self.meta();
        let mut search = Search::new(what, meta, self.blocks(), 0);
        let mut found = vec![];
        while search.step(self, select, &mut found).unwrap() {}
        found.sort();
        found
    }
}

impl Sink for Disk {
    fn page_size(&self) -> usize {
        self.size
    }

    fn add_page(&mut self) -> Block {
        self.pages.push(vec![0; self.size]);
        self.pages.len() as Block - 1
    }

    fn write(&mut self, block: Block, page: &Image) {
        assert!(self.pages[block as usize].iter().all(|&byte| byte == 0), "a page is written once");
        self.pages[block as usize] = page.as_bytes().to_vec();
    }
}

impl Pager for Disk {
    type Locked<'p> = LockedPage<'p>;

    fn page_size(&self) -> usize {
        self.size
    }

    fn blocks(&mut self) -> Block {
        self.pages.len() as Block
    }

    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R {
        look(&self.pages[block as usize])
    }

    fn lock(&mut self, block: Block) -> LockedPage<'_> {
        LockedPage { disk: self, block, added: vec![] }
    }
}

pub struct LockedPage<'p> {
    disk: &'p mut Disk,
    block: Block,
    added: Vec<Block>,
}

impl Locked for LockedPage<'_> {
    fn bytes(&self) -> &[u8] {
        &self.disk.pages[self.block as usize]
    }

    fn patch(self, patch: &Patch) {
        let record = Record::Patch(self.block, patch.clone());
        self.disk.apply(&record);
        self.disk.log.push(record);
    }

    fn add_page(&mut self) -> Block {
        self.added.push(Sink::add_page(self.disk));
        self.added[self.added.len() - 1]
    }

    fn replace(self, page: &Image, added: &[Image]) {
        assert_eq!(self.added.len(), added.len());
        let blocks = [self.block].into_iter().chain(self.added);
        let images = [page].into_iter().chain(added).cloned();
        let record = Record::Replace(blocks.zip(images).collect());
        self.disk.apply(&record);
        self.disk.log.push(record);
    }
}

/// Random numbers that are the same in each run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A fingerprint with that many words.
    pub fn words(&mut self, count: usize) -> Fingerprint {
        Fingerprint::of_words((0..count).map(|_| self.next())).unwrap()
    }

    /// A fingerprint like those of tables: some near others, some equal, some NULL. It has as many words as `base`.
    pub fn fingerprint(&mut self, base: Fingerprint) -> Option<Fingerprint> {
        let words = base.words().to_vec();
        let kind = self.below(10);
        let changed: Vec<u64> = match kind {
            0 => return None,
            1 => return Some(base),
            2..=5 => {
                let mut words = words;
                for _ in 0..self.below(1 + 8 * words.len() as u64) {
                    let at = self.below(words.len() as u64) as usize;
                    words[at] ^= 1 << self.below(64);
                }
                words
            }
            6 => words.iter().map(|_| self.below(4)).collect(),
            // Near in some words only.
            7 if words.len() > 1 => {
                words.into_iter().map(|word| if self.below(2) == 0 { word } else { self.next() }).collect()
            }
            _ => return Some(self.words(words.len())),
        };
        Fingerprint::of_words(changed)
    }
}

/// The function that vacuum needs, made from a function for a single row.
pub fn one_by_one(mut is_dead: impl FnMut(Tid) -> bool) -> impl FnMut(&[Tid], &mut [bool]) {
    move |rows, dead| rows.iter().zip(dead).for_each(|(&tid, dead)| *dead = is_dead(tid))
}
