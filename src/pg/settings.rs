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
