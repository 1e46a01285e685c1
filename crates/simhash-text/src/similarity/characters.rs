//! Texts as characters.

use crate::chunk::chunk_len;
use crate::markup::Source;
use crate::normalise::{Script, simplified};
use crate::options::Reading;
use crate::pace::Pace;
use simhash_memory::{OutOfMemory, with_room};
use std::cell::RefCell;

/// The characters of a text, simplified if `reading` says so.
pub fn characters(text: &str, reading: Reading, pace: &mut Pace) -> Result<Vec<char>, OutOfMemory> {
    let mut count = 0;
    let pace = RefCell::new(pace);
    let mut check = || pace.borrow_mut().check();
    let mut source = Source::new(text, reading.markup, chunk_len, &mut check);
    while let Some(chunk) = source.next_chunk()? {
        pace.borrow_mut().step(chunk.len());
        count += chunk.chars().count();
    }
    let mut characters = with_room(count)?;
    let mut source = Source::new(text, reading.markup, chunk_len, &mut check);
    while let Some(chunk) = source.next_chunk()? {
        pace.borrow_mut().step(chunk.len());
        match reading.script {
            Script::Fold => characters.extend(chunk.chars().map(simplified)),
            Script::Keep => characters.extend(chunk.chars()),
        }
    }
    Ok(characters)
}

/// The number of characters that are compared between two calls of the pace.
const PIECE: usize = 1 << 14;

/// How many characters at the start of two texts are the same.
pub fn common_start(a: &[char], b: &[char], pace: &mut Pace) -> usize {
    let mut same = 0;
    for (x, y) in a.chunks(PIECE).zip(b.chunks(PIECE)) {
        pace.step(PIECE);
        let equal = x.iter().zip(y).take_while(|(x, y)| x == y).count();
        same += equal;
        if equal < PIECE {
            break;
        }
    }
    same
}

/// How many characters at the end of two texts are the same.
pub fn common_end(a: &[char], b: &[char], pace: &mut Pace) -> usize {
    let mut same = 0;
    for (x, y) in a.rchunks(PIECE).zip(b.rchunks(PIECE)) {
        pace.step(PIECE);
        let equal = x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count();
        same += equal;
        if equal < PIECE {
            break;
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_ends_of_long_texts() {
        let with = |c: char, before: usize, after: usize| {
            let mut text = vec!['x'; before];
            text.push(c);
            text.extend(vec!['x'; after]);
            text
        };
        let checkpoint = &mut || ();
        let mut pace = Pace::new(checkpoint);
        for (before, after) in [(0, 0), (PIECE - 1, PIECE), (PIECE, 3 * PIECE + 5), (2 * PIECE + 7, 0)] {
            let (a, b) = (with('a', before, after), with('b', before, after));
            assert_eq!(common_start(&a, &b, &mut pace), before);
            assert_eq!(common_end(&a, &b, &mut pace), after);
            assert_eq!(common_start(&a, &a, &mut pace), a.len());
            assert_eq!(common_end(&a, &a[1..], &mut pace), a.len() - 1);
        }
    }

    #[test]
    fn as_the_standard_library_says() {
        let text = "naïve 数据库，".repeat(5000);
        let checkpoint = &mut || ();
        let characters = characters(&text, Reading::default(), &mut Pace::new(checkpoint));
        assert_eq!(characters, Ok(text.chars().collect()));
    }
}
