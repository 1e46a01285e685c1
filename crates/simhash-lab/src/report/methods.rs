//! The part of the report on sentences and on two stages.

use super::table::{header, number, row};
use crate::judge::{Found, SCOPES, scope_name};
use crate::measure::{EIGHT, HALF, NINE};
use crate::methods::Method;
use crate::results::Results;
use std::fmt::Write;

const SENTENCES: &str = "
## Longest sentences

A text's signature is the hashes of its three longest sentences; two texts match when their signatures share one. For
the rows with two, they have to share two, or all that the text with fewer sentences has. F1 is against Jaccard ≥ 0.8,
here and below at the k of the row. Lengths are of the shorter document.
";

const STAGES: &str = "
## Two stages by length

Fingerprints up to 7 apart (default options) give candidates, then an exact measure of the texts decides: the similarity
by edit distance, or the cosine of the weighted features. All candidates are measured, not a sample. P.8 is the share of
the pairs found that have a Jaccard of at least 0.8. The last column is how many candidates a text of this length has on
average, itself not counted: as many texts have to be compared.
";

/// Both sections of the report.
pub fn markdown(results: &[Results]) -> String {
    let mut out = SENTENCES.to_owned();
    for corpus in results {
        let figures = ["found", "P", "P*", "R.9", "R.8", "F1"];
        section(&mut out, &corpus.name, &corpus.methods.sentences, &figures, |f, _| {
            let found = f.found.to_string();
            let shares = [f.precision(HALF), f.related_share(), f.recall(NINE), f.recall(EIGHT), f.f1()];
            [vec![found], shares.map(number).to_vec()].concat()
        });
    }
    out.push_str(STAGES);
    for corpus in results {
        let figures = ["found", "P", "P*", "P.8", "R.8", "F1", "candidates"];
        section(&mut out, &corpus.name, &corpus.methods.stages, &figures, |f, candidates| {
            let found = f.found.to_string();
            let shares = [f.precision(HALF), f.related_share(), f.precision(EIGHT), f.recall(EIGHT), f.f1()];
            [vec![found], shares.map(number).to_vec(), vec![number(candidates)]].concat()
        });
    }
    out
}

/// A table of one corpus: every method for all lengths, then for each length that has pairs to find or found pairs.
fn section(
    out: &mut String,
    corpus: &str,
    methods: &[Method],
    figures: &[&str],
    cells: impl Fn(&Found, Option<f64>) -> Vec<String>,
) {
    let _ = write!(out, "\n### {corpus}\n\n");
    let matters = |scope: &usize| {
        let mut found = methods.iter().map(|m| m.found[*scope]);
        found.any(|f| f.found > 0 || f.gold[EIGHT] > 0)
    };
    let scopes: Vec<usize> = (0..SCOPES).filter(matters).collect();
    if scopes.is_empty() {
        out.push_str("No pairs found, and none with a Jaccard of at least 0.8.\n");
        return;
    }
    header(out, &["texts", "pairs by"], figures);
    for scope in scopes {
        for method in methods {
            let names = [scope_name(scope).to_owned(), method.name.clone()];
            row(out, &names, &cells(&method.found[scope], method.candidates[scope]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Scoped;

    #[test]
    fn only_lengths_that_matter() {
        let some = Found { found: 4, hits: [3, 2, 1], gold: [4, 4, 1], related: 3 };
        let found: Scoped<Found> = [some, some, Found::default(), Found::default()];
        let methods = [Method { name: "method".to_owned(), candidates: [Some(0.5); SCOPES], found }];
        let mut out = String::new();
        let cells = |f: &Found, candidates| vec![f.found.to_string(), number(candidates)];
        section(&mut out, "corpus", &methods, &["found", "candidates"], cells);
        let expected = "
### corpus

| texts | pairs by | found | candidates |
|---|---|---:|---:|
| all | method | 4 | 0.500 |
| under 140 characters | method | 4 | 0.500 |
";
        assert_eq!(out, expected);
        let nothing = [Method { found: Default::default(), ..methods[0].clone() }];
        out.clear();
        section(&mut out, "corpus", &nothing, &["found", "candidates"], cells);
        assert_eq!(out, "\n### corpus\n\nNo pairs found, and none with a Jaccard of at least 0.8.\n");
    }
}
