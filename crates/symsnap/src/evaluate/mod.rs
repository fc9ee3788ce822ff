//! What the results of experiments say: metrics of predictions, intervals, tests, correlations. Pure functions of
//! numbers; nothing here knows of tasks or learners.
//!
//! Each test is checked against SciPy's values (`tests/statistics.rs`, with the script that makes the fixture).
//! [`compare_paired`] is the rule by which reports decide: Shapiro-Wilk on the paired differences chooses between the
//! paired t-test and the exact Wilcoxon signed-rank test. Differences of shares are added up as [`Fraction`]s first, so that
//! those that cancel are 0.

mod correlation;
mod distribution;
mod fold_scores;
mod folds;
mod fraction;
mod interval;
mod metrics;
mod normality;
mod paired;
mod probability;
mod ranking;
mod special;

pub use correlation::{pearson, ranks, regression, spearman};
pub use distribution::{chi_squared_tail, normal_cdf, normal_quantile, studentised_range_quantile, t_cdf, t_quantile};
pub use fold_scores::{FoldScores, Judged, corrected_interval};
pub use folds::stratified_folds;
pub use fraction::Fraction;
pub use interval::{Interval, mean, median, standard_deviation, t_interval};
pub use metrics::Metrics;
pub use normality::{TestResult, shapiro_wilk};
pub use paired::{Differences, PairedComparison, compare_paired, holm, paired_t, wilcoxon};
pub use probability::{ProbabilityScore, ReliabilityBin, auc};
pub use ranking::{Ranking, friedman};
