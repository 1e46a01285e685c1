//! The components of rows that are connected by near pairs: union-find.

use super::near::{Near, each_near_pair};
use super::rows::{Checkpoint, numbers};
use simhash_memory::OutOfMemory;

/// Components of rows. Each is identified by its first row.
pub struct Components {
    parent: Vec<u32>,
    count: usize,
}

impl Components {
    /// The components of fingerprints that are connected by pairs within `k`.
    pub fn of(fingerprints: &[u64], k: u32, checkpoint: Checkpoint) -> Result<Components, OutOfMemory> {
        let mut components =
            Components { parent: numbers(fingerprints.len(), checkpoint)?, count: fingerprints.len() };
        each_near_pair(fingerprints, k, &mut components, checkpoint)?;
        Ok(components)
    }

    /// The first row of the component of `row`.
    pub fn find(&mut self, mut row: u32) -> u32 {
        while self.parent[row as usize] != row {
            let grandparent = self.parent[self.parent[row as usize] as usize];
            self.parent[row as usize] = grandparent;
            row = grandparent;
        }
        row
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }
}

impl Near for Components {
    fn pair(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            // The first row remains, in whatever order pairs are found.
            self.parent[a.max(b) as usize] = a.min(b);
            self.count -= 1;
        }
    }

    fn is_settled(&mut self, rows: &[u32]) -> bool {
        let Some((&first, others)) = rows.split_first() else { return true };
        let first = self.find(first);
        others.iter().all(|&row| self.find(row) == first)
    }

    fn is_complete(&self) -> bool {
        self.count <= 1
    }
}
