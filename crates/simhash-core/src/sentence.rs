//! The longest-sentences signature: texts that share a long sentence are probably copies.

use crate::hash::{SEED, word_hash};
use crate::normalise::normalise;

/// Hashes of the `count` longest sentences of a text, the longest first, of equally long ones the first first. What
/// stands at the edges of a sentence, and how words are set apart, does not matter.
pub fn signature(text: &str, count: usize) -> Vec<u64> {
    let mut normal = String::with_capacity(text.len());
    normalise(text, &mut normal);
    let mut sentences: Vec<(usize, String)> = sentences(&normal)
        .map(|sentence| sentence.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|sentence| (sentence.chars().filter(|c| c.is_alphanumeric()).count(), sentence))
        .filter(|(length, _)| *length > 0)
        .collect();
    sentences.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    let mut hashes = vec![];
    for (_, sentence) in sentences {
        let hash = word_hash(sentence.as_bytes(), SEED);
        if hashes.len() < count && !hashes.contains(&hash) {
            hashes.push(hash);
        }
    }
    hashes
}

/// The sentences of a normalised text. A full stop ends one only where no letter or digit follows: 3.14 is one word.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut characters = rest.char_indices().peekable();
        let end = loop {
            let Some((at, c)) = characters.next() else { break rest.len() };
            let next = characters.peek().map(|(_, next)| *next);
            let ends = match c {
                '。' | '!' | '?' | ';' | '…' | '\n' | '\r' | '｡' | '؟' | '।' => true,
                '.' => next.is_none_or(|next| !next.is_alphanumeric()),
                _ => false,
            };
            if ends {
                break at + c.len_utf8();
            }
        };
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence.trim_matches(|c: char| !c.is_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut() {
        let cut = |text| sentences(text).filter(|s| !s.is_empty()).collect::<Vec<_>>();
        assert_eq!(cut("one. two! three? 3.14 is pi;"), ["one", "two", "three", "3.14 is pi"]);
        assert_eq!(cut("第一句。第二句!第三句?"), ["第一句", "第二句", "第三句"]);
        assert_eq!(cut("a line\nanother…"), ["a line", "another"]);
        assert!(cut(" . ! ").is_empty());
    }

    #[test]
    fn the_longest_first() {
        let one = signature("短。这是一个比较长的句子。This is the longest sentence of them all.", 2);
        assert_eq!(one.len(), 2);
        assert_eq!(one[0], word_hash("this is the longest sentence of them all".as_bytes(), SEED));
        assert_eq!(one[1], word_hash("这是一个比较长的句子".as_bytes(), SEED));
    }

    #[test]
    fn what_does_not_matter() {
        let plain = signature("It was a bright cold day in April", 3);
        assert_eq!(signature("“It was  a bright\tcold day in ＡＰＲＩＬ!”", 3), plain);
        assert_eq!(
            signature("It was a bright cold day in April. It was a bright cold day in April!", 3),
            plain
        );
        // A sentence that comes again counts once, also with another of its length in between.
        assert_eq!(signature("first one. other one. first one.", 3).len(), 2);
        assert!(signature("...", 3).is_empty());
        assert!(signature("", 3).is_empty());
    }
}
