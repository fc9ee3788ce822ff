//! Several methods on many data sets: Friedman's test of their ranks, and how far mean ranks must lie apart.
//!
//! Demsar (JMLR 7, 2006): rank the methods on each data set, compare mean ranks; two methods differ if their mean ranks
//! differ by at least Nemenyi's critical difference.

use super::{TestResult, chi_squared_tail, ranks, studentised_range_quantile};

/// Methods ranked over data sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The mean rank of each method; 1 is best.
    pub mean_ranks: Vec<f64>,
    /// Friedman's test that all methods are alike.
    pub friedman: TestResult,
    /// Mean ranks that lie at least so far apart differ, at the 5 % level, by Nemenyi's test.
    pub critical_difference: f64,
}

/// Rank methods by their `scores` (higher is better), a row for each data set. `None` of fewer than two methods or
/// data sets.
///
/// # Panics
/// If rows differ in length.
pub fn friedman(scores: &[Vec<f64>]) -> Option<Ranking> {
    let methods = scores.first()?.len();
    if methods < 2 || scores.len() < 2 {
        return None;
    }
    let (n, k) = (scores.len() as f64, methods as f64);
    let mut sums = vec![0.0; methods];
    let mut ties = 0.0;
    for row in scores {
        assert_eq!(row.len(), methods, "every data set has a score of every method");
        let negated: Vec<f64> = row.iter().map(|score| -score).collect();
        let ranked = ranks(&negated);
        sums.iter_mut().zip(&ranked).for_each(|(sum, rank)| *sum += rank);
        let mut sorted = ranked;
        sorted.sort_by(f64::total_cmp);
        ties += sorted.chunk_by(|a, b| a == b).map(|tie| (tie.len().pow(3) - tie.len()) as f64).sum::<f64>();
    }
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let correction = 1.0 - ties / (n * (k * k * k - k));
    let friedman = if correction <= 0.0 {
        TestResult { statistic: 0.0, p: 1.0 }
    } else {
        let statistic = (12.0 / (n * k * (k + 1.0)) * squares - 3.0 * n * (k + 1.0)) / correction;
        TestResult { statistic, p: chi_squared_tail(statistic, k - 1.0) }
    };
    let quantile = studentised_range_quantile(0.95, methods) / std::f64::consts::SQRT_2;
    Some(Ranking {
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        friedman,
        critical_difference: quantile * (k * (k + 1.0) / (6.0 * n)).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_never_differ_are_alike() {
        let ranking = friedman(&vec![vec![0.5; 3]; 10]).unwrap();
        assert_eq!(ranking.mean_ranks, [2.0; 3]);
        assert_eq!(ranking.friedman.p, 1.0);
        assert!(friedman(&[]).is_none() && friedman(&[vec![1.0], vec![1.0]]).is_none());
    }
}
