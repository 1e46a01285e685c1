//! The golden vectors: users store fingerprints, so the fingerprints in `tests/data/golden.csv` must never change.
//!
//! Columns: the kind of input, the options as JSON, how many times the input is repeated, the input, the fingerprint, and for texts
//! the 192 bits that follow it in a fingerprint of 256 bits, in hexadecimal. The last two are empty for NULL. The SQL test `golden`
//! reads the same file. After a change that is meant to change fingerprints, `SIMHASH_GOLDEN=write cargo test -p simhash-text --test
//! golden` writes these two columns again, except for `tsvector`, which only the server can read.

use simhash_text::fingerprint::Fingerprinter;
use simhash_text::options::Options;
use simhash_text::vote::RealVotes;
use std::path::Path;

/// The fingerprint of a text with the bits that follow it.
fn of_text(options: &str, text: &str) -> Option<(u64, String)> {
    let options = Options::from_json(options).expect("valid options");
    let mut fingerprinter = Fingerprinter::default();
    let narrow = fingerprinter.fingerprint(text, &options, &mut || ()).expect("enough memory");
    let double = fingerprinter.fingerprint(text, &options, &mut || ()).expect("enough memory");
    let wide = fingerprinter.fingerprint::<4>(text, &options, &mut || ()).expect("enough memory");
    assert_eq!(narrow, wide.map(|[first, ..]| [first]), "{text}");
    assert_eq!(double, wide.map(|[first, second, ..]| [first, second]), "{text}");
    wide.map(|[first, further @ ..]| (first, further.map(|part| format!("{part:016x}")).concat()))
}

/// The fingerprint of ready-made features or of a vector.
fn of_features(kind: &str, input: &str) -> Option<u64> {
    let mut votes = RealVotes::default();
    match kind {
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
        let [kind, options, times, input, fingerprint, further] = std::array::from_fn(|i| &row[i]);
        let now = match kind {
            "tsvector" => None,
            "text" => of_text(options, &input.repeat(times.parse().expect("a number"))),
            _ => of_features(kind, input).map(|fp| (fp, String::new())),
        };
        let now = match kind {
            "tsvector" => (fingerprint.to_owned(), String::new()),
            _ => now.map_or_else(Default::default, |(fp, further)| ((fp as i64).to_string(), further)),
        };
        if (now.0.as_str(), now.1.as_str()) != (fingerprint, further) {
            moved += 1;
            println!("{kind} {options} {times} × {input:?}: {fingerprint:?} {further:?} became {now:?}");
        }
        written.push([kind, options, times, input, &now.0, &now.1].map(str::to_owned));
    }
    if std::env::var("SIMHASH_GOLDEN").is_ok_and(|mode| mode == "write") {
        let mut writer = csv::Writer::from_path(&path).expect("a writable golden file");
        writer.write_record(&header).expect("written");
        written.iter().for_each(|row| writer.write_record(row).expect("written"));
        return;
    }
    assert_eq!(moved, 0, "{moved} of {} fingerprints moved", rows.len());
}
