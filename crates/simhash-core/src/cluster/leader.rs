//! Leaders: star clusters, without chains.

use super::components::Components;
use super::distinct::Distinct;
use super::{Checkpoint, STEPS_A_CHECK, UNKNOWN, filled};
use crate::Error;
use crate::band::{Band, Family};
use crate::distance::hamming;
use std::collections::HashMap;

/// The leader of each row. Leaders lie in the component of the rows that they lead, so each component is a small world of
/// its own.
pub fn of_rows(
    values: Distinct,
    mut components: Components,
    k: u32,
    checkpoint: Checkpoint,
) -> Result<Vec<u32>, Error> {
    let Distinct { fingerprints, mut of_row } = values;
    // The leaders of a component as a list: its newest one, and for each leader the one before.
    let mut newest = filled(components.len(), UNKNOWN)?;
    let mut before = filled(fingerprints.len(), UNKNOWN)?;
    // The row that leads a value's rows: itself a leader, or near one.
    let mut row_of_leader = filled(fingerprints.len(), UNKNOWN)?;
    let mut crowds: HashMap<u32, Crowd> = HashMap::new();
    let mut steps = 0;
    for row in 0..of_row.len() {
        let value = of_row[row];
        let component = components.find(value);
        if row_of_leader[value as usize] != UNKNOWN {
            of_row[row] = row_of_leader[value as usize];
            continue;
        }
        let bits = fingerprints[value as usize];
        let mut nearest: Option<(u32, u32)> = None;
        let mut consider = |leader: u32| {
            let distance = hamming(bits, fingerprints[leader as usize]);
            if distance <= k {
                let found = (distance, row_of_leader[leader as usize]);
                nearest = Some(nearest.map_or(found, |best| best.min(found)));
            }
            steps += 1;
        };
        let crowd = crowds.get_mut(&component);
        let mut length = 0;
        match &crowd {
            Some(crowd) => crowd.candidates(bits).for_each(&mut consider),
            None => each_leader(&before, newest[component as usize], |leader| {
                consider(leader);
                length += 1;
            }),
        }
        of_row[row] = match nearest {
            Some((_, leader)) => leader,
            None => {
                row_of_leader[value as usize] = row as u32;
                before[value as usize] = newest[component as usize];
                newest[component as usize] = value;
                if let Some(crowd) = crowd {
                    crowd.add(bits, value);
                } else if length >= CROWD {
                    let mut crowd = Crowd::new(k);
                    each_leader(&before, value, |leader| crowd.add(fingerprints[leader as usize], leader));
                    crowds.insert(component, crowd);
                }
                row as u32
            }
        };
        steps += 1;
        if steps >= STEPS_A_CHECK {
            steps = 0;
            checkpoint(1.0);
        }
    }
    Ok(of_row)
}

/// Walks a list of leaders, from the newest to the oldest.
fn each_leader(before: &[u32], mut leader: u32, mut visit: impl FnMut(u32)) {
    while leader != UNKNOWN {
        visit(leader);
        leader = before[leader as usize];
    }
}

/// From how many leaders on a component has an index of them.
const CROWD: usize = 512;

/// The leaders of a large component by their bands.
struct Crowd {
    family: Option<Family>,
    leaders: HashMap<Band, Vec<u32>>,
    all: Vec<u32>,
}

impl Crowd {
    fn new(k: u32) -> Crowd {
        let family = i32::try_from(k + 1).ok().and_then(Family::new);
        Crowd { family, leaders: HashMap::new(), all: vec![] }
    }

    fn bands(&self, bits: u64) -> impl Iterator<Item = Band> + use<> {
        let family = self.family;
        let count = family.map_or(0, Family::bands);
        (0..count as i32).filter_map(move |band| Band::of(bits, band, family?))
    }

    fn add(&mut self, bits: u64, leader: u32) {
        for band in self.bands(bits) {
            self.leaders.entry(band).or_default().push(leader);
        }
        self.all.push(leader);
    }

    /// The leaders that can be within k of `bits`, some of them more than once.
    fn candidates(&self, bits: u64) -> impl Iterator<Item = u32> {
        let near = self.bands(bits).filter_map(|band| self.leaders.get(&band)).flatten();
        // Where there are not enough bands for k, all of them.
        let all = self.all.iter().filter(|_| self.family.is_none());
        near.chain(all).copied()
    }
}
