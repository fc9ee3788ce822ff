//! What a learner is.

use super::candidate::Observer;
use super::outcome::Outcome;
use crate::budget::Budget;
use crate::error::Result;
use crate::instance::Instance;
use crate::task::Task;

/// A learner that calls an observer for every candidate: the paper's `NextCandidate`.
pub trait Learner {
    /// Learn until the space is exhausted, the budget ends or the observer asks to stop.
    ///
    /// # Errors
    /// If the task cannot be learned from at all (weights out of range, for example).
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome>;

    /// [`Learner::learn`] from a task that is learned from once; its background is evaluated within the budget, too.
    ///
    /// # Errors
    /// As [`Learner::learn`].
    fn learn_task(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        self.learn(&Instance::within(task, budget), budget, observer)
    }
}
