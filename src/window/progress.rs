//! The progress of long work, which can be cancelled.

use crate::server::interrupt;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};
use std::time::{Duration, Instant};

/// Whether long work reports its progress. Results do not depend on it.
static REPORTED: GucSetting<bool> = GucSetting::<bool>::new(true);

/// Defines the setting `simhash.progress`.
pub fn define_setting() {
    GucRegistry::define_bool_guc(
        c"simhash.progress",
        c"Reports the progress of long computations.",
        c"A NOTICE every few seconds; results do not depend on it.",
        &REPORTED,
        GucContext::Userset,
        GucFlags::default(),
    );
}

/// The time between two reports.
const INTERVAL: Duration = Duration::from_secs(5);

/// Work that takes a while.
pub struct Progress {
    name: &'static str,
    started: Instant,
    reported: Instant,
}

impl Progress {
    pub fn new(name: &'static str) -> Progress {
        let now = Instant::now();
        Progress { name, started: now, reported: now }
    }

    /// Reports from time to time that this share of the work is done. Raises an error if the work was cancelled.
    pub fn report(&mut self, done: f64) {
        interrupt::check();
        if self.reported.elapsed() >= INTERVAL {
            self.reported = Instant::now();
            if REPORTED.get() {
                let seconds = self.started.elapsed().as_secs();
                pgrx::notice!("{}: {:.0} % after {seconds} s", self.name, done * 100.0);
            }
        }
    }
}
