//! Exact fractions, for figures that are quotients of counts.
//!
//! Differences between two methods are differences of shares of examples. Computed in floating point, +1/93, +2/93, -1/93
//! and -2/93 add up to about 1e-17 instead of 0, which a test that drops zeros takes for a difference, and equal differences
//! get unequal ranks. So shares, differences and means are added up exactly, and become floating point at the end: equal
//! fractions give equal numbers.

use crate::index::whole;
use num_bigint::{BigInt, BigUint, Sign};
use std::ops::{Add, Sub};

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// `count` of `of`; 1 if `of` is 0, because nothing was missed.
    pub fn share(count: u64, of: u64) -> Self {
        if of == 0 { Fraction::reduced(1.into(), 1u32.into()) } else { Fraction::reduced(count.into(), of.into()) }
    }

    /// The share of `of` examples that is closest to a share known in floating point only.
    pub fn nearest(share: f64, of: u64) -> Self {
        Fraction::share(whole((share * of as f64).round()), of)
    }

    /// The mean; 0 of nothing.
    pub fn mean(values: &[Fraction]) -> Self {
        let zero = Fraction::reduced(0.into(), 1u32.into());
        let sum = values.iter().fold(zero, |sum, value| &sum + value);
        let Fraction { numerator, denominator } = sum;
        Fraction::reduced(numerator, denominator * values.len().max(1))
    }

    /// The floating point number closest to it times `factor`, up to a rounding. Equal fractions give equal numbers, and
    /// opposite ones opposite numbers.
    pub fn times(&self, factor: u32) -> f64 {
        let magnitude = self.numerator.magnitude() * factor;
        // A quotient of 64 to 65 bits is more precise than a float: numerator and denominator may be of any length.
        let shift = i64::try_from(self.denominator.bits()).expect("numbers of that length do not fit into memory") + 64
            - i64::try_from(magnitude.bits()).expect("numbers of that length do not fit into memory");
        let quotient = match usize::try_from(shift) {
            Ok(left) => (magnitude << left) / &self.denominator,
            Err(_) => magnitude / (&self.denominator << shift.unsigned_abs()),
        };
        let quotient = u128::try_from(quotient).expect("a quotient of at most 65 bits");
        let exponent = i32::try_from(-shift).expect("fractions of counts are neither huge nor tiny");
        let size = quotient as f64 * 2f64.powi(exponent);
        if self.numerator.sign() == Sign::Minus { -size } else { size }
    }

    fn reduced(numerator: BigInt, denominator: BigUint) -> Self {
        let (mut a, mut b) = (numerator.magnitude().clone(), denominator.clone());
        while b != BigUint::ZERO {
            (a, b) = (b.clone(), a % b);
        }
        Fraction { numerator: numerator / BigInt::from(a.clone()), denominator: denominator / a }
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        let one = &self.numerator * BigInt::from(other.denominator.clone());
        let two = &other.numerator * BigInt::from(self.denominator.clone());
        Fraction::reduced(one + two, &self.denominator * &other.denominator)
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: &Fraction) -> Fraction {
        self + &Fraction { numerator: -&other.numerator, denominator: other.denominator.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn differences_that_leave_a_residue_in_floating_point_are_zero() {
        let one = |count: u64| &Fraction::share(count, 10) - &Fraction::share(0, 10);
        let back = |count: u64| &Fraction::share(0, 10) - &Fraction::share(count, 10);
        assert_ne!(0.1 + 0.2 - 0.1 - 0.2, 0.0);
        assert_eq!(Fraction::mean(&[one(1), one(2), back(1), back(2)]).times(100), 0.0);
    }

    proptest! {
        /// However the same wins and losses are dealt to trials of whatever sizes.
        #[test]
        fn differences_that_cancel_are_exactly_zero_in_every_order(
            pairs in prop::collection::vec((0u64..1_000, 0u64..1_000, 1_000u64..1_000_000), 1..8),
            at in any::<prop::sample::Index>(),
        ) {
            let mut differences: Vec<Fraction> = Vec::new();
            for &(one, other, of) in &pairs {
                let (one, other) = (Fraction::share(one, of), Fraction::share(other, of));
                differences.extend([&one - &other, &other - &one]);
            }
            let middle = at.index(differences.len());
            differences.rotate_left(middle);
            prop_assert_eq!(Fraction::mean(&differences).times(100).to_bits(), 0.0f64.to_bits());
        }

        #[test]
        fn fractions_are_the_floats_they_stand_for(a in 0u64..1_000_000, b in 0u64..1_000_000, of in 1u64..1_000_000) {
            let difference = &Fraction::share(a, of) - &Fraction::share(b, of);
            let expected = 100.0 * (a as f64 - b as f64) / of as f64;
            prop_assert!((difference.times(100) - expected).abs() <= 1e-15 * expected.abs());
            prop_assert_eq!((&Fraction::share(b, of) - &Fraction::share(a, of)).times(100), -difference.times(100));
            prop_assert_eq!(Fraction::nearest(a as f64 / of as f64, of), Fraction::share(a, of));
            let double = Fraction::mean(&[difference.clone(), difference.clone()]);
            prop_assert_eq!(double, difference);
        }
    }
}
