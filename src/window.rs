//! `simhash_cluster` and `simhash_leader`: which rows of a window belong together.

use crate::pg::error::out_of_memory;
use crate::pg::progress::Progress;
use crate::pg::window::Window;
use pgrx::{pg_extern, pg_sys};
use simhash_core::Error;
use simhash_core::cluster::{Checkpoint, clusters, leaders};

/// `simhash_cluster(fp bigint, k int) OVER (…) → int`
#[pg_extern]
fn simhash_cluster(fcinfo: pg_sys::FunctionCallInfo) -> Option<i32> {
    const NAME: &str = "simhash_cluster";
    let window = Window::of_call(fcinfo, NAME);
    let number = window.number(|| {
        let (clusters, gaps) = together(&window, NAME, clusters);
        gaps.spread(clusters.into_iter().map(Some))
    });
    number.map(|cluster| cluster as i32)
}

/// `simhash_leader(fp bigint, k int) OVER (… ORDER BY …) → bigint`
#[pg_extern]
fn simhash_leader(fcinfo: pg_sys::FunctionCallInfo) -> Option<i64> {
    const NAME: &str = "simhash_leader";
    let window = Window::of_call(fcinfo, NAME);
    let number = window.number(|| {
        let (leaders, gaps) = together(&window, NAME, leaders);
        let rows = Gaps { rows: gaps.rows.clone() };
        gaps.spread(leaders.into_iter().map(move |leader| Some(rows.row_of(leader))))
    });
    number.map(|row| i64::from(row) + 1)
}

/// What puts fingerprints within k together: a number for each.
type Work = fn(Vec<u64>, i32, Checkpoint) -> Result<Vec<u32>, Error>;

/// The numbers that `work` gives to the rows with a fingerprint, none where k is NULL; and where the other rows are.
fn together(window: &Window, name: &'static str, work: Work) -> (Vec<u32>, Gaps) {
    let mut progress = Progress::new(name);
    let (fingerprints, gaps) = fingerprints(window, &mut progress);
    let numbers = window.first_integer(1).map(|k| work(fingerprints, k, &mut |done| progress.report(done)));
    match numbers.transpose() {
        Ok(numbers) => (numbers.unwrap_or_default(), gaps),
        Err(Error::OutOfMemory) => out_of_memory(),
    }
}

/// The rows without a fingerprint, in ascending order.
struct Gaps {
    rows: Vec<u32>,
}

impl Gaps {
    /// The numbers of the rows with a fingerprint as numbers of all rows.
    fn spread(self, numbers: impl Iterator<Item = Option<u32>>) -> impl Iterator<Item = Option<u32>> {
        let mut gaps = self.rows.into_iter().peekable();
        let mut numbers = numbers;
        (0..).map(move |row| if gaps.next_if_eq(&row).is_some() { None } else { numbers.next().flatten() })
    }

    /// The row that is number `number` among those with a fingerprint.
    fn row_of(&self, number: u32) -> u32 {
        // Up to gap i, which is in row r, there are r - i rows with a fingerprint.
        let (mut before, mut end) = (0, self.rows.len());
        while before < end {
            let middle = before.midpoint(end);
            match self.rows[middle] - middle as u32 <= number {
                true => before = middle + 1,
                false => end = middle,
            }
        }
        number + before as u32
    }
}

/// How many rows are read between two looks at interrupts.
const ROWS_A_CHECK: usize = 1 << 16;

/// The fingerprints of the partition's rows, and where there are none.
fn fingerprints(window: &Window, progress: &mut Progress) -> (Vec<u64>, Gaps) {
    let mut fingerprints: Vec<u64> = vec![];
    fingerprints.try_reserve_exact(window.rows()).unwrap_or_else(|_| out_of_memory());
    let mut gaps = Gaps { rows: vec![] };
    for (row, fp) in window.bigints(0).enumerate() {
        if row.is_multiple_of(ROWS_A_CHECK) {
            progress.report(0.0);
        }
        match fp {
            Some(fp) => fingerprints.push(fp as u64),
            None => gaps.rows.push(row as u32),
        }
    }
    (fingerprints, gaps)
}
