//! Which examples a part or rule covers, as words: positives first, then negatives from a fresh word on.
//!
//! One flat run of words per cover lets the search AND a whole rule in one loop and stop between positives and
//! negatives; [`Bitset`]s are made of it where a cover leaves the search.

use crate::bitset::Bitset;
use crate::index::narrow;
use crate::task::Examples;

/// Where each example's bit is.
#[derive(Debug, Clone)]
pub struct Layout {
    arity: usize,
    arguments: Vec<u32>,
    positives: usize,
    negatives: usize,
    pos_words: usize,
}

impl Layout {
    /// The layout of `examples`.
    pub fn new(examples: &Examples) -> Self {
        let (positives, negatives) = (examples.positives(), examples.negatives());
        let rows = (0..positives).map(|at| examples.positive(at)).chain((0..negatives).map(|at| examples.negative(at)));
        Layout {
            arity: examples.pred().arity as usize,
            arguments: rows.flatten().map(|id| narrow(id.index())).collect(),
            positives,
            negatives,
            pos_words: positives.div_ceil(64),
        }
    }

    /// How many examples there are.
    pub fn examples(&self) -> usize {
        self.positives + self.negatives
    }

    /// How many of them are positive; they come first.
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// How many arguments an example has.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Argument `at` of example `row`.
    pub fn argument(&self, row: usize, at: usize) -> u32 {
        self.arguments[row * self.arity + at]
    }

    /// How many words a cover takes.
    pub fn words(&self) -> usize {
        self.pos_words + self.negatives.div_ceil(64)
    }

    /// How many of them are for positives.
    pub fn pos_words(&self) -> usize {
        self.pos_words
    }

    /// The positives and the negatives of a cover.
    #[inline]
    pub fn split<'w>(&self, cover: &'w [u64]) -> (&'w [u64], &'w [u64]) {
        cover.split_at(self.pos_words)
    }

    /// Set the bit of `example`.
    #[inline]
    pub fn set(&self, cover: &mut [u64], example: usize) {
        let bit = if example < self.positives { example } else { example - self.positives + self.pos_words * 64 };
        cover[bit / 64] |= 1 << (bit % 64);
    }

    /// The cover of everything.
    pub fn full(&self) -> Vec<u64> {
        let mut cover = vec![0; self.words()];
        (0..self.examples()).for_each(|example| self.set(&mut cover, example));
        cover
    }

    /// The cover as a pair of sets.
    pub fn bitsets(&self, cover: &[u64]) -> (Bitset, Bitset) {
        let (pos, neg) = self.split(cover);
        (Bitset::from_words(pos, self.positives), Bitset::from_words(neg, self.negatives))
    }
}
