//! `simhash_cluster` and `simhash_leader`: the groups of near rows in a window.

use super::partition::Window;
use super::progress::Progress;
use crate::server::call::Call;
use crate::server::error::out_of_memory;
use pgrx::pg_extern;
use simhash_memory::{OutOfMemory, push, with_room};
use simhash_search::cluster::{Checkpoint, clusters, leaders};

/// `simhash_cluster(fp bigint, k int) OVER (…) → int`
#[pg_extern]
fn simhash_cluster(call: Call) -> Option<i32> {
    const NAME: &str = "simhash_cluster";
    let window = Window::of_call(call, NAME);
    let number = window.number(|| together(&window, NAME, clusters).spread(|cluster, _| cluster));
    number.map(|cluster| cluster as i32)
}

/// `simhash_leader(fp bigint, k int) OVER (… ORDER BY …) → bigint`
#[pg_extern]
fn simhash_leader(call: Call) -> Option<i64> {
    const NAME: &str = "simhash_leader";
    let window = Window::of_call(call, NAME);
    let number = window.number(|| together(&window, NAME, leaders).spread(row_of));
    number.map(|row| i64::from(row) + 1)
}

/// A function that groups fingerprints within k: it returns a number for each.
type Work = fn(Vec<u64>, i32, Checkpoint) -> Result<Vec<u32>, OutOfMemory>;

/// The numbers of the rows with a fingerprint, and the positions of the other rows.
struct Together {
    /// Empty if k is NULL.
    numbers: Vec<u32>,
    /// The rows without a fingerprint, in ascending order.
    gaps: Vec<u32>,
}

fn together(window: &Window, name: &'static str, work: Work) -> Together {
    let mut progress = Progress::new(name);
    let mut together = || {
        let (fingerprints, gaps) = fingerprints(window, &mut progress)?;
        let numbers = match window.first_integer(1) {
            Some(k) => work(fingerprints, k, &mut |done| progress.report(done))?,
            None => vec![],
        };
        Ok(Together { numbers, gaps })
    };
    together().unwrap_or_else(|OutOfMemory| {
        out_of_memory("The fingerprints of the partition do not fit in memory.")
    })
}

impl Together {
    /// The numbers of all rows. `shown` converts a number, and gets the rows without a fingerprint for it.
    fn spread(self, shown: fn(u32, &[u32]) -> u32) -> impl Iterator<Item = Option<u32>> {
        let (mut next, mut next_gap) = (0, 0);
        (0..).map(move |row| {
            if self.gaps.get(next_gap) == Some(&row) {
                next_gap += 1;
                return None;
            }
            next += 1;
            self.numbers.get(next - 1).map(|number| shown(*number, &self.gaps))
        })
    }
}

/// The row that is number `number` among those with a fingerprint. `gaps` are the other rows.
fn row_of(number: u32, gaps: &[u32]) -> u32 {
    // Before gap i, which is in row r, there are r - i rows with a fingerprint.
    let (mut before, mut end) = (0, gaps.len());
    while before < end {
        let middle = before.midpoint(end);
        match gaps[middle] - middle as u32 <= number {
            true => before = middle + 1,
            false => end = middle,
        }
    }
    number + before as u32
}

/// How many rows are read between two checks for interrupts.
const ROWS_PER_CHECK: usize = 1 << 12;

/// The fingerprints of the partition's rows, and the rows without one.
fn fingerprints(window: &Window, progress: &mut Progress) -> Result<(Vec<u64>, Vec<u32>), OutOfMemory> {
    let mut fingerprints = with_room(window.rows())?;
    let mut gaps = vec![];
    for (row, fp) in window.bigints(0).enumerate() {
        if row.is_multiple_of(ROWS_PER_CHECK) {
            progress.report(0.0);
        }
        match fp {
            Some(fp) => fingerprints.push(fp as u64),
            None => push(&mut gaps, row as u32)?,
        }
    }
    Ok((fingerprints, gaps))
}
