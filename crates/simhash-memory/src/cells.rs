//! Which parts of a fixed piece of memory are in use: for an allocator that has a reserve.

/// Marks for `64 * WORDS` cells of equal size.
pub struct Cells<const WORDS: usize> {
    /// One bit for each cell. It is set if the cell is in use.
    used: [u64; WORDS],
    /// The cell at which the next search begins.
    next: usize,
}

impl<const WORDS: usize> Cells<WORDS> {
    /// How many cells there are.
    pub const COUNT: usize = 64 * WORDS;

    /// Marks of free cells.
    pub const fn new() -> Self {
        Cells { used: [0; WORDS], next: 0 }
    }

    /// Takes `count` adjacent cells and returns the first one; `None` if there are not that many.
    pub fn take(&mut self, count: usize) -> Option<usize> {
        let first = self.find(self.next, count).or_else(|| self.find(0, count))?;
        self.mark(first, count, true);
        self.next = first + count;
        Some(first)
    }

    /// Gives back cells that were taken together.
    pub fn give_back(&mut self, first: usize, count: usize) {
        self.mark(first, count, false);
    }

    /// Whether no cell is in use.
    pub fn are_free(&self) -> bool {
        self.used.iter().all(|word| *word == 0)
    }

    fn find(&self, from: usize, count: usize) -> Option<usize> {
        let (mut first, mut free) = (from, 0);
        while free < count {
            if first + count > Self::COUNT {
                return None;
            }
            let cell = first + free;
            match self.used[cell / 64] >> (cell % 64) & 1 {
                0 => free += 1,
                _ => (first, free) = (cell + 1, 0),
            }
        }
        Some(first)
    }

    fn mark(&mut self, first: usize, count: usize, used: bool) {
        for cell in first..first + count {
            let bit = 1 << (cell % 64);
            debug_assert_ne!(self.used[cell / 64] & bit != 0, used);
            match used {
                true => self.used[cell / 64] |= bit,
                false => self.used[cell / 64] &= !bit,
            }
        }
    }
}

impl<const WORDS: usize> Default for Cells<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_of_it_can_be_taken() {
        let mut cells = Cells::<2>::new();
        assert_eq!(cells.take(129), None);
        assert_eq!(cells.take(128), Some(0));
        assert_eq!(cells.take(1), None);
        assert!(!cells.are_free());
        cells.give_back(0, 128);
        assert!(cells.are_free());
        assert_eq!(cells.take(100), Some(0));
        assert_eq!(cells.take(28), Some(100));
    }

    proptest! {
        /// No cell is given out twice, and adjacent free cells are found.
        #[test]
        fn as_a_list_of_cells_says(steps in prop::collection::vec((any::<bool>(), 1..40usize, any::<prop::sample::Index>()), 0..60)) {
            let mut cells = Cells::<3>::new();
            let mut taken: Vec<(usize, usize)> = Vec::new();
            for (take, count, index) in steps {
                if !take {
                    if !taken.is_empty() {
                        let (first, count) = taken.swap_remove(index.index(taken.len()));
                        cells.give_back(first, count);
                    }
                    continue;
                }
                let is_free = |cell: usize| !taken.iter().any(|&(first, count)| (first..first + count).contains(&cell));
                let fits = (0..=192 - count).any(|first| (first..first + count).all(is_free));
                match cells.take(count) {
                    Some(first) => {
                        prop_assert!((first..first + count).all(is_free) && first + count <= 192);
                        taken.push((first, count));
                    }
                    None => prop_assert!(!fits),
                }
            }
        }
    }
}
