//! Sums of example weights over a bitset, by popcounts alone: weight `w` of example `e` is stored as the bits of `w`,
//! one bitset ("plane") per bit, so that `weight(S) = sum over k of 2^k * |S and plane k|`.
//!
//! Unit weights, the usual case, are one plane; bootstrap multiplicities are two or three. Rejected: looking up the
//! weight of every set bit, which is an order of magnitude slower on dense rows even at eight planes. Examples of
//! weight 0 are in no plane, so they vanish by themselves.

use crate::bitset::count_and;

/// The weights of one side's examples as bit planes.
#[derive(Debug, Clone)]
pub(super) struct Planes {
    /// The power of two and its plane; only planes that are not empty.
    planes: Vec<(u32, Box<[u64]>)>,
}

/// A mask cut into the planes once, so that many rows can be weighed under it.
#[derive(Debug, Clone, Default)]
pub(super) struct Masked {
    shifts: Vec<u32>,
    /// The masks of the planes, one after the other.
    words: Vec<u64>,
}

impl Planes {
    pub fn new(weights: &[u32]) -> Self {
        let words = weights.len().div_ceil(64);
        let planes = (0..u32::BITS).filter_map(|shift| {
            let mut plane = vec![0u64; words].into_boxed_slice();
            for (at, _) in weights.iter().enumerate().filter(|&(_, weight)| weight >> shift & 1 == 1) {
                plane[at / 64] |= 1 << (at % 64);
            }
            plane.iter().any(|&word| word != 0).then_some((shift, plane))
        });
        Planes { planes: planes.collect() }
    }

    /// The weight of a set.
    pub fn weigh(&self, set: &[u64]) -> u64 {
        self.sum(set.len(), |at| set[at])
    }

    /// The weight of what `a` has and `b` has not.
    pub fn weigh_and_not(&self, a: &[u64], b: &[u64]) -> u64 {
        self.sum(a.len(), |at| a[at] & !b[at])
    }

    /// The weight of the set whose words `word` gives.
    pub fn sum(&self, words: usize, word: impl Fn(usize) -> u64) -> u64 {
        let one = |plane: &[u64]| (0..words).map(|at| u64::from((word(at) & plane[at]).count_ones())).sum::<u64>();
        self.planes.iter().map(|(shift, plane)| one(plane) << shift).sum()
    }

    /// Cut the complement of `set` into the planes.
    pub fn mask_not(&self, set: &[u64], into: &mut Masked) {
        into.shifts.clear();
        into.words.clear();
        for (shift, plane) in &self.planes {
            let from = into.words.len();
            into.words.extend(plane.iter().zip(set).map(|(&plane, &word)| plane & !word));
            if into.words[from..].iter().any(|&word| word != 0) {
                into.shifts.push(*shift);
            } else {
                into.words.truncate(from);
            }
        }
    }
}

impl Masked {
    /// The weight of what `set` shares with the mask.
    #[inline]
    pub fn weigh(&self, set: &[u64]) -> u64 {
        // Unit weights, the usual case.
        if let [0] = self.shifts[..] {
            return count_and(set, &self.words);
        }
        let one = |mask: &[u64]| set.iter().zip(mask).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>();
        self.shifts.iter().zip(self.words.chunks_exact(set.len().max(1))).map(|(shift, mask)| one(mask) << shift).sum()
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
        fn planes_weigh_as_a_sum_over_the_examples_does(
            rows in prop::collection::vec((prop_oneof![Just(0u32), 1u32..4, any::<u32>()], any::<bool>(), any::<bool>()), 0..150),
        ) {
            let weights: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let a: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let b: Vec<bool> = rows.iter().map(|row| row.2).collect();
            let slow = |keep: &dyn Fn(bool, bool) -> bool| -> u64 {
                rows.iter().filter(|row| keep(row.1, row.2)).map(|row| u64::from(row.0)).sum()
            };
            let planes = Planes::new(&weights);
            let (x, y) = (pack(&a), pack(&b));
            prop_assert_eq!(planes.weigh(&x), slow(&|a, _| a));
            prop_assert_eq!(planes.weigh_and_not(&x, &y), slow(&|a, b| a && !b));
            let mut masked = Masked::default();
            planes.mask_not(&y, &mut masked);
            prop_assert_eq!(masked.weigh(&x), slow(&|a, b| a && !b));
        }
    }
}
