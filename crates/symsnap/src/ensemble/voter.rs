//! Hypotheses with shares of a vote.

use crate::cost::Confusion;
use crate::logic::Hypothesis;
use crate::snapshot::{Snapshot, SnapshotPool};

/// A hypothesis that votes.
#[derive(Debug, Clone)]
pub struct Voter {
    /// The hypothesis. One without rules always votes negative.
    pub hypothesis: Hypothesis,
    /// What it does with the training examples.
    pub confusion: Confusion,
    /// Its share of the vote.
    pub weight: f64,
}

impl Voter {
    /// A member of a pool with its share of the vote.
    pub fn of(member: &Snapshot, weight: f64) -> Self {
        Voter { hypothesis: member.hypothesis().clone(), confusion: *member.confusion(), weight }
    }
}

/// All members of a pool, with these weights.
pub(super) fn all(pool: &SnapshotPool, weights: &[f64]) -> Vec<Voter> {
    pool.members().iter().zip(weights).map(|(member, &weight)| Voter::of(member, weight)).collect()
}

/// Confusion and size of each member of a pool.
pub(super) fn figures(pool: &SnapshotPool) -> Vec<(Confusion, usize)> {
    let figures = |member: &Snapshot| (*member.confusion(), member.candidate.size);
    pool.members().iter().map(figures).collect()
}
