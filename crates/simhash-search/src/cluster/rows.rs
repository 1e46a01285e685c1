//! Row numbers, and checks for interrupts between rows.

use simhash_memory::{OutOfMemory, with_room};

/// Called often, with the share of the work done, from 0 to 1. It may unwind to abort the work.
pub type Checkpoint<'a> = &'a mut dyn FnMut(f64);

/// How many steps are taken between two checkpoints.
pub const STEPS_PER_CHECK: usize = 1 << 16;

/// Stands for no row.
pub const UNKNOWN: u32 = u32::MAX;

/// 0, 1, 2 and so on: the number of each row.
pub fn numbers(len: usize, checkpoint: Checkpoint) -> Result<Vec<u32>, OutOfMemory> {
    if len >= UNKNOWN as usize {
        return Err(OutOfMemory);
    }
    let mut numbers = with_room(len)?;
    for start in (0..len).step_by(STEPS_PER_CHECK) {
        checkpoint(0.0);
        numbers.extend(start as u32..len.min(start + STEPS_PER_CHECK) as u32);
    }
    Ok(numbers)
}
