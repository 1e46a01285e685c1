//! The comparison of fingerprints, with special instructions of the processor if it has them.

use simhash_search::filter::{Ball, Kernel, select, select_by_blocks};

/// The fastest kernel that this processor can run.
pub fn kernel() -> Kernel {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        return match std::arch::is_x86_feature_detected!("avx2") {
            true => with_vectors,
            false => with_instruction,
        };
    }
    select_plain
}

fn select_plain(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    select(fingerprints, ball, found);
}

#[cfg(target_arch = "x86_64")]
fn with_instruction(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    #[target_feature(enable = "popcnt")]
    fn compiled_for_it(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
        select(fingerprints, ball, found);
    }
    // SAFETY: `kernel` returns this function only if the processor has the instruction.
    unsafe { compiled_for_it(fingerprints, ball, found) }
}

#[cfg(target_arch = "x86_64")]
fn with_vectors(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
    #[target_feature(enable = "popcnt,avx2")]
    fn compiled_for_them(fingerprints: &[[u8; 8]], ball: Ball, found: &mut Vec<u16>) {
        select_by_blocks(fingerprints, ball, found);
    }
    // SAFETY: `kernel` returns this function only if the processor has these instructions.
    unsafe { compiled_for_them(fingerprints, ball, found) }
}
