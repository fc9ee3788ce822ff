//! The inverse hyperbolic functions, as C libraries compute them, so that the last digit is SWI-Prolog's.
//!
//! The identities are those of FreeBSD's msun (`s_asinh.c`, `e_acosh.c`, `e_atanh.c`), which glibc follows: each range of
//! arguments has the form that neither cancels nor overflows there. Rust's own functions use one form for all and differ in
//! the last digit now and then.

use std::f64::consts::LN_2;

/// From here on 1 is lost in x² + 1 and in x² - 1.
const LARGE: f64 = 268_435_456.0; // 2^28
/// Below this, the argument itself is the nearest number to the result.
const SMALL: f64 = 1.0 / LARGE;

/// The number whose hyperbolic sine is `x`.
pub(super) fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let result = if !x.is_finite() || size < SMALL {
        return x;
    } else if size > LARGE {
        size.ln() + LN_2
    } else if size > 2.0 {
        (2.0 * size + 1.0 / ((x * x + 1.0).sqrt() + size)).ln()
    } else {
        let square = x * x;
        (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    result.copysign(x)
}

/// The number, not below zero, whose hyperbolic cosine is `x`; none below 1.
pub(super) fn acosh(x: f64) -> f64 {
    if x < 1.0 || x.is_nan() {
        f64::NAN
    } else if x >= LARGE {
        x.ln() + LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let above = x - 1.0;
        (above + (2.0 * above + above * above).sqrt()).ln_1p()
    }
}

/// The number whose hyperbolic tangent is `x`; none beyond -1 and 1.
pub(super) fn atanh(x: f64) -> f64 {
    let size = x.abs();
    if size < SMALL {
        return x;
    }
    let doubled = size + size;
    let half = if size < 0.5 { doubled + doubled * size / (1.0 - size) } else { doubled / (1.0 - size) };
    (0.5 * half.ln_1p()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_undo_the_hyperbolic_functions() {
        for x in [-30.0, -2.5, -0.3, -1e-9, 0.0, 1e-9, 0.3, 1.0, 2.5, 18.0, 30.0_f64] {
            let near = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-12 * wanted.abs().max(1e-9);
            assert!(near(asinh(x.sinh()), x), "asinh of sinh of {x}");
            assert!(x.abs() < 0.1 || near(acosh(x.cosh()), x.abs()), "acosh of cosh of {x}");
            assert!(x.abs() > 3.0 || near(atanh(x.tanh()), x), "atanh of tanh of {x}");
        }
    }

    #[test]
    fn ends_of_their_domains() {
        assert!(acosh(0.5).is_nan() && acosh(f64::NAN).is_nan() && atanh(1.5).is_nan());
        assert_eq!((acosh(1.0), atanh(1.0), asinh(f64::NEG_INFINITY)), (0.0, f64::INFINITY, f64::NEG_INFINITY));
        assert!(asinh(-0.0).is_sign_negative() && atanh(-0.0).is_sign_negative());
    }
}
