//! Counting bits in runs of words, with the widest instructions that the machine at hand has.
//!
//! Builds cannot assume more than baseline x86-64, where counting bits takes a dozen instructions a word; the choice is
//! made at run time instead. This is the one file with `unsafe` in it: a function compiled for AVX2 may be called only
//! after the check that AVX2 is there, which the compiler cannot see.

macro_rules! dispatch {
    ($name:ident, $sum:ident, $a:expr, $b:expr, $with:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,popcnt")]
            fn $name(a: &[u64], b: &[u64]) -> u64 {
                $sum(a, b, $with)
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                // SAFETY: the features that the function is compiled for were just found.
                #[expect(unsafe_code, reason = "the feature check above is what makes the call sound")]
                return unsafe { $name($a, $b) };
            }
        }
        $sum($a, $b, $with)
    }};
}
/// How many bits are set in `a`.
#[inline]
pub fn count(a: &[u64]) -> u64 {
    dispatch!(wide_count, sum, a, a, |a, _b| a)
}

/// How many bits are set in both `a` and `b`.
#[inline]
pub fn count_and(a: &[u64], b: &[u64]) -> u64 {
    dispatch!(wide_count_and, sum, a, b, |a, b| a & b)
}

/// How many bits are set in `a` and not in `b`.
#[inline]
pub fn count_and_not(a: &[u64], b: &[u64]) -> u64 {
    dispatch!(wide_count_and_not, sum, a, b, |a, b| a & !b)
}

#[inline(always)]
fn sum(a: &[u64], b: &[u64], with: impl Fn(u64, u64) -> u64) -> u64 {
    a.iter().zip(b).map(|(&a, &b)| u64::from(with(a, b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_agree_with_one_bit_at_a_time(a in prop::collection::vec(any::<u64>(), 0..40), b in prop::collection::vec(any::<u64>(), 40)) {
            let bits = |x: u64| (0..64).filter(|at| x >> at & 1 == 1).count() as u64;
            let slow = |with: fn(u64, u64) -> u64| a.iter().zip(&b).map(|(&a, &b)| bits(with(a, b))).sum::<u64>();
            prop_assert_eq!(count(&a), slow(|a, _| a));
            prop_assert_eq!(count_and(&a, &b), slow(|a, b| a & b));
            prop_assert_eq!(count_and_not(&a, &b), slow(|a, b| a & !b));
        }
    }
}
