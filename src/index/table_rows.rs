//! The rows of a table, each with what an index stores of it.

use super::relation::IndexRelation;
use super::scratch::Scratch;
use super::tid::tid_of;
use pgrx::{pg_guard, pg_sys};
use simhash_search::tree::key::Tid;
use std::ffi::c_void;

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
