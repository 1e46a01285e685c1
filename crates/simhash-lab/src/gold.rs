//! The truth to measure against: pairs with their exact Jaccard over sets of character 5-grams. Traditional Chinese characters are
//! folded to simplified ones: a text in the other script, or in an edition with other forms of its characters, is the same text.

use crate::corpus::{Corpus, lines};
use simhash_text::normalise::simplified;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Pairs below this are not gold pairs.
const LEAST: f64 = 0.3;

/// The largest number of documents for which gold pairs are computed here.
const MOST_DOCUMENTS: usize = 20_000;

/// Characters of a shingle.
const SHINGLE: usize = 5;

/// Two documents that share text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoldPair {
    /// The position of one document in its corpus.
    pub a: usize,
    /// The position of the other document, after `a`.
    pub b: usize,
    /// Their Jaccard, at least `LEAST`.
    pub jaccard: f64,
}

/// The file of gold pairs in a folder, if there is one.
pub fn gold_file(folder: &Path) -> Option<PathBuf> {
    ["gold_pairs.tsv", "gold_pairs.tsv.gz"].iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// The names of the corpora that a file of gold pairs lists.
pub fn listed_corpora(path: &Path) -> Result<HashSet<String>, String> {
    let mut names = HashSet::new();
    each_row(path, |row| {
        names.insert(row.corpus.to_owned());
        Ok(())
    })?;
    Ok(names)
}

/// The gold pairs of `corpus` that a file lists.
pub fn read(path: &Path, corpus: &Corpus) -> Result<Vec<GoldPair>, String> {
    let positions: HashMap<&str, usize> =
        corpus.documents.iter().enumerate().map(|(i, d)| (d.id.as_str(), i)).collect();
    let position = |id: &str| positions.get(id).copied().ok_or_else(|| format!("unknown document {id}"));
    let mut pairs = Vec::new();
    each_row(path, |row| {
        if row.corpus == corpus.name {
            let (a, b) = (position(row.ids[0])?, position(row.ids[1])?);
            pairs.push(GoldPair { a: a.min(b), b: a.max(b), jaccard: row.jaccard });
        }
        Ok(())
    })?;
    Ok(pairs)
}

/// A line of the file of gold pairs.
struct Row<'a> {
    jaccard: f64,
    ids: [&'a str; 2],
    corpus: &'a str,
}

/// Calls `row` with every row after the header.
fn each_row(path: &Path, mut row: impl FnMut(Row) -> Result<(), String>) -> Result<(), String> {
    for (number, line) in lines(path)?.enumerate().skip(1) {
        let at = |e: &dyn std::fmt::Display| format!("{}:{}: {e}", path.display(), number + 1);
        let line = line.map_err(|e| at(&e))?;
        let columns: Vec<&str> = line.split('\t').collect();
        let [jaccard, id1, id2, _same_group, corpus] = columns[..] else {
            return Err(at(&"not five columns"));
        };
        let jaccard = jaccard.parse().map_err(|e| at(&e))?;
        row(Row { jaccard, ids: [id1, id2], corpus }).map_err(|e| at(&e))?;
    }
    Ok(())
}

/// Whether folding changes a text of `corpus`. If it does, pairs that were computed without folding are not the truth.
pub fn is_changed_by_folding(corpus: &Corpus) -> bool {
    corpus.documents.iter().any(|d| d.text.chars().any(|c| simplified(c) != c))
}

/// All gold pairs of `corpus`, computed from its texts.
pub fn compute(corpus: &Corpus) -> Result<Vec<GoldPair>, String> {
    if corpus.documents.len() > MOST_DOCUMENTS {
        let (name, n) = (&corpus.name, corpus.documents.len());
        return Err(format!("{name}: no gold pairs, and {n} documents are too many to compute them here"));
    }
    let texts: Vec<&str> = corpus.documents.iter().map(|d| d.text.as_str()).collect();
    Ok(similar_pairs(&shingle_sets(&texts)))
}

/// The set of shingles of each text as sorted numbers, the rarest shingle of the corpus first.
fn shingle_sets(texts: &[&str]) -> Vec<Vec<u32>> {
    let mut numbers: HashMap<[char; SHINGLE], u32> = HashMap::new();
    let mut frequencies: Vec<u32> = Vec::new();
    let mut sets: Vec<Vec<u32>> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut set: Vec<u32> = shingles(text)
            .map(|shingle| {
                *numbers.entry(shingle).or_insert_with(|| {
                    frequencies.push(0);
                    frequencies.len() as u32 - 1
                })
            })
            .collect();
        set.sort_unstable();
        set.dedup();
        set.iter().for_each(|n| frequencies[*n as usize] += 1);
        sets.push(set);
    }
    let mut by_rarity: Vec<u32> = (0..frequencies.len() as u32).collect();
    by_rarity.sort_unstable_by_key(|n| frequencies[*n as usize]);
    let mut ranks = vec![0; by_rarity.len()];
    by_rarity.iter().zip(0..).for_each(|(n, rank)| ranks[*n as usize] = rank);
    for set in &mut sets {
        set.iter_mut().for_each(|n| *n = ranks[*n as usize]);
        set.sort_unstable();
    }
    sets
}

/// The runs of five characters of a text, in lower case and in simplified characters, with one space for every run of white space.
/// A text of fewer than five characters is one run.
fn shingles(text: &str) -> impl Iterator<Item = [char; SHINGLE]> + use<> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let mut characters: Vec<char> = words.join(" ").chars().map(simplified).collect();
    if (1..SHINGLE).contains(&characters.len()) {
        characters.resize(SHINGLE, '\0');
    }
    let count = (characters.len() + 1).saturating_sub(SHINGLE);
    (0..count).map(move |i| std::array::from_fn(|j| characters[i + j]))
}

/// All pairs of sets with a Jaccard of at least `LEAST`.
///
/// Prefix filter: two such sets have an overlap of at least `needed` shingles. So they share a shingle even if the `needed - 1`
/// most frequent shingles of each are left out. Only the others, the rarest shingles, are indexed.
fn similar_pairs(sets: &[Vec<u32>]) -> Vec<GoldPair> {
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut last_seen = vec![usize::MAX; sets.len()];
    let mut pairs = Vec::new();
    for (b, set) in sets.iter().enumerate() {
        let needed = (LEAST * set.len() as f64).ceil() as usize;
        for shingle in &set[..set.len() - needed.saturating_sub(1).min(set.len())] {
            let holders = holders.entry(*shingle).or_default();
            for a in holders.iter().copied() {
                if last_seen[a] != b {
                    last_seen[a] = b;
                    let jaccard = jaccard(&sets[a], set);
                    if jaccard >= LEAST {
                        pairs.push(GoldPair { a, b, jaccard });
                    }
                }
            }
            holders.push(b);
        }
    }
    pairs
}

/// The Jaccard of two sorted sets; 0 if their sizes show that it is below `LEAST`.
fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (small, large) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if (small.len() as f64) < LEAST * large.len() as f64 {
        return 0.0;
    }
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared as f64 / (a.len() + b.len() - shared) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle: every pair of sets, computed in the simplest way.
    fn naive_pairs(texts: &[&str]) -> Vec<(usize, usize, f64)> {
        let sets: Vec<HashSet<String>> = texts
            .iter()
            .map(|text| {
                let normal = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
                let characters: Vec<char> = normal.chars().collect();
                match characters.len() {
                    0 => HashSet::new(),
                    1..5 => HashSet::from([normal]),
                    _ => characters.windows(5).map(|w| w.iter().collect()).collect(),
                }
            })
            .collect();
        let mut pairs = Vec::new();
        for b in 0..sets.len() {
            for a in 0..b {
                let shared = sets[a].intersection(&sets[b]).count();
                let all = sets[a].union(&sets[b]).count();
                if all > 0 && shared as f64 / all as f64 >= LEAST {
                    pairs.push((a, b, shared as f64 / all as f64));
                }
            }
        }
        pairs.sort_by_key(|(a, b, _)| (*a, *b));
        pairs
    }

    /// Texts from a small vocabulary, made with a fixed sequence of numbers. Many of them overlap in part.
    fn made_up_texts() -> Vec<String> {
        const WORDS: [&str; 12] = [
            "数据库",
            "指纹",
            "near",
            "Duplicate",
            "text",
            "的",
            "汉明距离",
            "B-tree",
            " \n ",
            "a",
            "相似",
            "is",
        ];
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut texts: Vec<String> = vec![String::new(), " ".to_owned(), "ab".to_owned(), "AB ".to_owned()];
        for _ in 0..200 {
            let words: Vec<&str> = (0..next(25)).map(|_| WORDS[next(12) as usize]).collect();
            texts.push(words.join(if next(2) == 0 { " " } else { "" }));
        }
        texts
    }

    #[test]
    fn finds_what_the_oracle_finds() {
        let texts = made_up_texts();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut found: Vec<_> =
            similar_pairs(&shingle_sets(&texts)).into_iter().map(|p| (p.a, p.b, p.jaccard)).collect();
        found.sort_by_key(|(a, b, _)| (*a, *b));
        let expected = naive_pairs(&texts);
        assert!(expected.len() > 50, "{}", expected.len());
        assert_eq!(found, expected);
    }

    #[test]
    fn both_scripts_are_one() {
        let pairs = similar_pairs(&shingle_sets(&["爲什麼衆鳥歸山", "为什么众鸟归山", "為什麽眾鳥歸山"]));
        let jaccards: Vec<f64> = pairs.iter().map(|pair| pair.jaccard).collect();
        assert_eq!(jaccards, [1.0; 3]);
        let corpus = |text: &str| Corpus::new("one", vec![("a".to_owned(), text.to_owned(), None)]);
        assert!(is_changed_by_folding(&corpus("abc 歸")) && !is_changed_by_folding(&corpus("abc 归")));
    }

    #[test]
    fn a_known_jaccard() {
        // abcde bcdef cdefg and abcde bcdef: two of three shingles are shared.
        let pairs = similar_pairs(&shingle_sets(&["abcdefg", "ABCDEF"]));
        assert_eq!(pairs, [GoldPair { a: 0, b: 1, jaccard: 2.0 / 3.0 }]);
    }
}
