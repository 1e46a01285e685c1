//! The Chinese dictionary: jieba's, loaded when the first Han character needs it.

use jieba_rs::Jieba;
use std::sync::OnceLock;

/// Names the dictionary in `simhash_version()`.
pub const VERSION: &str = "jieba-rs 0.11.0";

static JIEBA: OnceLock<Jieba> = OnceLock::new();

/// The segmenter. The first call in a process builds it, which takes some 0.15 s and 30 MB.
pub(crate) fn jieba() -> &'static Jieba {
    JIEBA.get_or_init(Jieba::new)
}

/// Builds the dictionary now, for a process whose children shall inherit it.
pub fn preload() {
    jieba();
}

/// Whether the dictionary has been built in this process.
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
