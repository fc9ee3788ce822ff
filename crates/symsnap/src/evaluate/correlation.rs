//! Correlation of two samples, and the straight line through them.

use super::{mean, t_cdf};

/// A coefficient with the probability of one at least as far from 0 by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// From -1 to 1.
    pub coefficient: f64,
    /// Two-sided, under the t distribution.
    pub p: f64,
}

/// A line by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegressionLine {
    /// Its slope.
    pub slope: f64,
    /// Its value at 0.
    pub intercept: f64,
    /// The part of the variance that it explains.
    pub r_squared: f64,
}

/// Ranks from 1; equal values share the mean of theirs.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let shared = from as f64 + (group.len() as f64 + 1.0) / 2.0;
        group.iter().for_each(|&at| ranks[at] = shared);
        from += group.len();
    }
    ranks
}

/// Pearson's correlation; `None` of fewer than two pairs, or where one sample is constant.
///
/// # Panics
/// If the samples differ in length.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let sums = Sums::of(x, y)?;
    if sums.yy == 0.0 {
        return None;
    }
    let coefficient = (sums.xy / (sums.xx.sqrt() * sums.yy.sqrt())).clamp(-1.0, 1.0);
    let freedom = x.len() as f64 - 2.0;
    let p = if freedom <= 0.0 {
        1.0
    } else {
        let t = coefficient.abs() * (freedom / ((1.0 - coefficient) * (1.0 + coefficient))).sqrt();
        (2.0 * t_cdf(-t, freedom)).min(1.0)
    };
    Some(Correlation { coefficient, p })
}

/// Spearman's correlation: Pearson's of the ranks.
///
/// # Panics
/// If the samples differ in length.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<Correlation> {
    pearson(&ranks(x), &ranks(y))
}

/// The line that predicts `y` from `x` with the least squared error; `None` of fewer than two pairs or a constant `x`.
///
/// # Panics
/// If the samples differ in length.
pub fn regression(x: &[f64], y: &[f64]) -> Option<RegressionLine> {
    let sums = Sums::of(x, y)?;
    let slope = sums.xy / sums.xx;
    let r_squared = if sums.yy == 0.0 { 0.0 } else { sums.xy * sums.xy / (sums.xx * sums.yy) };
    Some(RegressionLine { slope, intercept: mean(y) - slope * mean(x), r_squared })
}

/// Sums of products of deviations from the means.
struct Sums {
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn of(x: &[f64], y: &[f64]) -> Option<Self> {
        assert_eq!(x.len(), y.len(), "paired samples are of the same length");
        if x.len() < 2 || x.iter().all(|value| *value == x[0]) {
            return None;
        }
        let (mean_x, mean_y) = (mean(x), mean(y));
        let flat = y.iter().all(|value| *value == y[0]);
        let mut sums = Sums { xx: 0.0, yy: 0.0, xy: 0.0 };
        for (a, b) in x.iter().zip(y) {
            let (a, b) = (a - mean_x, if flat { 0.0 } else { b - mean_y });
            (sums.xx, sums.yy, sums.xy) = (sums.xx + a * a, sums.yy + b * b, sums.xy + a * b);
        }
        Some(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn constant_samples_have_no_correlation() {
        assert_eq!(pearson(&[1.0; 4], &[1.0, 2.0, 3.0, 4.0]), None);
        assert_eq!(pearson(&[1.0, 2.0, 3.0, 4.0], &[0.1; 4]), None);
        assert_eq!(regression(&[0.1; 3], &[1.0, 2.0, 3.0]), None);
        let line = regression(&[1.0, 2.0, 4.0], &[5.0; 3]).unwrap();
        assert_eq!((line.slope, line.intercept, line.r_squared), (0.0, 5.0, 0.0));
    }
}
