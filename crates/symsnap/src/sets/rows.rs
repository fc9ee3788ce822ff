//! Many covers, one after the other in one array: scans over all of them are limited by memory.

use super::cover::Sides;
use crate::index::narrow;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Covers of the same examples, by number.
#[derive(Debug, Clone)]
pub struct CoverRows {
    sides: Sides,
    /// Words of each cover, and those of them that hold positives: kept, because inner loops would compute them each time.
    width: usize,
    pos_width: usize,
    words: Vec<u64>,
}

impl CoverRows {
    /// No covers yet, of examples of these sides.
    pub fn new(sides: Sides) -> Self {
        CoverRows { sides, width: sides.words(), pos_width: sides.pos_words(), words: Vec::new() }
    }

    /// How many examples of each kind there are.
    #[inline]
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// Add a cover, whose words these are.
    ///
    /// # Panics
    /// If there are more or fewer words than the examples take.
    pub fn push(&mut self, words: &[u64]) {
        assert_eq!(words.len(), self.width, "a cover has a bit for each example");
        self.words.extend_from_slice(words);
    }

    /// The words of a cover.
    #[inline]
    pub fn get(&self, at: usize) -> &[u64] {
        &self.words[at * self.width..(at + 1) * self.width]
    }

    /// The words of the positives of a cover, and those of its negatives.
    #[inline]
    pub fn halves(&self, at: usize) -> (&[u64], &[u64]) {
        self.get(at).split_at(self.pos_width)
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// Finds which of some [`CoverRows`] are equal to a cover. Only those that were put in are found.
#[derive(Debug, Clone, Default)]
pub struct CoverIndex {
    by_hash: FxHashMap<u64, Vec<u32>>,
}

impl CoverIndex {
    /// The covers put in that have these words, in the order in which they came.
    pub fn equal<'a>(&'a self, words: &'a [u64], rows: &'a CoverRows) -> impl DoubleEndedIterator<Item = usize> + 'a {
        let slot = self.by_hash.get(&hash(words)).map_or(&[][..], Vec::as_slice);
        slot.iter().map(|&at| at as usize).filter(move |&at| rows.get(at) == words)
    }

    /// Put in cover `at`, which has these words.
    pub fn insert(&mut self, words: &[u64], at: usize) {
        self.by_hash.entry(hash(words)).or_default().push(narrow(at));
    }
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}
