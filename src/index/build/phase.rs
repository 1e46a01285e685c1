//! The progress of a build, as pg_stat_progress_create_index shows it.

use pgrx::{pg_guard, pg_sys};
use std::ffi::{c_char, c_int};

/// The phases of a build.
#[derive(Clone, Copy)]
pub enum Phase {
    Scanning = 2,
    Writing = 3,
    Logging = 4,
}

impl Phase {
    /// The name of a phase; number 1 is the server's own phase.
    pub fn name(number: i64) -> Option<&'static std::ffi::CStr> {
        match number {
            1 => Some(c"initializing"),
            2 => Some(c"scanning table"),
            3 => Some(c"sorting and writing pages"),
            4 => Some(c"logging pages"),
            _ => None,
        }
    }

    /// Reports that the build has reached this phase.
    pub fn begin(self) {
        report(pg_sys::PROGRESS_CREATEIDX_SUBPHASE as c_int, self as i64);
    }

    /// Reports how many keys there are to write.
    pub fn total(keys: u64) {
        report(pg_sys::PROGRESS_CREATEIDX_TUPLES_TOTAL as c_int, keys as i64);
    }

    /// Reports how many keys are written.
    pub fn done(keys: u64) {
        report(pg_sys::PROGRESS_CREATEIDX_TUPLES_DONE as c_int, keys as i64);
    }
}

fn report(what: c_int, value: i64) {
    // SAFETY: a counter in shared memory that belongs to this process.
    unsafe { pg_sys::pgstat_progress_update_param(what, value) };
}

#[pg_guard]
pub unsafe extern "C-unwind" fn ambuildphasename(number: i64) -> *mut c_char {
    Phase::name(number).map_or(std::ptr::null_mut(), |name| name.as_ptr().cast_mut())
}
