//! The report in Markdown, and every figure as tab-separated values.

mod methods;
mod table;
mod widths;

use crate::bars::{Checked, Side};
use crate::corpus::CLASSES;
use crate::grid::{Configuration, Role};
use crate::measure::{EIGHT, Figure, Figures, HALF, MAX_K, NINE, TRUTHS};
use crate::results::Results;
use std::fmt::Write;
use table::{header, number, row};

const INTRODUCTION: &str = "# Quality of the fingerprints

Written by `simhash-lab`; all pairs of documents are compared, no index is used.

The truth is lexical: the exact Jaccard over sets of character 5-grams, traditional Chinese characters folded to simplified
ones, independent of the configuration. P is the share of the pairs found that have a
Jaccard of at least 0.5, R.9 and R.8 the share of the pairs with at least 0.9 and 0.8 that were found, each at the k
behind it. P* counts versions of one document as true as well: in short texts a changed quotation mark or space, which
the fingerprint correctly ignores, is enough to bring the Jaccard below 0.5. F1 is against Jaccard ≥ 0.8, at the best k up to 7. Skew is how many times as many candidates four bands return as
on uniform fingerprints when every document is searched for, itself and its true near-duplicates included; stray is the
same over pairs with a Jaccard below 0.3 alone, and does not depend on the size of the corpus. A configuration's name
says what the features are runs of and how long the runs are, then the weights; noise words are dropped, HMM is off and traditional
characters are folded by default.
";

const MAIN_FIGURES: [&str; 10] =
    ["P k3", "P* k3", "R.9 k3", "P k7", "P* k7", "R.9 k7", "R.8 k7", "best F1 (k)", "skew", "stray"];

/// The whole report.
pub fn markdown(grid: &[Configuration], results: &[Results], bars: &[Checked]) -> String {
    let mut out = INTRODUCTION.to_owned();
    out.push_str(&summary(grid, results));
    out.push_str(&spread(grid, results));
    out.push_str("\n## Bars for the default\n\n");
    out.push_str(&bars_table(bars));
    out.push_str(&by_distance(grid, results));
    out.push_str(&by_length(grid, results));
    out.push_str(&methods::markdown(results));
    out.push_str(&widths::markdown(results));
    out
}

/// The main figures of every configuration, one table per corpus.
fn summary(grid: &[Configuration], results: &[Results]) -> String {
    let mut out = "\n## Summary\n".to_owned();
    for corpus in results {
        let Results { name, documents, measured, .. } = corpus;
        let [half, eight, nine] = measured.first().map_or([0; TRUTHS.len()], |m| m.all.gold);
        let gold = format!("pairs with Jaccard ≥ 0.5: {half}, ≥ 0.8: {eight}, ≥ 0.9: {nine}");
        let _ = write!(out, "\n### {name}\n\n{documents} documents; {gold}.\n\n");
        if let Some(without) = measured.iter().map(|m| m.without).max().filter(|n| *n > 0) {
            let _ = write!(out, "Documents without a fingerprint: up to {without}.\n\n");
        }
        if corpus.has_truth() {
            let _ = write!(out, "![precision and recall by distance]({name}.svg)\n\n");
        }
        header(&mut out, &["configuration"], &MAIN_FIGURES);
        for (configuration, m) in grid.iter().zip(measured) {
            let title = emphasised(configuration);
            let candidates = [m.skew, m.stray].map(|times| format!("{times:.1}×")).to_vec();
            row(&mut out, &[title], &[main_figures(&m.all), candidates].concat());
        }
    }
    out
}

/// The name of a configuration, bold where it is the default.
fn emphasised(configuration: &Configuration) -> String {
    match configuration.role {
        Role::Default => format!("**{}**", configuration.title()),
        _ => configuration.title(),
    }
}

/// The columns of `MAIN_FIGURES`, without those for candidates.
fn main_figures(f: &Figures) -> Vec<String> {
    let best = f.best_f1().map_or("–".to_owned(), |(f1, k)| format!("{f1:.3} ({k})"));
    vec![
        number(f.precision(HALF, 3)),
        number(f.related_share(3)),
        number(f.recall(NINE, 3)),
        number(f.precision(HALF, 7)),
        number(f.related_share(7)),
        number(f.recall(NINE, 7)),
        number(f.recall(EIGHT, 7)),
        best,
    ]
}

/// The mean and range of the main figures over the seeds.
fn spread(grid: &[Configuration], results: &[Results]) -> String {
    let seeds = results.first().and_then(|c| c.spread.first()).map_or(0, |(_, measured)| measured.len());
    let mut out =
        format!("\n## Spread over {seeds} hash seeds\n\nMean, and in brackets the least and the most.\n");
    let figures: [Figure; 9] = [
        ("P k3", |m| m.all.precision(HALF, 3)),
        ("P* k3", |m| m.all.related_share(3)),
        ("R.9 k3", |m| m.all.recall(NINE, 3)),
        ("P k7", |m| m.all.precision(HALF, 7)),
        ("R.9 k7", |m| m.all.recall(NINE, 7)),
        ("R.8 k7", |m| m.all.recall(EIGHT, 7)),
        ("best F1", |m| m.all.best_f1().map(|(f1, _)| f1)),
        ("skew", |m| Some(m.skew)),
        ("stray", |m| Some(m.stray)),
    ];
    for corpus in results {
        let _ = write!(out, "\n### {}\n\n", corpus.name);
        header(&mut out, &["configuration"], &figures.map(|(name, _)| name));
        for (i, measured) in &corpus.spread {
            let cells = figures.map(|(_, of)| {
                let values: Vec<f64> = measured.iter().filter_map(of).collect();
                let (least, most) =
                    values.iter().fold((f64::MAX, f64::MIN), |(l, m), v| (l.min(*v), m.max(*v)));
                match values.len() {
                    0 => "–".to_owned(),
                    n => format!("{:.3} ({least:.3}–{most:.3})", values.iter().sum::<f64>() / n as f64),
                }
            });
            row(&mut out, &[emphasised(&grid[*i])], &cells);
        }
    }
    out
}

/// The bars, with what the default reached.
pub fn bars_table(bars: &[Checked]) -> String {
    let mut out = String::new();
    header(&mut out, &["corpus", "figure"], &["bar", "default", "worst seed", "holds"]);
    for bar in bars {
        let sign = match bar.side {
            Side::Least => '≥',
            Side::Most => '≤',
        };
        let holds = match (bar.holds(), bar.holds_always()) {
            (true, true) => "yes",
            (true, false) => "yes, but not with every seed",
            (false, _) => "**no**",
        };
        let figures = [bar.reached, bar.worst].map(|f| format!("{f:.3}"));
        let [reached, worst] = figures;
        let cells = [format!("{sign} {:.3}", bar.bar), reached, worst, holds.to_owned()];
        row(&mut out, &[bar.corpus.clone(), bar.figure.to_owned()], &cells);
    }
    out
}

/// The figures at every k for the default and the baselines.
fn by_distance(grid: &[Configuration], results: &[Results]) -> String {
    let mut out =
        "\n## By distance\n\nP.8 and P.9 are against Jaccard ≥ 0.8 and ≥ 0.9; the last column is the share \
                   of the pairs found that are\nversions of one document.\n"
            .to_owned();
    for corpus in results {
        for (configuration, m) in grid.iter().zip(&corpus.measured) {
            if !matches!(configuration.role, Role::Default | Role::Baseline) {
                continue;
            }
            let _ = write!(out, "\n### {}: {}\n\n", corpus.name, configuration.title());
            header(
                &mut out,
                &[],
                &["k", "found", "P.5", "P.8", "P.9", "R.5", "R.8", "R.9", "P*", "one document"],
            );
            for k in 0..=MAX_K {
                row(&mut out, &[], &[vec![k.to_string()], figures_at(&m.all, k)].concat());
            }
        }
    }
    out
}

/// Found, precisions, recalls and the share of one group at `k`.
fn figures_at(f: &Figures, k: usize) -> Vec<String> {
    let mut cells = vec![f.found[k].to_string()];
    cells.extend((0..TRUTHS.len()).map(|truth| number(f.precision(truth, k))));
    cells.extend((0..TRUTHS.len()).map(|truth| number(f.recall(truth, k))));
    cells.extend([number(f.related_share(k)), number(f.one_group_share(k))]);
    cells
}

/// The main figures by the length of the shorter document, for all configurations with a role other than `Other`.
fn by_length(grid: &[Configuration], results: &[Results]) -> String {
    let mut out = "\n## By length of the shorter document\n".to_owned();
    for corpus in results {
        for (class, class_name) in CLASSES.iter().enumerate() {
            let gold = corpus.measured.first().map_or([0; TRUTHS.len()], |m| m.classes[class].gold);
            if gold[EIGHT] == 0 {
                continue;
            }
            let pairs = format!("{} pairs with Jaccard ≥ 0.8, {} with ≥ 0.9", gold[EIGHT], gold[NINE]);
            let _ = write!(out, "\n### {}, {class_name}\n\n{pairs}.\n\n", corpus.name);
            header(&mut out, &["configuration"], &MAIN_FIGURES[..8]);
            for (configuration, m) in grid.iter().zip(&corpus.measured) {
                if configuration.role != Role::Other {
                    row(&mut out, &[emphasised(configuration)], &main_figures(&m.classes[class]));
                }
            }
        }
    }
    out
}

/// The figures of every configuration, corpus and k.
pub fn tsv(grid: &[Configuration], results: &[Results]) -> String {
    let mut out =
        "corpus\tconfiguration\trole\tk\tfound\tp5\tp8\tp9\tr5\tr8\tr9\trelated\tone_group\n".to_owned();
    for corpus in results {
        for (configuration, m) in grid.iter().zip(&corpus.measured) {
            for k in 0..=MAX_K {
                let cells = figures_at(&m.all, k).join("\t").replace('–', "");
                let (name, title, role) = (&corpus.name, configuration.name(), configuration.role);
                let _ = writeln!(out, "{name}\t{title}\t{role:?}\t{k}\t{cells}");
            }
        }
    }
    out
}
