//! Pairs by the longest-sentences signature: texts whose signatures share hashes.

use crate::corpus::Corpus;
use crate::judge::Pair;
use simhash_text::options::Reading;
use simhash_text::sentence::signature;
use std::collections::HashMap;

/// How many sentences a signature has.
pub const SENTENCES: usize = 3;

/// The signatures of a corpus, one per document, as sets.
pub fn signatures(corpus: &Corpus) -> Vec<Vec<u64>> {
    let set = |text: &str| {
        let mut hashes =
            signature(text, SENTENCES, Reading::default(), &mut || ()).expect("memory for a document");
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    };
    corpus.documents.iter().map(|d| set(&d.text)).collect()
}

/// The pairs that share at least `least` hashes, or all hashes of one of the two. Each pair comes once.
pub fn pairs(signatures: &[Vec<u64>], least: usize) -> impl Iterator<Item = Pair> {
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (i, signature) in signatures.iter().enumerate() {
        for hash in signature {
            holders.entry(*hash).or_default().push(i);
        }
    }
    signatures.iter().enumerate().flat_map(move |(a, signature)| {
        let mut others: Vec<usize> =
            signature.iter().flat_map(|hash| &holders[hash]).copied().filter(|b| *b > a).collect();
        others.sort_unstable();
        let enough = |b: usize, shared: usize| shared >= least.min(signature.len()).min(signatures[b].len());
        let pairs = others.chunk_by(|b, next| b == next).filter(|same| enough(same[0], same.len()));
        pairs.map(|same| (a, same[0])).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_hashes_pair_once() {
        let signatures = vec![vec![1, 2, 3], vec![], vec![1, 3], vec![4, 5], vec![2], vec![3, 4, 6]];
        assert_eq!(pairs(&signatures, 1).collect::<Vec<_>>(), [(0, 2), (0, 4), (0, 5), (2, 5), (3, 5)]);
        assert_eq!(pairs(&signatures, 2).collect::<Vec<_>>(), [(0, 2), (0, 4)]);
    }

    #[test]
    fn texts_with_a_sentence_in_common() {
        let texts = [
            "The boats lay in the harbour. It rained.",
            "Nobody came. \"The boats lay in the harbour!\"",
            "The boats lay in the bay. Nobody saw them.",
        ];
        let given = texts.iter().map(|text| (text.to_string(), text.to_string(), None)).collect();
        let signatures = signatures(&Corpus::new("test", given));
        assert_eq!(pairs(&signatures, 1).collect::<Vec<_>>(), [(0, 1)]);
        assert_eq!(pairs(&signatures, 2).count(), 0);
    }
}
