//! The pages of an index in the server's buffers, and their changes in its log.

use super::error::raise;
use super::version::{
    check_old_snapshot, count_buffer_hit, needs_wal, read_recent_buffer, register_buffer_data, set_page_lsn,
};
use super::{interrupt, recent_buffers, server};
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_core::tree::page::{HEADER, Image, LOWER_AT, Patch, UPPER_AT};
use simhash_core::tree::pager::{Locked, Pager};
use simhash_core::tree::{Block, ROOT};
use std::ffi::{c_char, c_int};
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::null_mut;
use std::slice;

unsafe extern "C" {
    // storage/bufmgr.h
    static effective_io_concurrency: c_int;
}

/// What each page of a search calls. A guard of its own for each of these calls would take a noticeable part of its time.
mod unguarded {
    use super::*;

    unsafe extern "C-unwind" {
        // storage/bufmgr.h
        pub fn ReadBufferExtended(
            relation: pg_sys::Relation,
            fork: pg_sys::ForkNumber::Type,
            block: Block,
            mode: pg_sys::ReadBufferMode::Type,
            strategy: pg_sys::BufferAccessStrategy,
        ) -> pg_sys::Buffer;
        pub fn LockBuffer(buffer: pg_sys::Buffer, mode: c_int);
        pub fn UnlockReleaseBuffer(buffer: pg_sys::Buffer);
    }
}

/// How many pages the processor loads ahead: as many as it can wait for at a time.
const LOADS_AHEAD: usize = 4;

/// Bytes of a page.
pub const PAGE: usize = pg_sys::BLCKSZ as usize;

/// A pinned buffer with a lock on its content.
///
/// While an error unwinds it releases nothing: the server has forgotten its locks by then, and the end of the transaction
/// gives back the pins.
pub(super) struct Pinned(pg_sys::Buffer);

impl Pinned {
    /// Reads a page and locks it.
    ///
    /// # Safety
    /// `relation` is an open index; the caller holds no lock on the page.
    unsafe fn read(
        relation: pg_sys::Relation,
        block: Block,
        strategy: pg_sys::BufferAccessStrategy,
        mode: u32,
    ) -> Pinned {
        if block == pg_sys::InvalidBlockNumber {
            // To the server this number means a new page.
            raise(
                PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
                "simhash index has an invalid link to another page".to_owned(),
                None,
                Some("Run REINDEX on the index.".to_owned()),
            );
        }
        let (fork, normal) = (pg_sys::ForkNumber::MAIN_FORKNUM, pg_sys::ReadBufferMode::RBM_NORMAL);
        // SAFETY: as the caller promises; a page that is not there is an error. Calls into the server and nothing else.
        unsafe {
            let index = (*relation).rd_id;
            // All backends read the root, and a look-up makes others wait less than to try a buffer. Pages of temporary
            // indexes are in buffers of this backend, which are not remembered.
            let is_temporary = (*(*relation).rd_rel).relpersistence == pg_sys::RELPERSISTENCE_TEMP as c_char;
            let may_try = block != ROOT && strategy.is_null() && !is_temporary;
            let recent = if may_try { recent_buffers::busy(index, block) } else { None };
            let (buffer, is_recent) = server::guarded(move || {
                let (buffer, is_recent) = match recent {
                    Some(buffer) if read_recent_buffer(relation, block, buffer) => (buffer, true),
                    _ => (unguarded::ReadBufferExtended(relation, fork, block, normal, strategy), false),
                };
                unguarded::LockBuffer(buffer, mode as c_int);
                (buffer, is_recent)
            });
            match is_recent {
                true => count_buffer_hit(relation),
                false => recent_buffers::remember(index, block, buffer),
            }
            Pinned(buffer)
        }
    }

    /// Adds a page to a fork of the index, and locks it. No other backend knows of it.
    ///
    /// # Safety
    /// `relation` is an open index.
    pub(super) unsafe fn new_page(relation: pg_sys::Relation, fork: pg_sys::ForkNumber::Type) -> Pinned {
        let normal = pg_sys::ReadBufferMode::RBM_NORMAL;
        // SAFETY: as the caller promises; under the lock for extension no other backend adds pages.
        unsafe {
            pg_sys::LockRelationForExtension(relation, pg_sys::ExclusiveLock as _);
            let new = pg_sys::InvalidBlockNumber;
            let buffer = pg_sys::ReadBufferExtended(relation, fork, new, normal, null_mut());
            pg_sys::LockBuffer(buffer, pg_sys::BUFFER_LOCK_EXCLUSIVE as _);
            pg_sys::UnlockRelationForExtension(relation, pg_sys::ExclusiveLock as _);
            Pinned(buffer)
        }
    }

    /// A page that was added before, locked for writing.
    ///
    /// # Safety
    /// `relation` is an open index that has the page; the caller holds no lock on it.
    pub(super) unsafe fn for_writing(
        relation: pg_sys::Relation,
        fork: pg_sys::ForkNumber::Type,
        block: Block,
    ) -> Pinned {
        let normal = pg_sys::ReadBufferMode::RBM_NORMAL;
        // SAFETY: as the caller promises.
        unsafe {
            let buffer = pg_sys::ReadBufferExtended(relation, fork, block, normal, null_mut());
            pg_sys::LockBuffer(buffer, pg_sys::BUFFER_LOCK_EXCLUSIVE as _);
            Pinned(buffer)
        }
    }

    pub(super) fn buffer(&self) -> pg_sys::Buffer {
        self.0
    }

    /// The number of the page.
    pub(super) fn block(&self) -> Block {
        // SAFETY: a pinned buffer.
        unsafe { pg_sys::BufferGetBlockNumber(self.0) }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: a pinned buffer has a page of this size, which no other backend changes while we hold a lock on it.
        unsafe { slice::from_raw_parts(pg_sys::BufferGetPage(self.0).cast::<u8>(), PAGE) }
    }

    /// The page for writing.
    ///
    /// # Safety
    /// The lock is one for writing.
    pub(super) unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as the caller promises, and as in `bytes`.
        unsafe { slice::from_raw_parts_mut(pg_sys::BufferGetPage(self.0).cast::<u8>(), PAGE) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: pinned and locked since it was made; for any other buffer this raises an error.
            unsafe { unguarded::UnlockReleaseBuffer(self.0) };
        }
    }
}

/// Copies an image over a page, with the header that the server wants.
pub(super) fn copy_image(image: &Image, page: &mut [u8]) {
    let image = image.as_bytes();
    // SAFETY: a page of the server's size.
    unsafe { pg_sys::PageInit(page.as_mut_ptr().cast(), PAGE, 0) };
    page[HEADER..].copy_from_slice(&image[HEADER..]);
    page[LOWER_AT..UPPER_AT + 2].copy_from_slice(&image[LOWER_AT..UPPER_AT + 2]);
}

/// A part of the work in which an error would leave a change half done: there the server stops as a whole instead.
pub(super) struct CriticalSection;

impl CriticalSection {
    pub(super) fn enter() -> CriticalSection {
        // SAFETY: a counter of this process, which has one thread.
        unsafe { pg_sys::CritSectionCount += 1 };
        CriticalSection
    }
}

impl Drop for CriticalSection {
    fn drop(&mut self) {
        // After a panic it stays, so that the server stops.
        if !std::thread::panicking() {
            // SAFETY: entered before.
            unsafe { pg_sys::CritSectionCount -= 1 };
        }
    }
}

/// The pages of an index that is open for as long as `'r`.
pub struct IndexPages<'r> {
    relation: pg_sys::Relation,
    needs_wal: bool,
    strategy: pg_sys::BufferAccessStrategy,
    is_vacuum: bool,
    /// That of the scan, if it is one.
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
    /// As `new`; `snapshot` is that of the scan, and is there as long as this is used.
    pub unsafe fn for_scan(relation: pg_sys::Relation, snapshot: pg_sys::Snapshot) -> IndexPages<'r> {
        // SAFETY: as the caller promises.
        IndexPages { snapshot, ..unsafe { IndexPages::new(relation) } }
    }

    /// The pages for vacuum, which sleeps now and then and uses few buffers.
    ///
    /// # Safety
    /// As `new`; `strategy` is vacuum's.
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
            super::version::vacuum_delay_point();
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
        // SAFETY: a setting, and an open index; only a hint.
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

    /// Writes a record of the generic kind by hand. The server would find out what has changed by comparing the whole page
    /// with a copy, which takes longer than all the rest of an insert.
    fn patch(mut self, patch: &Patch) {
        let buffer = self.page.buffer();
        let critical = CriticalSection::enter();
        // SAFETY: the page is locked for writing; between the change and its record nothing allocates or fails. The record
        // has one block with the list of changes that generic records have; replay needs nothing of this library.
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
        // SAFETY: locked pages of an open index, at most as many as a record takes; each gets its new content as a whole.
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
