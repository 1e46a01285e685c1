//! Chinese is cut into the same words as by `Jieba::cut`, on whole corpora: the files `*.jsonl.gz` of the folder LAB_DATA, whose
//! lines are JSON objects with a `text`. If this variable is not set, the articles of the demo are cut.

use jieba_rs::Jieba;
use simhash_text::normalise::Script;
use simhash_text::normalise::normalise;
use simhash_text::segment::segment;
use std::io::Read;
use std::path::Path;

/// Whether a character is one of the Han characters that are passed to jieba.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// The words that jieba finds in the Han characters of `text`. All other characters are replaced by a line break, which no word
/// spans.
fn by_jieba(jieba: &Jieba, text: &str) -> Vec<String> {
    let han: String = text.chars().map(|c| if is_han(c) { c } else { '\n' }).collect();
    let words = jieba.cut(&han, false).into_iter().map(|token| token.word);
    words.filter(|word| word.starts_with(is_han)).map(str::to_owned).collect()
}

/// The texts of each corpus, with its name.
fn corpora() -> Vec<(String, Vec<String>)> {
    let data = std::env::var("LAB_DATA").unwrap_or_default();
    if data.is_empty() {
        let articles = include_str!("../../../demo/articles.csv");
        let paragraphs = articles.split("\n\n").map(str::to_owned).collect();
        return vec![("the articles of the demo".to_owned(), paragraphs)];
    }
    // Cargo starts tests in the folder of their crate. A relative LAB_DATA is relative to the repository.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(data);
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let corpora = files.filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    corpora.map(|path| (path.display().to_string(), texts(&path))).collect()
}

fn texts(path: &Path) -> Vec<String> {
    let file = std::fs::File::open(path).expect("a readable corpus");
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).expect("gzipped UTF-8");
    let text = |line| {
        let document: serde_json::Value = serde_json::from_str(line).expect("JSON Lines");
        document["text"].as_str().expect("a text").to_owned()
    };
    lines.lines().map(text).collect()
}

#[test]
fn corpora_are_cut_as_jieba_cuts_them() {
    let jieba = Jieba::new();
    let (mut normal, mut words, mut total) = (String::new(), Vec::new(), 0);
    for (name, texts) in corpora() {
        for text in texts {
            normal.clear();
            words.clear();
            normalise(&text, Script::Fold, &mut normal);
            segment(&normal, false, |word| {
                if word.starts_with(is_han) {
                    words.push(word.to_owned());
                }
            });
            total += words.len();
            assert_eq!(words, by_jieba(&jieba, &normal), "{name}: {text}");
        }
    }
    println!("{total} words");
    assert!(total > 0, "no Chinese words found");
}
