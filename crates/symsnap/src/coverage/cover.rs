//! A set of examples, and their arguments by number.

use crate::bitset::Bitset;
use crate::logic::TermId;
use crate::task::Examples;

/// The examples that something covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cover {
    /// Positives, by number.
    pub pos: Bitset,
    /// Negatives, by number.
    pub neg: Bitset,
}

impl Cover {
    /// None of the examples.
    pub fn empty(examples: &Examples) -> Self {
        Cover { pos: Bitset::new(examples.positives()), neg: Bitset::new(examples.negatives()) }
    }

    /// All of the examples.
    pub fn full(examples: &Examples) -> Self {
        Cover { pos: Bitset::full(examples.positives()), neg: Bitset::full(examples.negatives()) }
    }

    /// Whether nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.pos.is_empty() && self.neg.is_empty()
    }

    /// Cover what `other` covers, too.
    pub fn union_with(&mut self, other: &Cover) {
        self.pos.union_with(&other.pos);
        self.neg.union_with(&other.neg);
    }

    /// No longer cover what `other` covers.
    pub fn subtract(&mut self, other: &Cover) {
        self.pos.subtract(&other.pos);
        self.neg.subtract(&other.neg);
    }

    pub(super) fn clear(&mut self) {
        self.pos.clear();
        self.neg.clear();
    }

    pub(super) fn copy_from(&mut self, other: &Cover) {
        self.pos.copy_from(&other.pos);
        self.neg.copy_from(&other.neg);
    }

    /// Whether some example is in both.
    pub(super) fn intersects(&self, other: &Cover) -> bool {
        let meet = |a: &Bitset, b: &Bitset| a.words().iter().zip(b.words()).any(|(a, b)| a & b != 0);
        meet(&self.pos, &other.pos) || meet(&self.neg, &other.neg)
    }

    /// Cover an example; negatives are numbered after the positives.
    pub(super) fn insert(&mut self, at: usize) {
        let positives = self.pos.len();
        if at < positives { self.pos.insert(at) } else { self.neg.insert(at - positives) }
    }

    /// Keep the examples that `keep` accepts; negatives are numbered after the positives.
    #[inline]
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let positives = self.pos.len();
        self.pos.retain(&mut keep);
        self.neg.retain(|at| keep(positives + at));
    }
}

/// The arguments of an example, negatives numbered after the positives.
pub(super) fn example(examples: &Examples, at: usize) -> &[TermId] {
    let positives = examples.positives();
    if at < positives { examples.positive(at) } else { examples.negative(at - positives) }
}
