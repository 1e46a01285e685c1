//! Long work can be interrupted: the clustering of many rows calls its checkpoint at regular intervals. `tree/interrupt.rs` has the
//! same tests for the index.

use simhash_search::cluster::{clusters, leaders};

#[test]
fn clusters_of_many_rows() {
    let rows: Vec<u64> = (0..300_000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    for work in [clusters, leaders] {
        let mut count = 0;
        work(rows.clone(), 3, &mut |_| count += 1).expect("enough memory");
        assert!(count >= 30, "{count}");
    }
}
