//! Who learns in a job: one of our learners, or a guest.

use super::{Suite, SuiteLearner, TaskSource};
use crate::guest::Guest;
use std::path::Path;
use symsnap::internals::ensemble::format_named;
use symsnap::internals::learn::learner_named;
use symsnap::{Cost, Diagnostic, Error, NamedLearner, Result, Task};

/// A learner that is ready to learn from one task.
pub(super) enum Who {
    /// One of ours.
    Own(&'static NamedLearner),
    /// Another program.
    Guest(Box<Guest>),
}

impl Who {
    /// The learner of the suite, for a task and a cost.
    pub(super) fn of(suite: &Suite, source: &TaskSource, data: Option<&Path>, cost: Cost) -> Result<Self> {
        let outside = match &suite.learner {
            SuiteLearner::Named(name) => return Ok(Who::Own(learner_named(name).map_err(Diagnostic::error)?)),
            SuiteLearner::Outside(outside) => outside,
        };
        let format = outside.format.as_deref().map(format_named).transpose().map_err(Diagnostic::error)?;
        let files = suite.files_of(source, data)?;
        Ok(Who::Guest(Box::new(Guest::new(&outside.command, files, format, cost))))
    }

    /// The task with the words that a guest needed when it learned again; `None` if it has all of them.
    pub(super) fn teach(&self, task: &Task) -> Option<Task> {
        match self {
            Who::Own(_) => None,
            Who::Guest(guest) => guest.teach(task),
        }
    }

    /// How a guest failed, if it did.
    pub(super) fn failure(&self) -> Option<Error> {
        match self {
            Who::Own(_) => None,
            Who::Guest(guest) => guest.failure().map(Error::from),
        }
    }

    /// Hypotheses of a guest that could not be tested.
    pub(super) fn skipped(&self) -> usize {
        match self {
            Who::Own(_) => 0,
            Who::Guest(guest) => guest.skipped().count(),
        }
    }
}
