//! The comparison of fingerprints, with special instructions of the processor if it has them.

use simhash_search::filter::{Kernel, WordBall, select, select_by_blocks};

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

fn select_plain(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    select(words, ball, found);
}

#[cfg(target_arch = "x86_64")]
fn with_instruction(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    #[target_feature(enable = "popcnt")]
    fn compiled_for_it(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
        select(words, ball, found);
    }
    // SAFETY: `kernel` returns this function only if the processor has the instruction.
    unsafe { compiled_for_it(words, ball, found) }
}

#[cfg(target_arch = "x86_64")]
fn with_vectors(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
    #[target_feature(enable = "popcnt,avx2")]
    fn compiled_for_them(words: &[[u8; 8]], ball: WordBall, found: &mut Vec<u16>) {
        select_by_blocks(words, ball, found);
    }
    // SAFETY: `kernel` returns this function only if the processor has these instructions.
    unsafe { compiled_for_them(words, ball, found) }
}
