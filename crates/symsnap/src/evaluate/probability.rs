//! How good probabilities are: log loss, Brier score, and whether what is said to be 80 % sure is right four times out of five.

/// Bins of the reliability table.
const BINS: usize = 10;
/// Probabilities count as at least this in the logarithm: whoever said 0 and was wrong would have lost for good.
const LEAST: f64 = 1e-15;

/// Examples with probabilities between two bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReliabilityBin {
    /// Their weight.
    pub weight: f64,
    /// The mean of their probabilities.
    pub said: f64,
    /// How many of them, by weight, turned out to be so.
    pub true_share: f64,
}

/// Probabilities held against labels, one example after the other.
#[derive(Debug, Clone, Default)]
pub struct ProbabilityScore {
    weight: f64,
    log_loss: f64,
    brier: f64,
    /// Of each bin: weight, weighted sum of probabilities, weight of what turned out to be so.
    bins: [(f64, f64, f64); BINS],
}

impl ProbabilityScore {
    /// Count an example whose labels have these probabilities, and whose label is number `truth`. With two labels the table is
    /// about the first; with more it is about the most probable one.
    pub fn count(&mut self, probabilities: &[f64], truth: usize, weight: f64) {
        self.weight += weight;
        self.log_loss -= weight * probabilities[truth].max(LEAST).ln();
        let hit = |label: usize| if label == truth { 1.0 } else { 0.0 };
        let squares: f64 = probabilities.iter().enumerate().map(|(label, said)| (said - hit(label)).powi(2)).sum();
        // The two squares of two labels are the same.
        self.brier += weight * if probabilities.len() == 2 { squares / 2.0 } else { squares };
        let about = match probabilities.len() {
            2 => 0,
            _ => (1..probabilities.len())
                .fold(0, |best, at| if probabilities[at] > probabilities[best] { at } else { best }),
        };
        let said = probabilities[about];
        let bin = (0..BINS - 1).find(|&bin| said < (bin + 1) as f64 / BINS as f64).unwrap_or(BINS - 1);
        let (all, sum, so) = &mut self.bins[bin];
        (*all, *sum, *so) = (*all + weight, *sum + weight * said, *so + weight * hit(about));
    }

    /// The mean of the negative logarithms of the true labels' probabilities; 0 is perfect, ln 2 a coin.
    pub fn log_loss(&self) -> f64 {
        self.mean(self.log_loss)
    }

    /// The mean squared error of the probabilities: of the first of two labels, or summed over all of more.
    pub fn brier(&self) -> f64 {
        self.mean(self.brier)
    }

    /// How far probabilities are from what turned out to be so, in the mean over the bins (expected calibration error; Naeini,
    /// Cooper and Hauskrecht 2015).
    pub fn calibration_error(&self) -> f64 {
        self.mean(self.bins.iter().map(|(_, said, so)| (said - so).abs()).sum())
    }

    /// The reliability table: tenths of the range, from 0 to 1.
    pub fn bins(&self) -> [ReliabilityBin; BINS] {
        self.bins.map(|(weight, said, so)| match weight > 0.0 {
            true => ReliabilityBin { weight, said: said / weight, true_share: so / weight },
            false => ReliabilityBin::default(),
        })
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.weight > 0.0 { sum / self.weight } else { 0.0 }
    }
}

/// The area under the ROC curve: how often, by weight, a positive has a higher score than a negative; equal scores count half.
/// Nothing if there are no positives or no negatives.
pub fn auc(scores: &[(f64, bool, f64)]) -> Option<f64> {
    let mut sorted: Vec<&(f64, bool, f64)> = scores.iter().collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut negatives, mut positives, mut area) = (0.0, 0.0, 0.0);
    for equal in sorted.chunk_by(|one, other| one.0 == other.0) {
        let weight = |wanted: bool| equal.iter().filter(|it| it.1 == wanted).map(|it| it.2).sum::<f64>();
        let (pos, neg) = (weight(true), weight(false));
        area += pos * (negatives + neg / 2.0);
        (positives, negatives) = (positives + pos, negatives + neg);
    }
    (positives > 0.0 && negatives > 0.0).then(|| area / (positives * negatives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scores_are_those_computed_by_hand() {
        let mut score = ProbabilityScore::default();
        score.count(&[0.8, 0.2], 0, 1.0);
        score.count(&[0.9, 0.1], 1, 2.0);
        let loss = -(0.8f64.ln() + 2.0 * 0.1f64.ln()) / 3.0;
        assert!((score.log_loss() - loss).abs() < 1e-12);
        assert!((score.brier() - (0.04 + 2.0 * 0.81) / 3.0).abs() < 1e-12);
        assert!((score.calibration_error() - (0.2 + 2.0 * 0.9) / 3.0).abs() < 1e-12);
        let bins = score.bins();
        assert_eq!((bins[8].weight, bins[8].true_share), (1.0, 1.0));
        assert_eq!((bins[9].weight, bins[9].said, bins[9].true_share), (2.0, 0.9, 0.0));
        assert_eq!(bins[0], ReliabilityBin::default());
    }

    #[test]
    fn of_several_labels_the_table_is_about_the_most_probable_one() {
        let mut score = ProbabilityScore::default();
        score.count(&[0.2, 0.7, 0.1], 1, 1.0);
        assert_eq!(score.bins()[7].true_share, 1.0);
        assert!((score.brier() - (0.04 + 0.09 + 0.01)).abs() < 1e-12);
    }

    #[test]
    fn certain_and_wrong_is_bad_but_finite_and_nothing_scores_nothing() {
        let mut score = ProbabilityScore::default();
        assert_eq!((score.log_loss(), score.brier(), score.calibration_error()), (0.0, 0.0, 0.0));
        score.count(&[0.0, 1.0], 0, 1.0);
        assert!(score.log_loss() > 30.0 && score.log_loss().is_finite());
    }

    proptest! {
        #[test]
        fn the_area_is_the_share_of_pairs_in_order(
            scores in prop::collection::vec((0u8..5, any::<bool>(), 1u8..4), 0..30),
        ) {
            let scores: Vec<(f64, bool, f64)> =
                scores.iter().map(|&(score, label, weight)| (f64::from(score), label, f64::from(weight))).collect();
            let (mut right, mut all) = (0.0, 0.0);
            for pos in scores.iter().filter(|it| it.1) {
                for neg in scores.iter().filter(|it| !it.1) {
                    all += pos.2 * neg.2;
                    right += pos.2 * neg.2 * if pos.0 > neg.0 { 1.0 } else if pos.0 == neg.0 { 0.5 } else { 0.0 };
                }
            }
            match auc(&scores) {
                None => prop_assert_eq!(all, 0.0),
                Some(area) => prop_assert!((area - right / all).abs() < 1e-9),
            }
        }
    }
}
