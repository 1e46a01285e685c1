//! Query cancel.

/// Raises the server's error where the query was cancelled or the backend is to end.
pub fn check() {
    pgrx::check_for_interrupts!();
}
