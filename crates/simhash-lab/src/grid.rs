//! The configurations that are measured, with their names.

use simhash_text::normalise::Script;
use simhash_text::options::{Noise, Options, Reading, Runs, Unit};
use simhash_text::weight::Weights;

/// What a configuration is in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What a user gets without options.
    Default,
    /// What others do. The default has to be better.
    Baseline,
    /// A serious alternative to the default.
    Contender,
    /// Any other configuration of the grid.
    Other,
}

/// One way to compute fingerprints.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// What it is in the report.
    pub role: Role,
    /// How texts become fingerprints.
    pub options: Options,
}

impl Configuration {
    /// The options in words. Noise, HMM and script are named only if they differ from dropped noise, no HMM and folded script.
    pub fn name(&self) -> String {
        let Options { unit, runs, weights, noise, hmm, reading, .. } = &self.options;
        let unit = match unit {
            Unit::Words => "words",
            Unit::Characters => "characters",
        };
        let runs: Vec<String> = runs.iter().map(|n| n.to_string()).collect();
        let weights = match weights {
            Weights::Balanced => "balanced",
            Weights::Once => "once",
            Weights::Count => "count",
            Weights::Log => "log",
            Weights::Tfidf => "tfidf",
            Weights::Levels => "levels",
        };
        let noise = if *noise == Noise::Keep { ", noise kept" } else { "" };
        let hmm = if *hmm { ", hmm" } else { "" };
        let script = if reading.script == Script::Keep { ", script kept" } else { "" };
        format!("{unit} {}, {weights}{noise}{hmm}{script}", runs.join("+"))
    }

    /// The name, followed by the role if the configuration is the default or a baseline.
    pub fn title(&self) -> String {
        match self.role {
            Role::Default => format!("{} (default)", self.name()),
            Role::Baseline => format!("{} (baseline)", self.name()),
            Role::Contender | Role::Other => self.name(),
        }
    }

    /// The same configuration with another hash seed.
    pub fn seeded(&self, seed: u64) -> Configuration {
        Configuration { role: self.role, options: Options { seed, ..self.options.clone() } }
    }
}

const ALL_WEIGHTS: [Weights; 5] =
    [Weights::Once, Weights::Log, Weights::Levels, Weights::Count, Weights::Tfidf];
const WORD_RUNS: [&[usize]; 5] = [&[1], &[2], &[3], &[1, 2], &[1, 2, 3]];
const CHARACTER_RUNS: [&[usize]; 5] = [&[2], &[3], &[4], &[5], &[2, 3]];

/// Every configuration, the default first.
pub fn configurations() -> Vec<Configuration> {
    let mut grid = vec![Options::default()];
    let mut add = |options: Options| {
        if !grid.contains(&options) {
            grid.push(options);
        }
    };
    for runs in WORD_RUNS {
        for weights in ALL_WEIGHTS {
            add(words(runs, weights));
        }
        add(Options { noise: Noise::Keep, ..words(runs, Weights::Once) });
        add(Options { hmm: true, ..words(runs, Weights::Once) });
    }
    for weights in [Weights::Log, Weights::Count, Weights::Tfidf] {
        add(Options { noise: Noise::Keep, ..words(&[1], weights) });
        add(Options { noise: Noise::Keep, ..words(&[1, 2], weights) });
    }
    add(Options { noise: Noise::Keep, ..Options::default() });
    add(Options { hmm: true, ..Options::default() });
    add(script_kept());
    add(words(&[1], Weights::Balanced));
    add(words(&[1, 2, 3], Weights::Balanced));
    add(Options { hmm: true, ..words(&[1], Weights::Count) });
    add(Options { hmm: true, ..words(&[1], Weights::Tfidf) });
    for runs in CHARACTER_RUNS {
        // All characters have the same information, so tfidf would be the same as count, and levels the same as once.
        for weights in [Weights::Once, Weights::Log, Weights::Count] {
            add(characters(runs, weights));
        }
    }
    grid.into_iter().map(|options| Configuration { role: role(&options), options }).collect()
}

/// The role of `options` in the report.
fn role(options: &Options) -> Role {
    // Single words by count and by tf·idf, as in the textbook; runs of four characters, as in the Python package.
    let baselines =
        [words(&[1], Weights::Count), words(&[1], Weights::Tfidf), characters(&[4], Weights::Count)];
    let kept = |options: Options| Options { noise: Noise::Keep, ..options };
    let contenders = [
        script_kept(),
        words(&[1], Weights::Once),
        words(&[2], Weights::Once),
        words(&[1, 2], Weights::Once),
        words(&[1, 2], Weights::Log),
        kept(words(&[1, 2], Weights::Balanced)),
        kept(words(&[1, 2], Weights::Once)),
        kept(words(&[1, 2], Weights::Log)),
        kept(words(&[1, 2, 3], Weights::Once)),
        characters(&[3], Weights::Once),
        characters(&[4], Weights::Once),
        characters(&[4], Weights::Log),
    ];
    if *options == Options::default() {
        Role::Default
    } else if baselines.contains(options) {
        Role::Baseline
    } else if contenders.contains(options) {
        Role::Contender
    } else {
        Role::Other
    }
}

/// The default without the folding of traditional characters.
fn script_kept() -> Options {
    Options { reading: Reading { script: Script::Keep, ..Reading::default() }, ..Options::default() }
}

/// Runs of words, without noise words and without HMM.
fn words(lengths: &[usize], weights: Weights) -> Options {
    let runs = Runs::new(lengths).expect("lengths in range");
    Options { unit: Unit::Words, runs, weights, noise: Noise::Drop, hmm: false, ..Options::default() }
}

/// Runs of characters.
fn characters(lengths: &[usize], weights: Weights) -> Options {
    Options { unit: Unit::Characters, ..words(lengths, weights) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn one_default_three_baselines_and_no_name_twice() {
        let grid = configurations();
        let count = |role| grid.iter().filter(|c| c.role == role).count();
        assert_eq!(grid[0].options, Options::default());
        assert_eq!(count(Role::Default), 1);
        assert_eq!(count(Role::Baseline), 3);
        assert!(count(Role::Contender) >= 4);
        let names: HashSet<String> = grid.iter().map(Configuration::name).collect();
        assert_eq!(names.len(), grid.len());
    }
}
