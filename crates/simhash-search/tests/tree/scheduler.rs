//! Runs one of several threads at a time. Whenever a thread accesses a page, the next thread is chosen at random: one interleaving
//! per seed.

use crate::disk::{Disk, Random, Record};
use simhash_search::tree::Block;
use simhash_search::tree::page::{Image, Patch};
use simhash_search::tree::pager::{Locked, Pager};
use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What the threads share.
pub struct Scheduler {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    disk: Disk,
    random: Random,
    /// For each thread that waits for its turn, the page that it wants to access.
    waiting: Vec<Option<Option<Block>>>,
    is_done: Vec<bool>,
    locked: HashSet<Block>,
    running: Option<usize>,
}

impl Scheduler {
    pub fn new(disk: Disk, threads: usize, seed: u64) -> Arc<Scheduler> {
        let state = State {
            disk,
            random: Random(seed),
            waiting: vec![None; threads],
            is_done: vec![false; threads],
            locked: HashSet::new(),
            running: None,
        };
        Arc::new(Scheduler { state: Mutex::new(state), changed: Condvar::new() })
    }

    /// The pager for thread number `thread`.
    pub fn pager(self: &Arc<Scheduler>, thread: usize) -> Turns {
        Turns { scheduler: self.clone(), thread }
    }

    /// The disk, after all threads have ended.
    pub fn into_disk(self: Arc<Scheduler>) -> Disk {
        Arc::into_inner(self).unwrap().state.into_inner().unwrap().disk
    }

    /// Waits until it is the thread's turn and no other thread has locked the page that it wants to access.
    fn turn(&self, thread: usize, wanted: Option<Block>) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap();
        state.waiting[thread] = Some(wanted);
        if state.running == Some(thread) {
            state.running = None;
        }
        loop {
            state.choose();
            self.changed.notify_all();
            if state.running == Some(thread) {
                state.waiting[thread] = None;
                return state;
            }
            state = self.changed.wait(state).unwrap();
        }
    }

    /// Called when a thread has ended.
    pub fn done(&self, thread: usize) {
        let mut state = self.state.lock().unwrap();
        state.is_done[thread] = true;
        if state.running == Some(thread) {
            state.running = None;
        }
        state.choose();
        self.changed.notify_all();
    }
}

impl State {
    /// Chooses the next thread, if none runs and all of them wait for their turn.
    fn choose(&mut self) {
        let threads = 0..self.waiting.len();
        if self.running.is_some() || threads.clone().any(|t| !self.is_done[t] && self.waiting[t].is_none()) {
            return;
        }
        let free = |t: &usize| match self.waiting[*t] {
            Some(wanted) => !self.is_done[*t] && wanted.is_none_or(|block| !self.locked.contains(&block)),
            None => false,
        };
        let able: Vec<usize> = threads.clone().filter(free).collect();
        if able.is_empty() {
            assert!(threads.clone().all(|t| self.is_done[t]), "deadlock");
            return;
        }
        self.running = Some(able[self.random.below(able.len() as u64) as usize]);
    }
}

/// The pager for one thread.
pub struct Turns {
    scheduler: Arc<Scheduler>,
    thread: usize,
}

impl Pager for Turns {
    type Locked<'p> = LockedTurn<'p>;

    fn page_size(&self) -> usize {
        self.scheduler.state.lock().unwrap().disk.size
    }

    fn blocks(&mut self) -> Block {
        self.scheduler.turn(self.thread, None).disk.blocks()
    }

    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R {
        self.scheduler.turn(self.thread, Some(block)).disk.read(block, look)
    }

    fn lock(&mut self, block: Block) -> LockedTurn<'_> {
        let mut state = self.scheduler.turn(self.thread, Some(block));
        state.locked.insert(block);
        let bytes = state.disk.pages[block as usize].clone();
        drop(state);
        LockedTurn { turns: self, block, bytes, added: vec![] }
    }
}

pub struct LockedTurn<'p> {
    turns: &'p Turns,
    block: Block,
    bytes: Vec<u8>,
    added: Vec<Block>,
}

impl LockedTurn<'_> {
    fn change(&self, record: Record) {
        let mut state = self.turns.scheduler.turn(self.turns.thread, None);
        state.disk.apply(&record);
        state.disk.log.push(record);
    }
}

impl Locked for LockedTurn<'_> {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn patch(self, patch: &Patch) {
        self.change(Record::Patch(self.block, patch.clone()));
    }

    fn add_page(&mut self) -> Block {
        let mut state = self.turns.scheduler.turn(self.turns.thread, None);
        let block = simhash_search::tree::build::Sink::add_page(&mut state.disk);
        state.locked.insert(block);
        self.added.push(block);
        block
    }

    fn replace(self, page: &Image, added: &[Image]) {
        let blocks = [self.block].into_iter().chain(self.added.iter().copied());
        let images = [page].into_iter().chain(added).cloned();
        self.change(Record::Replace(blocks.zip(images).collect()));
    }
}

impl Drop for LockedTurn<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.scheduler.state.lock().unwrap();
        for block in [self.block].iter().chain(&self.added) {
            state.locked.remove(block);
        }
    }
}
