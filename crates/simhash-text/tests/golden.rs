//! The golden vectors: users store fingerprints, so the fingerprints in `tests/data/golden.csv` must never change.
//!
//! Columns: the kind of input, the options as JSON, how many times the input is repeated, the input, and the fingerprint, which is
//! empty for NULL. The SQL test `golden` reads the same file. After a change that is meant to change fingerprints,
//! `SIMHASH_GOLDEN=write cargo test -p simhash-text --test golden` writes the column of fingerprints again, except for `tsvector`,
//! which only the server can read.

use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::Options;
use simhash_text::vote::RealVotes;
use std::path::Path;

fn fingerprint(kind: &str, options: &str, times: usize, input: &str) -> Option<u64> {
    let mut votes = RealVotes::default();
    match kind {
        "text" => {
            let options = Options::from_json(options).expect("valid options");
            let text = input.repeat(times);
            return Fingerprinter::default().fingerprint(&text, &options, &mut || ()).expect("enough memory");
        }
        "features" => {
            let features: Vec<String> = serde_json::from_str(input).expect("features");
            features.iter().for_each(|feature| votes.add_feature(feature, 1.0));
        }
        "weighted" => {
            let features: Vec<(String, f64)> = serde_json::from_str(input).expect("features with weights");
            features.iter().for_each(|(feature, weight)| votes.add_feature(feature, *weight));
        }
        "vector" => {
            let vector: Vec<f64> = serde_json::from_str(input).expect("a vector");
            (0..).zip(&vector).for_each(|(i, value)| votes.add_dimension(i, vector.len(), *value));
        }
        _ => panic!("unknown kind {kind}"),
    }
    votes.fingerprint()
}

#[test]
fn fingerprints_do_not_move() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/golden.csv");
    let mut reader = csv::Reader::from_path(&path).expect("the golden file");
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("well-formed rows");
    assert!(rows.len() > 300, "only {} golden vectors", rows.len());
    let mut written = Vec::new();
    let mut moved = 0;
    for row in &rows {
        let [kind, options, times, input, expected] = std::array::from_fn(|i| &row[i]);
        let times: usize = times.parse().expect("a number");
        let now = match kind {
            "tsvector" => expected.to_owned(),
            _ => fingerprint(kind, options, times, input).map_or(String::new(), |fp| (fp as i64).to_string()),
        };
        if now != expected {
            moved += 1;
            println!("{kind} {options} {times} × {input:?}: {expected:?} became {now:?}");
        }
        written.push([kind.to_owned(), options.to_owned(), times.to_string(), input.to_owned(), now]);
    }
    if std::env::var("SIMHASH_GOLDEN").is_ok_and(|mode| mode == "write") {
        let mut writer = csv::Writer::from_path(&path).expect("a writable golden file");
        writer.write_record(&header).expect("written");
        written.iter().for_each(|row| writer.write_record(row).expect("written"));
        return;
    }
    assert_eq!(moved, 0, "{moved} of {} fingerprints moved", rows.len());
}
