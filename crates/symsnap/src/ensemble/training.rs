//! What a method may look at and use when it makes an ensemble: the pool, what its members cover, examples that were
//! held out, and a learner to run again.
//!
//! One struct rather than arguments, because methods need different parts of it; whoever calls gives what there is, and
//! [`Method::needs`](super::Method::needs) says what must be there. Covers are found when they are first asked for: the
//! published weights need none.

use super::out_of_bag::OutOfBag;
use super::voter::{Voter, all, figures};
use super::weights::{Paper, is_positive};
use crate::budget::{Budget, StopReason, Watch};
use crate::cost::Cost;
use crate::coverage::{CoverCache, Evaluator, Notes, Tested};
use crate::error::Result;
use crate::instance::Instance;
use crate::learn::Learner;
use crate::logic::Hypothesis;
use crate::sets::{Bits, Cover};
use crate::snapshot::{Selection, Snapshot, SnapshotPool};
use crate::task::{Examples, Task};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::time::{Duration, Instant};

/// What a method is given.
pub struct Training<'t> {
    task: &'t Task,
    pool: &'t SnapshotPool,
    selection: Selection,
    cost: Cost,
    seed: u64,
    held_out: Option<&'t Examples>,
    learner: Option<&'t dyn Learner>,
    budget: Budget,
    /// Made when the background is first needed.
    instance: OnceCell<Instance<'t>>,
    covers: OnceCell<Vec<Cover>>,
    held_covers: OnceCell<Vec<Cover>>,
    /// What has been tested on the training examples.
    tested: RefCell<CoverCache>,
    notes: RefCell<Vec<String>>,
    out_of_bag: OnceCell<OutOfBag>,
}

impl std::fmt::Debug for Training<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (members, learner) = (self.pool.members().len(), self.learner.is_some());
        f.debug_struct("Training").field("members", &members).field("learner", &learner).finish_non_exhaustive()
    }
}

impl<'t> Training<'t> {
    /// A pool of hypotheses for `task`, learned with `cost`. Nothing is held out and there is no learner.
    pub fn new(task: &'t Task, pool: &'t SnapshotPool, cost: Cost) -> Self {
        let mut tested = CoverCache::default();
        pool.known_covers(&task.examples).for_each(|(rule, cover)| tested.remember(rule, cover));
        Training {
            task,
            pool,
            selection: Selection::All,
            cost,
            seed: 1,
            held_out: None,
            learner: None,
            budget: Budget::unlimited(),
            instance: OnceCell::new(),
            covers: OnceCell::new(),
            held_covers: OnceCell::new(),
            tested: RefCell::new(tested),
            notes: RefCell::default(),
            out_of_bag: OnceCell::new(),
        }
    }

    /// The same, where the pool is a selection of the snapshots of `whole`: those of further runs are chosen in the same way.
    #[must_use]
    pub fn selected_from(mut self, whole: &SnapshotPool, selection: Selection) -> Self {
        self.selection = selection;
        if selection == Selection::Cycles && !whole.has_cycles() {
            self.note("the learner has no cycles: all snapshots are taken");
        }
        self
    }

    /// How the snapshots of the pool were chosen.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// The same with a seed for random choices; 1 unless told.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same with examples that the pool was not learned from, over the terms of the task.
    #[must_use]
    pub fn with_held_out(mut self, examples: &'t Examples) -> Self {
        self.held_out = Some(examples);
        self
    }

    /// The same with a learner that may be run again on other examples of the task.
    #[must_use]
    pub fn with_learner(mut self, learner: &'t dyn Learner) -> Self {
        self.learner = Some(learner);
        self
    }

    /// The same with limits. The time is that of all further runs together, a number of ticks that of each.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// The same with the background that `instance` has, if it is one of this task as it stands and is finished; otherwise
    /// the background is evaluated anew when it is needed.
    #[must_use]
    pub fn sharing(self, instance: &Instance<'t>) -> Self {
        if instance.is_of(self.task) && instance.database().is_finished() {
            self.instance.get_or_init(|| instance.clone());
        }
        self
    }

    /// The task with the examples that the pool was learned from.
    pub fn task(&self) -> &'t Task {
        self.task
    }

    /// The pool.
    pub fn pool(&self) -> &'t SnapshotPool {
        self.pool
    }

    /// What was minimised.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The seed for random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Take down what users of the model should know about how it came to be.
    pub fn note(&self, text: impl Into<String>) {
        self.notes.borrow_mut().push(text.into());
    }

    /// What has been taken down.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// Keep what samples say about the examples that they leave out; the first that was counted stays.
    pub(super) fn remember_out_of_bag(&self, votes: OutOfBag) {
        self.out_of_bag.get_or_init(|| votes);
    }

    /// What samples say about the examples that they leave out, if a method has counted that.
    pub(super) fn out_of_bag(&self) -> Option<&OutOfBag> {
        self.out_of_bag.get()
    }

    /// The limits.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether there are examples that the pool was not learned from.
    pub fn held_out(&self) -> Option<&'t Examples> {
        self.held_out.filter(|examples| examples.positives() + examples.negatives() > 0)
    }

    /// Whether the learner can be run again.
    pub fn has_learner(&self) -> bool {
        self.learner.is_some()
    }

    /// The first of the best members.
    pub fn best(&self) -> Option<&'t Snapshot> {
        self.pool.select(Selection::Baseline).first().copied()
    }

    fn instance(&self) -> &Instance<'t> {
        self.instance.get_or_init(|| Instance::within(self.task, &self.budget))
    }

    /// What each member of the pool covers of the training examples.
    pub fn covers(&self) -> &[Cover] {
        self.covers.get_or_init(|| self.covers_of(self.pool, &self.task.examples))
    }

    /// What each member of the pool covers of the examples that were held out; nothing if none were.
    pub fn held_out_covers(&self) -> &[Cover] {
        self.held_covers.get_or_init(|| self.held_out().map_or_else(Vec::new, |held| self.covers_of(self.pool, held)))
    }

    /// What each member of `pool` covers of `examples`.
    pub fn covers_of(&self, pool: &SnapshotPool, examples: &Examples) -> Vec<Cover> {
        self.covers_on(pool.members().iter().map(Snapshot::hypothesis), examples)
    }

    /// What each hypothesis covers of `examples`, which are over the terms of the task. Each different rule is tested
    /// once, and what was found out about the training examples is remembered.
    pub fn covers_on<'h>(
        &self,
        hypotheses: impl IntoIterator<Item = &'h Hypothesis>,
        examples: &Examples,
    ) -> Vec<Cover> {
        let mut other = CoverCache::default();
        let mut own = self.tested.borrow_mut();
        let cache = if std::ptr::eq(examples, &self.task.examples) { &mut *own } else { &mut other };
        // Made only where something is to be tested: grouping the examples takes a look at all of them.
        let mut evaluator: Option<Evaluator<'_>> = None;
        let covers = hypotheses.into_iter().map(|hypothesis| {
            if let Some(known) = cache.known(hypothesis) {
                return Cover::clone(&known.cover);
            }
            let evaluator = evaluator.get_or_insert_with(|| Evaluator::new(self.instance().database(), examples));
            Cover::clone(&cache.hypothesis(evaluator, hypothesis).cover)
        });
        covers.collect()
    }

    /// What each hypothesis does with the training examples, in the order of `order`, as far as there is time for it.
    /// Whoever asks goes on to use the answers, so no more than half of the time that is left is spent here.
    pub(super) fn test_in_time(&self, hypotheses: &[Hypothesis], order: &[usize]) -> Vec<Option<Tested>> {
        let mut found = vec![None; hypotheses.len()];
        if self.budget.check().is_some() {
            return found;
        }
        let started = Instant::now();
        let examples = &self.task.examples;
        // Made only where something is to be tested: the learner may have told what its rules cover.
        let mut evaluator: Option<Evaluator<'_>> = None;
        let stopped = || self.budget.check().is_some();
        let mut cache = self.tested.borrow_mut();
        for &at in order {
            if self.budget.is_half_gone(started) {
                break;
            }
            found[at] = cache.known(&hypotheses[at]).cloned();
            if found[at].is_none() {
                let evaluator = evaluator.get_or_insert_with(|| {
                    Evaluator::new(self.instance().database(), examples).with_budget(self.budget.clone())
                });
                found[at] = cache.hypothesis_unless(evaluator, &hypotheses[at], &stopped).cloned();
            }
            if found[at].is_none() {
                break;
            }
        }
        found
    }

    /// Every error that hypotheses raise on the training examples, and every limit they meet, one after the other while there is
    /// time. They are run again for that: tests for the sake of covers skip calls that decide nothing.
    pub(super) fn notes_in_time(&self, hypotheses: &[Hypothesis]) -> Vec<Notes> {
        let started = Instant::now();
        let is_over = || self.budget.check().is_some() || self.budget.is_half_gone(started);
        if hypotheses.is_empty() || is_over() {
            return Vec::new();
        }
        let evaluator = Evaluator::new(self.instance().database(), &self.task.examples);
        let mut evaluator = evaluator.with_budget(self.budget.clone()).meeting_all_errors();
        let notes = |hypothesis: &Hypothesis| {
            evaluator.hypothesis(hypothesis);
            (self.budget.check().is_none()).then(|| evaluator.take_notes())
        };
        hypotheses.iter().take_while(|_| !is_over()).map_while(notes).collect()
    }

    /// The snapshots with the published weights, for a method that could not do its own work, and a note why.
    pub fn fall_back(&self, why: &str) -> Vec<Voter> {
        if !self.pool.members().is_empty() {
            self.note(format!("{why}: the snapshots vote, weighted as `paper` weighs them"));
        }
        all(self.pool, &Paper::DEFAULT.weights(&figures(self.pool)))
    }

    /// A hypothesis with what it does with the training examples and a share of the vote.
    pub fn voter(&self, hypothesis: Hypothesis, weight: f64) -> Voter {
        let cover = self.covers_on([&hypothesis], &self.task.examples).remove(0);
        let confusion = self.task.examples.confusion(&cover);
        Voter { hypothesis, confusion, weight }
    }

    /// Run the learner on other examples of the task: what it found, and why it ended. It gets an equal share of the time
    /// that is left, if `runs` runs are still to come, this one included. `None` if the budget ended before, or the run was
    /// cancelled: a run of a moment says little about what the learner would have found.
    ///
    /// # Errors
    /// As the learner's.
    ///
    /// # Panics
    /// If there is no learner.
    pub fn learn(&self, examples: Examples, runs: usize) -> Result<Option<(SnapshotPool, StopReason)>> {
        let learner = self.learner.expect("a method that runs a learner says that it needs one");
        let mut pool = SnapshotPool::default();
        let mut budget = self.budget.for_the_rest(Duration::ZERO);
        if budget.check().is_some() {
            return Ok(None);
        }
        if let Some(left) = budget.remaining() {
            budget = budget.no_later_than(left / u32::try_from(runs.max(1)).unwrap_or(u32::MAX));
        }
        let watch = Watch::over(&budget);
        let budget = watch.budget();
        let outcome = learner.learn(&self.instance().on(examples, budget), budget, &mut pool)?;
        if let Cow::Owned(chosen) = pool.only(self.selection) {
            pool = chosen;
        }
        Ok((outcome.stop != StopReason::Cancelled).then_some((pool, outcome.stop)))
    }
}

/// What a vote covers of `examples`, given what each voter covers of them.
pub(super) fn vote_cover(weights: &[f64], covers: &[Cover], examples: &Examples) -> Cover {
    let total: f64 = weights.iter().sum();
    let mut decided = Cover::empty(examples.sides());
    let tally = |of: fn(&Cover) -> Bits<'_>, len: usize| {
        let mut sums = vec![0.0; len];
        for (cover, weight) in covers.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            of(cover).iter().for_each(|at| sums[at] += weight);
        }
        sums
    };
    let sums = [tally(Cover::pos, examples.positives()), tally(Cover::neg, examples.negatives())].concat();
    sums.iter().enumerate().filter(|(_, sum)| is_positive(**sum, total).1).for_each(|(at, _)| decided.insert(at));
    decided
}
