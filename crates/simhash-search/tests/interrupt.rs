//! Long work can be interrupted: clusters of many rows come to checkpoints at a steady pace. `tree/interrupt.rs` has the same
//! for the index.

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
