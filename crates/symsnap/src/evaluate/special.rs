//! The incomplete gamma and beta functions, to near machine precision: all distributions here are made of them.
//!
//! The classical series and continued fractions (Abramowitz and Stegun 6.5.29, 6.5.31, 26.5.8, evaluated by Lentz's
//! method) and Lanczos' approximation of the gamma function. *Rejected*: `statrs` and what builds on it, which bring a
//! linear algebra library for these two functions.

/// Terms of a series or continued fraction; it converges in far fewer for all arguments that statistics has.
const TERMS: usize = 10_000;
const TINY: f64 = 1e-300;

/// The logarithm of the gamma function, for positive `x`.
pub fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let base = x + 7.5;
    let sum = COEFFICIENTS.iter().enumerate().skip(1).fold(COEFFICIENTS[0], |sum, (at, c)| sum + c / (x + at as f64));
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * base.ln() - base + sum.ln()
}

/// The upper regularised incomplete gamma function, Q(a, x).
pub fn gamma_upper(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..TERMS {
            term *= x / (a + n as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    let mut b = x + 1.0 - a;
    let mut fraction = Lentz::new(1.0 / b);
    for n in 1..TERMS {
        let n = n as f64;
        b += 2.0;
        if fraction.step(-n * (n - a), b) {
            break;
        }
    }
    (front * fraction.value).clamp(0.0, 1.0)
}

/// The regularised incomplete beta function, I_x(a, b).
pub fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp() / a;
    let mut fraction = Lentz::new(1.0);
    fraction.step(-(a + b) * x / (a + 1.0), 1.0);
    for n in 1..TERMS {
        let n = n as f64;
        let even = n * (b - n) * x / ((a + 2.0 * n - 1.0) * (a + 2.0 * n));
        let odd = -(a + n) * (a + b + n) * x / ((a + 2.0 * n) * (a + 2.0 * n + 1.0));
        fraction.step(even, 1.0);
        if fraction.step(odd, 1.0) {
            break;
        }
    }
    (front * fraction.value).clamp(0.0, 1.0)
}

/// A continued fraction from the front, with the two ratios that Lentz's method keeps. The first numerator is 1, so the
/// first `c` is infinite.
struct Lentz {
    value: f64,
    c: f64,
    d: f64,
}

impl Lentz {
    fn new(first: f64) -> Self {
        Lentz { value: first, c: 1.0 / TINY, d: first }
    }

    /// Add a level with numerator `a` and denominator `b`; whether the value has settled.
    fn step(&mut self, a: f64, b: f64) -> bool {
        let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
        self.d = 1.0 / nonzero(a * self.d + b);
        self.c = nonzero(b + a / self.c);
        let change = self.c * self.d;
        self.value *= change;
        (change - 1.0).abs() < f64::EPSILON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-13 * b.abs().max(1e-300), "{a} is not {b}");
    }

    #[test]
    fn gamma_has_its_known_values() {
        close(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln());
        close(ln_gamma(5.0), 24f64.ln());
        close(ln_gamma(101.0), (1..=100).map(|n| f64::from(n).ln()).sum());
    }

    #[test]
    fn incomplete_functions_have_their_closed_forms() {
        for x in [0.01, 0.5, 1.0, 3.0, 20.0] {
            close(gamma_upper(1.0, x), (-x).exp());
            close(gamma_upper(2.0, x), (1.0 + x) * (-x).exp());
        }
        for x in [0.001, 0.2, 0.5, 0.9] {
            close(beta(x, 1.0, 3.0), 1.0 - (1.0 - x).powi(3));
            close(beta(x, 2.0, 1.0), x * x);
            close(beta(x, 2.5, 4.0) + beta(1.0 - x, 4.0, 2.5), 1.0);
        }
    }
}
