//! Sums of example weights over a bitset, by popcounts alone: weight `w` of example `e` is stored as the bits of `w`,
//! one bitset ("plane") per bit, so that `weight(S) = sum over k of 2^k * |S and plane k|`: the
//! bit-sliced index of O'Neil and Quass (SIGMOD 1997).
//!
//! Unit weights, the usual case, are one plane; bootstrap multiplicities are two or three. Rejected: looking up the
//! weight of every set bit, which is an order of magnitude slower on dense rows even at eight planes. Examples of
//! weight 0 are in no plane, so they vanish by themselves.

use super::words::count_and;

/// The weights of one side's examples as bit planes.
#[derive(Debug, Clone)]
pub(super) struct Planes {
    /// The power of two and its plane; only planes that are not empty.
    planes: Vec<(u32, Box<[u64]>)>,
}

/// A mask cut into the planes once, so that many rows can be weighed under it.
#[derive(Debug, Clone, Default)]
pub struct Masked {
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

    /// The weight of the set whose words, this many, `word` gives.
    #[inline]
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
