//! Which examples something covers, as words: positives first, then negatives from a fresh word on.
//!
//! One flat run of words for both sides lets a loop AND a whole rule at once and stop between positives and negatives.
//! Examples are numbered, positives first; [`Sides`] knows how many there are of each and so where a bit is. Loops that make
//! millions of covers work on bare `&[u64]`; a [`Cover`] owns its words.

use super::bitset::Bits;
use crate::index::narrow;

/// How many positives and negatives there are, and so where each example's bit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sides {
    positives: u32,
    negatives: u32,
}

impl Sides {
    /// These numbers of positives and negatives.
    ///
    /// # Panics
    /// If there are 2^32 or more of one kind, which take more memory than there is.
    pub fn new(positives: usize, negatives: usize) -> Self {
        Sides { positives: narrow(positives), negatives: narrow(negatives) }
    }

    /// How many examples there are.
    pub fn examples(self) -> usize {
        self.positives() + self.negatives()
    }

    /// How many of them are positive; they come first.
    #[inline]
    pub fn positives(self) -> usize {
        self.positives as usize
    }

    /// How many of them are negative.
    #[inline]
    pub fn negatives(self) -> usize {
        self.negatives as usize
    }

    /// How many words a cover takes.
    #[inline]
    pub fn words(self) -> usize {
        self.pos_words() + self.negatives().div_ceil(64)
    }

    /// How many of them are for positives.
    #[inline]
    pub fn pos_words(self) -> usize {
        self.positives().div_ceil(64)
    }

    /// The words of the positives and those of the negatives.
    #[inline]
    pub fn split(self, words: &[u64]) -> (&[u64], &[u64]) {
        words.split_at(self.pos_words())
    }

    /// Where the bit of an example is.
    #[inline]
    fn bit(self, example: usize) -> usize {
        if example < self.positives() { example } else { example - self.positives() + self.pos_words() * 64 }
    }

    /// Set the bit of `example`.
    #[inline]
    pub fn set(self, words: &mut [u64], example: usize) {
        let bit = self.bit(example);
        words[bit / 64] |= 1 << (bit % 64);
    }

    /// The words that have every example.
    pub fn full(self) -> Vec<u64> {
        let side = |len: usize| {
            let last = if len.is_multiple_of(64) { u64::MAX } else { (1 << (len % 64)) - 1 };
            let words = len.div_ceil(64);
            (1..=words).map(move |at| if at == words { last } else { u64::MAX })
        };
        side(self.positives()).chain(side(self.negatives())).collect()
    }
}

/// A set of examples: what a rule, a part of one or a hypothesis covers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cover {
    sides: Sides,
    words: Box<[u64]>,
}

impl Cover {
    /// None of the examples.
    pub fn empty(sides: Sides) -> Self {
        Cover { sides, words: vec![0; sides.words()].into() }
    }

    /// All of the examples.
    pub fn full(sides: Sides) -> Self {
        Cover { sides, words: sides.full().into() }
    }

    /// The cover with these words.
    ///
    /// # Panics
    /// If there are more or fewer words than the examples take.
    pub fn from_words(sides: Sides, words: impl Into<Box<[u64]>>) -> Self {
        let words = words.into();
        assert_eq!(words.len(), sides.words(), "a cover has a bit for each example");
        Cover { sides, words }
    }

    /// How many examples of each kind there are.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// The words: those of the positives, then those of the negatives.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The positives, by number.
    #[inline]
    pub fn pos(&self) -> Bits<'_> {
        Bits::new(&self.words[..self.sides.pos_words()], self.sides.positives())
    }

    /// The negatives, by number, from 0.
    #[inline]
    pub fn neg(&self) -> Bits<'_> {
        Bits::new(&self.words[self.sides.pos_words()..], self.sides.negatives())
    }

    /// Whether an example is covered; negatives are numbered after the positives.
    #[inline]
    pub fn contains(&self, example: usize) -> bool {
        let bit = self.sides.bit(example);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Cover an example; negatives are numbered after the positives.
    ///
    /// # Panics
    /// If there is no such example.
    #[inline]
    pub fn insert(&mut self, example: usize) {
        assert!(example < self.sides.examples(), "example {example} of {}", self.sides.examples());
        self.sides.set(&mut self.words, example);
    }

    /// Cover a negative, numbered from 0.
    #[inline]
    pub fn insert_negative(&mut self, at: usize) {
        self.insert(self.sides.positives() + at);
    }

    /// The positives of this, and no negatives.
    #[must_use]
    pub fn positives_only(mut self) -> Self {
        self.words[self.sides.pos_words()..].fill(0);
        self
    }

    /// The negatives of this, and no positives.
    #[must_use]
    pub fn negatives_only(mut self) -> Self {
        self.words[..self.sides.pos_words()].fill(0);
        self
    }

    /// Whether nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Cover what `other` covers, too.
    pub fn union_with(&mut self, other: &Cover) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, with)| *word |= with);
    }

    /// No longer cover what `other` covers.
    pub fn subtract(&mut self, other: &Cover) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, with)| *word &= !with);
    }

    /// Cover nothing.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Cover what `other`, of the same examples, covers.
    ///
    /// # Panics
    /// If the examples differ in number.
    pub fn copy_from(&mut self, other: &Cover) {
        assert_eq!(self.sides, other.sides, "covers of the same examples");
        self.words.copy_from_slice(&other.words);
    }

    /// Whether some example is in both.
    pub fn intersects(&self, other: &Cover) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Keep the examples that `keep` accepts, asked in ascending order; negatives are numbered after the positives.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let (pos_words, positives) = (self.sides.pos_words(), self.sides.positives());
        for (at, word) in self.words.iter_mut().enumerate() {
            let first = if at < pos_words { at * 64 } else { (at - pos_words) * 64 + positives };
            let mut rest = *word;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                if !keep(first + rest.trailing_zeros() as usize) {
                    *word ^= bit;
                }
                rest ^= bit;
            }
        }
    }
}

impl std::fmt::Debug for Cover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = |bits: Bits<'_>| bits.iter().collect::<Vec<_>>();
        f.debug_struct("Cover").field("pos", &side(self.pos())).field("neg", &side(self.neg())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn cover(sides: Sides, of: &BTreeSet<usize>) -> Cover {
        let mut cover = Cover::empty(sides);
        of.iter().filter(|at| **at < sides.examples()).for_each(|&at| cover.insert(at));
        cover
    }

    #[test]
    fn negatives_start_at_a_fresh_word() {
        let sides = Sides::new(3, 2);
        let mut cover = Cover::empty(sides);
        cover.insert(2);
        cover.insert_negative(1);
        assert_eq!(cover.words(), [0b100, 0b10]);
        assert_eq!(format!("{cover:?}"), "Cover { pos: [2], neg: [1] }");
        assert_eq!(Cover::full(sides).words(), [0b111, 0b11]);
        assert_eq!((sides.words(), sides.pos_words()), (2, 1));
    }

    proptest! {
        #[test]
        fn covers_are_sets_of_examples(
            positives in 0usize..140, negatives in 0usize..140,
            a in prop::collection::btree_set(0usize..280, 0..80), b in prop::collection::btree_set(0usize..280, 0..80),
        ) {
            let sides = Sides::new(positives, negatives);
            let of = |cover: &Cover| (0..sides.examples()).filter(|&at| cover.contains(at)).collect::<BTreeSet<_>>();
            let (x, y) = (cover(sides, &a), cover(sides, &b));
            let (a, b) = (of(&x), of(&y));
            let sorted: BTreeSet<usize> = x.pos().iter().chain(x.neg().iter().map(|at| positives + at)).collect();
            prop_assert_eq!(&sorted, &a);
            let check = |f: &dyn Fn(&mut Cover), expected: BTreeSet<usize>| {
                let mut z = x.clone();
                f(&mut z);
                assert_eq!(of(&z), expected);
            };
            check(&|z| z.union_with(&y), &a | &b);
            check(&|z| z.subtract(&y), &a - &b);
            check(&|z| z.retain(|at| !b.contains(&at)), &a - &b);
            check(&|z| z.copy_from(&y), b.clone());
            check(&Cover::clear, BTreeSet::new());
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(of(&Cover::full(sides)).len(), sides.examples());
        }
    }
}
