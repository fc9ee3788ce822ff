//! The distributions that tests need: normal, t, chi squared and the studentised range.

use super::special::{beta, gamma_upper};
use std::f64::consts::{PI, SQRT_2};

/// The probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    let tail = 0.5 * gamma_upper(0.5, x * x / 2.0);
    if x < 0.0 { tail } else { 1.0 - tail }
}

fn normal_density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * PI).sqrt()
}

/// The value that a standard normal variable stays below with probability `p`; infinite at 0 and 1.
///
/// A rational guess (Abramowitz and Stegun 26.2.23) and Halley's iteration on [`normal_cdf`].
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let t = (-2.0 * p.ln()).sqrt();
    let guess = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    let mut x = -guess;
    for _ in 0..4 {
        let step = (normal_cdf(x) - p) / normal_density(x);
        x -= step / (1.0 + x * step / 2.0);
    }
    x
}

/// The probability that a t variable with `freedom` degrees of freedom is at most `t`.
pub fn t_cdf(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 1.0 } else { 0.0 };
    }
    let tail = 0.5 * beta(freedom / (freedom + t * t), freedom / 2.0, 0.5);
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// The value that a t variable with `freedom` degrees of freedom stays below with probability `p`.
pub fn t_quantile(p: f64, freedom: f64) -> f64 {
    if p < 0.5 {
        return -t_quantile(1.0 - p, freedom);
    }
    root(0.0, |t| t_cdf(t, freedom) - p)
}

/// The probability that a chi squared variable with `freedom` degrees of freedom is above `x`.
pub fn chi_squared_tail(x: f64, freedom: f64) -> f64 {
    gamma_upper(freedom / 2.0, x / 2.0)
}

/// The value that the range of `count` standard normal variables stays below with probability `p`: the studentised
/// range with infinitely many degrees of freedom, of which critical differences are made.
pub fn studentised_range_quantile(p: f64, count: usize) -> f64 {
    root(0.0, |q| range_cdf(q, count) - p)
}

/// `k` times the integral of `phi(z) * (Phi(z) - Phi(z - q))^(k - 1)`, by Simpson's rule.
fn range_cdf(q: f64, count: usize) -> f64 {
    const STEPS: usize = 400;
    let (from, to) = (-8.0, 8.0 + q.min(8.0));
    let width = (to - from) / STEPS as f64;
    let others = i32::try_from(count).unwrap_or(i32::MAX) - 1;
    let at = |z: f64| normal_density(z) * (normal_cdf(z) - normal_cdf(z - q)).max(0.0).powi(others);
    let sum: f64 = (0..=STEPS)
        .map(|step| {
            let weight = if step == 0 || step == STEPS { 1.0 } else { 2.0 + 2.0 * (step % 2) as f64 };
            weight * at(from + width * step as f64)
        })
        .sum();
    count as f64 * sum * width / 3.0
}

/// Where the growing function `f` passes 0, at or above `from`.
fn root(from: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (from, from + SQRT_2);
    while f(high) < 0.0 && high < 1e12 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_undo_probabilities() {
        for p in [1e-12, 0.001, 0.025, 0.3, 0.5, 0.975, 0.9999] {
            assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-14, "{p}");
            assert!((t_cdf(t_quantile(p, 5.0), 5.0) - p).abs() < 1e-12, "{p}");
        }
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-13);
        assert!((t_quantile(0.975, 5.0) - 2.570_581_835_636_314).abs() < 1e-11);
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
