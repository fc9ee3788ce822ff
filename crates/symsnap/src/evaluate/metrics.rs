//! What a confusion matrix says about predictions.

use crate::cost::Confusion;

/// Measures of one confusion matrix. A rate of nothing (the recall where there are no positives) counts as 1: nothing
/// was missed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics {
    /// The fraction classified correctly.
    pub accuracy: f64,
    /// The mean of the accuracies on positives and on negatives; of the one there is, if the other has no examples.
    pub balanced_accuracy: f64,
    /// The fraction of covered examples that are positive.
    pub precision: f64,
    /// The fraction of positives that are covered.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// Matthews' correlation of prediction and label; 0 where either is constant.
    pub matthews: f64,
}

impl Metrics {
    /// The measures of `confusion`.
    pub fn of(confusion: &Confusion) -> Self {
        let [tp, fn_, tn, fp] = [confusion.tp, confusion.fn_, confusion.tn, confusion.fp].map(|count| count as f64);
        let recall = confusion.recall();
        let specificity = (tn + fp > 0.0).then(|| tn / (tn + fp));
        let balanced_accuracy = match (recall, specificity) {
            (Some(positives), Some(negatives)) => (positives + negatives) / 2.0,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 1.0,
        };
        let (precision, recall) = (confusion.precision().unwrap_or(1.0), recall.unwrap_or(1.0));
        let margins = (tp + fp) * (tp + fn_) * (tn + fp) * (tn + fn_);
        Metrics {
            accuracy: confusion.accuracy(),
            balanced_accuracy,
            precision,
            recall,
            f1: if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 },
            matthews: if margins > 0.0 { (tp * tn - fp * fn_) / margins.sqrt() } else { 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(tp: u64, fn_: u64, tn: u64, fp: u64) -> Metrics {
        Metrics::of(&Confusion { tp, fn_, tn, fp })
    }

    #[test]
    fn measures_are_those_computed_by_hand() {
        let it = metrics(6, 2, 9, 3);
        assert_eq!((it.accuracy, it.balanced_accuracy), (0.75, 0.75));
        assert!((it.f1 - 12.0 / 17.0).abs() < 1e-15);
        assert!((it.matthews - 48.0 / 9504f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn always_negative_is_balanced_at_a_half() {
        let it = metrics(0, 5, 95, 0);
        assert_eq!((it.accuracy, it.balanced_accuracy, it.f1, it.matthews), (0.95, 0.5, 0.0, 0.0));
        assert_eq!(metrics(0, 0, 3, 1).balanced_accuracy, 0.75);
        assert_eq!(metrics(0, 0, 0, 0).balanced_accuracy, 1.0);
    }
}
