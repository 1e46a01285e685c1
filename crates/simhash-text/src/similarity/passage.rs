//! Longest common substring: the longest passage that two texts share, character by character.
//!
//! The suffix automaton of the shorter text recognises all passages of this text and is built in linear time (Blumer and others,
//! 1985). It reads the longer text. Its transitions are in a hash table: the time is linear unless the characters are chosen to
//! collide.

use super::characters::characters;
use crate::options::Reading;
use crate::pace::Pace;
use simhash_memory::{OutOfMemory, filled, push};

/// The length of the longest common passage / length of the longer text; 1 for two empty texts.
pub fn similarity(
    a: &str,
    b: &str,
    reading: Reading,
    checkpoint: &mut dyn FnMut(),
) -> Result<f64, OutOfMemory> {
    let mut pace = Pace::new(checkpoint);
    let (a, b) = (characters(a, reading, &mut pace)?, characters(b, reading, &mut pace)?);
    let longer = a.len().max(b.len());
    Ok(if longer == 0 { 1.0 } else { length(&a, &b, &mut pace)? as f64 / longer as f64 })
}

/// The length of the longest passage that both texts have.
fn length(a: &[char], b: &[char], pace: &mut Pace) -> Result<usize, OutOfMemory> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut automaton = Automaton::new(pace)?;
    for &c in short {
        automaton.append(c, pace)?;
    }
    Ok(automaton.longest_passage_of(long, pace))
}

/// A set of passages that end at the same positions of the text. The longest has `len` characters. The others are its suffixes that
/// are longer than all passages of the state `link`.
struct State {
    len: u32,
    link: u32,
    /// Its last transition, or `NONE`.
    last: u32,
}

/// A transition from one state to another by a character.
struct Transition {
    from: u32,
    by: char,
    to: u32,
    /// The transition of the same state before this one, or `NONE`.
    previous: u32,
}

/// No state or no transition.
const NONE: u32 = u32::MAX;

/// The state of the empty passage.
const ROOT: u32 = 0;

/// The cost of looking up a transition, in steps between checkpoints.
const STEPS_PER_LOOK_UP: usize = 8;

/// An automaton with a path from the root for every passage of a text. A text of n characters makes at most 2 n states and 3 n
/// transitions. Ordinary texts take 70 to 110 bytes and a microsecond per character.
struct Automaton {
    states: Vec<State>,
    /// The state of the whole text.
    whole: u32,
    transitions: Vec<Transition>,
    /// The numbers of the transitions by state and character: a hash table with open addressing.
    table: Vec<u32>,
}

impl Automaton {
    /// The automaton of the empty text.
    fn new(pace: &mut Pace) -> Result<Automaton, OutOfMemory> {
        let table = filled(64, NONE, &mut || pace.check())?;
        let mut automaton = Automaton { states: Vec::new(), whole: ROOT, transitions: Vec::new(), table };
        automaton.add_state(0, NONE)?;
        Ok(automaton)
    }

    /// Appends a character to the text.
    fn append(&mut self, c: char, pace: &mut Pace) -> Result<(), OutOfMemory> {
        let new = self.add_state(self.state(self.whole).len + 1, ROOT)?;
        let mut from = std::mem::replace(&mut self.whole, new);
        while from != NONE && self.find(from, c, pace).is_none() {
            self.add_transition(from, c, new, pace)?;
            from = self.state(from).link;
        }
        if from == NONE {
            return Ok(());
        }
        let known = self.target(from, c, pace);
        let link = match self.state(from).len + 1 {
            len if len == self.state(known).len => known,
            len => self.split(known, len, from, c, pace)?,
        };
        self.states[new as usize].link = link;
        Ok(())
    }

    /// Moves the passages of `known` that have at most `len` characters to a new state, and returns this state. `from` and the
    /// states that it links to have transitions by `c` to these passages.
    fn split(
        &mut self,
        known: u32,
        len: u32,
        mut from: u32,
        c: char,
        pace: &mut Pace,
    ) -> Result<u32, OutOfMemory> {
        let shorter = self.add_state(len, self.state(known).link)?;
        let mut number = self.state(known).last;
        while number != NONE {
            let Transition { by, to, previous, .. } = self.transitions[number as usize];
            self.add_transition(shorter, by, to, pace)?;
            number = previous;
        }
        self.states[known as usize].link = shorter;
        while from != NONE
            && let Some(number) = self.find(from, c, pace).filter(|&n| self.transitions[n].to == known)
        {
            self.transitions[number].to = shorter;
            from = self.state(from).link;
        }
        Ok(shorter)
    }

    /// The length of the longest passage of `text` that it recognises.
    fn longest_passage_of(&self, text: &[char], pace: &mut Pace) -> usize {
        let (mut state, mut len, mut longest) = (ROOT, 0, 0);
        for &c in text {
            // The longest suffix of the characters read so far after which the character can follow.
            let mut next = self.find(state, c, pace);
            while next.is_none() && state != ROOT {
                state = self.state(state).link;
                len = self.state(state).len;
                next = self.find(state, c, pace);
            }
            if let Some(number) = next {
                state = self.transitions[number].to;
                len += 1;
            }
            longest = longest.max(len);
        }
        longest as usize
    }

    fn state(&self, number: u32) -> &State {
        &self.states[number as usize]
    }

    fn add_state(&mut self, len: u32, link: u32) -> Result<u32, OutOfMemory> {
        let number = u32::try_from(self.states.len()).map_err(|_| OutOfMemory)?;
        push(&mut self.states, State { len, link, last: NONE })?;
        Ok(number)
    }

    /// The target of an existing transition.
    fn target(&self, from: u32, by: char, pace: &mut Pace) -> u32 {
        self.find(from, by, pace).map_or(NONE, |number| self.transitions[number].to)
    }

    /// The number of a transition; `None` if it does not exist.
    fn find(&self, from: u32, by: char, pace: &mut Pace) -> Option<usize> {
        let mut at = self.slot(from, by);
        loop {
            pace.step(STEPS_PER_LOOK_UP);
            let number = self.table[at];
            let known = self.transitions.get(number as usize)?;
            if (known.from, known.by) == (from, by) {
                return Some(number as usize);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Adds a transition that does not exist yet.
    fn add_transition(&mut self, from: u32, by: char, to: u32, pace: &mut Pace) -> Result<(), OutOfMemory> {
        let number = u32::try_from(self.transitions.len()).map_err(|_| OutOfMemory)?;
        let previous = std::mem::replace(&mut self.states[from as usize].last, number);
        push(&mut self.transitions, Transition { from, by, to, previous })?;
        if self.transitions.len() > self.table.len() / 4 * 3 {
            // The memory of the old table is freed first.
            let len = std::mem::take(&mut self.table).len() * 2;
            self.table = filled(len, NONE, &mut || pace.check())?;
            for number in 0..number {
                self.enter(number, pace);
            }
        }
        self.enter(number, pace);
        Ok(())
    }

    /// Enters a transition in the table, which has room for it.
    fn enter(&mut self, number: u32, pace: &mut Pace) {
        let Transition { from, by, .. } = self.transitions[number as usize];
        let mut at = self.slot(from, by);
        while self.table[at] != NONE {
            pace.step(1);
            at = (at + 1) & (self.table.len() - 1);
        }
        pace.step(STEPS_PER_LOOK_UP);
        self.table[at] = number;
    }

    /// The position in the table where the search for a transition begins. The length of the table is a power of two.
    fn slot(&self, from: u32, by: char) -> usize {
        let key = u64::from(from) << 32 | u64::from(u32::from(by));
        // Both halves of the product are used, so that characters at equal distances, as in an alphabet, are not next to each other
        // in the table.
        let product = u128::from(key ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
        let mixed = (product >> 64) as u64 ^ product as u64;
        mixed as usize & (self.table.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn similarity(a: &str, b: &str) -> f64 {
        super::similarity(a, b, Reading::default(), &mut || ()).expect("enough memory")
    }

    fn length(a: &[char], b: &[char]) -> usize {
        super::length(a, b, &mut Pace::new(&mut || ())).expect("enough memory")
    }

    /// The oracle: the table of all prefixes.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut row = vec![0; b.len() + 1];
        let mut longest = 0;
        for x in a {
            for j in (0..b.len()).rev() {
                row[j + 1] = if *x == b[j] { row[j] + 1 } else { 0 };
                longest = longest.max(row[j + 1]);
            }
        }
        longest
    }

    #[test]
    fn known() {
        assert_eq!(similarity("", ""), 1.0);
        assert_eq!(similarity("abc", ""), 0.0);
        assert_eq!(similarity("abcd", "xbcx"), 0.5);
        assert_eq!(similarity("abcd", "abcd"), 1.0);
        assert_eq!(similarity("臺灣電腦", "台湾电视"), 0.75);
    }

    /// Texts with the maximum number of states and transitions, and long texts.
    #[test]
    fn many_states() {
        let text = |text: &str, times: usize| text.repeat(times).chars().collect::<Vec<char>>();
        let (a, b) = (text("abbb", 5_000), [text("ab", 5_000), text("abbb", 4_000)].concat());
        // The repeated `abbb` with 16,000 letters, and the letter before it.
        assert_eq!(length(&a, &b), 16_001);
        let numbers: Vec<char> = (0..40_000).filter_map(char::from_u32).collect();
        assert_eq!(length(&numbers, &numbers[10_000..30_000]), 20_000);
        assert_eq!(length(&text("a", 100_000), &text("a", 70_000)), 70_000);
    }

    proptest! {
        #[test]
        fn as_the_table_says(a in "[ab数]{0,200}", b in "[ab数]{0,200}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(length(&a, &b), naive(&a, &b));
        }

        /// A passage that was moved into another text is found.
        #[test]
        fn moved(a in "[a-f数据]{0,100}", passage in "[a-z数据库]{0,300}", b in "[g-k库]{0,200}", c in "[l-p]{0,99}") {
            let (one, other) = (format!("{a}{passage}{c}"), format!("{b}{passage}"));
            let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
            prop_assert_eq!(length(&one, &other), naive(&one, &other));
            prop_assert_eq!(length(&one, &other), length(&other, &one));
        }
    }
}
