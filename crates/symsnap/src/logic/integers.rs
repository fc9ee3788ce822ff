//! Integers beyond 64 bits: how large they may be, and how they compare with other numbers.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// No integer that is computed has more bits than this, about 1,260,000 decimal digits.
pub const MAX_BITS: u64 = 1 << 22;

/// About how many bytes an integer takes in [`Terms`](super::Terms).
pub(super) fn bytes(value: &BigInt) -> usize {
    usize::try_from(value.bits() / 8).expect("an integer is in memory") + 100
}

/// How an integer beyond 64 bits compares with any that has at most 64: by its sign.
pub fn sign_order(value: &BigInt) -> Ordering {
    match value.sign() {
        Sign::Minus => Ordering::Less,
        _ => Ordering::Greater,
    }
}

/// Exact comparison of an integer beyond 64 bits with a float; NaN is below everything.
pub fn compare_float(value: &BigInt, float: f64) -> Ordering {
    if float.is_nan() || float == f64::NEG_INFINITY {
        return Ordering::Greater;
    }
    if float == f64::INFINITY {
        return Ordering::Less;
    }
    let floor = float.floor();
    value.cmp(&from_whole_float(floor)).then(if float > floor { Ordering::Less } else { Ordering::Equal })
}

/// The value of a finite float without a fraction.
pub fn from_whole_float(whole: f64) -> BigInt {
    // 52 bits of the mantissa are stored; the first is always set, because a whole number is never subnormal (but 0).
    let bits = whole.abs().to_bits();
    let exponent = i64::try_from(bits >> 52).expect("eleven bits") - 1075;
    if exponent < -52 {
        return BigInt::ZERO;
    }
    let mantissa = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = if exponent < 0 { mantissa >> -exponent } else { mantissa << exponent };
    if whole < 0.0 { -magnitude } else { magnitude }
}

/// The nearest float; infinite if the integer is beyond all floats.
pub fn to_float(value: &BigInt) -> f64 {
    let bits = value.magnitude().bits();
    if bits > 1024 {
        return if value.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    // The highest 64 bits, the last of them set if anything was cut off, round to even as the whole would.
    let dropped = bits.saturating_sub(64);
    let high = value.magnitude() >> dropped;
    let mut high = u64::try_from(&high).expect("64 bits are left");
    if value.magnitude().trailing_zeros().is_some_and(|zeros| zeros < dropped) {
        high |= 1;
    }
    let scale = 2f64.powi(i32::try_from(dropped).expect("at most 960"));
    let size = high as f64 * scale;
    if value.sign() == Sign::Minus { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn floats_and_integers_convert_exactly_or_to_the_nearest() {
        for text in ["18446744073709551616", "-18446744073709551616", "340282366920938463463374607431768211456"] {
            let big = BigInt::from_str(text).unwrap();
            assert_eq!(from_whole_float(to_float(&big)), big, "{text}");
            assert_eq!(compare_float(&big, to_float(&big)), Ordering::Equal);
        }
        let odd = BigInt::from(1u128 << 100) + 1;
        assert_eq!(to_float(&odd), 2f64.powi(100));
        assert_eq!(compare_float(&odd, 2f64.powi(100)), Ordering::Greater);
        // Half-way between two floats, and a little above.
        let half = BigInt::from((1u128 << 100) + (1u128 << 47));
        assert_eq!(to_float(&half), 2f64.powi(100));
        assert_eq!(to_float(&(half + 1)), 2f64.powi(100) + 2f64.powi(48));
        assert_eq!(to_float(&(BigInt::from(1) << 1100)), f64::INFINITY);
        assert_eq!(from_whole_float(-3.0), BigInt::from(-3));
        assert_eq!(from_whole_float(0.0), BigInt::ZERO);
    }
}
