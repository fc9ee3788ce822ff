//! A small random number generator of our own, so that a seed gives the same numbers on every platform and in every
//! release.
//!
//! SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): one addition and a mixing function per number, equidistributed,
//! any seed is good. Not for secrets. A crate would be free to change its stream with a major version.

use crate::index::narrow;

/// The state of a stream grows by this odd number, 2^64 over the golden ratio, for each number drawn.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spread the bits of a word: every bit that goes in reaches every bit that comes out. 0 stays 0. Digests are made with
/// it too.
#[inline]
pub fn mix(word: u64) -> u64 {
    let z = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number, uniform over all `u64`.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `bound`, exactly uniform (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        let bound = bound as u64;
        let reject = bound.wrapping_neg() % bound;
        loop {
            let number = self.next_u64();
            if number.wrapping_mul(bound) >= reject {
                return narrow((u128::from(number) * u128::from(bound)) >> 64);
            }
        }
    }

    /// A random order of `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_published_algorithm() {
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn bounded_numbers_are_about_uniform() {
        let mut random = Random::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
