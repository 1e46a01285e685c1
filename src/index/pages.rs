//! The pages of an index, as the tree reads and changes them: in the server's buffers, with changes in its log.

pub mod buffer;
mod recent_buffers;

use crate::server::interrupt;
use crate::server::settings::PAGE;
use crate::server::version::{
    check_old_snapshot, needs_wal, register_buffer_data, set_page_lsn, vacuum_delay_point,
};
use buffer::{CriticalSection, Pinned, copy_image};
use pgrx::pg_sys;
use simhash_search::tree::Block;
use simhash_search::tree::page::{Image, Patch};
use simhash_search::tree::pager::{Locked, Pager};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::null_mut;
use std::slice;

unsafe extern "C" {
    // storage/bufmgr.h
    static effective_io_concurrency: c_int;
}

/// How many pages the processor loads ahead: as many as it can wait for at the same time.
const LOADS_AHEAD: usize = 4;

/// The pages of an index that is open for `'r`.
pub struct IndexPages<'r> {
    relation: pg_sys::Relation,
    needs_wal: bool,
    strategy: pg_sys::BufferAccessStrategy,
    is_vacuum: bool,
    /// The snapshot of the scan; NULL if there is no scan.
    snapshot: pg_sys::Snapshot,
    open: PhantomData<&'r ()>,
}

impl<'r> IndexPages<'r> {
    /// # Safety
    /// `relation` is an index that stays open for `'r`.
    pub unsafe fn new(relation: pg_sys::Relation) -> IndexPages<'r> {
        // SAFETY: as the caller promises.
        let needs_wal = unsafe { needs_wal(relation) };
        IndexPages {
            relation,
            needs_wal,
            strategy: null_mut(),
            is_vacuum: false,
            snapshot: null_mut(),
            open: PhantomData,
        }
    }

    /// The pages for a scan.
    ///
    /// # Safety
    /// As for `new`; `snapshot` is that of the scan, and is valid while this value is used.
    pub unsafe fn for_scan(relation: pg_sys::Relation, snapshot: pg_sys::Snapshot) -> IndexPages<'r> {
        // SAFETY: as the caller promises.
        IndexPages { snapshot, ..unsafe { IndexPages::new(relation) } }
    }

    /// The pages for vacuum, which sleeps if it has reached its cost limit, and uses few buffers.
    ///
    /// # Safety
    /// As for `new`; `strategy` is vacuum's.
    pub unsafe fn for_vacuum(
        relation: pg_sys::Relation,
        strategy: pg_sys::BufferAccessStrategy,
    ) -> IndexPages<'r> {
        // SAFETY: as the caller promises.
        IndexPages { strategy, is_vacuum: true, ..unsafe { IndexPages::new(relation) } }
    }
}

impl Pager for IndexPages<'_> {
    type Locked<'p>
        = LockedPage<'p>
    where
        Self: 'p;

    fn page_size(&self) -> usize {
        PAGE
    }

    fn blocks(&mut self) -> Block {
        // SAFETY: an open index.
        unsafe { pg_sys::RelationGetNumberOfBlocksInFork(self.relation, pg_sys::ForkNumber::MAIN_FORKNUM) }
    }

    fn read<R>(&mut self, block: Block, look: impl FnOnce(&[u8]) -> R) -> R {
        interrupt::check();
        // SAFETY: an open index; the tree holds no lock while it reads.
        let page = unsafe {
            let page = Pinned::read(self.relation, block, self.strategy, pg_sys::BUFFER_LOCK_SHARE);
            check_old_snapshot(self.snapshot, self.relation, pg_sys::BufferGetPage(page.buffer()));
            page
        };
        look(page.bytes())
    }

    fn lock(&mut self, block: Block) -> LockedPage<'_> {
        interrupt::check();
        // SAFETY: an open index; the tree holds no lock while it takes one.
        let page =
            unsafe { Pinned::read(self.relation, block, self.strategy, pg_sys::BUFFER_LOCK_EXCLUSIVE) };
        LockedPage { index: self, page, added: vec![] }
    }

    fn pause(&mut self) {
        interrupt::check();
        if self.is_vacuum {
            vacuum_delay_point();
        }
    }

    fn ahead(&self) -> usize {
        // SAFETY: a setting, read in the server's only thread.
        let reads = unsafe { effective_io_concurrency };
        LOADS_AHEAD.max(reads.max(0) as usize)
    }

    fn prefetch(&mut self, block: Block, bytes: Range<usize>) {
        // SAFETY: an open index.
        let index = unsafe { (*self.relation).rd_id };
        if recent_buffers::load(index, block, bytes) || block == pg_sys::InvalidBlockNumber {
            return;
        }
        // SAFETY: reads a setting; the index is open. The call is only a hint.
        unsafe {
            if effective_io_concurrency > 0 {
                pg_sys::PrefetchBuffer(self.relation, pg_sys::ForkNumber::MAIN_FORKNUM, block);
            }
        }
    }
}

/// A page that is locked for writing.
pub struct LockedPage<'p> {
    index: &'p IndexPages<'p>,
    page: Pinned,
    added: Vec<Pinned>,
}

impl Locked for LockedPage<'_> {
    fn bytes(&self) -> &[u8] {
        self.page.bytes()
    }

    /// Writes a generic log record without the server's functions for such records. They would compare the whole page with a copy
    /// to find the changes, which takes longer than all the rest of an insert.
    fn patch(mut self, patch: &Patch) {
        let buffer = self.page.buffer();
        let critical = CriticalSection::enter();
        // SAFETY: the page is locked for writing. Between the change and its record nothing allocates or fails. The record has one
        // block with the list of changes that generic records have, so replay does not need this library.
        unsafe {
            patch.apply(self.page.bytes_mut());
            pg_sys::MarkBufferDirty(buffer);
            if self.index.needs_wal {
                pg_sys::XLogBeginInsert();
                pg_sys::XLogRegisterBuffer(0, buffer, pg_sys::REGBUF_STANDARD as u8);
                register_buffer_data(patch.as_bytes());
                let lsn = pg_sys::XLogInsert(pg_sys::RmgrIds::RM_GENERIC_ID as u8, 0);
                set_page_lsn(pg_sys::BufferGetPage(buffer), lsn);
            }
        }
        drop(critical);
    }

    fn add_page(&mut self) -> Block {
        // SAFETY: an open index. No backend that adds pages waits for the page whose lock is held.
        let page = unsafe { Pinned::new_page(self.index.relation, pg_sys::ForkNumber::MAIN_FORKNUM) };
        self.added.push(page);
        self.added[self.added.len() - 1].block()
    }

    fn replace(self, page: &Image, added: &[Image]) {
        // SAFETY: locked pages of an open index, at most as many as a record takes. Each gets its new content as a whole.
        unsafe {
            let state = pg_sys::GenericXLogStart(self.index.relation);
            let full = pg_sys::GENERIC_XLOG_FULL_IMAGE as i32;
            let buffers = [&self.page].into_iter().chain(&self.added).map(Pinned::buffer);
            for (buffer, image) in buffers.zip([page].into_iter().chain(added)) {
                let copy = pg_sys::GenericXLogRegisterBuffer(state, buffer, full);
                copy_image(image, slice::from_raw_parts_mut(copy.cast::<u8>(), PAGE));
            }
            pg_sys::GenericXLogFinish(state);
        }
    }
}
