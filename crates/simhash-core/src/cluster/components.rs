//! What is connected by near pairs: union-find.

use super::near::{Near, each_near_pair};
use super::{Checkpoint, numbers};
use crate::Error;

/// Components of values, each known by one of its members.
pub struct Components {
    parent: Vec<u32>,
    count: usize,
}

impl Components {
    /// The components of fingerprints that are connected by pairs within `k`.
    pub fn of(fingerprints: &[u64], k: u32, checkpoint: Checkpoint) -> Result<Components, Error> {
        let mut components = Components { parent: numbers(fingerprints.len())?, count: fingerprints.len() };
        each_near_pair(fingerprints, k, &mut components, checkpoint)?;
        Ok(components)
    }

    /// The member by which the component of `value` is known.
    pub fn find(&mut self, mut value: u32) -> u32 {
        while self.parent[value as usize] != value {
            let grandparent = self.parent[self.parent[value as usize] as usize];
            self.parent[value as usize] = grandparent;
            value = grandparent;
        }
        value
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }
}

impl Near for Components {
    fn pair(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            // The smaller number stays, whatever the order in which pairs are found.
            self.parent[a.max(b) as usize] = a.min(b);
            self.count -= 1;
        }
    }

    fn is_settled(&mut self, values: &[u32]) -> bool {
        let first = self.find(values[0]);
        values[1..].iter().all(|&value| self.find(value) == first)
    }

    fn is_complete(&self) -> bool {
        self.count <= 1
    }
}
