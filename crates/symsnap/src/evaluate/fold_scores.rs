//! What predictions for one fold are worth, and what folds say together.

use super::distribution::t_quantile;
use super::interval::{Interval, mean, standard_deviation};
use super::probability::{ProbabilityScore, auc};

/// A prediction for an example whose label is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The probability of each label.
    pub probabilities: Vec<f64>,
    /// The label that was predicted.
    pub label: usize,
    /// The label it has.
    pub truth: usize,
    /// How much it counts.
    pub weight: f64,
}

/// Measures of the predictions for one fold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldScores {
    /// The share of the weight that is right.
    pub accuracy: f64,
    /// The mean of the accuracies on the examples of each label that occurs.
    pub balanced_accuracy: f64,
    /// The area under the ROC curve; of several labels the mean of each against the rest. Nothing if no label can be told from
    /// others.
    pub auc: Option<f64>,
    /// The mean negative logarithm of the true label's probability.
    pub log_loss: f64,
    /// The mean squared error of the probabilities.
    pub brier: f64,
}

impl FoldScores {
    /// The measures of these predictions.
    pub fn of(judged: &[Judged]) -> Self {
        let labels = judged.first().map_or(0, |it| it.probabilities.len());
        let weight = |of: &dyn Fn(&&Judged) -> bool| judged.iter().filter(of).map(|it| it.weight).sum::<f64>();
        let all = weight(&|_| true);
        let recalls: Vec<f64> = (0..labels)
            .filter_map(|label| {
                let own = weight(&|it| it.truth == label);
                (own > 0.0).then(|| weight(&|it| it.truth == label && it.label == label) / own)
            })
            .collect();
        let mut score = ProbabilityScore::default();
        judged.iter().for_each(|it| score.count(&it.probabilities, it.truth, it.weight));
        // Of two labels one says it all.
        let told = if labels == 2 { 1 } else { labels };
        let areas: Vec<f64> = (0..told)
            .filter_map(|label| {
                let scored = judged.iter().map(|it| (it.probabilities[label], it.truth == label, it.weight));
                auc(&scored.collect::<Vec<_>>())
            })
            .collect();
        FoldScores {
            accuracy: if all > 0.0 { weight(&|it| it.label == it.truth) / all } else { 0.0 },
            balanced_accuracy: mean(&recalls),
            auc: (!areas.is_empty()).then(|| mean(&areas)),
            log_loss: score.log_loss(),
            brier: score.brier(),
        }
    }
}

/// The mean over folds with an interval of this confidence. Folds share most of their training examples, so their variance says too
/// little of what other samples would give; it is raised by the ratio of test to training examples (the corrected resampled
/// t-test of Nadeau and Bengio, Machine Learning 52, 2003).
pub fn corrected_interval(values: &[f64], test_to_training: f64, confidence: f64) -> Interval {
    let count = values.len();
    if count < 2 {
        return Interval { mean: mean(values), half_width: f64::INFINITY, count };
    }
    let quantile = t_quantile(f64::midpoint(1.0, confidence), (count - 1) as f64);
    let factor = (1.0 / count as f64 + test_to_training).sqrt();
    Interval { mean: mean(values), half_width: quantile * standard_deviation(values) * factor, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(label: usize, truth: usize, probability: f64) -> Judged {
        Judged { probabilities: vec![probability, 1.0 - probability], label, truth, weight: 1.0 }
    }

    #[test]
    fn measures_are_those_computed_by_hand() {
        let scores = FoldScores::of(&[judged(0, 0, 0.9), judged(0, 1, 0.6), judged(1, 1, 0.2), judged(1, 1, 0.3)]);
        assert_eq!(scores.accuracy, 0.75);
        assert!((scores.balanced_accuracy - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!(scores.auc, Some(1.0));
        let loss = -(0.9f64.ln() + 0.4f64.ln() + 0.8f64.ln() + 0.7f64.ln()) / 4.0;
        assert!((scores.log_loss - loss).abs() < 1e-12);
    }

    #[test]
    fn one_label_alone_has_no_area_and_nothing_scores_nothing() {
        assert_eq!(FoldScores::of(&[judged(0, 0, 0.9)]).auc, None);
        assert_eq!(FoldScores::of(&[]).accuracy, 0.0);
    }

    #[test]
    fn the_interval_is_wider_than_that_of_independent_values() {
        let values = [0.8, 0.85, 0.9, 0.75, 0.8];
        let plain = super::super::t_interval(&values, 0.95);
        let corrected = corrected_interval(&values, 0.25, 0.95);
        assert!((corrected.mean - 0.82).abs() < 1e-12);
        // (1/5 + 1/4) / (1/5) is 2.25.
        assert!((corrected.half_width / plain.half_width - 1.5).abs() < 1e-9);
        assert_eq!(corrected_interval(&[0.5], 0.25, 0.95).half_width, f64::INFINITY);
    }
}
