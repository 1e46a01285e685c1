//! The longest-sentences signature: texts that share a long sentence are probably copies.

use crate::hash::{SEED, word_hash};
use crate::markup::Source;
use crate::normalise::{normalise, part_len};
use crate::options::Reading;
use simhash_memory::{OutOfMemory, push_str};
use std::cell::RefCell;
use xxhash_rust::xxh3::Xxh3;

/// The hashes of the `count` longest sentences of a text, the longest first. Equally long sentences are in the order of the text.
/// Characters at the ends of a sentence that are not letters or digits do not matter, nor does the kind of white space between
/// words. `checkpoint` is called often, and may unwind to abandon the work.
pub fn signature(
    text: &str,
    count: usize,
    reading: Reading,
    checkpoint: &mut dyn FnMut(),
) -> Result<Vec<u64>, OutOfMemory> {
    let mut longest = Longest { sentences: Vec::new(), count };
    let mut sentence = Sentence::default();
    let mut normal = String::new();
    // A full stop ends a sentence only if no letter or digit follows: 3.14 is one word.
    let mut after_stop = false;
    let checkpoint = RefCell::new(checkpoint);
    let mut check = || checkpoint.borrow_mut()();
    let mut source = Source::new(text, reading.markup, part_len, &mut check);
    while let Some(part) = source.next_chunk()? {
        checkpoint.borrow_mut()();
        normal.clear();
        normalise(part, reading.script, &mut normal);
        for c in normal.chars() {
            if after_stop {
                match c.is_alphanumeric() {
                    true => sentence.push('.')?,
                    false => longest.take(&mut sentence),
                }
            }
            after_stop = c == '.';
            match c {
                '.' => (),
                '。' | '!' | '?' | ';' | '…' | '\n' | '\r' | '｡' | '؟' | '।' => {
                    longest.take(&mut sentence)
                }
                c => sentence.push(c)?,
            }
        }
    }
    longest.take(&mut sentence);
    Ok(longest.sentences.into_iter().map(|(_, hash)| hash).collect())
}

/// A sentence from its first letter or digit on, with one space for each stretch of white space.
#[derive(Default)]
struct Sentence {
    /// The part that has not been hashed yet.
    text: String,
    /// Where the last letter or digit in `text` ends. If no other follows, the rest does not belong to the sentence.
    end: usize,
    /// Hashes the beginning of a long sentence.
    hasher: Option<Box<Xxh3>>,
    /// The number of letters and digits.
    length: usize,
}

/// A sentence that is longer than this, in bytes, is hashed piece by piece.
const PIECE: usize = 4096;

impl Sentence {
    fn push(&mut self, c: char) -> Result<(), OutOfMemory> {
        if c.is_alphanumeric() {
            push_str(&mut self.text, c.encode_utf8(&mut [0; 4]))?;
            self.length += 1;
            self.end = self.text.len();
            if self.end >= PIECE {
                self.hash_piece();
            }
        } else if self.length > 0 && !c.is_whitespace() {
            push_str(&mut self.text, c.encode_utf8(&mut [0; 4]))?;
        } else if self.length > 0 && !self.text.ends_with(' ') {
            push_str(&mut self.text, " ")?;
        }
        Ok(())
    }

    /// Hashes the whole `text`, which ends with a letter or digit.
    fn hash_piece(&mut self) {
        let hasher = self.hasher.get_or_insert_with(|| Box::new(Xxh3::with_seed(SEED)));
        hasher.update(self.text.as_bytes());
        self.text.clear();
        self.end = 0;
    }

    /// Ends the sentence and returns its length and its hash; `None` if it has no letter and no digit.
    fn finish(&mut self) -> Option<(usize, u64)> {
        let rest = &self.text.as_bytes()[..self.end];
        let hash = match self.hasher.take() {
            Some(mut hasher) => {
                hasher.update(rest);
                hasher.digest()
            }
            None => word_hash(rest, SEED),
        };
        self.text.clear();
        self.end = 0;
        let length = std::mem::take(&mut self.length);
        (length > 0).then_some((length, hash))
    }
}

/// The longest sentences so far, each once.
struct Longest {
    /// Lengths and hashes.
    sentences: Vec<(usize, u64)>,
    count: usize,
}

impl Longest {
    /// Ends `sentence`, and adds it if it is long enough and not known. `sentence` is then ready for the next one.
    fn take(&mut self, sentence: &mut Sentence) {
        let Some((length, hash)) = sentence.finish() else { return };
        let position = self.sentences.partition_point(|&(longer, _)| longer >= length);
        let is_known = self.sentences[..position].iter().any(|&(_, known)| known == hash);
        if position < self.count && !is_known {
            self.sentences.truncate(self.count - 1);
            self.sentences.insert(position, (length, hash));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::CHUNK_BYTES;
    use crate::normalise::Script;
    use proptest::prelude::*;

    fn signature(text: &str, count: usize) -> Vec<u64> {
        super::signature(text, count, Reading::default(), &mut || ()).expect("enough memory")
    }

    fn hash(sentence: &str) -> u64 {
        word_hash(sentence.as_bytes(), SEED)
    }

    /// The sentences of a text by the definition.
    fn sentences(text: &str) -> Vec<String> {
        let mut normal = String::new();
        normalise(text, Script::Fold, &mut normal);
        let characters: Vec<char> = normal.chars().collect();
        let mut sentences = vec![String::new()];
        for (i, &c) in characters.iter().enumerate() {
            let goes_on = characters.get(i + 1).is_some_and(|next| next.is_alphanumeric());
            if "。!?;…\n\r｡؟।".contains(c) || c == '.' && !goes_on {
                sentences.push(String::new());
            } else {
                sentences.last_mut().expect("the first").push(c);
            }
        }
        let trimmed = sentences.iter().map(|sentence| sentence.trim_matches(|c: char| !c.is_alphanumeric()));
        let spaced = trimmed.map(|sentence| sentence.split_whitespace().collect::<Vec<_>>().join(" "));
        spaced.filter(|sentence| !sentence.is_empty()).collect()
    }

    /// The oracle: all sentences sorted by length.
    fn naive(text: &str, count: usize) -> Vec<u64> {
        let mut sentences = sentences(text);
        sentences.sort_by_key(|s| std::cmp::Reverse(s.chars().filter(|c| c.is_alphanumeric()).count()));
        let mut hashes = vec![];
        for hash in sentences.iter().map(|sentence| hash(sentence)) {
            if hashes.len() < count && !hashes.contains(&hash) {
                hashes.push(hash);
            }
        }
        hashes
    }

    #[test]
    fn cut() {
        assert_eq!(sentences("one. two! three? 3.14 is pi;"), ["one", "two", "three", "3.14 is pi"]);
        assert_eq!(sentences("第一句。第二句!第三句?"), ["第一句", "第二句", "第三句"]);
        assert_eq!(sentences("a line\nanother…"), ["a line", "another"]);
        assert!(sentences(" . ! ").is_empty());
    }

    #[test]
    fn the_longest_first() {
        let one = signature("短。这是一个比较长的句子。This is the longest sentence of them all.", 2);
        assert_eq!(one, [hash("this is the longest sentence of them all"), hash("这是一个比较长的句子")]);
    }

    #[test]
    fn what_does_not_matter() {
        let plain = signature("It was a bright cold day in April", 3);
        assert_eq!(signature("“It was  a bright\tcold day in ＡＰＲＩＬ!”", 3), plain);
        assert_eq!(
            signature("It was a bright cold day in April. It was a bright cold day in April!", 3),
            plain
        );
        // A repeated sentence counts once, even with another sentence of its length in between.
        assert_eq!(signature("first one. other one. first one.", 3).len(), 2);
        assert!(signature("...", 3).is_empty());
        assert!(signature("", 3).is_empty());
    }

    #[test]
    fn sentences_longer_than_a_chunk() {
        let long = "many words, — with marks 3.14 -- in between ".repeat(2000);
        let text = format!("short. {long}! {}. the end", "数".repeat(20_000));
        assert_eq!(signature(&text, 3), naive(&text, 3));
        let marks = format!("a{}b. c", "-".repeat(50_000));
        assert_eq!(signature(&marks, 3), naive(&marks, 3));
    }

    /// There is a checkpoint before each part of a text, so sentences of any length can be interrupted.
    #[test]
    fn a_cancel_is_answered_within_a_chunk() {
        for text in ["a. ", "数据", "-", "x"].map(|part| part.repeat(1_000_000 / part.len())) {
            let mut checks = 0;
            super::signature(&text, 3, Reading::default(), &mut || checks += 1).expect("enough memory");
            assert!(checks >= text.len() / CHUNK_BYTES);
        }
    }

    proptest! {
        #[test]
        fn as_the_definition_says(text in "[a-c3é中文龍㑮\\.!?。; \t\n“”-]{0,80}", count in 1usize..5) {
            prop_assert_eq!(signature(&text, count), naive(&text, count));
        }
    }
}
