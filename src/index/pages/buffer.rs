//! Pages in the server's buffers, pinned and locked.

use super::recent_buffers;
use crate::server::error::raise;
use crate::server::guard;
use crate::server::settings::PAGE;
use crate::server::version::{count_buffer_hit, read_recent_buffer};
use pgrx::{PgSqlErrorCode, pg_sys};
use simhash_search::tree::page::{Image, LOWER_AT, SERVER_HEADER, UPPER_AT};
use simhash_search::tree::{Block, ROOT};
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;
use std::slice;

/// The functions that a search calls for each page. A separate guard for each of these calls would take a noticeable part of the
/// search's time.
mod unguarded {
    use pgrx::pg_sys;
    use simhash_search::tree::Block;
    use std::ffi::c_int;

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

/// A pinned buffer with a lock on its content.
///
/// While an error unwinds, it releases nothing. The server has reset its counters of held interrupts already, which releasing a lock
/// counts down; the end of the transaction releases the lock and the pin.
pub struct Pinned(pg_sys::Buffer);

impl Pinned {
    /// Reads a page and locks it.
    ///
    /// # Safety
    /// `relation` is an open index; the caller holds no lock on the page.
    pub unsafe fn read(
        relation: pg_sys::Relation,
        block: Block,
        strategy: pg_sys::BufferAccessStrategy,
        mode: u32,
    ) -> Pinned {
        if block == pg_sys::InvalidBlockNumber {
            // For the server this number means a new page.
            raise(
                PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
                "simhash index has a link to an invalid page".to_owned(),
                None,
                Some("Run REINDEX on the index.".to_owned()),
            );
        }
        let (fork, normal) = (pg_sys::ForkNumber::MAIN_FORKNUM, pg_sys::ReadBufferMode::RBM_NORMAL);
        // SAFETY: as the caller promises; a page that does not exist is an error. The guarded part only calls the server.
        unsafe {
            let index = (*relation).rd_id;
            // All backends read the root. A lookup makes other backends wait less than an attempt to use a remembered buffer. Pages
            // of temporary indexes are in local buffers of this backend, which are not remembered.
            let is_temporary = (*(*relation).rd_rel).relpersistence == pg_sys::RELPERSISTENCE_TEMP as c_char;
            let may_try = block != ROOT && strategy.is_null() && !is_temporary;
            let recent = if may_try { recent_buffers::busy(index, block) } else { None };
            let (buffer, is_recent) = guard::guarded(move || {
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

    /// Adds a page to a fork of the index, and locks it. No other backend knows the page.
    ///
    /// # Safety
    /// `relation` is an open index.
    pub unsafe fn new_page(relation: pg_sys::Relation, fork: pg_sys::ForkNumber::Type) -> Pinned {
        let normal = pg_sys::ReadBufferMode::RBM_NORMAL;
        // SAFETY: as the caller promises; under the extension lock no other backend adds pages.
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
    pub unsafe fn for_writing(
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

    pub fn buffer(&self) -> pg_sys::Buffer {
        self.0
    }

    /// The number of the page.
    pub fn block(&self) -> Block {
        // SAFETY: a pinned buffer.
        unsafe { pg_sys::BufferGetBlockNumber(self.0) }
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a pinned buffer has a page of this size, which no other backend changes while this backend holds a lock on it.
        unsafe { slice::from_raw_parts(pg_sys::BufferGetPage(self.0).cast::<u8>(), PAGE) }
    }

    /// The page, for writing.
    ///
    /// # Safety
    /// The page is locked for writing.
    pub unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as the caller promises, and as in `bytes`.
        unsafe { slice::from_raw_parts_mut(pg_sys::BufferGetPage(self.0).cast::<u8>(), PAGE) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: pinned and locked since this value was made; for any other buffer the server raises an error.
            unsafe { unguarded::UnlockReleaseBuffer(self.0) };
        }
    }
}

/// Copies an image over a page, with the header that the server requires.
pub fn copy_image(image: &Image, page: &mut [u8]) {
    let image = image.as_bytes();
    // SAFETY: a page of the server's size.
    unsafe { pg_sys::PageInit(page.as_mut_ptr().cast(), PAGE, 0) };
    page[SERVER_HEADER..].copy_from_slice(&image[SERVER_HEADER..]);
    page[LOWER_AT..UPPER_AT + 2].copy_from_slice(&image[LOWER_AT..UPPER_AT + 2]);
}

/// A part of the work in which an error would leave a change half done. An error in it stops the whole server instead.
pub struct CriticalSection;

impl CriticalSection {
    pub fn enter() -> CriticalSection {
        // SAFETY: a counter of this process, which has one thread.
        unsafe { pg_sys::CritSectionCount += 1 };
        CriticalSection
    }
}

impl Drop for CriticalSection {
    fn drop(&mut self) {
        // After a panic the count is not reduced, so that the server stops.
        if !std::thread::panicking() {
            // SAFETY: entered before.
            unsafe { pg_sys::CritSectionCount -= 1 };
        }
    }
}
