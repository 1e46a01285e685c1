//! What a build needs of the server: pages for a new index, files for what does not fit in memory, the table's rows.

use super::index_pages::{CriticalSection, PAGE, Pinned, copy_image};
use super::index_relation::IndexRelation;
use super::index_scope::Scratch;
use super::interrupt;
use super::version::{needs_wal, write_file};
use pgrx::{PgSqlErrorCode, pg_guard, pg_sys};
use simhash_core::tree::Block;
use simhash_core::tree::build::Sink;
use simhash_core::tree::key::Tid;
use simhash_core::tree::page::Image;
use simhash_core::tree::sort::{SPILL_BLOCK, Spill};
use std::ffi::c_void;

/// A new index that is being written.
pub struct NewPages {
    relation: pg_sys::Relation,
    fork: pg_sys::ForkNumber::Type,
}

impl NewPages {
    /// The pages of an empty index, which are logged all together by `log`.
    ///
    /// # Safety
    /// `relation` is an index that no other backend uses, and stays open as long as this is used.
    pub unsafe fn of_index(relation: pg_sys::Relation) -> NewPages {
        NewPages { relation, fork: pg_sys::ForkNumber::MAIN_FORKNUM }
    }

    /// The pages that an unlogged index has after a crash. Each is logged when it is written.
    ///
    /// # Safety
    /// As `of_index`.
    pub unsafe fn after_crash(relation: pg_sys::Relation) -> NewPages {
        NewPages { relation, fork: pg_sys::ForkNumber::INIT_FORKNUM }
    }

    /// Logs all pages, if the index needs it.
    pub fn log(&self) {
        // SAFETY: an open index, all of whose pages are written.
        unsafe {
            if needs_wal(self.relation) {
                let end = pg_sys::RelationGetNumberOfBlocksInFork(self.relation, self.fork);
                pg_sys::log_newpage_range(self.relation, self.fork, 0, end, true);
            }
        }
    }
}

impl Sink for NewPages {
    fn page_size(&self) -> usize {
        PAGE
    }

    fn add_page(&mut self) -> Block {
        interrupt::check();
        // SAFETY: an open index.
        unsafe { Pinned::new_page(self.relation, self.fork) }.block()
    }

    fn write(&mut self, block: Block, page: &Image) {
        // SAFETY: an open index that no other backend uses, and a page of it that was added before.
        let mut pinned = unsafe { Pinned::for_writing(self.relation, self.fork, block) };
        let critical = CriticalSection::enter();
        // SAFETY: locked for writing. A page of the fork for crashes is logged whatever the index is.
        unsafe {
            copy_image(page, pinned.bytes_mut());
            pg_sys::MarkBufferDirty(pinned.buffer());
            if self.fork == pg_sys::ForkNumber::INIT_FORKNUM {
                pg_sys::log_newpage_buffer(pinned.buffer(), true);
            }
        }
        drop(critical);
    }
}

/// Temporary files, one a tape. The server removes them at the end of the transaction at the latest.
#[derive(Default)]
pub struct Tapes(Vec<Option<*mut pg_sys::BufFile>>);

impl Tapes {
    fn file(&mut self, tape: u8) -> *mut pg_sys::BufFile {
        let tape = usize::from(tape);
        if self.0.len() <= tape {
            self.0.resize(tape + 1, None);
        }
        // SAFETY: a file of this transaction.
        *self.0[tape].get_or_insert_with(|| unsafe { pg_sys::BufFileCreateTemp(false) })
    }

    /// Removes the files.
    pub fn close(self) {
        for file in self.0.into_iter().flatten() {
            // SAFETY: opened by `file`.
            unsafe { pg_sys::BufFileClose(file) };
        }
    }
}

const _: () =
    assert!(SPILL_BLOCK == PAGE, "the server finds a place in a temporary file by blocks of a page");

impl Spill for Tapes {
    fn write(&mut self, tape: u8, bytes: &[u8]) {
        // SAFETY: an open file and bytes to write.
        unsafe { write_file(self.file(tape), bytes) };
    }

    fn read(&mut self, tape: u8, at: u64, bytes: &mut [u8]) {
        let file = self.file(tape);
        // SAFETY: an open file; it reads at most as many bytes as there is room for.
        let read = unsafe {
            match pg_sys::BufFileSeekBlock(file, (at / SPILL_BLOCK as u64) as _) {
                0 => pg_sys::BufFileRead(file, bytes.as_mut_ptr().cast(), bytes.len()),
                _ => 0,
            }
        };
        if read != bytes.len() {
            super::error::raise(
                PgSqlErrorCode::ERRCODE_IO_ERROR,
                "could not read from a temporary file of an index build".to_owned(),
                None,
                None,
            );
        }
    }
}

/// The operators by which the columns of an exclusion constraint are compared, by their numbers; `None` where the index is for none.
///
/// # Safety
/// The index is open, and `info` is its own, which lives for `'i`.
pub unsafe fn comparisons<'i>(index: pg_sys::Relation, info: *const pg_sys::IndexInfo) -> Option<&'i [u16]> {
    // SAFETY: as the caller promises: the array has a number for each key column.
    unsafe {
        let numbers = (*info).ii_ExclusionStrats;
        let count = (*(*index).rd_index).indnkeyatts as usize;
        (!numbers.is_null()).then(|| std::slice::from_raw_parts(numbers, count))
    }
}

/// Calls `each` with what an index stores of each row of a table that belongs in it, and with its place; returns how many rows
/// the table has. Rows come from `scan`, which it ends, or where that is NULL from one that a build needs, with its progress
/// reported.
///
/// # Safety
/// The table and the index are open, `info` is the index's, and `scan` is a scan of the table or NULL.
pub unsafe fn for_each_row(
    table: pg_sys::Relation,
    index: pg_sys::Relation,
    info: *mut pg_sys::IndexInfo,
    scan: pg_sys::TableScanDesc,
    mut each: impl FnMut(Option<u64>, Tid),
) -> f64 {
    struct Each<'e> {
        each: &'e mut dyn FnMut(Option<u64>, Tid),
        scratch: Scratch,
    }
    #[pg_guard]
    unsafe extern "C-unwind" fn row(
        index: pg_sys::Relation,
        tid: pg_sys::ItemPointer,
        values: *mut pg_sys::Datum,
        is_null: *mut bool,
        _is_alive: bool,
        each: *mut c_void,
    ) {
        // SAFETY: the server hands over one value for each column of the index; `each` is what was given below.
        unsafe {
            let Each { each, scratch } = &mut *each.cast::<Each>();
            each(IndexRelation::new(index).stored(values, is_null, scratch), tid_of(*tid));
        }
    }
    let mut each = Each { each: &mut each, scratch: Scratch::new() };
    let is_build = scan.is_null();
    // SAFETY: as the caller promises; `each` lives until the scan has ended.
    unsafe {
        let each = (&raw mut each).cast();
        pg_sys::table_index_build_scan(table, index, info, true, is_build, Some(row), each, scan)
    }
}

/// The place of a row as the tree has it.
pub fn tid_of(pointer: pg_sys::ItemPointerData) -> Tid {
    let block = u32::from(pointer.ip_blkid.bi_hi) << 16 | u32::from(pointer.ip_blkid.bi_lo);
    Tid::new(block, pointer.ip_posid)
}

/// The place of a row as the server has it.
pub fn pointer_of(tid: Tid) -> pg_sys::ItemPointerData {
    let (bi_hi, bi_lo) = ((tid.block() >> 16) as u16, tid.block() as u16);
    pg_sys::ItemPointerData { ip_blkid: pg_sys::BlockIdData { bi_hi, bi_lo }, ip_posid: tid.offset() }
}
