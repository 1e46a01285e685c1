//! Reading: documents from JSON Lines, plain or gzipped.

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The classes of texts in the report, shortest texts first.
pub const CLASSES: [&str; 3] = ["under 140 characters", "140 to 499", "500 and more"];

/// A text with what is known about it.
pub struct Document {
    /// Its name, unique in its corpus.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Documents of one group are versions of each other.
    pub group: u32,
    /// Its position in `CLASSES`.
    pub class: usize,
}

/// The documents of one file.
pub struct Corpus {
    /// The file's name without its endings.
    pub name: String,
    /// The documents, shortest class first.
    pub documents: Vec<Document>,
}

/// A line of the file. Fields that are not needed are left out.
#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
    /// A document without a group is the only one of its group.
    #[serde(default)]
    group: Option<String>,
}

/// The name of a corpus file without folder and endings; `None` if it is not a corpus file.
pub fn corpus_name(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".jsonl")
}

/// The lines of a file. A file that ends in `.gz` is unpacked.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, String> {
    let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let gzipped = path.extension().is_some_and(|e| e == "gz");
    let reader: Box<dyn Read> = if gzipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    Ok(BufReader::new(reader).lines())
}

impl Corpus {
    /// Reads the documents of a file.
    pub fn read(path: &Path) -> Result<Corpus, String> {
        let name = corpus_name(path)
            .ok_or_else(|| format!("{}: a corpus file ends in .jsonl or .jsonl.gz", path.display()))?;
        let mut given = Vec::new();
        for (number, line) in lines(path)?.enumerate() {
            let at = |e: &dyn std::fmt::Display| format!("{}:{}: {e}", path.display(), number + 1);
            let line = line.map_err(|e| at(&e))?;
            if !line.trim().is_empty() {
                let Line { id, text, group } = serde_json::from_str(&line).map_err(|e| at(&e))?;
                given.push((id, text, group));
            }
        }
        Ok(Corpus::new(name, given))
    }

    /// A corpus of documents given as id, text and group.
    pub fn new(name: &str, given: Vec<(String, String, Option<String>)>) -> Corpus {
        let mut groups: HashMap<String, u32> = HashMap::new();
        let mut last = 0;
        let mut number = |group: Option<String>| {
            let mut next = || {
                last += 1;
                last
            };
            match group {
                Some(group) => *groups.entry(group).or_insert_with(next),
                None => next(),
            }
        };
        let mut documents: Vec<Document> = given
            .into_iter()
            .map(|(id, text, group)| Document { class: class(&text), id, text, group: number(group) })
            .collect();
        documents.sort_by_key(|d| d.class);
        Corpus { name: name.to_owned(), documents }
    }
}

/// The position of a text in `CLASSES`.
fn class(text: &str) -> usize {
    match text.chars().take(500).count() {
        0..140 => 0,
        140..500 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_corpus_files() {
        assert_eq!(corpus_name(Path::new("a/b.jsonl")), Some("b"));
        assert_eq!(corpus_name(Path::new("a/b.jsonl.gz")), Some("b"));
        assert_eq!(corpus_name(Path::new("a/b.tsv.gz")), None);
    }

    #[test]
    fn documents_stand_by_class_and_know_their_group() {
        let group = |g: &str| Some(g.to_owned());
        let given = vec![
            ("long".to_owned(), "长".repeat(500), group("g")),
            ("middle".to_owned(), "中".repeat(499), None),
            ("alone".to_owned(), "中".repeat(140), None),
            ("short".to_owned(), "短".repeat(139), group("g")),
        ];
        let documents = Corpus::new("test", given).documents;
        let ids: Vec<_> = documents.iter().map(|d| (d.id.as_str(), d.class)).collect();
        assert_eq!(ids, [("short", 0), ("middle", 1), ("alone", 1), ("long", 2)]);
        assert_eq!(documents[0].group, documents[3].group);
        assert_ne!(documents[1].group, documents[2].group);
    }
}
