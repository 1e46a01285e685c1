//! The tree of the index beside naive oracles: sorted maps, sequential scans, simulated crashes, random interleavings.

mod crash;
mod disk;
mod exactness;
mod interleaving;
mod interrupt;
mod nearest;
mod scheduler;
