//! Words of scripts other than Han by the Unicode rules, and pairs of characters where a script has no spaces.

use super::span::Span;
use crate::script::is_han;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Passes the span of every word of `text` to `word`.
pub fn words(text: &str, mut word: impl FnMut(Span)) {
    let mut run = UnspacedRun::default();
    for (start, segment) in text.split_word_bound_indices() {
        match segment.chars().next() {
            // A run of katakana is one segment: its characters are the units.
            Some(c) if is_kana(c) => {
                for (offset, c) in segment.char_indices() {
                    run.push(start + offset, c.len_utf8(), &mut word);
                }
            }
            Some(c) if is_unspaced(c) => run.push(start, segment.len(), &mut word),
            _ => {
                run.end(&mut word);
                if segment.chars().any(is_spoken) {
                    word(Span::new(start, start + segment.len()));
                }
            }
        }
    }
    run.end(&mut word);
}

/// A run of characters in a script without spaces, which is passed on as overlapping pairs.
#[derive(Default)]
struct UnspacedRun {
    /// Where the last unit starts and ends.
    pending: Option<(usize, usize)>,
    pairs: usize,
}

impl UnspacedRun {
    fn push(&mut self, start: usize, len: usize, word: &mut impl FnMut(Span)) {
        let end = start + len;
        if let Some((previous, _)) = self.pending {
            word(Span::new(previous, end));
            self.pairs += 1;
        }
        self.pending = Some((start, end));
    }

    /// Ends the run. A run of a single character is a word itself.
    fn end(&mut self, word: &mut impl FnMut(Span)) {
        if let Some((start, end)) = self.pending.take()
            && self.pairs == 0
        {
            word(Span::new(start, end));
        }
        self.pairs = 0;
    }
}

fn is_kana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ' | 'ゝ'..='ゟ' | 'ァ'..='ヺ' | 'ー'..='ヿ' | '\u{31F0}'..='\u{31FF}')
}

/// Whether a character is a letter of Thai, Lao, Myanmar or Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E01}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECD}' | '\u{0EDC}'..='\u{0EDF}'
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{108F}' | '\u{1780}'..='\u{17D3}')
}

/// Whether a character makes a word. Letters, digits and emoji do; punctuation, other symbols and marks alone do not.
#[inline]
pub fn is_spoken(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}')
        || matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Whether a character is a letter, digit, mark or underscore of a script that separates words by spaces.
pub fn is_unbroken(c: char) -> bool {
    use GeneralCategoryGroup::{Letter, Mark, Number};
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    !is_han(c)
        && !is_kana(c)
        && !is_unspaced(c)
        && matches!(c.general_category_group(), Letter | Mark | Number)
}

/// Whether a character is a mark that combines with the character before it.
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Whether a character beyond ASCII is part of runs of characters: those of words, and the marks on them.
#[inline]
pub fn is_written(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}')
        || is_spoken(c)
        || c.general_category_group() == GeneralCategoryGroup::Mark
}
