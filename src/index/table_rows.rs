//! The rows of a table, each with what an index stores for it.

use super::relation::IndexRelation;
use super::scratch::Scratch;
use super::tid::tid_of;
use pgrx::{pg_guard, pg_sys};
use simhash_search::fingerprint::Fingerprint;
use simhash_search::tree::key::Tid;
use std::ffi::c_void;

/// Calls `each` for every row of a table that belongs in the index, with what the index stores for it and with its TID. Fingerprints
/// have `words` words. Returns how many rows the table has. The rows come from `scan`, which this function ends. If `scan` is NULL, they come from a new scan as a
/// build needs it, which reports its progress.
///
/// # Safety
/// The table and the index are open. `info` is the index's. `scan` is a scan of the table or NULL.
pub unsafe fn for_each_row(
    table: pg_sys::Relation,
    index: pg_sys::Relation,
    info: *mut pg_sys::IndexInfo,
    words: u8,
    scan: pg_sys::TableScanDesc,
    mut each: impl FnMut(Option<Fingerprint>, Tid),
) -> f64 {
    struct Each<'e> {
        each: &'e mut dyn FnMut(Option<Fingerprint>, Tid),
        words: u8,
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
        // SAFETY: the server passes one value for each column of the index; `each` is the pointer that is passed below.
        unsafe {
            let Each { each, words, scratch } = &mut *each.cast::<Each>();
            each(IndexRelation::new(index).stored(values, is_null, *words, scratch), tid_of(*tid));
        }
    }
    let mut each = Each { each: &mut each, words, scratch: Scratch::new() };
    let is_build = scan.is_null();
    // SAFETY: as the caller promises; `each` lives until the scan has ended.
    unsafe {
        let each = (&raw mut each).cast();
        pg_sys::table_index_build_scan(table, index, info, true, is_build, Some(row), each, scan)
    }
}
