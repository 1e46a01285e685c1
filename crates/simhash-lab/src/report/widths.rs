//! The part of the report on fingerprints of 64, 128 and 256 bits.

use super::table::{header, number, row};
use crate::results::Results;
use crate::widths::{KS, Width};
use std::fmt::Write;

const WIDTHS: &str = "
## More bits

Fingerprints of 64, 128 and 256 bits with the default options, all hash seeds together. P.8 and R.8 are against Jaccard ≥ 0.8, and so
is F1: at the best k, and at the best k up to 7 for each 64 bits. A wider fingerprint has the same shares of its bits as k. The area is
that under the ROC curve on the gold pairs, which have a Jaccard of at least 0.3: the share of the pairs of one with at least 0.8 and
one below it in which the former has the smaller distance. Below them, what an exact measure finds among the pairs that have at most
10 different bits of 64, with the threshold that has the best F1.
";

/// A table for each corpus that has pairs to find.
pub fn markdown(results: &[Results]) -> String {
    let mut out = WIDTHS.to_owned();
    for corpus in results.iter().filter(|corpus| corpus.has_truth()) {
        let _ = write!(out, "\n### {}\n\n", corpus.name);
        let at = KS.map(|k| [format!("P.8 k{k}×"), format!("R.8 k{k}×")]).concat();
        let figures: Vec<&str> =
            at.iter().map(String::as_str).chain(["F1 up to k7×", "best F1 (k)", "area"]).collect();
        header(&mut out, &["bits"], &figures);
        for width in &corpus.widths.widths {
            row(&mut out, &[width.bits.to_string()], &cells(width));
        }
        out.push('\n');
        header(&mut out, &["64 bits, k = 10, then"], &["P.8", "R.8", "F1"]);
        for decided in &corpus.widths.decided {
            let name = format!("{} ≥ {:.2}", decided.measure, decided.least);
            let verdict = decided.verdict;
            row(&mut out, &[name], &[verdict.precision(), verdict.recall(), verdict.f1()].map(number));
        }
    }
    out
}

fn cells(width: &Width) -> Vec<String> {
    let times = width.bits / 64;
    let at = KS.map(|k| width.within[k * times]);
    let shares = at.iter().flat_map(|verdict| [verdict.precision(), verdict.recall()]);
    let f1 =
        |largest: usize| width.best(largest).map_or("–".to_owned(), |(f1, k)| format!("{f1:.3} ({k})"));
    let mut cells: Vec<String> = shares.map(number).collect();
    cells.extend([f1(7 * times), f1(width.bits), number(width.area)]);
    cells
}
