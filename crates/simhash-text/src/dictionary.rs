//! The Chinese dictionary, which is jieba's. The words are part of the library. Jieba itself, which can also guess words, is loaded
//! when a text with Han characters first needs guesses.

pub(crate) mod table;

use crate::script::{ascii_len, is_han};
use jieba_rs::Jieba;
use simhash_memory::{OutOfMemory, with_room};
use std::hint::black_box;
use std::sync::OnceLock;

/// Names the dictionary in `simhash_version()`.
pub const VERSION: &str = "jieba-rs 0.11.0";

static JIEBA: OnceLock<Jieba> = OnceLock::new();

/// Jieba, for guesses. The first call in a process builds it, which takes about 0.15 s and 30 MB.
pub(crate) fn jieba() -> &'static Jieba {
    JIEBA.get_or_init(Jieba::new)
}

/// The peak memory for building jieba, in bytes.
const BYTES: usize = 64 << 20;

/// Builds jieba if `text` is the first text with Han characters that needs guesses; an error if there is not enough memory.
#[inline]
pub(crate) fn load_for(text: &str, hmm: bool) -> Result<(), OutOfMemory> {
    if !hmm || is_loaded() || !has_han(text) {
        return Ok(());
    }
    load()
}

/// Builds jieba. It cannot report that memory is exhausted, so the memory that it needs is requested and released first.
#[cold]
fn load() -> Result<(), OutOfMemory> {
    black_box(with_room::<u8>(BYTES)?);
    jieba();
    Ok(())
}

fn has_han(text: &str) -> bool {
    text[ascii_len(text)..].chars().any(is_han)
}

/// Builds jieba now, for a process whose children inherit it.
pub fn preload() {
    jieba();
}

/// Whether jieba has been built in this process.
pub fn is_loaded() -> bool {
    JIEBA.get().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_pinned_one() {
        let (name, version) = VERSION.split_once(' ').expect("name and version");
        assert!(include_str!("../Cargo.toml").contains(&format!("{name} = \"={version}\"")));
    }
}
