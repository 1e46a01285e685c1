//! Clauses that jieba has cut lately.
//!
//! Short stretches of Han between two marks come again and again, in a text and from one text to the next, and to know
//! one again is much quicker than to cut it anew.

use crate::hash::{SEED, word_hash};

/// The most bytes of a clause that is remembered, with what belongs to it in a cache line.
const LONGEST: usize = 55;

/// Clauses that are remembered; a new one takes the place of another.
const CLAUSES: usize = 4096;

/// Remembers where the words of clauses end. A clause is Han from mark to mark: jieba cuts it without a look at what
/// stands around it.
#[derive(Default)]
pub struct Clauses {
    recent: Vec<Clause>,
}

#[derive(Clone)]
#[repr(align(64))]
struct Clause {
    /// A bit for each byte behind a word.
    ends: u64,
    len: u8,
    text: [u8; LONGEST],
}

impl Clauses {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.recent.clear();
    }

    /// Where the words of `clause` end, if it is remembered: a bit for each byte behind a word.
    #[inline]
    pub fn ends(&self, clause: &[u8]) -> Option<u64> {
        if clause.len() > LONGEST {
            return None;
        }
        let known = self.recent.get(slot(clause))?;
        let is_same = usize::from(known.len) == clause.len() && known.text[..clause.len()] == *clause;
        is_same.then_some(known.ends)
    }

    /// Remembers where the words of `clause` end.
    #[inline]
    pub fn remember(&mut self, clause: &[u8], ends: u64) {
        if clause.len() > LONGEST {
            return;
        }
        self.recent.resize(CLAUSES, Clause { ends: 0, len: 0, text: [0; LONGEST] });
        let place = &mut self.recent[slot(clause)];
        (place.ends, place.len) = (ends, clause.len() as u8);
        place.text[..clause.len()].copy_from_slice(clause);
    }
}

#[inline]
fn slot(clause: &[u8]) -> usize {
    word_hash(clause, SEED) as usize % CLAUSES
}
