//! Tests of paired differences, and the rule by which they are chosen.

use super::{Fraction, Interval, TestResult, mean, normal_cdf, shapiro_wilk, standard_deviation, t_cdf, t_interval};
use crate::index::{narrow, whole};

/// Which test decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All differences are 0: there is nothing to test.
    Identical,
    /// The paired t-test.
    PairedT,
    /// The exact Wilcoxon signed-rank test.
    Wilcoxon,
}

impl Which {
    /// The words that reports and JSON use.
    pub fn word(self) -> &'static str {
        match self {
            Which::Identical => "identical",
            Which::PairedT => "t",
            Which::Wilcoxon => "wilcoxon",
        }
    }
}

/// A comparison of paired samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedComparison {
    /// The test that decided.
    pub which: Which,
    /// Its p value.
    pub p: f64,
}

/// Paired differences of shares, in percentage points once they leave this type. The mean is exact: differences that
/// cancel have mean 0, and equal differences are equal numbers, which is what tests by ranks rely on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differences(Vec<Fraction>);

impl FromIterator<Fraction> for Differences {
    fn from_iter<I: IntoIterator<Item = Fraction>>(values: I) -> Self {
        Differences(values.into_iter().collect())
    }
}

impl Differences {
    /// Each difference, in percentage points.
    pub fn points(&self) -> Vec<f64> {
        self.0.iter().map(|difference| difference.times(100)).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The exact mean; 0 of nothing.
    pub fn mean(&self) -> Fraction {
        Fraction::mean(&self.0)
    }

    /// The mean in percentage points with its 95 % interval.
    pub fn interval(&self) -> Interval {
        Interval { mean: self.mean().times(100), ..t_interval(&self.points(), 0.95) }
    }
}

/// Above this p value of Shapiro-Wilk, differences are taken for normal.
const NORMAL: f64 = 0.05;

/// Compare by the t-test if the differences pass for normal, by Wilcoxon's test otherwise. Identical samples give 1.
pub fn compare_paired(differences: &[f64]) -> PairedComparison {
    if differences.iter().all(|difference| *difference == 0.0) {
        return PairedComparison { which: Which::Identical, p: 1.0 };
    }
    // Differences that are all the same have no spread for a t-test to measure.
    let varied = differences.iter().any(|difference| *difference != differences[0]);
    if varied && shapiro_wilk(differences).is_some_and(|tested| tested.p > NORMAL) {
        return PairedComparison { which: Which::PairedT, p: paired_t(differences).p };
    }
    PairedComparison { which: Which::Wilcoxon, p: wilcoxon(differences).p }
}

/// The paired t-test that the mean difference is 0. Fewer than two differences say nothing (p = 1).
pub fn paired_t(differences: &[f64]) -> TestResult {
    let count = differences.len();
    let (mean, deviation) = (mean(differences), standard_deviation(differences));
    if count < 2 || mean == 0.0 {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let t = mean / (deviation / (count as f64).sqrt());
    TestResult { statistic: t, p: (2.0 * t_cdf(-t.abs(), (count - 1) as f64)).min(1.0) }
}

/// The most differences for which the exact distribution of the rank sum is computed, which takes time in the cube of their
/// number; for more it is taken for normal.
const EXACT: usize = 400;

/// The Wilcoxon signed-rank test that differences are symmetric around 0. Zeros are dropped. Ties share their ranks,
/// and the distribution is the exact one given them.
pub fn wilcoxon(differences: &[f64]) -> TestResult {
    let differences: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    if differences.is_empty() {
        return TestResult { statistic: 0.0, p: 1.0 };
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    // Shared ranks are whole or half: twice a rank is a whole number.
    let ranks: Vec<usize> = super::ranks(&sizes).iter().map(|rank| narrow(whole((2.0 * rank).round()))).collect();
    let all: usize = ranks.iter().sum();
    let positive: usize =
        ranks.iter().zip(&differences).filter(|(_, difference)| **difference > 0.0).map(|(rank, _)| rank).sum();
    let smaller = positive.min(all - positive);
    let tail = if differences.len() <= EXACT { exact_tail(&ranks, smaller) } else { normal_tail(&ranks, smaller) };
    TestResult { statistic: smaller as f64 / 2.0, p: (2.0 * tail).min(1.0) }
}

/// The probability that a random half of the (doubled) ranks sums to at most `limit`.
fn exact_tail(ranks: &[usize], limit: usize) -> f64 {
    let mut chances = vec![0.0; limit + 1];
    chances[0] = 1.0;
    for &rank in ranks {
        for sum in (0..=limit).rev() {
            let with = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = (chances[sum] + with) / 2.0;
        }
    }
    chances.iter().sum()
}

fn normal_tail(ranks: &[usize], limit: usize) -> f64 {
    let mean = ranks.iter().map(|&rank| rank as f64).sum::<f64>() / 2.0;
    let variance = ranks.iter().map(|&rank| (rank as f64).powi(2)).sum::<f64>() / 4.0;
    // A step of a doubled rank sum is 2; half of it is the correction for continuity.
    normal_cdf((limit as f64 - mean + 1.0) / variance.sqrt())
}

/// Holm's correction of p values for their number: what each must be compared with the level by itself.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; count];
    let mut highest = 0.0f64;
    for (place, &at) in order.iter().enumerate() {
        highest = highest.max(p_values[at] * (count - place) as f64).min(1.0);
        corrected[at] = highest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The obvious twin: all ways to give signs to the differences.
    fn by_enumeration(differences: &[f64]) -> f64 {
        let kept: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
        let sizes: Vec<f64> = kept.iter().map(|difference| difference.abs()).collect();
        let ranks = super::super::ranks(&sizes);
        let sum = |signs: u32| (0..kept.len()).filter(|at| signs >> at & 1 == 1).map(|at| ranks[at]).sum::<f64>();
        let total: f64 = ranks.iter().sum();
        let seen = sum((0..kept.len()).filter(|&at| kept[at] > 0.0).map(|at| 1 << at).sum());
        let seen = seen.min(total - seen);
        let all = 1u32 << kept.len();
        let below = (0..all).filter(|&signs| sum(signs) <= seen).count();
        (2.0 * below as f64 / f64::from(all)).min(1.0)
    }

    proptest! {
        #[test]
        fn wilcoxon_is_what_counting_all_signs_gives(values in prop::collection::vec(-4i32..5, 1..11)) {
            let differences: Vec<f64> = values.iter().map(|&value| f64::from(value) / 2.0).collect();
            prop_assert!((wilcoxon(&differences).p - by_enumeration(&differences)).abs() < 1e-12);
        }
    }

    #[test]
    fn wins_and_losses_that_cancel_are_neither_a_win_nor_a_rank() {
        let share = |count| Fraction::share(count, 10);
        let trials = [(1, 0), (2, 0), (0, 1), (0, 2)];
        let differences: Differences = trials.into_iter().map(|(one, other)| &share(one) - &share(other)).collect();
        assert_ne!(mean(&[0.1, 0.2, -0.1, -0.2]), 0.0, "what floating point makes of it");
        assert_eq!(differences.interval().mean, 0.0);
        assert_eq!(wilcoxon(&[differences.interval().mean]), TestResult { statistic: 0.0, p: 1.0 });
        // 7 - 6 and 1 - 0 of 10 are one rank that two share, so one of each sign balances.
        let ranked: Differences = [&share(7) - &share(6), &share(0) - &share(1)].into_iter().collect();
        assert_eq!(wilcoxon(&ranked.points()), TestResult { statistic: 1.5, p: 1.0 });
    }

    #[test]
    fn six_equal_signs_are_the_least_that_six_trials_can_show() {
        assert_eq!(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).p, 0.03125);
    }

    #[test]
    fn the_normal_tail_is_close_to_the_exact_one() {
        let ranks: Vec<usize> = (1..=400).map(|rank| 2 * rank).collect();
        let limit = 2 * 36_000;
        assert!((exact_tail(&ranks, limit) - normal_tail(&ranks, limit)).abs() < 1e-4);
    }

    #[test]
    fn identical_and_constant_samples_are_decided_without_a_t_test() {
        assert_eq!(compare_paired(&[0.0; 6]), PairedComparison { which: Which::Identical, p: 1.0 });
        assert_eq!(compare_paired(&[2.0; 6]), PairedComparison { which: Which::Wilcoxon, p: 0.03125 });
        assert_eq!(compare_paired(&[]).p, 1.0);
    }

    #[test]
    fn holm_corrects_in_steps_and_keeps_the_order() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        corrected.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-15, "{corrected:?}"));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
