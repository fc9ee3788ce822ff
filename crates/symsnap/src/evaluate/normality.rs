//! The Shapiro-Wilk test of normality, by Royston's approximation (Applied Statistics 44, 1995, algorithm R94), which is
//! what SciPy and R compute.

use super::{normal_cdf, normal_quantile};

/// The result of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestResult {
    /// The statistic: W of Shapiro and Wilk, t, or the smaller of Wilcoxon's two rank sums.
    pub statistic: f64,
    /// The (two-sided) probability of a result at least as extreme by chance.
    pub p: f64,
}

/// Test whether `values` may come from a normal distribution; `None` of fewer than 3. Constant values pass, as in
/// SciPy.
pub fn shapiro_wilk(values: &[f64]) -> Option<TestResult> {
    let count = values.len();
    if count < 3 {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let range = sorted[count - 1] - sorted[0];
    // Rounding alone can leave a range; it says nothing about the values.
    if !range.is_finite() || range <= 1e-15 * sorted[0].abs().max(sorted[count - 1].abs()) {
        return Some(TestResult { statistic: 1.0, p: 1.0 });
    }
    let weights = weights(count);
    let weight = |at: usize| {
        let mirror = count - 1 - at;
        match at.cmp(&mirror) {
            std::cmp::Ordering::Less => -weights[at],
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => weights[mirror],
        }
    };
    let scaled: Vec<f64> = sorted.iter().map(|value| (value - sorted[count / 2]) / range).collect();
    let mean = scaled.iter().sum::<f64>() / count as f64;
    let (mut aa, mut xx, mut ax) = (0.0, 0.0, 0.0);
    for (at, value) in scaled.iter().enumerate() {
        let (a, x) = (weight(at), value - mean);
        (aa, xx, ax) = (aa + a * a, xx + x * x, ax + a * x);
    }
    // 1 - W, without the cancellation of computing W first.
    let norm = (aa * xx).sqrt();
    let rest = ((norm - ax) * (norm + ax) / (aa * xx)).max(0.0);
    Some(TestResult { statistic: 1.0 - rest, p: p_value(rest, count).clamp(0.0, 1.0) })
}

/// The weights of the lower half of the ordered values, with their signs reversed.
fn weights(count: usize) -> Vec<f64> {
    const FIRST: [f64; 6] = [0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056];
    const SECOND: [f64; 6] = [0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633];
    if count == 3 {
        return vec![0.5f64.sqrt()];
    }
    let half = count / 2;
    let scores: Vec<f64> = (1..=half).map(|at| normal_quantile((at as f64 - 0.375) / (count as f64 + 0.25))).collect();
    let squares = 2.0 * scores.iter().map(|score| score * score).sum::<f64>();
    let inverse_root = 1.0 / (count as f64).sqrt();
    let first = polynomial(&FIRST, inverse_root) - scores[0] / squares.sqrt();
    let mut weights = vec![first];
    let (outer, inner) = if count > 5 {
        let second = polynomial(&SECOND, inverse_root) - scores[1] / squares.sqrt();
        weights.push(second);
        (scores[0].powi(2) + scores[1].powi(2), first * first + second * second)
    } else {
        (scores[0].powi(2), first * first)
    };
    let factor = ((squares - 2.0 * outer) / (1.0 - 2.0 * inner)).sqrt();
    let known = weights.len();
    weights.extend(scores[known..].iter().map(|score| -score / factor));
    weights
}

/// How often a normal sample of `count` values has a W at most this low, given `rest = 1 - W`.
fn p_value(rest: f64, count: usize) -> f64 {
    let n = count as f64;
    if count == 3 {
        return 6.0 / std::f64::consts::PI * ((1.0 - rest).sqrt().asin() - 0.75f64.sqrt().asin());
    }
    if rest == 0.0 {
        return 1.0;
    }
    let y = rest.ln();
    let (y, mean, deviation) = if count <= 11 {
        let gamma = polynomial(&[-2.273, 0.459], n);
        if y >= gamma {
            return 1e-99;
        }
        let mean = polynomial(&[0.544, -0.39978, 0.025054, -6.714e-4], n);
        let deviation = polynomial(&[1.3822, -0.77857, 0.062767, -0.0020322], n).exp();
        (-(gamma - y).ln(), mean, deviation)
    } else {
        let mean = polynomial(&[-1.5861, -0.31082, -0.083751, 0.0038915], n.ln());
        let deviation = polynomial(&[-0.4803, -0.082676, 0.0030302], n.ln()).exp();
        (y, mean, deviation)
    };
    normal_cdf(-(y - mean) / deviation)
}

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}
