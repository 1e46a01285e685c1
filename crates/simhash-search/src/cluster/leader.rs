//! Leaders: star-shaped clusters, without chains.

use super::components::Components;
use super::crowd::Crowd;
use super::rows::{Checkpoint, STEPS_PER_CHECK, UNKNOWN};
use crate::distance::hamming;
use simhash_memory::{OutOfMemory, filled, push, with_room};
use std::collections::HashMap;

/// From this number of leaders on, a component has an index of them.
const CROWD: usize = 256;

/// The leader of each row. A leader is in the same component as the rows that it leads, so components are independent.
pub fn of_rows(
    fingerprints: Vec<u64>,
    mut components: Components,
    k: u32,
    checkpoint: Checkpoint,
) -> Result<Vec<u32>, OutOfMemory> {
    let mut leader_of = with_room(fingerprints.len())?;
    let mut leaders = Leaders {
        newest: filled(fingerprints.len(), UNKNOWN, &mut || checkpoint(1.0))?,
        before: filled(fingerprints.len(), UNKNOWN, &mut || checkpoint(1.0))?,
        crowds: HashMap::new(),
        fingerprints,
        k,
        steps: 0,
    };
    for row in 0..components.len() as u32 {
        leader_of.push(leaders.of(row, components.find(row))?);
        leaders.steps += 1;
        if leaders.steps >= STEPS_PER_CHECK {
            leaders.steps = 0;
            checkpoint(1.0);
        }
    }
    Ok(leader_of)
}

/// The leaders found so far, one list per component.
struct Leaders {
    fingerprints: Vec<u64>,
    k: u32,
    /// The newest leader of a component.
    newest: Vec<u32>,
    /// The leader before a leader, in the list of its component.
    before: Vec<u32>,
    /// Indexes of the components that have many leaders.
    crowds: HashMap<u32, Crowd>,
    steps: usize,
}

impl Leaders {
    /// The leader of a row. If no leader is near, it is the row itself.
    fn of(&mut self, row: u32, component: u32) -> Result<u32, OutOfMemory> {
        let bits = self.fingerprints[row as usize];
        let mut nearest: Option<(u32, u32)> = None;
        let mut count = 0;
        let mut consider = |leader: u32, other: u64| {
            count += 1;
            let found = (hamming(bits, other), leader);
            if found.0 <= self.k {
                nearest = Some(nearest.map_or(found, |best| best.min(found)));
            }
        };
        match self.crowds.get(&component) {
            Some(crowd) => crowd.each_candidate(bits, &mut consider),
            None => self.each_of(component, &mut consider),
        }
        self.steps += count;
        if let Some((_, leader)) = nearest {
            return Ok(leader);
        }
        self.before[row as usize] = std::mem::replace(&mut self.newest[component as usize], row);
        if let Some(crowd) = self.crowds.get_mut(&component) {
            crowd.add(row, bits)?;
        } else if count >= CROWD {
            let mut members = vec![];
            let mut added = Ok(());
            self.each_of(component, &mut |leader, bits| {
                added = added.and(push(&mut members, (leader, bits)))
            });
            added?;
            self.crowds.try_reserve(1).map_err(|_| OutOfMemory)?;
            self.crowds.insert(component, Crowd::of(&members, self.k)?);
        }
        Ok(row)
    }

    /// Calls `visit` with the leaders of a component, from the newest to the oldest.
    fn each_of(&self, component: u32, visit: &mut impl FnMut(u32, u64)) {
        let mut leader = self.newest[component as usize];
        while leader != UNKNOWN {
            visit(leader, self.fingerprints[leader as usize]);
            leader = self.before[leader as usize];
        }
    }
}
