//! The bars that the default has to reach.

use crate::grid::{Configuration, Role};
use crate::measure::{EIGHT, Figure, HALF, Measured, NINE};
use crate::results::Results;

/// Which side of the bar is good.
#[derive(Clone, Copy)]
pub enum Side {
    /// The figure must be at least the bar.
    Least,
    /// The figure must be at most the bar.
    Most,
}

/// A bar with what the default reached.
pub struct Checked {
    /// On which corpus.
    pub corpus: String,
    /// Which figure.
    pub figure: &'static str,
    /// Which side of the bar is good.
    pub side: Side,
    /// The bar.
    pub bar: f64,
    /// What the default reached; 0 if there was nothing to measure.
    pub reached: f64,
    /// The worst that the default reached with any seed.
    pub worst: f64,
}

impl Checked {
    /// Whether the default meets the bar.
    pub fn holds(&self) -> bool {
        self.good(self.reached)
    }

    /// Whether it meets the bar with every seed.
    pub fn holds_always(&self) -> bool {
        self.good(self.worst)
    }

    /// Whether `figure` is on the good side.
    fn good(&self, figure: f64) -> bool {
        match self.side {
            Side::Least => figure >= self.bar,
            Side::Most => figure <= self.bar,
        }
    }
}

const P_K3: Figure = ("P at k = 3", |m| m.all.precision(HALF, 3));
const P_K7: Figure = ("P at k = 7", |m| m.all.precision(HALF, 7));
const R9_K7: Figure = ("R.9 at k = 7", |m| m.all.recall(NINE, 7));
const R8_K7: Figure = ("R.8 at k = 7", |m| m.all.recall(EIGHT, 7));
const F1: Figure = ("best F1", best_f1);
const F1_BASELINES: Figure = ("best F1, against the best baseline's", best_f1);
const SKEW: Figure = ("band skew", |m| Some(m.skew));

const LONG: [(Figure, Side, f64); 5] = [
    (P_K3, Side::Least, 0.98),
    (R9_K7, Side::Least, 0.88),
    (P_K7, Side::Least, 0.97),
    (F1, Side::Least, 0.84),
    (SKEW, Side::Most, 2.0),
];
const SHORT: [(Figure, Side, f64); 3] =
    [(P_K3, Side::Least, 0.93), (R8_K7, Side::Least, 0.88), (F1, Side::Least, 0.71)];

/// The fixed bars of a corpus.
fn fixed(corpus: &str) -> &'static [(Figure, Side, f64)] {
    match corpus {
        "zh_long" | "en_long" => &LONG,
        "zh_short" => &SHORT,
        _ => &[],
    }
}

/// The best F1 without its k.
fn best_f1(measured: &Measured) -> Option<f64> {
    measured.all.best_f1().map(|(f1, _)| f1)
}

/// Compares the default with every bar.
pub fn check(grid: &[Configuration], results: &[Results]) -> Vec<Checked> {
    let mut checked = Vec::new();
    for corpus in results {
        let baselines = grid.iter().zip(&corpus.measured).filter(|(c, _)| c.role == Role::Baseline);
        let best_baseline = baselines.filter_map(|(_, m)| best_f1(m)).max_by(f64::total_cmp);
        let against = best_baseline.map(|f1| (F1_BASELINES, Side::Least, f1));
        for ((figure, of), side, bar) in fixed(&corpus.name).iter().copied().chain(against) {
            let default = corpus.default_by_seed(grid).iter().map(|m| of(m).unwrap_or(0.0));
            let worst = match side {
                Side::Least => default.clone().min_by(f64::total_cmp),
                Side::Most => default.clone().max_by(f64::total_cmp),
            };
            checked.push(Checked {
                corpus: corpus.name.clone(),
                figure,
                side,
                bar,
                reached: default.clone().next().unwrap_or(0.0),
                worst: worst.unwrap_or(0.0),
            });
        }
    }
    checked
}
