//! Vacuum's question which rows are dead.

use super::index_build::pointer_of;
use super::server::guarded;
use pgrx::pg_sys;
use simhash_core::tree::key::Tid;
use std::ffi::c_void;

/// The server's answer to the question.
pub struct DeadRows {
    callback: pg_sys::IndexBulkDeleteCallback,
    state: *mut c_void,
}

impl DeadRows {
    /// # Safety
    /// The arguments are those of `ambulkdelete`, and live as long as this is used.
    pub unsafe fn new(callback: pg_sys::IndexBulkDeleteCallback, state: *mut c_void) -> DeadRows {
        DeadRows { callback, state }
    }

    /// Sets which of the rows are dead.
    pub fn find(&self, rows: &[Tid], is_dead: &mut [bool]) {
        let Some(callback) = self.callback else { return };
        // SAFETY: the callback takes the place of a row and the state that came with it. It can raise an error: CREATE INDEX
        // CONCURRENTLY collects the rows of an index this way, in files where they do not fit in memory. Nothing in the
        // guarded part needs to be dropped.
        unsafe {
            guarded(|| {
                for (&tid, is_dead) in rows.iter().zip(is_dead) {
                    *is_dead = callback(&mut pointer_of(tid), self.state);
                }
            });
        }
    }
}
