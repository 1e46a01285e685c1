//! Longest common subsequence: the characters that two texts have in common, in the same order, with gaps.

use super::characters::characters;
use super::pattern::Pattern;
use crate::Error;
use crate::memory::filled;
use crate::options::Reading;
use crate::pace::Pace;

/// Its length / length of the longer text; 1 for two empty texts.
pub fn similarity(a: &str, b: &str, reading: Reading, checkpoint: &mut dyn FnMut()) -> Result<f64, Error> {
    let mut pace = Pace::new(checkpoint);
    let (a, b) = (characters(a, reading, &mut pace)?, characters(b, reading, &mut pace)?);
    let longer = a.len().max(b.len());
    Ok(if longer == 0 { 1.0 } else { length(&a, &b, &mut pace)? as f64 / longer as f64 })
}

/// The length of the longest common subsequence, bit by bit in parallel.
fn length(a: &[char], b: &[char], pace: &mut Pace) -> Result<usize, Error> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let pattern = Pattern::of(short, pace)?;
    // A bit is 0 where the subsequence gets longer by the character of that row.
    let mut column = filled(pattern.blocks(), u64::MAX, &mut || pace.check())?;
    for &c in long {
        let mut carry = false;
        for (block, rows) in column.iter_mut().enumerate() {
            let matches = *rows & pattern.places(block, c);
            let (sum, over) = rows.overflowing_add(matches);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            *rows = sum | (*rows & !matches);
        }
        pace.step(pattern.blocks() + 1);
    }
    // The last block may be only partly filled; rows beyond its end never match and stay 1.
    Ok(column.iter().map(|rows| rows.count_zeros() as usize).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn similarity(a: &str, b: &str) -> f64 {
        super::similarity(a, b, Reading::default(), &mut || ()).expect("enough memory")
    }

    /// The oracle: the table of all prefixes.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let longer = if x == y { diagonal + 1 } else { row[j].max(row[j + 1]) };
                diagonal = row[j + 1];
                row[j + 1] = longer;
            }
        }
        row[b.len()]
    }

    #[test]
    fn known() {
        assert_eq!(similarity("", ""), 1.0);
        assert_eq!(similarity("abc", ""), 0.0);
        assert_eq!(similarity("abcd", "axcx"), 0.5);
        assert_eq!(similarity("臺灣電腦", "台湾电视"), 0.75);
    }

    proptest! {
        #[test]
        fn as_the_table_says(a in "[ab数]{0,200}", b in "[ab数]{0,200}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(length(&a, &b, &mut Pace::new(&mut || ())), Ok(naive(&a, &b)));
        }
    }
}
