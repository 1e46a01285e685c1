//! Clauses that jieba has cut lately.
//!
//! Short stretches of Han between two marks come again and again, in a text and from one text to the next, and to know
//! one again is much quicker than to cut it anew.

use super::Span;
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
    ends: Ends,
    len: u8,
    text: [u8; LONGEST],
}

impl Clauses {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.recent.clear();
    }

    /// Where the words of `clause` end, if it is remembered.
    #[inline]
    pub fn ends(&self, clause: &[u8]) -> Option<Ends> {
        if clause.len() > LONGEST {
            return None;
        }
        let known = self.recent.get(slot(clause))?;
        let is_same = usize::from(known.len) == clause.len() && known.text[..clause.len()] == *clause;
        is_same.then_some(known.ends)
    }

    /// Remembers where the words of `clause` end.
    #[inline]
    pub fn remember(&mut self, clause: &[u8], ends: Ends) {
        if clause.len() > LONGEST {
            return;
        }
        self.recent.resize(CLAUSES, Clause { ends: Ends::default(), len: 0, text: [0; LONGEST] });
        let place = &mut self.recent[slot(clause)];
        (place.ends, place.len) = (ends, clause.len() as u8);
        place.text[..clause.len()].copy_from_slice(clause);
    }
}

/// Where the words of a clause end: a bit for each byte behind a word. Means nothing in a clause that is too long.
#[derive(Clone, Copy, Default)]
pub struct Ends(u64);

impl Ends {
    /// Takes in a word that ends before the byte `end` of the clause.
    #[inline]
    pub fn push(&mut self, end: usize) {
        self.0 |= 1u64.unbounded_shl(end as u32);
    }

    /// The places of the words in their clause.
    #[inline]
    pub fn words(self) -> impl Iterator<Item = Span> {
        let (mut start, mut ends) = (0, self.0);
        std::iter::from_fn(move || {
            let end = ends.trailing_zeros() as usize;
            let word = (ends != 0).then_some(Span::new(start, end));
            start = end;
            ends &= ends.wrapping_sub(1);
            word
        })
    }
}

/// Where to look for a clause.
#[inline]
fn slot(clause: &[u8]) -> usize {
    word_hash(clause, SEED) as usize % CLAUSES
}
