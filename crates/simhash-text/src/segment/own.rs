//! The user's own words, which are not cut.

use super::span::Span;
use super::unicode::{is_mark, is_unbroken};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use simhash_memory::{OutOfMemory, with_room};
use std::hint::black_box;

/// The maximum memory for building the automaton, in bytes per byte of the words.
const BYTES_PER_BYTE: usize = 96;

/// Words that are found in a text where they begin and end at the edges of words. The leftmost word is found first, and of those
/// that begin at the same position the longest.
#[derive(Debug)]
pub struct OwnWords {
    automaton: AhoCorasick,
    words: Vec<String>,
}

impl PartialEq for OwnWords {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for OwnWords {}

impl OwnWords {
    /// Prepares the search for `words`, which are in normal form.
    pub fn new(mut words: Vec<String>) -> Result<OwnWords, OutOfMemory> {
        words.sort_unstable();
        words.dedup();
        // The automaton cannot report that memory is exhausted, so the memory that it needs is requested and released first.
        let bytes: usize = words.iter().map(String::len).sum();
        black_box(with_room::<u8>(BYTES_PER_BYTE * bytes)?);
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&words)
            .map_err(|_| OutOfMemory)?;
        Ok(OwnWords { automaton, words })
    }

    /// Puts the spans of the words in the normalised `text` into `spans`, in order. The spans do not overlap.
    pub fn find(&self, text: &str, spans: &mut Vec<Span>) {
        spans.clear();
        for found in self.automaton.find_overlapping_iter(text) {
            if is_edge(text, found.start()) && is_edge(text, found.end()) {
                spans.push(Span::new(found.start(), found.end()));
            }
        }
        spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = 0;
        spans.retain(|span| {
            let is_free = span.start >= end;
            end = if is_free { span.end } else { end };
            is_free
        });
    }
}

/// Whether an own word may begin or end at the byte `at`. It may not begin or end between two letters of a script that has spaces,
/// at a mark that joins such letters to one word (`can't`, `3.14`), or before a mark that combines.
fn is_edge(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let (mut back, mut on) = (before.chars().rev(), after.chars());
    let (Some(a), Some(b)) = (back.next(), on.next()) else { return true };
    let is_joined = match (is_unbroken(a), is_unbroken(b)) {
        (true, true) => true,
        (true, false) => on.next().is_some_and(|c| joins(a, b, c)),
        (false, true) => back.next().is_some_and(|c| joins(c, a, b)),
        (false, false) => false,
    };
    !is_joined && !is_mark(b)
}

/// Whether `mark` joins the characters before and after it to one word.
fn joins(before: char, mark: char, after: char) -> bool {
    let both = |is: fn(char) -> bool| is_unbroken(before) && is_unbroken(after) && is(before) && is(after);
    matches!(mark, ':' | '.' | '\'') && both(char::is_alphabetic)
        || matches!(mark, ',' | ';' | '.' | '\'') && both(char::is_numeric)
}

/// Appends `text` to `out` with `_` for the white space in `spans`, because white space separates words in a list of features.
pub fn push_joined(text: &str, spans: &[Span], out: &mut String) {
    let mut at = 0;
    for span in spans {
        out.push_str(&text[at..span.start as usize]);
        out.extend(span.text(text).chars().map(|c| if c == ' ' { '_' } else { c }));
        at = span.end as usize;
    }
    out.push_str(&text[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    fn find<'a>(words: &[&str], text: &'a str) -> Vec<&'a str> {
        let own = OwnWords::new(words.iter().map(|word| word.to_string()).collect()).expect("enough memory");
        let mut spans = Vec::new();
        own.find(text, &mut spans);
        spans.iter().map(|span| span.text(text)).collect()
    }

    #[test]
    fn leftmost_and_longest() {
        assert_eq!(find(&["数字", "数字藏品", "藏品市场"], "数字藏品市场和数字"), ["数字藏品", "数字"]);
        assert_eq!(find(&["bc", "abcd", "b"], "abc b abcd"), ["b", "abcd"]);
    }

    #[test]
    fn at_the_edges_of_words() {
        assert_eq!(find(&["new york", "new"], "new yorker, new york; renew"), ["new", "new york"]);
        assert_eq!(
            find(&["can", "14", "c++", "net"], "can't 3.14 c++ asp.net can. 14."),
            ["c++", "can", "14"]
        );
        assert_eq!(find(&["a座", "ต้", "食べ"], "去a座 aa座 食べる"), ["a座", "食べ"]);
        assert_eq!(find(&["cafe", "人"], "café cafe\u{308} 人\u{308}工人"), ["人"]);
    }

    #[test]
    fn white_space_inside_is_no_white_space() {
        let (text, mut out) = ("in new york city", String::new());
        push_joined(text, &[Span::new(3, 11)], &mut out);
        assert_eq!(out, "in new_york city");
    }

    /// The oracle: every word is tried at every position. The edges are those of the Unicode word rules.
    fn naive(words: &[String], text: &str) -> Vec<String> {
        let mut edges: Vec<usize> = text.split_word_bound_indices().map(|(start, _)| start).collect();
        edges.push(text.len());
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let longest = words
                .iter()
                .filter(|word| edges.contains(&at) && text[at..].starts_with(word.as_str()))
                .filter(|word| edges.contains(&(at + word.len())))
                .max_by_key(|word| word.len());
            match longest {
                Some(word) => {
                    found.push(word.clone());
                    at += word.len();
                }
                None => at += 1,
            }
        }
        found
    }

    proptest! {
        #[test]
        fn as_the_naive_search_finds_them(
            words in prop::collection::vec("[abд中国人1.' ]{0,3}[ab中国]", 0..8),
            // The text is in normal form: a full-width comma, which also joins digits, is an ASCII comma there.
            text in "[abд中国人12.,:;'_、é+ ]{0,40}",
        ) {
            // As in options: white space inside is one space, and there is none at the ends.
            let words: Vec<String> =
                words.iter().map(|word| word.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
            let borrowed: Vec<&str> = words.iter().map(String::as_str).collect();
            prop_assert_eq!(find(&borrowed, &text), naive(&words, &text));
        }
    }
}
