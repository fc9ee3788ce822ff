//! What whoever listens to a run is told.

use crate::cost::Cost;
use crate::learn::Progress;
use crate::snapshot::Snapshot;
use crate::task::Task;
use std::sync::Arc;

/// What happens in a run, told to whoever listens ([`Learn::observe`](super::Learn::observe)).
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The search begins. If it began before under another cost, the snapshots until now do not count any more.
    Begun {
        /// The task, with its warnings and the limits that it is searched with.
        task: &'e Arc<Task>,
        /// What is minimised.
        cost: Cost,
    },
    /// A hypothesis that is at most as costly as all before.
    Snapshot {
        /// The new member of the pool.
        snapshot: &'e Snapshot,
        /// Whether it costs less than all before.
        improves: bool,
    },
    /// How the run stands: many times a second.
    Progress {
        /// Figures.
        progress: &'e Progress,
        /// How many snapshots there are.
        snapshots: usize,
    },
}
