//! What a learner is.

use super::candidate::Observer;
use super::outcome::Outcome;
use crate::budget::Budget;
use crate::error::Result;
use crate::task::Task;

/// A learner that calls an observer for every candidate: the paper's `NextCandidate`.
pub trait Learner {
    /// Learn until the space is exhausted, the budget ends or the observer asks to stop.
    ///
    /// # Errors
    /// If the task cannot be learned from at all (weights out of range, for example).
    fn learn(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome>;
}
