//! Settings of the server that estimates depend on.

use pgrx::pg_sys;

/// What the processor's work costs, in the planner's currency.
pub struct Costs {
    /// A row.
    pub row: f64,
    /// An operator.
    pub operator: f64,
}

/// The costs as they are set.
pub fn costs() -> Costs {
    // SAFETY: plain settings, read in the server's only thread.
    unsafe { Costs { row: pg_sys::cpu_tuple_cost, operator: pg_sys::cpu_operator_cost } }
}

/// Whether a table may be read from end to end where there is another way.
pub fn sequential_scans_allowed() -> bool {
    // SAFETY: a plain setting, read in the server's only thread.
    unsafe { pg_sys::enable_seqscan }
}

/// Runs `work`, in which a table is read from end to end only where there is no other way. What is then the only way
/// counts as very dear, which must not make the server compile it.
pub fn without_sequential_scans<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: settings for as long as the work lasts; an error leaves them to the end of the (sub)transaction.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for setting in [c"enable_seqscan", c"jit"] {
            pg_sys::set_config_option(
                setting.as_ptr(),
                c"off".as_ptr(),
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
