//! How fast texts become fingerprints, on one core, and against what: `make bench`.
//!
//! Texts: the corpora in the folder SIMHASH_DATA where it exists, otherwise the articles of the demo, repeated.
//! Every figure is the best of several rounds; the rounds of all rows alternate, so that a noisy machine treats
//! them alike.

use simhash_core::fingerprint::Fingerprinter;
use simhash_core::normalise::normalise;
use simhash_core::options::Options;
use simhash_core::segment::Segmenter;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

fn main() {
    let (chinese, english, source) = texts();
    println!("texts: {source}; Chinese {} documents, English {} documents", chinese.len(), english.len());
    let jieba = jieba_rs::Jieba::new();
    let options = |json: &str| Options::from_json(json).expect("valid options");
    let default = Options::default();
    let characters = options(r#"{"features": "characters"}"#);
    let textbook = options(r#"{"runs": 1, "weights": "count"}"#);
    let tfidf = options(r#"{"runs": 1, "weights": "tfidf"}"#);
    let fingerprint = |texts: &[String], options: &Options| {
        let mut fingerprinter = Fingerprinter::default();
        for text in texts {
            black_box(fingerprinter.fingerprint(text, options, &mut || ()).expect("enough memory"));
        }
    };
    let normal = |texts: &[String]| {
        let mut out = String::new();
        for text in texts {
            out.clear();
            normalise(text, &mut out);
            black_box(out.len());
        }
    };
    let words = |texts: &[String]| {
        let mut out = String::new();
        let mut segmenter = Segmenter::default();
        for text in texts {
            out.clear();
            normalise(text, &mut out);
            segmenter.words(&out, false, |word| {
                black_box(word);
            });
        }
    };
    let cut = |texts: &[String]| {
        for text in texts {
            black_box(jieba.cut(text, false).len());
        }
    };
    type Row<'a> = (&'a str, &'a [String], Box<dyn Fn(&[String]) + 'a>);
    let rows: Vec<Row> = vec![
        ("Chinese: Jieba::cut alone", &chinese, Box::new(cut)),
        ("Chinese: default", &chinese, Box::new(|t| fingerprint(t, &default))),
        ("Chinese: normalise", &chinese, Box::new(normal)),
        ("Chinese: normalise, segment", &chinese, Box::new(words)),
        ("Chinese: runs of 4 characters", &chinese, Box::new(|t| fingerprint(t, &characters))),
        ("Chinese: words × count", &chinese, Box::new(|t| fingerprint(t, &textbook))),
        ("Chinese: words × tf·idf", &chinese, Box::new(|t| fingerprint(t, &tfidf))),
        ("English: default", &english, Box::new(|t| fingerprint(t, &default))),
        ("English: normalise", &english, Box::new(normal)),
        ("English: normalise, segment", &english, Box::new(words)),
        ("English: runs of 4 characters", &english, Box::new(|t| fingerprint(t, &characters))),
        ("English: words × count", &english, Box::new(|t| fingerprint(t, &textbook))),
    ];
    let mut best = vec![Duration::MAX; rows.len()];
    for _ in 0..ROUNDS {
        for ((_, texts, run), best) in rows.iter().zip(&mut best) {
            let start = Instant::now();
            run(texts);
            *best = (*best).min(start.elapsed());
        }
    }
    println!("{:<34} {:>8} {:>22}", "", "MB/s", "against Jieba::cut");
    let speed =
        |i: usize| rows[i].1.iter().map(String::len).sum::<usize>() as f64 / 1e6 / best[i].as_secs_f64();
    for (i, (name, ..)) in rows.iter().enumerate() {
        let ratio = if name.starts_with("Chinese") {
            format!("{:.0} %", 100.0 * speed(i) / speed(0))
        } else {
            String::new()
        };
        println!("{name:<34} {:>8.1} {ratio:>22}", speed(i));
    }
}

/// Chinese texts, English texts, and where they are from.
fn texts() -> (Vec<String>, Vec<String>, String) {
    let data = std::env::var("SIMHASH_DATA").unwrap_or_else(|_| "../../../shared/data".to_owned());
    let corpus = |name: &str| read_corpus(&Path::new(&data).join(name));
    if let (Some(chinese), Some(english)) = (corpus("zh_long.jsonl.gz"), corpus("en_long.jsonl.gz")) {
        return (chinese, english, "zh_long, en_long".to_owned());
    }
    let articles = include_str!("../../../demo/articles.csv");
    let (chinese, english): (Vec<&str>, Vec<&str>) = articles
        .split("\n\n")
        .partition(|paragraph| paragraph.chars().filter(|c| !c.is_ascii()).count() > 20);
    let repeat = |paragraphs: Vec<&str>| vec![paragraphs.join("\n"); 200];
    (repeat(chinese), repeat(english), "the articles of the demo, 200 times".to_owned())
}

fn read_corpus(path: &Path) -> Option<Vec<String>> {
    let file = std::fs::File::open(path).ok()?;
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).ok()?;
    let text =
        |line: &str| Some(serde_json::from_str::<serde_json::Value>(line).ok()?["text"].as_str()?.to_owned());
    lines.lines().map(text).collect()
}
