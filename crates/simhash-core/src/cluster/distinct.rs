//! Equal fingerprints, told from new ones by a hash table.

use super::{Checkpoint, STEPS_A_CHECK, UNKNOWN, filled, with_room};
use crate::Error;

/// Rows as numbers of distinct fingerprints.
pub struct Distinct {
    /// Each fingerprint once, in the order of first rows.
    pub fingerprints: Vec<u64>,
    /// Which of them each row has.
    pub of_row: Vec<u32>,
}

/// How many rows are looked up together, so that their places come from memory at the same time.
const TOGETHER: usize = 32;

impl Distinct {
    /// Numbers the distinct fingerprints of the rows.
    pub fn of(mut rows: Vec<u64>, checkpoint: Checkpoint) -> Result<Distinct, Error> {
        if u32::try_from(rows.len()).is_err() {
            return Err(Error::OutOfMemory);
        }
        let bits = usize::BITS - (rows.len() + rows.len() / 3).leading_zeros();
        let mut table = filled(1 << bits, UNKNOWN)?;
        let mut of_row = with_room(rows.len())?;
        let place =
            |fingerprint: u64| (fingerprint.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1 >> (63 - bits)) as usize;
        // Distinct fingerprints move to the front of `rows`.
        let mut count = 0;
        let mut places = [0; TOGETHER];
        for start in (0..rows.len()).step_by(TOGETHER) {
            if start % STEPS_A_CHECK == 0 {
                checkpoint(0.0);
            }
            let end = rows.len().min(start + TOGETHER);
            let mut touched = 0;
            for (at, &row) in places.iter_mut().zip(&rows[start..end]) {
                *at = place(row);
                touched ^= table[*at];
            }
            std::hint::black_box(touched);
            for i in start..end {
                let row = rows[i];
                let mut at = places[i - start];
                while table[at] != UNKNOWN && rows[table[at] as usize] != row {
                    at = (at + 1) % table.len();
                }
                if table[at] == UNKNOWN {
                    table[at] = count;
                    rows[count as usize] = row;
                    count += 1;
                }
                of_row.push(table[at]);
            }
        }
        drop(table);
        rows.truncate(count as usize);
        Ok(Distinct { fingerprints: rows, of_row })
    }
}
