//! The paper's weights with `alpha` and `beta` chosen for the task instead of fixed for all.
//!
//! Description lengths are counts, so one `alpha` means something else on 100 examples than on 10,000; here it counts
//! per example (`mdl / n`). Pairs of a grid are tried on examples that were held out. One task has few of them, so the
//! choice is shrunk to the published values: a pair further from them must be better by more. Where the learner can run
//! again the examples take turns in being held out (cross-fitting), and the pair found is applied to the pool that was
//! learned from all of them, so that nothing is lost.

use super::method::small_count;
use super::voter::{all, figures};
use super::weights::{is_positive, normalise};
use super::{Method, Needs, Training, Voter};
use crate::cost::{Confusion, mdl};
use crate::error::Result;
use crate::sets::Cover;
use crate::snapshot::SnapshotPool;
use crate::task::Examples;

/// Values of `alpha` per example; 0.0017 per unit is 1.7 per example for 1000 examples.
const ALPHAS: [f64; 7] = [0.0, 0.5, 1.7, 6.0, 20.0, 70.0, 250.0];
const BETAS: [f64; 5] = [0.0, 2.0, 8.0, 30.0, 100.0];
/// Where the published values are in the grid.
const PUBLISHED: (usize, usize) = (2, 1);

/// Weights `coverage^beta * exp(-alpha * mdl / n)` with the best of a grid of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuned {
    /// How often the learner runs again, each time with another part held out.
    pub folds: usize,
    /// By how many examples a pair must be better for each step that it is away from the published one.
    pub shrink: f64,
}

impl Tuned {
    /// The method with its default settings.
    pub const DEFAULT: Tuned = Tuned { folds: 3, shrink: 0.25 };
}

fn weights(members: &[(Confusion, usize)], alpha: f64, beta: f64) -> Vec<f64> {
    let logs: Vec<f64> = members
        .iter()
        .map(|(confusion, size)| {
            let likelihood = if beta == 0.0 { 0.0 } else { beta * confusion.accuracy().ln() };
            likelihood - alpha * mdl(confusion, *size) as f64 / confusion.total().max(1) as f64
        })
        .collect();
    normalise(&logs)
}

/// What votes with each pair of the grid get right, in weight, of examples that the pool was not learned from.
fn gains(pool: &SnapshotPool, covers: &[Cover], examples: &Examples) -> Vec<f64> {
    let figures = figures(pool);
    let pairs = ALPHAS.iter().flat_map(|&alpha| BETAS.iter().map(move |&beta| (alpha, beta)));
    pairs
        .map(|(alpha, beta)| {
            let weights = weights(&figures, alpha, beta);
            let share = |at: usize, pos: bool| {
                let covers = covers.iter().map(|cover| if pos { cover.pos() } else { cover.neg() });
                weights.iter().zip(covers).filter(|(_, cover)| cover.contains(at)).map(|(weight, _)| weight).sum()
            };
            let pos = (0..examples.positives()).filter(|&at| is_positive(share(at, true), 1.0).1);
            let neg = (0..examples.negatives()).filter(|&at| !is_positive(share(at, false), 1.0).1);
            let pos = pos.map(|at| f64::from(examples.positive_weights()[at])).sum::<f64>();
            pos + neg.map(|at| f64::from(examples.negative_weights()[at])).sum::<f64>()
        })
        .collect()
}

impl Method for Tuned {
    fn name(&self) -> &'static str {
        "tuned"
    }

    fn summary(&self) -> &'static str {
        "as `paper`, with alpha (per example) and beta chosen by held-out examples"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("folds", self.folds as f64), ("shrink", self.shrink)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let changed = match name {
            "folds" => Tuned { folds: small_count(value)?, ..*self },
            "shrink" if value.is_finite() && value >= 0.0 => Tuned { shrink: value, ..*self },
            _ => return None,
        };
        Some(Box::new(changed))
    }

    fn needs(&self) -> Needs {
        Needs::HeldOut
    }

    fn runs(&self) -> usize {
        self.folds
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        if training.best().is_none() {
            return Ok(Vec::new());
        }
        let mut sums = vec![0.0; ALPHAS.len() * BETAS.len()];
        let mut add = |gains: Vec<f64>| sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
        if let Some(examples) = training.held_out() {
            add(gains(training.pool(), training.held_out_covers(), examples));
        } else if training.has_learner() {
            // One fold holds out a fifth, several a part each.
            let ratios = if self.folds == 1 { vec![1, 4] } else { vec![1; self.folds] };
            let parts = training.task().examples.split(&ratios, training.seed());
            for fold in 0..self.folds {
                let rest = parts.iter().enumerate().filter(|(at, _)| *at != fold);
                let rest = rest.fold(Examples::new(training.task().bias.head), |mut rest, (_, part)| {
                    rest.append(part);
                    rest
                });
                let Some((pool, _)) = training.learn(rest, self.folds - fold)? else {
                    training
                        .note(format!("there was time for {fold} of {} folds to choose the weights by", self.folds));
                    break;
                };
                let covers = training.covers_of(&pool, &parts[fold]);
                add(gains(&pool, &covers, &parts[fold]));
            }
        }
        let steps = |at: usize| {
            let (alpha, beta) = (at / BETAS.len(), at % BETAS.len());
            (alpha.abs_diff(PUBLISHED.0) + beta.abs_diff(PUBLISHED.1)) as f64
        };
        let scores = sums.iter().enumerate().map(|(at, sum)| (at, sum - self.shrink * steps(at)));
        let best = scores.max_by(|a, b| a.1.total_cmp(&b.1).then(steps(b.0).total_cmp(&steps(a.0))));
        let at = best.map_or(0, |(at, _)| at);
        let (alpha, beta) = (ALPHAS[at / BETAS.len()], BETAS[at % BETAS.len()]);
        Ok(all(training.pool(), &weights(&figures(training.pool()), alpha, beta)))
    }
}
