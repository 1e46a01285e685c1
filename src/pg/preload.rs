//! Loading by `shared_preload_libraries`.

use pgrx::pg_sys;

/// Whether the postmaster is loading the library, before any backend is forked.
pub fn in_progress() -> bool {
    // SAFETY: a plain flag of the server, read in its only thread.
    unsafe { pg_sys::process_shared_preload_libraries_in_progress }
}
