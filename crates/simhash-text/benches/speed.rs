//! The speed at which texts become fingerprints on one core, also relative to `Jieba::cut`. `make bench` runs it.
//!
//! The texts are the corpora in the folder LAB_DATA if this variable is set, otherwise the articles of the demo, repeated. Texts
//! are measured slice by slice. For each slice, all rows of these texts are measured in turn for several rounds, and the best round
//! of each row counts. So the load of a busy machine affects all rows alike, and short disturbances do not count. Vectors are
//! measured separately, with the same number of rounds.

use html5gum::Tokenizer;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use simhash_text::chunk::chunk_len;
use simhash_text::fingerprint::Fingerprinter;
use simhash_text::markup::{Markup, Source};
use simhash_text::normalise::{Script, normalise, simplified};
use simhash_text::options::Options;
use simhash_text::segment::Segmenter;
use simhash_text::vote::RealVotes;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 8;

/// Bytes of text that are measured at a time.
const SLICE: usize = 256 * 1024;

fn main() {
    let (chinese, english, source) = texts();
    println!("texts: {source}; Chinese {} documents, English {} documents", chinese.len(), english.len());
    let pages: Vec<String> = chinese.iter().chain(&english).map(|text| page(text)).collect();
    let jieba = jieba_rs::Jieba::new();
    let options = |json: &str| Options::from_json(json).expect("valid options");
    let default = Options::default();
    let characters = options(r#"{"features": "characters"}"#);
    let textbook = options(r#"{"runs": 1, "weights": "count"}"#);
    let kept = options(r#"{"script": "keep"}"#);
    let html = options(r#"{"markup": "html"}"#);
    let tfidf = options(r#"{"runs": 1, "weights": "tfidf"}"#);
    let own_words = own_options("own_words", &chinese);
    let own_noise = own_options("own_noise", &chinese);
    let fingerprint = fingerprints::<1>;
    let normal = |texts: &[String]| {
        let mut out = String::new();
        for text in texts {
            out.clear();
            normalise(text, Script::Fold, &mut out);
            black_box(out.len());
        }
    };
    let words = |texts: &[String]| {
        let mut out = String::new();
        let mut segmenter = Segmenter::default();
        for text in texts {
            out.clear();
            normalise(text, Script::Fold, &mut out);
            segmenter.words(&out, false, |word| {
                black_box(word);
            });
        }
    };
    let segment = |texts: &[String]| {
        let mut segmenter = Segmenter::default();
        for text in texts {
            segmenter.words(text, false, |word| {
                black_box(word);
            });
        }
    };
    let distinct = distinct_clauses(&chinese);
    let traditional = in_traditional(&chinese);
    // Texts without characters that folding changes, so that all later steps are the same with folding and without it.
    let simplified_only: Vec<String> =
        chinese.iter().map(|text| text.chars().map(simplified).collect()).collect();
    let tokens = |pages: &[String]| {
        for page in pages {
            let count = |_: CallbackEvent<'_>, _: html5gum::Span<()>| None::<Infallible>;
            let Ok(()) = Tokenizer::new_with_emitter(page, CallbackEmitter::new(count)).finish();
        }
    };
    let text_of = |pages: &[String]| {
        for page in pages {
            let mut checkpoint = || ();
            let mut source = Source::new(page, Markup::Html, chunk_len, &mut checkpoint);
            while let Some(chunk) = source.next_chunk().expect("enough memory") {
                black_box(chunk.len());
            }
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
        ("Chinese once: Jieba::cut alone", &distinct, Box::new(cut)),
        ("Chinese once: segment alone", &distinct, Box::new(segment)),
        ("Chinese once: default", &distinct, Box::new(|t| fingerprint(t, &default))),
        ("Chinese: default", &chinese, Box::new(|t| fingerprint(t, &default))),
        ("Chinese: 4,000 own words", &chinese, Box::new(|t| fingerprint(t, &own_words))),
        ("Chinese: 4,000 own noise words", &chinese, Box::new(|t| fingerprint(t, &own_noise))),
        ("Chinese: normalise", &chinese, Box::new(normal)),
        ("Chinese: normalise, segment", &chinese, Box::new(words)),
        ("Chinese: runs of 4 characters", &chinese, Box::new(|t| fingerprint(t, &characters))),
        ("Chinese: words × count", &chinese, Box::new(|t| fingerprint(t, &textbook))),
        ("Chinese: words × tf·idf", &chinese, Box::new(|t| fingerprint(t, &tfidf))),
        ("Simplified: default", &simplified_only, Box::new(|t| fingerprint(t, &default))),
        ("Simplified: default, script kept", &simplified_only, Box::new(|t| fingerprint(t, &kept))),
        ("Traditional: default", &traditional, Box::new(|t| fingerprint(t, &default))),
        ("Traditional: default, script kept", &traditional, Box::new(|t| fingerprint(t, &kept))),
        ("English: default", &english, Box::new(|t| fingerprint(t, &default))),
        ("English: normalise", &english, Box::new(normal)),
        ("English: normalise, segment", &english, Box::new(words)),
        ("English: runs of 4 characters", &english, Box::new(|t| fingerprint(t, &characters))),
        ("English: words × count", &english, Box::new(|t| fingerprint(t, &textbook))),
        ("HTML: html5gum alone", &pages, Box::new(tokens)),
        ("HTML: its text", &pages, Box::new(text_of)),
        ("HTML: default", &pages, Box::new(|t| fingerprint(t, &html))),
    ];
    let mut best = vec![Duration::ZERO; rows.len()];
    for set in [&chinese, &distinct, &english, &pages, &simplified_only, &traditional] {
        let is_of_set = |i: &usize| std::ptr::eq(rows[*i].1, set.as_slice());
        let of_set: Vec<usize> = (0..rows.len()).filter(is_of_set).collect();
        let works: Vec<Work> = of_set.iter().map(|&i| &*rows[i].2).collect();
        of_set.iter().zip(best_times(set, &works)).for_each(|(&i, time)| best[i] = time);
    }
    println!("{:<34} {:>8} {:>22}", "", "MB/s", "against Jieba::cut");
    let speed =
        |i: usize| rows[i].1.iter().map(String::len).sum::<usize>() as f64 / 1e6 / best[i].as_secs_f64();
    for (i, (name, ..)) in rows.iter().enumerate() {
        let ratio = if name.starts_with("Chinese") {
            let jieba = usize::from(name.starts_with("Chinese once"));
            format!("{:.0} %", 100.0 * speed(i) / speed(jieba))
        } else {
            String::new()
        };
        println!("{name:<34} {:>8.1} {ratio:>22}", speed(i));
    }
    for dimensions in [768, 4] {
        let name = format!("Vectors: {dimensions} dimensions, real");
        println!("{name:<34} {:>8.1}", vector_speed(dimensions));
    }
    for texts in ["Simplified", "Traditional"] {
        let time = |end: &str| {
            let row = rows.iter().position(|(name, ..)| *name == format!("{texts}: default{end}"));
            best[row.expect("a row of this name")].as_secs_f64()
        };
        let share = 100.0 * (time("") / time(", script kept") - 1.0);
        println!("{texts}: folding takes {share:+.1} % of the time without it");
    }
    let short: Vec<String> = chinese.iter().map(|text| text.chars().take(100).collect()).collect();
    for (name, texts, options) in [
        ("Chinese: default", &chinese, &default),
        ("Chinese: runs of 4 characters", &chinese, &characters),
        ("Chinese: words × count", &chinese, &textbook),
        ("Chinese: words × tf·idf", &chinese, &tfidf),
        ("Chinese, 100 characters: default", &short, &default),
        ("English: default", &english, &default),
        ("English: runs of 4 characters", &english, &characters),
        ("English: words × count", &english, &textbook),
    ] {
        let [double, fourfold] = wide_ratios(texts, options);
        println!("{name}: 128 bits take {double:.2} times as long as 64 bits, 256 bits {fourfold:.2} times");
    }
}

/// Makes the fingerprints of texts, in parts of 64 bits.
fn fingerprints<const PARTS: usize>(texts: &[String], options: &Options) {
    let mut fingerprinter = Fingerprinter::default();
    for text in texts {
        black_box(fingerprinter.fingerprint::<PARTS>(text, options, &mut || ()).expect("enough memory"));
    }
}

/// What is measured on texts.
type Work<'a> = &'a dyn Fn(&[String]);

/// The times of these works on the texts. Each is the sum of its best rounds on the slices.
fn best_times(texts: &[String], works: &[Work]) -> Vec<Duration> {
    let mut best = vec![Duration::ZERO; works.len()];
    for slice in slices(texts) {
        let mut least = vec![Duration::MAX; works.len()];
        for round in 0..ROUNDS {
            // The order alternates, because the previous work affects what a work finds in the caches.
            for at in 0..works.len() {
                let i = if round % 2 == 0 { at } else { works.len() - 1 - at };
                let start = Instant::now();
                works[i](slice);
                least[i] = least[i].min(start.elapsed());
            }
        }
        best.iter_mut().zip(least).for_each(|(best, least)| *best += least);
    }
    best
}

/// The times for fingerprints of 128 and of 256 bits, each divided by the time for 64 bits.
fn wide_ratios(texts: &[String], options: &Options) -> [f64; 2] {
    let times = best_times(
        texts,
        &[&|texts| fingerprints::<1>(texts, options), &|texts| fingerprints::<2>(texts, options), &|texts| {
            fingerprints::<4>(texts, options)
        }],
    );
    [1, 2].map(|i| times[i].as_secs_f64() / times[0].as_secs_f64())
}

/// How many MB of vectors with this number of dimensions become fingerprints in a second. A value is a `real` of four bytes.
fn vector_speed(dimensions: usize) -> f64 {
    let mut state = 1u64;
    let mut value = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let values: Vec<f32> = (0..SLICE / size_of::<f32>()).map(|_| value()).collect();
    let vectors = values.chunks_exact(dimensions);
    let bytes = vectors.len() * dimensions * size_of::<f32>();
    let round = || {
        let start = Instant::now();
        for vector in vectors.clone() {
            let mut votes = RealVotes::default();
            for (i, &value) in vector.iter().enumerate() {
                votes.add_dimension(i as u64, dimensions, f64::from(value));
            }
            black_box(votes.fingerprint());
        }
        start.elapsed()
    };
    let best = (0..ROUNDS).map(|_| round()).min().unwrap_or(Duration::MAX);
    bytes as f64 / 1e6 / best.as_secs_f64()
}

/// Texts in slices of about `SLICE` bytes.
fn slices(mut texts: &[String]) -> Vec<&[String]> {
    let mut slices = Vec::new();
    while !texts.is_empty() {
        let mut bytes = 0;
        let is_inside = |text: &&String| {
            bytes += text.len();
            bytes <= SLICE
        };
        let count = texts.iter().take_while(is_inside).count().max(1);
        let (slice, rest) = texts.split_at(count);
        slices.push(slice);
        texts = rest;
    }
    slices
}

/// The texts with a traditional form for each character that has one, even if that form is wrong in its context.
fn in_traditional(texts: &[String]) -> Vec<String> {
    let han = '\u{4E00}'..='\u{9FFF}';
    let mut forms: HashMap<char, char> = HashMap::new();
    for c in han {
        if simplified(c) != c {
            forms.entry(simplified(c)).or_insert(c);
        }
    }
    let traditional = |text: &String| text.chars().map(|c| *forms.get(&c).unwrap_or(&c)).collect();
    texts.iter().map(traditional).collect()
}

/// Options with 4,000 words of four characters each as the value of `key`. The words occur in the texts.
fn own_options(key: &str, texts: &[String]) -> Options {
    let han = |c: &char| matches!(c, '\u{4E00}'..='\u{9FFF}');
    let characters: Vec<char> = texts.iter().flat_map(|text| text.chars()).filter(han).take(16_000).collect();
    let words: Vec<String> = characters.chunks(4).map(|word| word.iter().collect()).collect();
    Options::from_json(&serde_json::json!({ key: words }).to_string()).expect("valid options")
}

/// The texts in normal form without the clauses that occur earlier in any of them. So a cache of results would give no advantage.
fn distinct_clauses(texts: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let distinct = |text: &String| {
        let mut normal = String::new();
        normalise(text, Script::Fold, &mut normal);
        let is_letter = |c: char| c.is_alphanumeric();
        normal.split_inclusive(|c| !is_letter(c)).filter(|clause| seen.insert(clause.to_string())).collect()
    };
    texts.iter().map(distinct).collect()
}

/// A text as a page of a web site: half of the page is markup.
fn page(text: &str) -> String {
    let link = |i: usize| {
        format!(
            "<li class=\"menu-item menu-item-{i}\"><a href=\"/section/{i}?from=menu&amp;id={i}\">Section {i}</a></li>\n"
        )
    };
    let menu: String = (0..40).map(link).collect();
    let paragraph = |(i, line): (usize, &str)| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<p class=\"article-text\" id=\"paragraph-{i}\" data-index=\"{i}\"><span style=\"font-size: 16px\">{line}</span></p>\n"
        )
    };
    let body: String = text.lines().enumerate().map(paragraph).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Page</title><style>{}</style></head>\n<body>\n\
         <nav><ul>\n{menu}</ul></nav>\n<main><article>\n{body}</article></main>\n<footer><ul>{menu}</ul></footer>\n\
         <script>{}</script></body></html>\n",
        "p.article-text { margin: 0 auto; color: #333 }\n".repeat(20),
        "if (a < b && c > d) { track(\"page\"); }\n".repeat(20)
    )
}

/// Chinese texts, English texts, and the name of their source.
fn texts() -> (Vec<String>, Vec<String>, String) {
    let data = std::env::var("LAB_DATA").unwrap_or_default();
    // Cargo starts benchmarks in the folder of their crate. A relative LAB_DATA is relative to the repository.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&data);
    let corpus = |name: &str| if data.is_empty() { None } else { read_corpus(&folder.join(name)) };
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
