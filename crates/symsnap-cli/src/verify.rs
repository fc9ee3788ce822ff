//! `--verify` within the limits of the run: what was tested again by then counts.

use crate::learn::stop_words;
use crate::model;
use crate::output::count;
use crate::patience::{Waited, start, wait};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use symsnap::budget::{Budget, StopReason};
use symsnap::cost::Cost;
use symsnap::error::{Diagnostic, Result};
use symsnap::snapshot::SnapshotPool;
use symsnap::task::Task;

/// How much was tested again.
pub struct Verified {
    done: usize,
    total: usize,
    /// What kept it from being all.
    stop: Option<StopReason>,
}

impl Verified {
    /// Whether that is every snapshot.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none()
    }

    /// What is not known, for notes.
    pub fn words(&self) -> String {
        format!(
            "{} of {} tested again, the best first, before the end ({})",
            self.done,
            count(self.total, "snapshot"),
            self.stop.map_or("all", stop_words)
        )
    }
}

/// Test the snapshots again until the budget ends.
///
/// # Errors
/// If one has other figures than it was found with.
pub fn verify(task: &Arc<Task>, pool: &SnapshotPool, cost: Cost, budget: &Budget) -> Result<Verified> {
    let total = pool.members().len();
    let done = Arc::new(AtomicUsize::new(0));
    let (task, pool, told) = (Arc::clone(task), pool.clone(), Arc::clone(&done));
    let tell = move || _ = told.fetch_add(1, Ordering::Relaxed);
    let run = start(move || model::verify(&task, &pool, cost, &tell))?;
    let stop = match wait(&run, budget) {
        Waited::Done(result) => result.map(|()| None)?,
        Waited::Overdue(stop) => Some(stop),
        Waited::Lost => return Err(Diagnostic::error("the verification has failed: this is a bug in symsnap").into()),
    };
    Ok(Verified { done: done.load(Ordering::Relaxed), total, stop })
}
