//! The method of the paper, and the baseline that it is compared with.

use super::voter::{all, figures};
use super::{Method, Paper, Training, Voter};
use crate::error::Result;

/// The published method: all snapshots, weighted by coverage and description length.
impl Method for Paper {
    fn name(&self) -> &'static str {
        "paper"
    }

    fn summary(&self) -> &'static str {
        "all snapshots vote, weighted by coverage and description length as published"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("alpha", self.alpha), ("beta", self.beta)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let changed = match name {
            "alpha" => Paper { alpha: value, ..*self },
            "beta" => Paper { beta: value, ..*self },
            _ => return None,
        };
        (value.is_finite() && value >= 0.0).then(|| Box::new(changed) as Box<dyn Method>)
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        Ok(all(training.pool(), &self.weights(&figures(training.pool()))))
    }
}

/// The first of the best snapshots alone: the paper's baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Single;

impl Method for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn summary(&self) -> &'static str {
        "the best snapshot alone"
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        Ok(training.best().into_iter().map(|member| Voter::of(member, 1.0)).collect())
    }
}
