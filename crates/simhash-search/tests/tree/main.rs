//! Tests of the tree of the index against naive oracles: sorted maps, sequential scans, simulated crashes, random interleavings.

mod crash;
mod disk;
mod exactness;
mod format;
mod interleaving;
mod interrupt;
mod nearest;
mod scheduler;
