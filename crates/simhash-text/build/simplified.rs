//! Traditional characters and their simplified forms: OpenCC's table, as the crate hanconv ships it.

use hanconv::RawDictionary;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Writes pairs of characters in the order of the first ones, as a Rust array.
pub fn write(path: &Path) {
    // Of several simplified forms OpenCC names the usual one first, which may be the character itself.
    let table: BTreeMap<char, char> = RawDictionary::TSCharacters
        .iter()
        .map(|(from, to)| (single(from), single(to)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut pairs = String::new();
    for (from, mut to) in &table {
        // A simplified form that is itself a traditional character goes all the way: to fold twice is to fold once.
        while let Some(further) = table.get(to) {
            to = further;
        }
        writeln!(pairs, "('{from}', '{to}'),").expect("a string takes what is written");
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
