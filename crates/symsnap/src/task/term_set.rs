//! Sets of terms as bits, for the values of columns: a column of a million facts is a pass over it.

use crate::logic::TermId;

/// A set of terms of one task.
#[derive(Debug, Clone, Default)]
pub(super) struct TermSet {
    words: Vec<u64>,
    len: usize,
}

impl TermSet {
    /// Add a term.
    pub fn insert(&mut self, id: TermId) {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.len += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// Whether it has the term.
    pub fn contains(&self, id: TermId) -> bool {
        self.words.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The terms, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = TermId> + '_ {
        let bits = |word: u64| (0..64u32).filter(move |bit| word >> bit & 1 == 1);
        (0u32..)
            .zip(&self.words)
            .flat_map(move |(at, &word)| bits(word).map(move |bit| TermId::from_index(at * 64 + bit)))
    }
}

impl FromIterator<TermId> for TermSet {
    fn from_iter<I: IntoIterator<Item = TermId>>(ids: I) -> Self {
        let mut set = TermSet::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_holds_what_was_inserted() {
        let numbers = [0u32, 63, 64, 64, 130, 0, 1000];
        let set: TermSet = numbers.iter().map(|&number| TermId::from_index(number)).collect();
        let expected: BTreeSet<u32> = numbers.into_iter().collect();
        assert_eq!(set.len(), expected.len());
        assert_eq!(
            set.iter().map(|id| id.index() as u32).collect::<Vec<_>>(),
            expected.iter().copied().collect::<Vec<_>>()
        );
        assert!((0..2000).all(|number| set.contains(TermId::from_index(number)) == expected.contains(&number)));
    }
}
