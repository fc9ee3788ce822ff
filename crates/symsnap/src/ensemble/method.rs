//! How a pool becomes an ensemble: which hypotheses vote, with which weights.

use super::{
    AdaBoost, Bagging, Clustered, Compress, Confidence, Greedy, LogLikelihood, Paper, Resampled, Skimmed, Stacking,
    Training, Tuned, Validated, Voter,
};
use crate::error::Result;
use crate::index::{narrow, whole};
use crate::snapshot::{Snapshot, SnapshotPool};
use std::fmt::Debug;
use std::time::Duration;

/// What a method cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing but the pool.
    Pool,
    /// Examples that the pool was not learned from, or a learner that learns from some and leaves others out.
    HeldOut,
    /// A learner to run again.
    Learner,
}

/// A way to choose and weigh hypotheses. The same pool, seed and settings give the same ensemble, and so does the same
/// learner where it repeats itself.
pub trait Method: Debug + Send + Sync {
    /// The name that the command line and model files use.
    fn name(&self) -> &'static str;

    /// What it does, in a few words without a full stop, for lists of methods.
    fn summary(&self) -> &'static str;

    /// Its settings, by name, for the record; most methods have some.
    fn settings(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The same method with one of its settings changed; `None` if it has no such setting or cannot take that value.
    fn with_setting(&self, _name: &str, _value: f64) -> Option<Box<dyn Method>> {
        None
    }

    /// The same method with the same settings.
    fn boxed(&self) -> Box<dyn Method>;

    /// What must be there for [`Method::fit`].
    fn needs(&self) -> Needs {
        Needs::Pool
    }

    /// How often the learner is run again at most, if there are no examples held out.
    fn runs(&self) -> usize {
        usize::from(self.needs() != Needs::Pool)
    }

    /// About how long [`Method::fit`] takes for so many examples on an idle machine, beside runs of the learner.
    fn takes(&self, _examples: usize) -> Duration {
        Duration::ZERO
    }

    /// The hypotheses that vote, with weights that sum to 1. Nobody votes for an empty pool, unless the learner finds
    /// something when it runs again.
    ///
    /// # Errors
    /// As the learner's.
    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>>;
}

/// All methods with their default settings.
pub static METHODS: [&dyn Method; 15] = [
    &Paper::DEFAULT,
    &Single,
    &LogLikelihood::DEFAULT,
    &Clustered::DEFAULT,
    &Resampled::DEFAULT,
    &Compress::DEFAULT,
    &Confidence::DEFAULT,
    &Tuned::DEFAULT,
    &Validated,
    &Greedy::DEFAULT,
    &Stacking::PseudoBma,
    &Stacking::Mixture,
    &Bagging::DEFAULT,
    &Skimmed::DEFAULT,
    &AdaBoost::DEFAULT,
];

/// The method that is used unless another is asked for.
pub const DEFAULT_METHOD: &str = "resampled";

/// The method with that name, with its default settings.
pub fn method_named(name: &str) -> Option<&'static dyn Method> {
    METHODS.into_iter().find(|method| method.name() == name)
}

/// All members of a pool, with these weights.
pub(super) fn all(pool: &SnapshotPool, weights: &[f64]) -> Vec<Voter> {
    pool.members().iter().zip(weights).map(|(member, &weight)| Voter::of(member, weight)).collect()
}

/// Confusion and size of each member of a pool.
pub(super) fn figures(pool: &SnapshotPool) -> Vec<(crate::cost::Confusion, usize)> {
    let figures = |member: &Snapshot| (*member.confusion(), member.candidate.size);
    pool.members().iter().map(figures).collect()
}

/// A whole number from 1 to 1000, as counts in settings are.
pub(super) fn small_count(value: f64) -> Option<usize> {
    (value.fract() == 0.0 && (1.0..=1000.0).contains(&value)).then(|| narrow(whole(value)))
}

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
