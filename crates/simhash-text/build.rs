//! Builds the tables that are compiled into the library: jieba's dictionary (see `src/dictionary`) and the simplified forms of
//! characters.

#[path = "build/layout.rs"]
mod layout;
#[path = "build/logarithm.rs"]
mod logarithm;
#[path = "build/simplified.rs"]
mod simplified;
#[path = "build/source.rs"]
mod source;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    let (manifest, out) = (folder("CARGO_MANIFEST_DIR"), folder("OUT_DIR"));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    let dictionary = source::dictionary(&manifest, &out);
    println!("cargo:rerun-if-changed={}", dictionary.display());
    let text = fs::read_to_string(&dictionary)
        .unwrap_or_else(|error| panic!("the dictionary {}: {error}", dictionary.display()));
    write(&out, &layout::Tables::new(&words(&text)));
    simplified::write(&out.join("simplified.rs"));
}

/// The words with their frequencies. A line of the dictionary has a word, its frequency and its part of speech.
fn words(text: &str) -> Vec<(&str, u32)> {
    let word = |line| {
        let mut fields = str::split_ascii_whitespace(line);
        let word = fields.next()?;
        let frequency = fields.next().and_then(|field| field.parse().ok()).filter(|frequency| *frequency > 0);
        Some((word, frequency.unwrap_or_else(|| panic!("no frequency in the dictionary's line {line:?}"))))
    };
    text.lines().filter_map(word).collect()
}

/// Writes the tables. All numbers are little-endian.
fn write(out: &Path, tables: &layout::Tables) {
    let file = |name: &str, bytes: Vec<u8>| {
        fs::write(out.join(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    file("codes.bin", tables.codes.iter().flat_map(|code| code.to_le_bytes()).collect());
    file("bases.bin", tables.bases.iter().flat_map(|base| base.to_le_bytes()).collect());
    file("cells.bin", tables.cells.iter().flat_map(|cell| cell.to_le_bytes()).collect());
    file("frequencies.bin", tables.frequencies.iter().flat_map(|n| n.to_le_bytes()).collect());
    let logarithms = || tables.frequencies.iter().map(|n| logarithm::natural(u64::from(*n)));
    let total = logarithm::natural(tables.total);
    file("logarithms.bin", logarithms().chain([total]).flat_map(f64::to_le_bytes).collect());
    // The first rank means that there is no word.
    let weights: Vec<f64> = logarithms()
        .enumerate()
        .map(|(rank, log)| if rank == 0 { f64::NEG_INFINITY } else { log - total })
        .collect();
    file("weights.bin", weights.iter().copied().flat_map(f64::to_le_bytes).collect());
    // A root contains the weight of its character as a word. A character that occurs in no word has the weight of a word of
    // frequency 1. A break has an infinite weight, because no segmentation can avoid it.
    let root = |(code, cell): (usize, &u64)| {
        let rank = (cell >> 16) as u16;
        let weight = match code {
            0 => -total,
            _ if code < usize::from(layout::FIRST_CODE) => f64::INFINITY,
            _ => weights[usize::from(rank)],
        };
        u128::from(*cell) | u128::from(weight.to_bits()) << 64
    };
    file("roots.bin", tables.roots.iter().enumerate().map(root).flat_map(u128::to_le_bytes).collect());
}
