//! Traditional characters and their simplified forms: OpenCC's table, which is part of the crate hanconv.

use hanconv::RawDictionary;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Writes the pairs of characters as a Rust array, sorted by the first character.
pub fn write(path: &Path) {
    // If there are several simplified forms, OpenCC lists the usual one first. It may be the character itself.
    let table: BTreeMap<char, char> = RawDictionary::TSCharacters
        .iter()
        .map(|(from, to)| (single(from), single(to)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut pairs = String::new();
    for (from, mut to) in &table {
        // If the simplified form is itself a traditional character, its own simplified form is used. So folding twice has the same
        // result as folding once.
        while let Some(further) = table.get(to) {
            to = further;
        }
        writeln!(pairs, "('{from}', '{to}'),").expect("writing to a string cannot fail");
    }
    std::fs::write(path, format!("[{pairs}]")).expect("OUT_DIR can be written to");
}

/// The only character of `text`.
fn single(text: &str) -> char {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => c,
        _ => panic!("not one character: {text}"),
    }
}
