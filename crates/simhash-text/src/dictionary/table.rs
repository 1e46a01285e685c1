//! Jieba's words with their frequencies, in the tables that `build.rs` builds: a trie of characters in a double array.
//!
//! The tables are constants of the library: nothing is built when a process starts, and all processes share them.

/// The code of a Han character that is in no word.
pub const UNKNOWN: u16 = 0;

/// The code of a break: no word spans it, and it is not a word itself.
pub const BREAK: u16 = 1;

/// The code of a character that is a word itself and is in no word with other characters.
pub const ALONE: u16 = 2;

/// The rank of a prefix that is not a word.
const NO_WORD: usize = 0;

/// The bytes of a file, aligned so that numbers can be read directly.
#[repr(align(64))]
struct Aligned<const LEN: usize>([u8; LEN]);

/// A table of numbers of `$bytes` bytes each.
macro_rules! table {
    ($name:ident, $file:literal, $bytes:literal) => {
        static $name: &[[u8; $bytes]] = {
            const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/", $file));
            static ALIGNED: Aligned<{ BYTES.len() }> =
                Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/", $file)));
            ALIGNED.0.as_chunks().0
        };
    };
}

table!(CODES, "codes.bin", 2);
table!(ROOTS, "roots.bin", 16);
table!(BASES, "bases.bin", 4);
table!(CELLS, "cells.bin", 8);
table!(FREQUENCIES, "frequencies.bin", 4);
table!(LOGARITHMS, "logarithms.bin", 8);
table!(WEIGHTS, "weights.bin", 8);

/// The code of a character in the dictionary.
#[inline(always)]
pub fn code(c: impl Into<u32>) -> u16 {
    CODES.get(c.into() as usize).map_or(UNKNOWN, |code| u16::from_le_bytes(*code))
}

/// A single character, as a word and as a prefix of words.
#[derive(Clone, Copy)]
pub struct Root {
    cell: u64,
    weight: f64,
}

impl Root {
    /// The root for the character with this code.
    #[inline(always)]
    pub fn new(code: u16) -> Root {
        let root = u128::from_le_bytes(ROOTS[usize::from(code)]);
        Root { cell: root as u64, weight: f64::from_bits((root >> 64) as u64) }
    }

    /// The logarithm of the word's relative frequency; −∞ if it is not a word. For `UNKNOWN` it is the value for a frequency of 1,
    /// for `BREAK` and `ALONE` it is +∞.
    #[inline(always)]
    pub fn weight(self) -> f64 {
        self.weight
    }

    /// Returns the rank of its frequency as a word.
    #[inline(always)]
    pub fn rank(self) -> Rank {
        Rank((self.cell >> 16) as u16)
    }

    /// The base for the prefix of two characters whose second character has this code.
    #[inline(always)]
    pub fn base(self, code: u16) -> u32 {
        // Many prefixes begin with the same character. The lowest bits of the code select the group that has the prefix.
        let group = self.cell as u16 & code;
        u32::from_le_bytes(BASES[(self.cell >> 32) as usize + usize::from(group)])
    }
}

/// A prefix of words with two or more characters.
#[derive(Clone, Copy)]
pub struct Node(u64);

impl Node {
    /// The node for the character with this code in the cells at `base`. It is the longer prefix only if this code is also the code
    /// of its last character.
    #[inline(always)]
    pub fn new(base: u32, code: u16) -> Node {
        Node(u64::from_le_bytes(CELLS[base as usize + usize::from(code)]))
    }

    /// The code of its last character.
    #[inline(always)]
    pub fn code(self) -> u16 {
        self.0 as u16
    }

    /// Returns the rank of its frequency as a word.
    #[inline(always)]
    pub fn rank(self) -> Rank {
        Rank((self.0 >> 16) as u16)
    }

    /// The base of the longer prefixes; 0 if there are none.
    #[inline(always)]
    pub fn base(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// The rank of a frequency among all distinct frequencies, the highest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rank(u16);

impl Rank {
    /// The rank of a prefix that is not a word.
    pub const NO_WORD: Rank = Rank(NO_WORD as u16);

    /// The logarithm of the word's relative frequency; −∞ if it is not a word.
    #[inline(always)]
    pub fn weight(self) -> f64 {
        f64::from_le_bytes(WEIGHTS[usize::from(self.0)])
    }

    /// The frequency of the word; 1 if it is not a word.
    pub fn frequency(self) -> u32 {
        u32::from_le_bytes(FREQUENCIES[usize::from(self.0)])
    }

    /// The logarithm of the frequency.
    pub fn logarithm(self) -> f64 {
        f64::from_le_bytes(LOGARITHMS[usize::from(self.0)])
    }
}

/// The logarithm of the sum of all frequencies.
#[inline(always)]
pub fn logarithm_of_total() -> f64 {
    f64::from_le_bytes(LOGARITHMS[FREQUENCIES.len()])
}

/// The rank of a text as a word.
pub fn rank(word: &str) -> Rank {
    let mut codes = word.chars().map(code);
    let Some(first) = codes.next() else { return Rank::NO_WORD };
    let root = Root::new(first);
    let Some(second) = codes.next() else { return root.rank() };
    let mut node = Node::new(root.base(second), second);
    let mut last = second;
    for code in codes {
        if node.code() != last {
            return Rank::NO_WORD;
        }
        (node, last) = (Node::new(node.base(), code), code);
    }
    if node.code() == last { node.rank() } else { Rank::NO_WORD }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::dictionary::jieba;
    use std::collections::{HashMap, HashSet};

    /// All words of the trie.
    pub fn all_words() -> Vec<(String, Rank)> {
        let characters: HashMap<u16, char> = ('\0'..='\u{FFFF}').map(|c| (code(c), c)).collect();
        // A cell contains its code, which gives the base that it is a child of.
        let mut children: HashMap<u32, Vec<Node>> = HashMap::new();
        for (index, cell) in (0..).zip(CELLS) {
            let node = Node(u64::from_le_bytes(*cell));
            if characters.contains_key(&node.code()) {
                children.entry(index - u32::from(node.code())).or_default().push(node);
            }
        }
        let mut words = Vec::new();
        let mut open: Vec<(String, u32)> = Vec::new();
        for (code, c) in characters.iter().filter(|(code, _)| **code != UNKNOWN) {
            let root = Root::new(*code);
            words.push((c.to_string(), root.rank()));
            let bases: HashSet<u32> = (0..=root.cell as u16).map(|group| root.base(group)).collect();
            open.extend(bases.into_iter().map(|base| (c.to_string(), base)));
        }
        while let Some((prefix, base)) = open.pop() {
            for node in children.get(&base).into_iter().flatten() {
                let prefix = format!("{prefix}{}", characters[&node.code()]);
                open.push((prefix.clone(), node.base()));
                words.push((prefix, node.rank()));
            }
        }
        words.retain(|(_, rank)| *rank != Rank::NO_WORD);
        words
    }

    /// There are as many words as the dictionary has lines, and jieba knows each of them.
    #[test]
    fn the_words_are_those_of_jieba() {
        let words = all_words();
        assert_eq!(words.len(), 349_045);
        for (word, found) in &words {
            assert!(jieba().has_word(word), "{word}");
            assert!(*found == rank(word) && found.frequency() > 0, "{word}");
        }
        assert!(rank("不存在的词语") == Rank::NO_WORD && rank("") == Rank::NO_WORD);
        assert!(rank("中华人") == Rank::NO_WORD && rank("中华人民") != Rank::NO_WORD);
    }

    /// The logarithms are correctly rounded. At least for these numbers, the logarithms of the machine are correctly rounded too.
    #[test]
    fn logarithms_are_those_of_the_machine() {
        for rank in (0..FREQUENCIES.len()).map(|rank| Rank(rank as u16)) {
            assert_eq!(rank.logarithm(), f64::from(rank.frequency()).ln(), "{}", rank.frequency());
        }
        let total: u64 = all_words().iter().map(|(_, rank)| u64::from(rank.frequency())).sum();
        assert_eq!(logarithm_of_total(), (total as f64).ln());
    }
}
