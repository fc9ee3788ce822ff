//! What a method may look at and use when it makes an ensemble: the pool, what its members cover, examples that were
//! held out, and a learner to run again.
//!
//! One struct rather than arguments, because methods need different parts of it; whoever calls gives what there is, and
//! [`Method::needs`](super::Method::needs) says what must be there. Covers are found when they are first asked for: the
//! published weights need none.

use super::weights::is_positive;
use crate::bitset::Bitset;
use crate::budget::Budget;
use crate::cost::{Confusion, Cost};
use crate::coverage::{Cover, Evaluator};
use crate::database::Database;
use crate::error::Result;
use crate::learn::Learner;
use crate::logic::{Hypothesis, Rule};
use crate::snapshot::{Snapshot, SnapshotPool, Variant};
use crate::task::{Examples, Task};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};

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

/// What a method is given.
pub struct Training<'t> {
    task: &'t Task,
    pool: &'t SnapshotPool,
    cost: Cost,
    seed: u64,
    held_out: Option<&'t Examples>,
    learner: Option<&'t dyn Learner>,
    budget: Budget,
    database: OnceCell<Database>,
    covers: OnceCell<Vec<Cover>>,
    held_covers: OnceCell<Vec<Cover>>,
    notes: RefCell<Vec<String>>,
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
        Training {
            task,
            pool,
            cost,
            seed: 1,
            held_out: None,
            learner: None,
            budget: Budget::unlimited(),
            database: OnceCell::new(),
            covers: OnceCell::new(),
            held_covers: OnceCell::new(),
            notes: RefCell::default(),
        }
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
        self.pool.select(Variant::Baseline).first().copied()
    }

    fn database(&self) -> &Database {
        self.database.get_or_init(|| Database::new(self.task))
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

    /// What each hypothesis covers of `examples`, which are over the terms of the task. Members of a pool share most
    /// of their rules, so each different rule is tested once.
    pub fn covers_on<'h>(
        &self,
        hypotheses: impl IntoIterator<Item = &'h Hypothesis>,
        examples: &Examples,
    ) -> Vec<Cover> {
        let mut evaluator = Evaluator::new(self.database(), examples);
        let mut known: FxHashMap<&'h Rule, Cover> = FxHashMap::default();
        let covers = hypotheses.into_iter().map(|hypothesis| {
            if hypothesis.is_recursive() {
                return evaluator.hypothesis(hypothesis);
            }
            let mut cover = Cover::empty(examples);
            for rule in &hypothesis.rules {
                cover.union_with(known.entry(rule).or_insert_with(|| evaluator.rule(rule)));
            }
            cover
        });
        covers.collect()
    }

    /// A hypothesis with what it does with the training examples and a share of the vote.
    pub fn voter(&self, hypothesis: Hypothesis, weight: f64) -> Voter {
        let cover = self.covers_on([&hypothesis], &self.task.examples).remove(0);
        let confusion = Confusion::new(&cover.pos, &cover.neg, &self.task.examples);
        Voter { hypothesis, confusion, weight }
    }

    /// Run the learner on other examples of the task. It gets an equal share of the time that is left, if `runs` runs
    /// are still to come, this one included.
    ///
    /// # Errors
    /// As the learner's.
    ///
    /// # Panics
    /// If there is no learner.
    pub fn learn(&self, examples: Examples, runs: usize) -> Result<SnapshotPool> {
        let learner = self.learner.expect("a method that runs a learner says that it needs one");
        let mut pool = SnapshotPool::default();
        if self.budget.check().is_some() {
            return Ok(pool);
        }
        let mut budget = self.budget.clone();
        if let Some(limit) = budget.time_limit() {
            budget = budget.no_later_than(limit.saturating_sub(budget.elapsed()) / runs.max(1) as u32);
        }
        let task = Task { examples, ..self.task.clone() };
        learner.learn(&task, &budget, &mut pool)?;
        Ok(pool)
    }
}
/// What a vote covers of `examples`, given what each voter covers of them.
pub(super) fn vote_cover(weights: &[f64], covers: &[Cover], examples: &Examples) -> Cover {
    let total: f64 = weights.iter().sum();
    let tally = |of: fn(&Cover) -> &Bitset, len: usize| {
        let mut sums = vec![0.0; len];
        for (cover, weight) in covers.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            of(cover).iter().for_each(|at| sums[at] += weight);
        }
        let mut set = Bitset::new(len);
        let positive = (0..len).filter(|&at| is_positive(sums[at], total).1);
        positive.for_each(|at| set.insert(at));
        set
    };
    Cover { pos: tally(|cover| &cover.pos, examples.positives()), neg: tally(|cover| &cover.neg, examples.negatives()) }
}
