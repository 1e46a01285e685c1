//! Interrupts: query cancel, and memory that has run out.

use super::{allocator, error, guard};
use pgrx::pg_sys;

/// Raises the server's error if the query was cancelled or the backend has to end. Raises its own error if the system has refused
/// memory since the last call.
pub fn check() {
    // SAFETY: as CHECK_FOR_INTERRUPTS, in the server's only thread: a flag of the server says whether an interrupt is pending.
    unsafe {
        if pg_sys::InterruptPending != 0 {
            guard::ProcessInterrupts();
        }
    }
    if allocator::reserve_was_used() {
        error::out_of_memory("The operating system refused a small allocation.");
    }
}
