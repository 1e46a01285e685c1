//! Clusters of large tables: seconds on one core, and peak memory.

use simhash_memory::OutOfMemory;
use simhash_search::cluster::{Checkpoint, clusters, leaders};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Counts the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract of `GlobalAlloc`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`, which is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`; `pointer` comes from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The function that is measured.
type Work = fn(Vec<u64>, i32, Checkpoint) -> Result<Vec<u32>, OutOfMemory>;

fn random(seed: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&seed.to_le_bytes())
}

/// Every fifth row is an edited copy of another: 1 to 6 bits differ.
fn with_copies(rows: u64) -> Vec<u64> {
    let copy = |i: u64| {
        let flips = (0..1 + i % 6).fold(0, |bits, j| bits | 1 << (random(i * 7 + j) % 64));
        random(i - i % 1000) ^ flips
    };
    (0..rows).map(|i| if i % 5 == 4 { copy(i) } else { random(i) }).collect()
}

/// Some bits are mostly 1, as in fingerprints of one kind of text: about ten times as many rows share a band value.
fn skewed(rows: u64) -> Vec<u64> {
    (0..rows).map(|i| random(i) | random(i + rows) & random(i + 2 * rows) & 0x00FF_F0FF_0FF0_FFFF).collect()
}

fn main() {
    println!("{:<44} {:>10} {:>10} {:>12} {:>12}", "", "clusters s", "leaders s", "rows", "bytes a row");
    let million = 1_000_000;
    let mut equal = with_copies(million);
    equal.splice(500_000..600_000, std::iter::repeat_n(42, 100_000));
    let cases: [(&str, Vec<u64>, &[i32]); 6] = [
        ("uniform, 1 million", (0..million).map(random).collect(), &[3, 7]),
        ("a fifth edited copies, 1 million", with_copies(million), &[3, 7]),
        ("skewed, 1 million", skewed(million), &[3, 7]),
        ("100,000 equal rows among a million", equal, &[3]),
        ("all equal in 40 bits, 1 million", (0..million).map(|i| random(i) & 0xFF_FFFF).collect(), &[3]),
        ("uniform, 10 million", (0..10 * million).map(random).collect(), &[3]),
    ];
    for (name, rows, ks) in cases {
        for &k in ks {
            let before = IN_USE.load(Relaxed);
            let mut peak = 0;
            let mut seconds = |work: Work| {
                let copy = rows.clone();
                PEAK.store(IN_USE.load(Relaxed), Relaxed);
                let start = Instant::now();
                let result = work(copy, k, &mut |_| ());
                let seconds = start.elapsed().as_secs_f64();
                assert!(result.is_ok());
                peak = peak.max(PEAK.load(Relaxed) - before);
                seconds
            };
            let (clusters, leaders) = (seconds(clusters), seconds(leaders));
            println!(
                "{:<44} {clusters:>10.2} {leaders:>10.2} {:>12} {:>12.1}",
                format!("{name}, k = {k}"),
                rows.len(),
                peak as f64 / rows.len() as f64
            );
        }
    }
}
