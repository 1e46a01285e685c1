//! What was measured, corpus by corpus.

use crate::grid::{Configuration, Role};
use crate::measure::{Measured, NINE};
use crate::methods::Methods;
use crate::widths::Widths;

/// What was measured on one corpus.
pub struct Results {
    /// The name of the corpus.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// One for each configuration of the grid.
    pub measured: Vec<Measured>,
    /// Configurations by their position in the grid, each with the results of every seed, the grid's own seed first.
    pub spread: Vec<(usize, Vec<Measured>)>,
    /// Sentences and exact measures, compared with the default.
    pub methods: Methods,
    /// The default with more bits.
    pub widths: Widths,
}

impl Results {
    /// Whether there are near-duplicates to find.
    pub fn has_truth(&self) -> bool {
        self.measured.iter().any(|m| m.all.gold[NINE] > 0)
    }

    /// The results of the default with every seed.
    pub fn default_by_seed(&self, grid: &[Configuration]) -> &[Measured] {
        let default = self.spread.iter().find(|(i, _)| grid[*i].role == Role::Default);
        default.map_or(&[], |(_, measured)| measured)
    }
}
