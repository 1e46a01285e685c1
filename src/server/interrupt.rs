//! Interrupts: query cancel, and memory that has run out.

use super::{allocator, error, guard};
use pgrx::pg_sys;

/// Raises the server's error where the query was cancelled or the backend is to end, and an error of its own where the
/// system has refused memory since the last time.
pub fn check() {
    // SAFETY: CHECK_FOR_INTERRUPTS, in the server's only thread: flags of the server say whether there is something to do.
    unsafe {
        if pg_sys::InterruptPending != 0 {
            guard::ProcessInterrupts();
        }
    }
    if allocator::reserve_was_used() {
        error::out_of_memory("The system refused a small request.");
    }
}
