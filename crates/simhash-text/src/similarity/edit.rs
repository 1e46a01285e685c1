//! Edit distance: the number of characters that have to be inserted, deleted or replaced.
//!
//! Myers' bit-parallel algorithm in blocks of 64 characters, after Hyyrö. Only blocks near the diagonal, within the largest
//! distance that matters, are computed. A database must be able to interrupt the computation, and no crate for this algorithm
//! allows that.

use super::characters::{characters, common_end, common_start};
use super::pattern::Pattern;
use crate::options::Reading;
use crate::pace::Pace;
use simhash_memory::{OutOfMemory, filled, with_room};

/// 1 − distance / length of the longer text; 1 for two empty texts.
pub fn similarity(
    a: &str,
    b: &str,
    reading: Reading,
    checkpoint: &mut dyn FnMut(),
) -> Result<f64, OutOfMemory> {
    let mut pace = Pace::new(checkpoint);
    let (a, b) = (characters(a, reading, &mut pace)?, characters(b, reading, &mut pace)?);
    let longer = a.len().max(b.len());
    let distance = within(&a, &b, longer, &mut pace)?.unwrap_or(longer);
    Ok(if longer == 0 { 1.0 } else { 1.0 - distance as f64 / longer as f64 })
}

/// Whether the similarity is at least `least`; stops as soon as that is known.
pub fn is_similar(
    a: &str,
    b: &str,
    least: f64,
    reading: Reading,
    checkpoint: &mut dyn FnMut(),
) -> Result<bool, OutOfMemory> {
    if least > 1.0 || least.is_nan() {
        return Ok(false);
    }
    let mut pace = Pace::new(checkpoint);
    let (a, b) = (characters(a, reading, &mut pace)?, characters(b, reading, &mut pace)?);
    let longer = a.len().max(b.len()) as f64;
    // The largest distance that is still similar enough, found by the same division as in `similarity`.
    let mut most = ((1.0 - least) * longer).clamp(0.0, longer).ceil() as usize;
    while most > 0 && 1.0 - most as f64 / longer < least {
        most -= 1;
    }
    Ok(within(&a, &b, most, &mut pace)?.is_some())
}

/// The vertical differences of one block of a column: the rows where they are +1 and those where they are −1.
#[derive(Clone, Copy)]
struct Differences {
    plus: u64,
    minus: u64,
}

/// The distance of two texts; `None` if it is more than `most`. Narrow bands around the diagonal are tried first. They are
/// sufficient for texts that are nearly equal, and the search in them ends soon for texts that have nothing in common.
fn within(a: &[char], b: &[char], most: usize, pace: &mut Pace) -> Result<Option<usize>, OutOfMemory> {
    // A common start and a common end cost nothing.
    let start = common_start(a, b, pace);
    let (a, b) = (&a[start..], &b[start..]);
    let end = common_end(a, b, pace);
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > most {
        return Ok(None);
    }
    if short.is_empty() {
        return Ok(Some(long.len()));
    }
    let pattern = Pattern::of(short, pace)?;
    for limit in [31, 127].into_iter().filter(|&limit| limit < most).chain([most]) {
        let distance = in_band(&pattern, short.len(), long, limit, pace)?;
        if distance.is_some() {
            return Ok(distance);
        }
    }
    Ok(None)
}

/// The number of columns between two checks whether a distance of at most `most` is still possible.
const COLUMNS_PER_LOOK: usize = 16;

/// The distance of `long` and of a text of `rows` characters, given by their positions in `pattern`; `None` if it is more than
/// `most`.
fn in_band(
    pattern: &Pattern,
    rows: usize,
    long: &[char],
    most: usize,
    pace: &mut Pace,
) -> Result<Option<usize>, OutOfMemory> {
    let last = pattern.blocks() - 1;
    let unknown = Differences { plus: u64::MAX, minus: 0 };
    let mut column = filled(pattern.blocks(), unknown, &mut || pace.check())?;
    // The distance at the lower edge of each block computed so far.
    let mut at_edge: Vec<usize> = with_room(pattern.blocks())?;
    at_edge.extend((1..=pattern.blocks()).map(|block| (block * 64).min(rows)));
    // Rows further than `most` from the diagonal do not matter. A block that has not been computed yet counts as insertions only,
    // which is never less than the true distance.
    let mut lowest = (most / 64).min(last);
    for (j, &c) in long.iter().enumerate() {
        let first = j.saturating_sub(most) / 64;
        let lower = ((j + 1 + most) / 64).min(last);
        if lower > lowest {
            at_edge[lower] = at_edge[lowest] + height(rows, lower);
            lowest = lower;
        }
        // Above the band, every step to the right costs one, which is also never less than the true distance.
        let (mut carry_plus, mut carry_minus) = (1, 0);
        for block in first..=lowest {
            let Differences { plus, minus } = column[block];
            let matches = pattern.positions(block, c) | carry_minus;
            let diagonal = (((matches & plus).wrapping_add(plus)) ^ plus) | matches | minus;
            let (right_plus, right_minus) = (minus | !(diagonal | plus), plus & diagonal);
            let edge = (height(rows, block) - 1) as u32;
            at_edge[block] += (right_plus >> edge & 1) as usize;
            at_edge[block] -= (right_minus >> edge & 1) as usize;
            let (shifted_plus, shifted_minus) =
                (right_plus << 1 | carry_plus, right_minus << 1 | carry_minus);
            (carry_plus, carry_minus) = (right_plus >> 63, right_minus >> 63);
            column[block] = Differences {
                plus: shifted_minus | !(diagonal | shifted_plus),
                minus: shifted_plus & diagonal,
            };
        }
        pace.step(lowest + 1 - first);
        if j % COLUMNS_PER_LOOK == COLUMNS_PER_LOOK - 1 {
            let columns_left = long.len() - j - 1;
            let hope = |block: usize| at_least(at_edge[block], rows, block, columns_left) <= most;
            if !(first..=lowest).any(hope) {
                return Ok(None);
            }
        }
    }
    Ok(Some(at_edge[last]).filter(|&distance| lowest == last && distance <= most))
}

/// A lower bound of the distance for all paths through a block with the distance `at_edge` at its lower edge. With each row further
/// up from the edge, the distance can be smaller by one. The path from there to the end can also be shorter by one, if more columns
/// than rows are left.
fn at_least(at_edge: usize, rows: usize, block: usize, columns_left: usize) -> usize {
    let rows_left = rows - block * 64 - height(rows, block);
    let towards_diagonal = columns_left.saturating_sub(rows_left).min(height(rows, block));
    (at_edge + rows_left.abs_diff(columns_left)).saturating_sub(2 * towards_diagonal)
}

/// The number of characters in a block of a text of `len` characters.
fn height(len: usize, block: usize) -> usize {
    (len - block * 64).min(64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    fn within(a: &[char], b: &[char], most: usize) -> Option<usize> {
        super::within(a, b, most, &mut Pace::new(&mut || ())).expect("enough memory")
    }

    fn similarity(a: &str, b: &str) -> f64 {
        super::similarity(a, b, Reading::default(), &mut || ()).expect("enough memory")
    }

    fn is_similar(a: &str, b: &str, least: f64) -> bool {
        super::is_similar(a, b, least, Reading::default(), &mut || ()).expect("enough memory")
    }

    /// The oracle: the table of all prefixes.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let replaced = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[b.len()]
    }

    #[test]
    fn known() {
        let distance = |a: &str, b: &str| within(&characters(a), &characters(b), 100);
        assert_eq!(distance("kitten", "sitting"), Some(3));
        assert_eq!(distance("数据库的文章", "数据库文章"), Some(1));
        assert_eq!(distance("", "abc"), Some(3));
        assert_eq!(similarity("", ""), 1.0);
        assert_eq!(similarity("abcd", "abxd"), 0.75);
        assert_eq!(similarity("臺灣電腦", "台湾电脑"), 1.0);
        assert!(is_similar("abcd", "abxd", 0.75) && !is_similar("abcd", "abxd", 0.76));
        assert!(is_similar("", "", 1.0) && !is_similar("a", "a", f64::NAN));
        assert!(is_similar("a", "b", -1.0) && !is_similar("a", "a", 1.1));
    }

    proptest! {
        /// Texts of few different letters, some longer than a block, with any limit.
        #[test]
        fn as_the_table_says(a in "[ab数]{0,200}", b in "[ab数]{0,200}", most in 0..220usize) {
            let (a, b) = (characters(&a), characters(&b));
            let truth = naive(&a, &b);
            prop_assert_eq!(within(&a, &b, 400), Some(truth));
            prop_assert_eq!(within(&a, &b, most), (truth <= most).then_some(truth));
        }

        /// Edited copies of long texts.
        #[test]
        fn edited(
            a in "[a-f 数据库]{100,400}",
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3u8), 0..30),
            least in 0.0..1.0f64,
        ) {
            let one = characters(&a);
            let mut other = one.clone();
            for (at, kind) in edits {
                match kind {
                    0 => other.insert(at.index(other.len() + 1), 'x'),
                    1 if !other.is_empty() => { other.remove(at.index(other.len())); }
                    _ if !other.is_empty() => { let at = at.index(other.len()); other[at] = 'y'; }
                    _ => {}
                }
            }
            let truth = naive(&one, &other);
            for most in [truth.saturating_sub(1), truth, truth + 1, 64, 100] {
                prop_assert_eq!(within(&one, &other, most), (truth <= most).then_some(truth));
            }
            let b: String = other.iter().collect();
            prop_assert_eq!(is_similar(&a, &b, least), similarity(&a, &b) >= least);
        }
    }
}
