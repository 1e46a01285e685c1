//! Cuts Chinese text into words as `Jieba::cut` does without its guesses: of all segmentations of a sentence into words of the
//! dictionary, the one with the largest product of frequencies.
//!
//! Each step processes many characters. The first step finds the words of one and of two characters that begin at each character,
//! the second the longer words, of which there are few. The last step finds the best segmentation, from the last character to the
//! first. The loops have almost no branch that the processor cannot predict, and it reads several parts of the dictionary at once.

use super::span::Span;
use crate::dictionary::table::{BREAK, Node, Rank, Root, logarithm_of_total};

/// At least this many characters are cut together, up to the next position that no word spans.
const WINDOW: usize = 512;

/// Cuts text that it receives character by character.
#[derive(Default)]
pub struct Route {
    /// The codes of the characters, and after the last one a break.
    codes: Vec<u16>,
    /// Where the characters start, and where the last one ends.
    starts: Vec<u32>,
    /// For each character, its weight as a word. This list, `twos`, `prefixes` and `ways` have room for all characters, and do not
    /// get shorter.
    ones: Vec<f64>,
    /// For each character, the weight of the word of two characters that begins there.
    twos: Vec<f64>,
    /// Prefixes of longer words: the character that they begin with, and their base.
    prefixes: Vec<(u32, u32)>,
    /// For each character, the best segmentation from there to the next break.
    ways: Vec<Way>,
    /// Words of three characters and more, in order.
    long: Vec<Long>,
}

struct Long {
    character: u32,
    length: u32,
    weight: f64,
}

/// A segmentation.
#[derive(Clone, Copy, Default)]
struct Way {
    /// The sum of the weights of its words.
    weight: f64,
    /// The length of its first word.
    length: u32,
}

impl Route {
    /// Adds the next character: its code, and where it starts.
    #[inline(always)]
    pub fn push(&mut self, code: u16, start: usize) {
        self.codes.push(code);
        self.starts.push(start as u32);
    }

    /// Adds the codes of characters of three bytes each. The first of these characters starts at `start`.
    #[inline(always)]
    pub fn extend(&mut self, codes: impl ExactSizeIterator<Item = u16>, start: usize) {
        let (start, count) = (start as u32, codes.len() as u32);
        self.codes.extend(codes);
        self.starts.extend((0..count).map(|i| start + 3 * i));
    }

    /// Whether there are enough characters to cut them at the next break.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.codes.len() >= WINDOW
    }

    /// Cuts the characters added so far, of which the last one ends at `end`, and passes their words to `word`. Then removes these
    /// characters.
    pub fn cut(&mut self, end: usize, mut word: impl FnMut(Span)) {
        let count = self.codes.len();
        self.codes.push(BREAK);
        self.starts.push(end as u32);
        self.grow();
        self.weigh();
        self.choose();
        let (ways, codes, starts) = (&self.ways[..count], &self.codes[..count], &self.starts[..]);
        let mut at = 0;
        while at < count {
            let next = at + ways[at].length as usize;
            if codes[at] != BREAK {
                word(Span { start: starts[at], end: starts[next] });
            }
            at = next;
        }
        self.codes.clear();
        self.starts.clear();
    }

    /// Makes room for all characters.
    fn grow(&mut self) {
        let len = self.codes.len();
        if self.ways.len() < len {
            self.ones.resize(len, 0.0);
            self.twos.resize(len, 0.0);
            self.prefixes.resize(len, (0, 0));
            self.ways.resize(len, Way::default());
        }
    }

    /// Finds the words that begin at each character.
    fn weigh(&mut self) {
        let Route { codes, ones, twos, prefixes, long, .. } = self;
        let count = codes.len() - 1;
        let weights = ones[..count].iter_mut().zip(&mut twos[..count]);
        let mut kept = 0;
        for (i, (pair, (one_weight, two_weight))) in codes.windows(2).zip(weights).enumerate() {
            let one = Root::new(pair[0]);
            let two = Node::new(one.base(pair[1]), pair[1]);
            let is_prefix = two.code() == pair[1];
            prefixes[kept] = (i as u32, two.base());
            kept += usize::from(is_prefix & (two.base() != 0));
            let rank = if is_prefix { two.rank() } else { Rank::NO_WORD };
            (*one_weight, *two_weight) = (one.weight(), rank.weight());
        }
        long.clear();
        for (character, base) in &prefixes[..kept] {
            let mut base = *base;
            // The break at the end ends the prefix at the latest.
            for (length, code) in (3..).zip(&codes[*character as usize + 2..]) {
                let node = Node::new(base, *code);
                if node.code() != *code {
                    break;
                }
                if node.rank() != Rank::NO_WORD {
                    long.push(Long { character: *character, length, weight: node.rank().weight() });
                }
                base = node.base();
                if base == 0 {
                    break;
                }
            }
        }
    }

    /// Finds the best segmentation from each character, from the last character to the first. Of equally good ones, it is the one
    /// with the longer first word.
    fn choose(&mut self) {
        let Route { codes, ones, twos, long, ways, .. } = self;
        let count = codes.len() - 1;
        let (ones, twos, ways) = (&ones[..count], &twos[..count], &mut ways[..=count]);
        ways[count] = Way::default();
        // The weights of the best segmentations from the next character, and from the character after that.
        let (mut next, mut second) = (0.0, 0.0);
        let mut long_at = last_of(long);
        for (at, (one, two)) in ones.iter().zip(twos).enumerate().rev() {
            let (one, two) = (one + next, two + second);
            // Written without a branch, because the processor could not predict it.
            let mut way =
                Way { weight: if two > one { two } else { one }, length: 1 + u32::from(two >= one) };
            while long_at == at
                && let Some(word) = long.pop()
            {
                // The longest word comes first here.
                let weight = word.weight + ways[at + word.length as usize].weight;
                if weight > way.weight || weight == way.weight && word.length > way.length {
                    way = Way { weight, length: word.length };
                }
                long_at = last_of(long);
            }
            if way.weight == f64::NEG_INFINITY {
                way = unknown(next);
            }
            // All words weigh less than 0. A break weighs +∞, and counts like the end of the text, whatever comes after it.
            way.weight = if way.weight < 0.0 { way.weight } else { 0.0 };
            ways[at] = way;
            (next, second) = (way.weight, next);
        }
    }
}

/// The segmentation from a character with which no word begins.
#[cold]
fn unknown(next: f64) -> Way {
    Way { weight: next - logarithm_of_total(), length: 1 }
}

/// The character that the last word begins with.
#[inline(always)]
fn last_of(long: &[Long]) -> usize {
    long.last().map_or(usize::MAX, |word| word.character as usize)
}
