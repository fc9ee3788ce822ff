//! Weights by likelihood: how probable a member makes the training labels, against its size.
//!
//! A member is read as a noisy classifier that is wrong with its own error rate, smoothed after Laplace:
//! `e = (errors + 1) / (n + 2)`. Its log-likelihood is `errors * ln e + (n - errors) * ln(1 - e)`, and every literal
//! costs a constant, as a prior would have it. A rate above one half counts as one half: a member that is wrong about
//! everything would make the labels very probable if its votes were turned round, but they are not. Unlike the paper's
//! weights, which are nearly uniform over a pool, these fall off fast: early snapshots with many more errors cannot
//! outvote the last ones, while ties keep equal votes.

use super::voter::{all, figures};
use super::weights::normalise;
use super::{Method, Training, Voter};
use crate::cost::Confusion;
use crate::error::Result;

/// Weights in proportion to `likelihood * exp(-per_literal * size)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogLikelihood {
    /// What a literal costs, in nats.
    pub per_literal: f64,
}

impl LogLikelihood {
    /// The method with its default setting.
    pub const DEFAULT: LogLikelihood = LogLikelihood { per_literal: 0.3 };

    /// Weights for members with these confusions and sizes.
    pub fn weights(&self, members: &[(Confusion, usize)]) -> Vec<f64> {
        let logs: Vec<f64> = members
            .iter()
            .map(|(confusion, size)| log_likelihood(confusion) - self.per_literal * *size as f64)
            .collect();
        normalise(&logs)
    }
}

fn log_likelihood(confusion: &Confusion) -> f64 {
    let errors = (confusion.fn_ + confusion.fp) as f64;
    let right = (confusion.tp + confusion.tn) as f64;
    let rate = ((errors + 1.0) / (errors + right + 2.0)).min(0.5);
    errors * rate.ln() + right * (1.0 - rate).ln()
}

impl Method for LogLikelihood {
    fn name(&self) -> &'static str {
        "loglik"
    }

    fn summary(&self) -> &'static str {
        "all snapshots vote, weighted by the likelihood of the training labels and by size"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("per_literal", self.per_literal)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let fits = name == "per_literal" && value.is_finite() && value >= 0.0;
        fits.then(|| Box::new(LogLikelihood { per_literal: value }) as Box<dyn Method>)
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        Ok(all(training.pool(), &self.weights(&figures(training.pool()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_computed_by_hand() {
        // 2 of 10 wrong: e = 3/12; 4 of 10 wrong: e = 5/12; 0.5 per literal.
        let members = [(Confusion { tp: 4, fn_: 1, tn: 4, fp: 1 }, 3), (Confusion { tp: 3, fn_: 2, tn: 3, fp: 2 }, 2)];
        let raw = [
            0.25f64.powi(2) * 0.75f64.powi(8) * (-1.5f64).exp(),
            (5.0 / 12.0f64).powi(4) * (7.0 / 12.0f64).powi(6) * (-1.0f64).exp(),
        ];
        let weights = LogLikelihood { per_literal: 0.5 }.weights(&members);
        for (weight, expected) in weights.iter().zip(raw) {
            assert!((weight - expected / (raw[0] + raw[1])).abs() < 1e-12);
        }
    }

    #[test]
    fn a_member_that_is_always_wrong_is_no_better_than_a_coin() {
        let wrong = (Confusion { tp: 0, fn_: 50, tn: 0, fp: 50 }, 3);
        let coin = (Confusion { tp: 25, fn_: 25, tn: 25, fp: 25 }, 3);
        assert_eq!(LogLikelihood::DEFAULT.weights(&[wrong, coin]), [0.5, 0.5]);
    }

    #[test]
    fn a_much_worse_member_has_no_say_and_ties_share() {
        let good = (Confusion { tp: 500, fn_: 0, tn: 500, fp: 0 }, 10);
        let bad = (Confusion { tp: 300, fn_: 200, tn: 400, fp: 100 }, 2);
        let weights = LogLikelihood::DEFAULT.weights(&[bad, bad, bad, good, good]);
        assert!(weights[..3].iter().sum::<f64>() < 1e-9);
        assert_eq!(weights[3], weights[4]);
        assert!(LogLikelihood::DEFAULT.weights(&[]).is_empty());
    }
}
