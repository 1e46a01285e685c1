//! `VACUUM`: removes the entries of dead rows.

use super::relation::IndexRelation;
use super::tid::pointer_of;
use crate::server::guard::guarded;
use pgrx::{PgBox, pg_guard, pg_sys};
use simhash_search::tree::key::Tid;
use simhash_search::tree::pager::Pager;
use simhash_search::tree::vacuum::vacuum;
use std::ffi::c_void;

#[pg_guard]
pub unsafe extern "C-unwind" fn ambulkdelete(
    info: *mut pg_sys::IndexVacuumInfo,
    result: *mut pg_sys::IndexBulkDeleteResult,
    is_dead: pg_sys::IndexBulkDeleteCallback,
    state: *mut c_void,
) -> *mut pg_sys::IndexBulkDeleteResult {
    // SAFETY: called by the server, with an open index and a callback for its state.
    let (relation, strategy, dead_rows) =
        unsafe { (IndexRelation::new((*info).index), (*info).strategy, DeadRows::new(is_dead, state)) };
    // Raises an error if another version has written the index: it is not changed then.
    let meta = relation.meta();
    // SAFETY: the strategy is vacuum's.
    let mut pages = unsafe { relation.pages_for_vacuum(strategy) };
    let done = relation.intact(vacuum(&mut pages, meta, |rows, is_dead| dead_rows.find(rows, is_dead)));
    // SAFETY: the result of an earlier pass, or a new one, which the server frees.
    let result = unsafe {
        let new = || PgBox::<pg_sys::IndexBulkDeleteResult>::alloc0().into_pg();
        &mut *if result.is_null() { new() } else { result }
    };
    result.num_pages = pages.blocks();
    result.estimated_count = false;
    result.num_index_tuples = done.left as f64;
    result.tuples_removed += done.removed as f64;
    result.pages_free = done.unused_pages;
    result
}

#[pg_guard]
pub unsafe extern "C-unwind" fn amvacuumcleanup(
    info: *mut pg_sys::IndexVacuumInfo,
    result: *mut pg_sys::IndexBulkDeleteResult,
) -> *mut pg_sys::IndexBulkDeleteResult {
    // SAFETY: called by the server, with an open index and what `ambulkdelete` returned, if it was called.
    unsafe {
        if let Some(result) = result.as_mut() {
            result.num_pages = IndexRelation::new((*info).index).pages().blocks();
            // Entries of a page that was split during the vacuum may have been counted twice.
            if !(*info).estimated_count {
                result.num_index_tuples = result.num_index_tuples.min((*info).num_heap_tuples);
            }
        }
    }
    result
}

/// The server's answer to the question which rows are dead.
pub struct DeadRows {
    callback: pg_sys::IndexBulkDeleteCallback,
    state: *mut c_void,
}

impl DeadRows {
    /// # Safety
    /// The arguments are those of `ambulkdelete`, and are valid while this value is used.
    pub unsafe fn new(callback: pg_sys::IndexBulkDeleteCallback, state: *mut c_void) -> DeadRows {
        DeadRows { callback, state }
    }

    /// Sets which of the rows are dead.
    pub fn find(&self, rows: &[Tid], is_dead: &mut [bool]) {
        let Some(callback) = self.callback else { return };
        // SAFETY: the callback takes a TID and the state that came with it. It can raise an error: CREATE INDEX CONCURRENTLY uses
        // it to collect the rows of an index, in files if they do not fit in memory. Nothing in the guarded part needs to be
        // dropped.
        unsafe {
            guarded(|| {
                for (&tid, is_dead) in rows.iter().zip(is_dead) {
                    *is_dead = callback(&mut pointer_of(tid), self.state);
                }
            });
        }
    }
}
