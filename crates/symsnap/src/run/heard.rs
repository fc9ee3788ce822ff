//! What has been heard of a run, shared between the thread that learns and the one that waits for it, which must be able
//! to go on without the other ([`watchdog`](super::watchdog)).

use super::advice::Reason;
use super::event::Event;
use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost};
use crate::learn::{Candidate, KeptRule, Observer, Outcome, Progress, Ties};
use crate::sets::Cover;
use crate::snapshot::{Selection, SnapshotPool};
use crate::task::{Examples, Task};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who is told of what happens in a run.
pub(super) type Callback = Box<dyn FnMut(&Event<'_>) -> ControlFlow<()> + Send>;

/// What has been heard so far.
pub(super) struct Heard {
    /// The task, once it is read; with the limits that it is searched with.
    pub(super) task: Option<Arc<Task>>,
    /// What is minimised at the moment, and why, if that was chosen.
    pub(super) cost: Option<Cost>,
    pub(super) choice: Option<String>,
    /// The snapshots under that cost.
    pub(super) pool: SnapshotPool,
    progress: Option<Progress>,
    /// How learning ended, while the ensemble is still to be made.
    ended: Option<(Outcome, Vec<Reason>)>,
    /// Whether the run was left behind: nobody is told anything more.
    closed: bool,
}

/// What has been heard, shared between threads.
#[derive(Clone)]
pub(super) struct SharedHeard(Arc<Mutex<Heard>>);

impl SharedHeard {
    /// Nothing heard yet; snapshots go into a pool like `pool`.
    pub(super) fn new(pool: SnapshotPool) -> Self {
        let heard = Heard { task: None, cost: None, choice: None, pool, progress: None, ended: None, closed: false };
        SharedHeard(Arc::new(Mutex::new(heard)))
    }

    /// What has been heard, to read or to change. A run that died half-way left nothing half-changed.
    pub(super) fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heard {
    /// Tell nobody anything more.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    /// Learning is over, and if nothing was found, this is why; what comes is the ensemble.
    pub(super) fn end(&mut self, outcome: &Outcome, why: &[Reason]) {
        self.ended = Some((outcome.clone(), why.to_vec()));
    }

    /// Why nothing was found, if learning was over when the run was left behind.
    pub(super) fn why(&self) -> Vec<Reason> {
        self.ended.as_ref().map_or_else(Vec::new, |(_, why)| why.clone())
    }

    /// The outcome of a run that was left behind.
    pub(super) fn outcome(&self, task: &Task, cost: Cost, stop: StopReason, budget: &Budget) -> Outcome {
        if let Some((ended, _)) = &self.ended {
            return Outcome { elapsed: budget.elapsed(), ..ended.clone() };
        }
        let best = self.pool.select(Selection::Baseline).first().map(|snapshot| snapshot.candidate.clone());
        let nothing = cost.value(&Confusion::default(), 0);
        let last = self.pool.members().last().map_or(0, |snapshot| snapshot.candidate.ticks);
        let value = best.as_ref().map_or_else(|| cost.value(&empty_confusion(task), 0), |best| best.value.clone());
        let lower = self.progress.as_ref().map_or(nothing, |progress| progress.lower.clone());
        let optimal = lower >= value;
        let limited = self.progress.as_ref().is_some_and(|progress| progress.limited);
        let unnamed = "the run was left behind before it could say which calls".to_owned();
        let unseen = "the run was left behind before it could look for errors that rules raise".to_owned();
        Outcome {
            value,
            lower,
            optimal,
            ties: Ties::NotSought,
            limits: Vec::from_iter(limited.then_some(unnamed)),
            notes: Vec::from_iter((best.is_some() && task.may_raise()).then_some(unseen)),
            stop: if optimal { StopReason::Proved } else { stop },
            ticks: self.progress.as_ref().map_or(0, |progress| progress.ticks).max(last),
            first: self.pool.members().first().map(|snapshot| snapshot.candidate.elapsed),
            elapsed: budget.elapsed(),
            closest: None,
            certificate: None,
            best,
        }
    }
}

/// What the empty hypothesis does with the examples.
pub fn empty_confusion(task: &Task) -> Confusion {
    task.examples.confusion(&Cover::empty(task.examples.sides()))
}

/// Listens to a learner: keeps the pool, and tells whoever wants to know. Whoever is told is told under the lock, so
/// that nobody is told anything once the run is closed.
pub(super) struct Ear {
    shared: SharedHeard,
    tell: Callback,
    /// Ticks of the runs of the learner before this one.
    before: u64,
}

impl Ear {
    pub(super) fn new(shared: SharedHeard, tell: Callback) -> Self {
        Ear { shared, tell, before: 0 }
    }

    /// The search begins, or begins anew: if under another cost, what was found before does not count any more.
    pub(super) fn begin(&mut self, task: &Arc<Task>, cost: Cost) {
        let mut heard = self.shared.lock();
        if heard.cost == Some(cost) && heard.task.as_ref().is_some_and(|known| Arc::ptr_eq(known, task)) {
            return;
        }
        if heard.cost != Some(cost) {
            heard.pool = heard.pool.emptied();
        }
        // A bound on smaller rules is none on larger ones: what was known of the search before says nothing of this one.
        (heard.task, heard.cost, heard.progress) = (Some(Arc::clone(task)), Some(cost), None);
        if !heard.closed {
            // What it answers counts when there is something to stop.
            let _ = (self.tell)(&Event::Begun { task, cost });
        }
    }

    /// The snapshots so far.
    pub(super) fn pool(&self) -> SnapshotPool {
        self.shared.lock().pool.clone()
    }

    /// What is minimised was chosen for this reason.
    pub(super) fn choose(&mut self, reason: &str) {
        self.shared.lock().choice = Some(reason.to_owned());
    }

    /// The run of the learner that is over has tested `ticks` rules.
    pub(super) fn add_ticks(&mut self, ticks: u64) {
        self.before += ticks;
    }
}

impl Observer for Ear {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        let mut heard = self.shared.lock();
        if heard.closed {
            return ControlFlow::Break(());
        }
        let improves = heard.pool.best().is_none_or(|best| candidate.value < *best);
        let candidate = Candidate { ticks: self.before + candidate.ticks, ..candidate.clone() };
        match heard.pool.offer(&candidate) {
            Some(snapshot) => (self.tell)(&Event::Snapshot { snapshot, improves }),
            None => ControlFlow::Continue(()),
        }
    }

    fn cycle(&mut self, end: &Candidate) {
        let end = Candidate { ticks: self.before + end.ticks, ..end.clone() };
        self.shared.lock().pool.cycle(&end);
    }

    fn rules(&mut self, rules: &[KeptRule], examples: &Examples) {
        Observer::rules(&mut self.shared.lock().pool, rules, examples);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let mut heard = self.shared.lock();
        if heard.closed {
            return ControlFlow::Break(());
        }
        let progress = Progress { ticks: self.before + progress.ticks, ..progress.clone() };
        let answer = (self.tell)(&Event::Progress { progress: &progress, snapshots: heard.pool.members().len() });
        heard.progress = Some(progress);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CostValue;
    use std::time::Duration;

    #[test]
    fn a_bound_on_one_space_proves_nothing_about_another() {
        let task = |limit: usize| {
            let mut task = Task::from_texts("p(a).", "pos(f(a)).", "head_pred(f,1). body_pred(p,1).").unwrap();
            task.bias.max_body = limit;
            Arc::new(task)
        };
        let shared = SharedHeard::new(SnapshotPool::default());
        let mut ear = Ear::new(shared.clone(), Box::new(|_| ControlFlow::Continue(())));
        let bound = CostValue(vec![1, 0]);
        let progress = Progress {
            best: bound.clone(),
            lower: bound,
            limited: false,
            ticks: 1,
            rules: 1,
            level: 1,
            elapsed: Duration::ZERO,
        };
        let outcome =
            |task: &Task| shared.lock().outcome(task, Cost::ErrorSize, StopReason::Time, &Budget::unlimited());
        let (narrow, wide) = (task(6), task(10));
        ear.begin(&narrow, Cost::ErrorSize);
        assert!(ear.progress(&progress).is_continue());
        assert!(outcome(&narrow).optimal);
        ear.begin(&wide, Cost::ErrorSize);
        assert!(!outcome(&wide).optimal);
    }
}
