//! Settings of the server that estimates depend on.

use pgrx::pg_sys;
use std::ffi::CStr;

/// What the processor's work costs, in the planner's currency.
pub struct Costs {
    /// A row.
    pub row: f64,
    /// A row of an index.
    pub index_row: f64,
    /// An operator.
    pub operator: f64,
}

/// The costs as they are set.
pub fn costs() -> Costs {
    // SAFETY: plain settings, read in the server's only thread.
    unsafe {
        Costs {
            row: pg_sys::cpu_tuple_cost,
            index_row: pg_sys::cpu_index_tuple_cost,
            operator: pg_sys::cpu_operator_cost,
        }
    }
}

/// Whether a table may be read from end to end where there is another way.
pub fn sequential_scans_allowed() -> bool {
    // SAFETY: a plain setting, read in the server's only thread.
    unsafe { pg_sys::enable_seqscan }
}

/// Runs `work` with other settings, each a name and a value.
pub fn with_settings<T>(settings: &[(&CStr, &CStr)], work: impl FnOnce() -> T) -> T {
    // SAFETY: settings for as long as the work lasts; an error leaves them to the end of the (sub)transaction.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for (name, value) in settings {
            pg_sys::set_config_option(
                name.as_ptr(),
                value.as_ptr(),
                pg_sys::GucContext::PGC_USERSET,
                pg_sys::GucSource::PGC_S_SESSION,
                pg_sys::GucAction::GUC_ACTION_SAVE,
                true,
                0,
                false,
            );
        }
        let result = work();
        pg_sys::AtEOXact_GUC(true, level);
        result
    }
}

/// How many bytes the building of an index may use.
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
