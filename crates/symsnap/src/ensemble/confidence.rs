//! Boosting of single rules that abstain where they do not cover (Cohen and Singer 1999, SLIPPER; for relational rules
//! Hoche and Wrobel 2001).
//!
//! Each round takes the rule that separates the reweighted examples best, `sqrt(W+) - sqrt(W-)` of the weights that it
//! covers, with confidence `ln((W+ + s) / (W- + s)) / 2`; `s` keeps it finite. Uncovered examples keep their weight. A
//! default says negative everywhere, and is boosted like a rule. The rules are those of the pool and those the learner
//! handed over; nothing is learned again. The sum of confidences becomes a vote as [`constant`](super::constant) says.

use super::constant::{always, with_threshold};
use super::method::small_count;
use super::rulebase::RuleBase;
use super::{Method, Training, Voter};
use crate::error::Result;
use crate::logic::Hypothesis;
use crate::sets::{Bits, Cover};
use crate::task::Examples;

/// Boosted, abstaining rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confidence {
    /// How many rounds.
    pub rounds: usize,
}

impl Confidence {
    /// The method with its default setting.
    pub const DEFAULT: Confidence = Confidence { rounds: 50 };
}

/// The weights of the examples as boosting changes them.
struct BoostingWeights {
    pos: Vec<f64>,
    neg: Vec<f64>,
}

impl BoostingWeights {
    fn new(examples: &Examples) -> Self {
        let shares = |weights: &[u32]| weights.iter().map(|&weight| f64::from(weight)).collect();
        BoostingWeights { pos: shares(examples.positive_weights()), neg: shares(examples.negative_weights()) }
    }

    fn covered(&self, cover: &Cover) -> (f64, f64) {
        let sum = |set: Bits<'_>, weights: &[f64]| set.iter().map(|at| weights[at]).sum::<f64>();
        (sum(cover.pos(), &self.pos), sum(cover.neg(), &self.neg))
    }

    /// After a vote of `confidence` for positive on what is covered.
    fn update(&mut self, cover: &Cover, confidence: f64) {
        cover.pos().iter().for_each(|at| self.pos[at] *= (-confidence).exp());
        cover.neg().iter().for_each(|at| self.neg[at] *= confidence.exp());
        let sum: f64 = self.pos.iter().chain(&self.neg).sum();
        let scale = (self.pos.len() + self.neg.len()) as f64 / sum.max(f64::MIN_POSITIVE);
        self.pos.iter_mut().chain(&mut self.neg).for_each(|weight| *weight *= scale);
    }
}

/// The confidence of something that covers these weights.
fn confidence(pos: f64, neg: f64) -> f64 {
    // Weights sum to the number of examples: half an example.
    const SMOOTH: f64 = 0.5;
    ((pos + SMOOTH) / (neg + SMOOTH)).ln() / 2.0
}

impl Method for Confidence {
    fn name(&self) -> &'static str {
        "confidence"
    }

    fn summary(&self) -> &'static str {
        "boosted single rules that abstain where they do not cover"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("rounds", self.rounds as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let rounds = small_count(value).filter(|_| name == "rounds")?;
        Some(Box::new(Confidence { rounds }))
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        if training.best().is_none() {
            return Ok(Vec::new());
        }
        let Some(base) = RuleBase::new(training) else {
            return Ok(training.fall_back("the rules of the best hypothesis call each other and mean nothing alone"));
        };
        let examples = &training.task().examples;
        if base.len() == 0 {
            return Ok(training.fall_back("there was no time to test the rules that `confidence` weighs"));
        }
        let everything = Cover::full(examples.sides());
        let mut weights = BoostingWeights::new(examples);
        let mut confidences = vec![0.0; base.len()];
        let (pos, neg) = weights.covered(&everything);
        let mut default = confidence(pos, neg);
        weights.update(&everything, default);
        for _ in 0..self.rounds {
            let worth = |class: usize| {
                let (pos, neg) = weights.covered(base.cover(class));
                pos.sqrt() - neg.sqrt()
            };
            let best = (0..base.len())
                .map(|class| (worth(class), class))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let (pos, neg) = weights.covered(&everything);
            // The default competes by what it separates.
            match best {
                Some((worth, class)) if worth > (pos.sqrt() - neg.sqrt()).abs() => {
                    let (pos, neg) = weights.covered(base.cover(class));
                    let vote = confidence(pos, neg);
                    confidences[class] += vote;
                    weights.update(base.cover(class), vote);
                }
                _ => {
                    let vote = confidence(pos, neg);
                    if vote.abs() < 1e-9 {
                        break;
                    }
                    default += vote;
                    weights.update(&everything, vote);
                }
            }
        }
        let chosen: Vec<usize> = (0..base.len()).filter(|&class| confidences[class] > 0.0).collect();
        if chosen.is_empty() {
            return Ok(training.fall_back("no rule is worth a vote"));
        }
        let given: Vec<f64> = chosen.iter().map(|&class| confidences[class]).collect();
        let (shares, constant) = with_threshold(&given, -default);
        let voters = chosen
            .iter()
            .zip(shares)
            .map(|(&class, share)| training.voter(Hypothesis { rules: vec![base.first(class).clone()] }, share));
        let mut voters: Vec<Voter> = voters.collect();
        if constant != 0.0 {
            let same = always(constant > 0.0, training.task().bias.head);
            voters.push(training.voter(same, constant.abs()));
        }
        Ok(voters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::Sides;

    #[test]
    fn confidences_and_weights_are_those_computed_by_hand() {
        assert!((confidence(3.5, 0.5) - 2.0f64.ln()).abs() < 1e-12);
        assert_eq!(confidence(1.0, 1.0), 0.0);
        let mut weights = BoostingWeights { pos: vec![1.0, 1.0], neg: vec![1.0] };
        let mut cover = Cover::empty(Sides::new(2, 1));
        cover.insert(0);
        weights.update(&cover, 2.0f64.ln());
        // 0.5, 1, 1 scaled to sum to 3.
        let expected = [0.6, 1.2, 1.2];
        assert!(weights.pos.iter().chain(&weights.neg).zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
