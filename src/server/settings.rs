//! Settings of the server, and its state.

use pgrx::pg_sys;

/// Bytes of a page.
pub const PAGE: usize = pg_sys::BLCKSZ as usize;

/// Costs of the processor's work, in the planner's units.
pub struct Costs {
    /// A row of an index.
    pub index_row: f64,
    /// An operator.
    pub operator: f64,
}

/// The costs as they are set now.
pub fn costs() -> Costs {
    // SAFETY: plain settings, read in the server's only thread.
    unsafe { Costs { index_row: pg_sys::cpu_index_tuple_cost, operator: pg_sys::cpu_operator_cost } }
}

/// How many bytes an index build may use.
pub fn maintenance_memory() -> usize {
    // SAFETY: a plain setting, read in the server's only thread.
    let kilobytes = unsafe { pg_sys::maintenance_work_mem };
    usize::try_from(kilobytes).unwrap_or(0) << 10
}

/// How many bytes one step of a query may use.
pub fn work_memory() -> usize {
    // SAFETY: a plain setting, read in the server's only thread.
    let kilobytes = unsafe { pg_sys::work_mem };
    usize::try_from(kilobytes).unwrap_or(0) << 10
}

/// How many bytes a set of rows of one step may use.
pub fn hash_memory() -> usize {
    // SAFETY: computed from plain settings, in the server's only thread.
    unsafe { pg_sys::get_hash_memory_limit() }
}

/// Whether the postmaster is loading the library (`shared_preload_libraries`), before any backend is forked.
pub fn is_preloading() -> bool {
    // SAFETY: a plain flag of the server, read in its only thread.
    unsafe { pg_sys::process_shared_preload_libraries_in_progress }
}
