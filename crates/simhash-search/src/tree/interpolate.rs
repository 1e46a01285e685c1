//! The position of a value among sorted values that are spread more or less evenly.
//!
//! Bisection waits for one cache line after the other. In a leaf this takes longer than reading the whole leaf. An interpolated
//! guess is nearly always within one or two cache lines of the position.

use std::ops::Range;

/// In nearly all cases a value is at most this far from the position that it would have if all values were spread evenly: two cache
/// lines.
pub const NEARBY: usize = 16;

/// The positions at which the first of the `sorted` values that is not less than `value` can be: all values before `start` are
/// less, and all from `end` on are not. Values are stored as bytes. The range is short if they are spread evenly over `span`.
pub fn bracket(sorted: &[[u8; 8]], span: Range<u64>, value: u64) -> Range<usize> {
    let is_less = |at: usize| u64::from_ne_bytes(sorted[at]) < value;
    let share = value.saturating_sub(span.start) as f64 / span.end.saturating_sub(span.start) as f64;
    let guess = ((share * sorted.len() as f64) as usize).min(sorted.len());
    let (mut start, mut end, mut step) = (guess, guess, NEARBY);
    if guess < sorted.len() && is_less(guess) {
        loop {
            start = end + 1;
            end = (start + step).min(sorted.len());
            if end == sorted.len() || !is_less(end) {
                return start..end;
            }
            step *= 2;
        }
    }
    loop {
        end = start;
        start = end.saturating_sub(step);
        if start == 0 || is_less(start) {
            return start..end;
        }
        step *= 2;
    }
}

/// How many of the sorted values are less than `value`.
pub fn count_less(sorted: &[[u8; 8]], span: Range<u64>, value: u64) -> usize {
    let Range { start, end } = bracket(sorted, span, value);
    start + sorted[start..end].partition_point(|stored| u64::from_ne_bytes(*stored) < value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stored(values: &[u64]) -> Vec<[u8; 8]> {
        values.iter().map(|value| value.to_ne_bytes()).collect()
    }

    #[test]
    fn a_guess_among_even_values_is_close() {
        let values: Vec<u64> = (0..1000).map(|i| i << 20).collect();
        for value in [0, 1, 500 << 20, 999 << 20, u64::MAX] {
            let bracket = bracket(&stored(&values), 0..1000 << 20, value);
            assert!(bracket.len() <= NEARBY, "{bracket:?}");
        }
    }

    proptest! {
        #[test]
        fn a_bracket_has_the_place(
            mut values in prop::collection::vec(any::<u64>(), 0..300), shift in 0..64u32, span: [u64; 2], value: u64
        ) {
            values.iter_mut().for_each(|value| *value >>= shift);
            values.sort();
            for value in [value, value >> shift, values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0)] {
                let position = values.partition_point(|&v| v < value);
                let bracket = bracket(&stored(&values), span[0]..span[1], value);
                prop_assert!(bracket.start <= position && position <= bracket.end && bracket.end <= values.len());
                prop_assert_eq!(count_less(&stored(&values), span[0]..span[1], value), position);
            }
        }
    }
}
