//! Weights by the likelihood of held-out labels: pseudo-BMA and stacking (Yao et al. 2018).
//!
//! A member is read as a noisy classifier: it gives the label that it says the probability `1 - e`, with `e` its
//! smoothed error rate on the examples it was learned from. Pseudo-BMA weighs members in proportion to the likelihood
//! of all held-out labels, averaged over reweightings of the examples (the Bayesian bootstrap), without which one
//! member takes all. Stacking looks for the mixture of members that makes the held-out labels most likely; members that
//! say the same share, and one that is worse alone may still get weight because it knows what others do not.

use super::held::{Held, error_rate};
use super::weights::normalise;
use super::{Method, Needs, Training, Voter};
use crate::error::Result;
use crate::task::Random;

/// Bayesian bootstrap replicates of pseudo-BMA.
const REPLICATES: usize = 200;
/// Steps of expectation maximisation; each raises the likelihood.
const STEPS: usize = 300;

/// Weights by held-out likelihood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stacking {
    /// Each member's own likelihood.
    PseudoBma,
    /// The most likely mixture.
    Mixture,
}

impl Stacking {
    /// Weights for members with these logarithms of probabilities for each label, of examples with these weights.
    fn weights(self, logs: &[Vec<f64>], examples: &[f64], seed: u64) -> Vec<f64> {
        match self {
            Stacking::PseudoBma => pseudo_bma(logs, examples, seed),
            Stacking::Mixture => mixture(logs, examples),
        }
    }
}

fn pseudo_bma(logs: &[Vec<f64>], examples: &[f64], seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut mean = vec![0.0; logs.len()];
    let total: f64 = examples.iter().sum();
    for _ in 0..REPLICATES {
        // Gaps between sorted uniform draws are exponential draws divided by their sum.
        let draws: Vec<f64> = examples.iter().map(|weight| -weight * uniform(&mut random).ln()).collect();
        let scale = total / draws.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let likelihoods: Vec<f64> =
            logs.iter().map(|member| member.iter().zip(&draws).map(|(log, draw)| log * draw * scale).sum()).collect();
        mean.iter_mut().zip(normalise(&likelihoods)).for_each(|(sum, weight)| *sum += weight / REPLICATES as f64);
    }
    mean
}

fn mixture(logs: &[Vec<f64>], examples: &[f64]) -> Vec<f64> {
    let total: f64 = examples.iter().sum();
    let mut weights = vec![1.0 / logs.len() as f64; logs.len()];
    if total == 0.0 {
        return weights;
    }
    let likely: Vec<Vec<f64>> = logs.iter().map(|member| member.iter().map(|log| log.exp()).collect()).collect();
    for _ in 0..STEPS {
        let mut next = vec![0.0; weights.len()];
        for (at, example) in examples.iter().enumerate() {
            let sum: f64 = weights.iter().zip(&likely).map(|(weight, member)| weight * member[at]).sum();
            for ((next, weight), member) in next.iter_mut().zip(&weights).zip(&likely) {
                *next += example * weight * member[at] / sum;
            }
        }
        weights = next.iter().map(|weight| weight / total).collect();
    }
    weights
}

/// A number between 0 and 1, neither included.
fn uniform(random: &mut Random) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

impl Method for Stacking {
    fn name(&self) -> &'static str {
        match self {
            Stacking::PseudoBma => "pseudobma",
            Stacking::Mixture => "stacking",
        }
    }

    fn summary(&self) -> &'static str {
        match self {
            Stacking::PseudoBma => "all snapshots vote, weighted by how likely they make held-out labels",
            Stacking::Mixture => "all snapshots vote, with the weights that together make held-out labels most likely",
        }
    }

    fn needs(&self) -> Needs {
        Needs::HeldOut
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let held = match Held::new(training)? {
            Ok(held) => held,
            Err(why) => return Ok(training.fall_back(why)),
        };
        let (right, examples) = held.right();
        let logs: Vec<Vec<f64>> = right
            .iter()
            .zip(held.pool.members())
            .map(|(right, member)| {
                let rate = error_rate(member.confusion());
                right.iter().map(|&right| if right { (1.0 - rate).ln() } else { rate.ln() }).collect()
            })
            .collect();
        let weights = self.weights(&logs, &examples, training.seed());
        Ok(weights.iter().enumerate().map(|(at, &weight)| held.voter(training, at, weight)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(right: &[&[bool]]) -> Vec<Vec<f64>> {
        right.iter().map(|of| of.iter().map(|&right| if right { 0.9f64.ln() } else { 0.1f64.ln() }).collect()).collect()
    }

    #[test]
    fn a_mixture_is_the_one_computed_by_hand() {
        // Two members of which one is right about 3 of 4: the derivative of 3 ln(.1 + .8 w) + ln(.9 - .8 w) is 0 at
        // w = 0.8125 = (3 * 0.9 - 0.1) / (4 * 0.8).
        let weights = mixture(&logs(&[&[true, true, true, false], &[false, false, false, true]]), &[1.0; 4]);
        assert!((weights[0] - 0.8125).abs() < 1e-6 && (weights[1] - 0.1875).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn members_that_say_the_same_share_and_weights_sum_to_one() {
        let logs = logs(&[&[true, true, false], &[true, true, false], &[false, true, false]]);
        for method in [Stacking::PseudoBma, Stacking::Mixture] {
            let weights = method.weights(&logs, &[1.0, 2.0, 1.0], 5);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((weights[0] - weights[1]).abs() < 1e-12, "{weights:?}");
            assert!(weights[0] > weights[2], "{weights:?}");
        }
    }

    #[test]
    fn pseudo_bma_prefers_the_better_member_but_not_beyond_doubt() {
        let weights = pseudo_bma(&logs(&[&[true, true, true, false], &[true, true, false, false]]), &[1.0; 4], 1);
        assert!(weights[0] > 0.7 && weights[1] > 0.01, "{weights:?}");
    }
}
