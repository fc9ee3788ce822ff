//! The weights of examples, and sums of them over sets.

use super::cover::Sides;
use super::planes::{Masked, Planes};
use super::words::{count, count_and, count_and_not};

/// The weights of all examples, positives and negatives apart.
#[derive(Debug, Clone)]
pub struct Weights {
    /// Those of the positives.
    pub pos: SideWeights,
    /// Those of the negatives.
    pub neg: SideWeights,
}

impl Weights {
    /// The weights of positives and of negatives, in the order of their numbers.
    pub fn new(pos: &[u32], neg: &[u32]) -> Self {
        Weights { pos: SideWeights::new(pos), neg: SideWeights::new(neg) }
    }

    /// How many examples of each kind have a weight.
    pub fn sides(&self) -> Sides {
        Sides::new(self.pos.each.len(), self.neg.each.len())
    }
}

/// The weights of positives or of negatives. Sets of them are words, without bits past the last example.
#[derive(Debug, Clone)]
pub struct SideWeights {
    each: Vec<u32>,
    total: u64,
    /// Whether every weight is 1, the usual case, in which weighing is counting.
    unit: bool,
    planes: Planes,
}

impl SideWeights {
    fn new(each: &[u32]) -> Self {
        SideWeights {
            each: each.to_vec(),
            total: each.iter().map(|&weight| u64::from(weight)).sum(),
            unit: each.iter().all(|&weight| weight == 1),
            planes: Planes::new(each),
        }
    }

    /// The weight of each example.
    pub fn each(&self) -> &[u32] {
        &self.each
    }

    /// The weight of all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The weight of a set.
    #[inline]
    pub fn of(&self, set: &[u64]) -> u64 {
        if self.unit { count(set) } else { self.planes.sum(set.len(), |at| set[at]) }
    }

    /// The weight of what both sets have.
    #[inline]
    pub fn of_and(&self, a: &[u64], b: &[u64]) -> u64 {
        if self.unit { count_and(a, b) } else { self.planes.sum(a.len().min(b.len()), |at| a[at] & b[at]) }
    }

    /// The weight of what `a` has and `b` has not.
    #[inline]
    pub fn of_and_not(&self, a: &[u64], b: &[u64]) -> u64 {
        if self.unit { count_and_not(a, b) } else { self.planes.sum(a.len().min(b.len()), |at| a[at] & !b[at]) }
    }

    /// The weight of the set whose words, this many, `word` gives.
    #[inline]
    pub fn of_words(&self, words: usize, word: impl Fn(usize) -> u64) -> u64 {
        if self.unit {
            (0..words).map(|at| u64::from(word(at).count_ones())).sum()
        } else {
            self.planes.sum(words, word)
        }
    }

    /// Prepare to weigh many sets without what `set` has.
    pub fn without(&self, set: &[u64], into: &mut Masked) {
        self.planes.mask_not(set, into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pack(bits: &[bool]) -> Vec<u64> {
        let mut words = vec![0; bits.len().div_ceil(64)];
        bits.iter().enumerate().filter(|&(_, &bit)| bit).for_each(|(at, _)| words[at / 64] |= 1 << (at % 64));
        words
    }

    proptest! {
        #[test]
        fn sets_weigh_as_a_sum_over_the_examples_does(
            rows in prop::collection::vec((prop_oneof![Just(0u32), 1u32..4, any::<u32>()], any::<bool>(), any::<bool>()), 0..150),
            unit in any::<bool>(),
        ) {
            let weights: Vec<u32> = rows.iter().map(|row| if unit { 1 } else { row.0 }).collect();
            let (a, b): (Vec<bool>, Vec<bool>) = rows.iter().map(|row| (row.1, row.2)).unzip();
            let slow = |keep: &dyn Fn(bool, bool) -> bool| -> u64 {
                (0..rows.len()).filter(|&at| keep(a[at], b[at])).map(|at| u64::from(weights[at])).sum()
            };
            let side = SideWeights::new(&weights);
            let (x, y) = (pack(&a), pack(&b));
            prop_assert_eq!(side.of(&x), slow(&|a, _| a));
            prop_assert_eq!(side.of_and(&x, &y), slow(&|a, b| a && b));
            prop_assert_eq!(side.of_and_not(&x, &y), slow(&|a, b| a && !b));
            prop_assert_eq!(side.of_words(x.len(), |at| x[at] ^ y[at]), slow(&|a, b| a != b));
            prop_assert_eq!(side.total(), slow(&|_, _| true));
            let mut masked = Masked::default();
            side.without(&y, &mut masked);
            prop_assert_eq!(masked.weigh(&x), slow(&|a, b| a && !b));
        }
    }
}
