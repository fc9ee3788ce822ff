//! How predictions compare with labels that are known: in words and as JSON, the same for atoms and for rows of tables.

use crate::output::fraction;
use serde_json::{Value, json};
use symsnap::internals::evaluate::ProbabilityScore;

/// What is said of probabilities: a line, and the reliability table below it.
pub(super) fn text(score: &ProbabilityScore, labels: usize) -> String {
    let mut text = format!(
        "log loss {:.4}, Brier score {:.4}, calibration error {:.4}\n",
        score.log_loss(),
        score.brier(),
        score.calibration_error()
    );
    text += if labels == 2 { "probability   weight  said   true\n" } else { "of the label  weight  said   true\n" };
    for (at, bin) in score.bins().iter().enumerate().filter(|(_, bin)| bin.weight > 0.0) {
        let (low, high) = (at as f64 / 10.0, (at + 1) as f64 / 10.0);
        let (said, true_share) = (fraction(Some(bin.said)), fraction(Some(bin.true_share)));
        text += &format!("{low:.1} to {high:.1}  {:>9}  {said}  {true_share}\n", bin.weight);
    }
    text
}

/// The same as fields of an object.
pub(super) fn json(score: &ProbabilityScore, into: &mut Value) {
    into["log_loss"] = json!(score.log_loss());
    into["brier"] = json!(score.brier());
    into["calibration_error"] = json!(score.calibration_error());
    let bins = score.bins();
    let bins = bins.iter().enumerate().filter(|(_, bin)| bin.weight > 0.0).map(
        |(at, bin)| json!({ "from": at as f64 / 10.0, "weight": bin.weight, "said": bin.said, "true": bin.true_share }),
    );
    into["reliability"] = bins.collect();
}
