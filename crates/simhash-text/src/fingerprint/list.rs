//! A list of the distinct features of a text.

use crate::weight::{Form, Weight};
use simhash_memory::{OutOfMemory, push, push_str};

/// The distinct features of a text: for each chunk words, then runs, each in the order in which they first occur.
#[derive(Default)]
pub struct FeatureList {
    /// The texts of all features, one after another.
    texts: String,
    entries: Vec<Entry>,
}

/// A distinct feature of a text with its weight and its hash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature<'a> {
    /// The words of the run with a space between them, or its characters.
    pub text: &'a str,
    /// How much its vote weighs.
    pub weight: f64,
    /// The bits that it votes for.
    pub hash: u64,
}

/// A feature, how often it occurs, and its weight, which is set when all features are known.
pub(super) struct Entry {
    end: usize,
    pub hash: u64,
    pub form: Form,
    pub weight: Weight,
    pub count: u32,
}

impl FeatureList {
    /// How many features there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A feature by its number, counted from 0; `None` after the last one.
    pub fn get(&self, number: usize) -> Option<Feature<'_>> {
        let entry = self.entries.get(number)?;
        Some(Feature { text: self.text(number), weight: entry.weight.value(), hash: entry.hash })
    }

    /// All features.
    pub fn iter(&self) -> impl Iterator<Item = Feature<'_>> + Clone {
        (0..).map_while(|number| self.get(number))
    }

    fn text(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.entries[before].end);
        &self.texts[start..self.entries[number].end]
    }

    /// Appends a feature that has not occurred yet. Its weight is 0.
    pub(super) fn push(&mut self, text: &str, hash: u64, form: Form) -> Result<(), OutOfMemory> {
        push_str(&mut self.texts, text)?;
        push(&mut self.entries, Entry { end: self.texts.len(), hash, form, weight: Weight::ZERO, count: 0 })
    }

    /// The entries of all features.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of the feature with this number.
    pub(super) fn entry_mut(&mut self, number: usize) -> &mut Entry {
        &mut self.entries[number]
    }

    /// Sets the weight of every feature. `weight` computes it from the text of the feature and its entry.
    pub(super) fn weigh(&mut self, mut weight: impl FnMut(&str, &Entry) -> Weight) {
        for number in 0..self.len() {
            self.entries[number].weight = weight(self.text(number), &self.entries[number]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed() {
        let mut list = FeatureList::default();
        assert!(list.is_empty() && list.iter().next().is_none());
        for (text, hash) in [("one", 1), ("", 2), ("two three", 3)] {
            list.push(text, hash, Form::Word).expect("enough memory");
        }
        let texts: Vec<_> = list.iter().map(|feature| (feature.text, feature.hash)).collect();
        assert_eq!(texts, [("one", 1), ("", 2), ("two three", 3)]);
        assert_eq!((list.len(), list.get(3)), (3, None));
    }
}
