//! Longest common subsequence: the characters that two texts have in common, in the same order, with gaps.

use super::Pace;
use super::pattern::Pattern;

/// Its length / length of the longer text; 1 for two empty texts.
pub fn similarity(a: &str, b: &str, checkpoint: &mut dyn FnMut()) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let longer = a.len().max(b.len());
    if longer == 0 { 1.0 } else { length(&a, &b, checkpoint) as f64 / longer as f64 }
}

/// The length of the longest common subsequence, bit by bit in parallel.
fn length(a: &[char], b: &[char], checkpoint: &mut dyn FnMut()) -> usize {
    let mut pace = Pace::new(checkpoint);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let pattern = Pattern::of(short);
    // A bit is 0 where the subsequence gets longer by the character of that row.
    let mut column = vec![u64::MAX; pattern.blocks()];
    for &c in long {
        let mut carry = false;
        for (block, rows) in column.iter_mut().enumerate() {
            let matches = *rows & pattern.places(block, c);
            let (sum, over) = rows.overflowing_add(matches);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            *rows = sum | (*rows & !matches);
        }
        pace.step(pattern.blocks());
    }
    // The last block may be only partly filled; rows beyond its end never match and stay 1.
    column.iter().map(|rows| rows.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!(similarity("", "", &mut || ()), 1.0);
        assert_eq!(similarity("abc", "", &mut || ()), 0.0);
        assert_eq!(similarity("abcd", "axcx", &mut || ()), 0.5);
    }

    proptest! {
        #[test]
        fn as_the_table_says(a in "[ab数]{0,200}", b in "[ab数]{0,200}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(length(&a, &b, &mut || ()), naive(&a, &b));
        }
    }
}
