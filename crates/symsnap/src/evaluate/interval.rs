//! Means and their confidence intervals.

use super::t_quantile;

/// A mean with the interval around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; 0 where fewer than two values leave it unknown.
    pub half_width: f64,
    /// How many values it is of.
    pub count: usize,
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// The standard deviation of a sample (divisor `n - 1`); 0 of fewer than two values.
pub fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// The mean with its confidence interval (`confidence` 0.95, say) under the t distribution.
pub fn t_interval(values: &[f64], confidence: f64) -> Interval {
    let count = values.len();
    let half_width = if count < 2 {
        0.0
    } else {
        let quantile = t_quantile(0.5 + confidence / 2.0, (count - 1) as f64);
        quantile * standard_deviation(values) / (count as f64).sqrt()
    };
    Interval { mean: mean(values), half_width, count }
}
