//! The front door: learn from a task under limits, hear of every snapshot, make an ensemble. What stands around a run
//! and is easy to get wrong lives here, once, for the command line, for experiments and for other languages: which cost
//! to minimise where nobody says ([`CostChoice`]), how the time is shared between learning and the ensemble, memory that
//! runs out, a run that does not look at the clock, and what to say when a limit came first.
//!
//! [`Learn::run`] works on the thread it is called on and returns when it is done. [`Learn::spawn`] works on another one,
//! so that whoever waits keeps the limits even if the work does not, and can be interrupted.

mod advice;
mod choice;
mod event;
mod heard;
mod plan;
mod verify;
pub mod watchdog;
mod why;

pub use advice::{Next, Reason, Told};
pub use choice::CostChoice;
pub use event::Event;
pub use heard::empty_confusion;
pub use verify::Verified;

use crate::budget::{Budget, Cancel, StopReason, Watch};
use crate::cost::Cost;
use crate::ensemble::{Method, Model, Training};
use crate::error::{Diagnostic, Result};
use crate::instance::Instance;
use crate::learn::{Candidate, LEARNERS, NamedLearner, Outcome, Settings};
use crate::snapshot::{Selection, SnapshotPool};
use crate::task::Task;
use heard::{Callback, Ear, Heard, SharedHeard};
use plan::TimePlan;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use watchdog::{GRACE, Waited, start, wait_by_reason};
use why::Inquest;

/// Where the task comes from.
enum TaskFrom {
    Memory(Arc<Task>),
    /// Read when the run begins, within its limits.
    Reader(Box<dyn FnOnce() -> Result<Task> + Send>),
}

/// A run of the learner that is about to be made. Everything has a default: the cost that suits the data, no limits, one
/// thread, no ensemble.
pub struct Learn {
    from: TaskFrom,
    cost: CostChoice,
    learner: &'static NamedLearner,
    settings: Settings,
    budget: Budget,
    strict: bool,
    keep_rules: bool,
    method: Option<Box<dyn Method>>,
    selection: Selection,
    time_to_verify: bool,
    tell: Callback,
}

impl std::fmt::Debug for Learn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let method = self.method.as_ref().map(|method| method.name());
        f.debug_struct("Learn").field("cost", &self.cost).field("method", &method).finish_non_exhaustive()
    }
}

impl Learn {
    /// Learn from a task.
    pub fn new(task: impl Into<Arc<Task>>) -> Self {
        Learn::from(TaskFrom::Memory(task.into()))
    }

    /// Learn from a task that `read` reads when the run begins, within the limits of the run.
    #[doc(hidden)]
    pub fn reading(read: impl FnOnce() -> Result<Task> + Send + 'static) -> Self {
        Learn::from(TaskFrom::Reader(Box::new(read)))
    }

    fn from(from: TaskFrom) -> Self {
        Learn {
            from,
            cost: CostChoice::default(),
            learner: &LEARNERS[0],
            settings: Settings::default(),
            budget: Budget::unlimited(),
            strict: false,
            keep_rules: false,
            method: None,
            selection: Selection::All,
            time_to_verify: false,
            tell: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// What to minimise.
    #[must_use]
    pub fn cost(mut self, cost: impl Into<CostChoice>) -> Self {
        self.cost = cost.into();
        self
    }

    /// Who learns; the first of [`LEARNERS`] unless told.
    #[must_use]
    pub fn learner(mut self, learner: &'static NamedLearner) -> Self {
        self.learner = learner;
        self
    }

    /// Stop after `limit`, counted from now.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.budget = self.budget.with_time(limit);
        self
    }

    /// Stop after `limit` rules have been tested: the result is then the same on any machine and number of threads. A method
    /// that runs the learner again ([`Learn::ensemble`]) divides them among the runs.
    #[must_use]
    pub fn ticks(mut self, limit: u64) -> Self {
        self.budget = self.budget.with_ticks(limit);
        self
    }

    /// Stop when `cancel` is raised.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.budget = self.budget.with_cancel(cancel);
        self
    }

    /// All limits at once, with the clock of `budget`.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// What else the learner may be told. Its cost is overruled by [`Learn::cost`].
    #[must_use]
    #[doc(hidden)]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How many threads to use; 1 unless told.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads.max(1);
        self
    }

    /// The seed of all random choices; 1 unless told.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// List at most this number of hypotheses that cost as little as the best one, itself included; 1000 unless told. With 1,
    /// no others are looked for.
    #[must_use]
    pub fn optima(mut self, most: usize) -> Self {
        self.settings.optima = most;
        self
    }

    /// Leave out hypotheses that give, for the inputs of a positive example, another output than a positive has; inputs and
    /// outputs are what `direction` says of the head.
    #[must_use]
    pub fn functional(mut self) -> Self {
        self.settings.functional = true;
        self
    }

    /// Keep only snapshots that are better than all before, and look for no other optima.
    #[must_use]
    pub fn strict(mut self) -> Self {
        (self.strict, self.settings.optima) = (true, 1);
        self
    }

    /// Make an ensemble by this method, within the limits: learning ends a while before them.
    #[must_use]
    pub fn ensemble(mut self, method: Box<dyn Method>) -> Self {
        self.method = Some(method);
        self
    }

    /// Make the ensemble of these snapshots, not of all.
    #[must_use]
    #[doc(hidden)]
    pub fn selecting(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Keep the rules found beside those of the snapshots, for ensembles that are made later ([`Learned::ensemble`]). They
    /// are kept in any case where [`Learn::ensemble`] is asked for or the cost is left to the data.
    #[must_use]
    #[doc(hidden)]
    pub fn keeping_rules(mut self) -> Self {
        self.keep_rules = true;
        self
    }

    /// Make a certificate of the bound on the rules found ([`Outcome::certificate`]), in a share of the limits.
    #[must_use]
    #[doc(hidden)]
    pub fn certified(mut self) -> Self {
        self.settings.certificate = true;
        self
    }

    /// Leave time for [`Learned::verify`] within the limits.
    #[must_use]
    #[doc(hidden)]
    pub fn leaving_time_to_verify(mut self) -> Self {
        self.time_to_verify = true;
        self
    }

    /// Be told of what happens, and stop the run by answering [`ControlFlow::Break`].
    #[must_use]
    pub fn observe(mut self, tell: impl FnMut(&Event<'_>) -> ControlFlow<()> + Send + 'static) -> Self {
        self.tell = Box::new(tell);
        self
    }

    /// Learn, on this thread.
    ///
    /// # Errors
    /// If the task cannot be read or learned from.
    pub fn run(self) -> Result<Learned> {
        let shared = self.shared();
        self.work(&shared)
    }

    /// Learn on a thread of its own.
    ///
    /// # Errors
    /// If there cannot be another thread.
    pub fn spawn(self) -> Result<Running> {
        let (shared, budget) = (self.shared(), self.budget.clone());
        let (cost, learner, settings) = (self.cost, self.learner, self.settings.clone());
        let method = self.method.as_ref().map(|method| (method.boxed(), self.selection));
        let work = {
            let shared = shared.clone();
            start(move || self.work(&shared))?
        };
        Ok(Running { work, shared, budget, cost, learner, settings, method })
    }

    fn shared(&self) -> SharedHeard {
        SharedHeard::new(SnapshotPool::new(self.strict, self.settings.optima.max(1)))
    }

    /// How often the learner runs: once, and again where the method asks for it.
    fn runs(&self) -> u32 {
        1 + self.method.as_ref().map_or(0, |method| u32::try_from(method.runs()).unwrap_or(u32::MAX - 1))
    }

    fn work(self, shared: &SharedHeard) -> Result<Learned> {
        let (
            runs,
            selection,
            Learn { from, cost, learner, mut settings, mut budget, method, time_to_verify, tell, keep_rules, .. },
        ) = (self.runs(), self.selection, self);
        if let Some(ticks) = budget.tick_limit() {
            budget = budget.with_ticks(ticks / u64::from(runs));
        }
        let task = match from {
            TaskFrom::Memory(task) => task,
            TaskFrom::Reader(read) => Arc::new(read()?),
        };
        if method.is_none() && !keep_rules && cost != CostChoice::Auto {
            // Only ensembles, and the choice of a cost, are made of more rules than those of the snapshots.
            settings.keep = 0;
        }
        let limit = budget.time_limit().unwrap_or(Duration::MAX / 4);
        let examples = task.examples.positives() + task.examples.negatives();
        let plan = TimePlan::new(limit, runs, method.as_deref(), examples);
        let plan = if time_to_verify { plan.with_verification() } else { plan };
        let mut ear = Ear::new(shared.clone(), tell);
        let watch = Watch::over(&plan.learning(&budget));
        let learning = watch.budget();
        // A run that is left behind while the background is evaluated has a task, and knows what it minimises.
        ear.begin(&task, cost.first());
        let on = Instance::within(&task, learning);
        let (task, cost, choice, mut outcome) = match cost {
            CostChoice::Fixed(cost) => {
                settings.cost = cost;
                let outcome = learner.make(settings.clone()).learn(&on, learning, &mut ear)?;
                (Arc::clone(&task), cost, None, outcome)
            }
            CostChoice::Auto => {
                let chosen = choice::learn((&task, &on), &settings, learner, learning, &mut ear)?;
                settings.cost = chosen.cost;
                (chosen.task, chosen.cost, Some(chosen.reason), chosen.outcome)
            }
        };
        // Further runs are on samples.
        settings.certificate = false;
        let mut why = Vec::new();
        if outcome.best.is_none() {
            let on = if on.is_of(&task) { on.clone() } else { on.with_bias(task.bias.clone(), learning) };
            why = Inquest { on: &on, settings: &settings, outcome: &outcome, learner }.reasons(learning);
        }
        drop(watch);
        let pool = {
            let mut heard = shared.lock();
            heard.end(&outcome, &why);
            heard.pool.clone()
        };
        let model = match &method {
            Some(method) => {
                let again = learner.make(settings.clone());
                let chosen = pool.only(selection);
                let training = Training::new(&task, &chosen, cost).selected_from(&pool, selection);
                let training = training.with_seed(settings.seed).with_learner(&*again);
                let training = training.with_budget(plan.fitting(&budget, outcome.stop)).sharing(&on);
                Some(Model::fit(&training, &**method)?)
            }
            None => None,
        };
        outcome.elapsed = budget.elapsed();
        Ok(Learned { task, cost, choice, outcome, why, pool, model, learner, settings })
    }
}

/// A run on another thread ([`Learn::spawn`]). Dropping it does not end the run; a [`Cancel`] flag does.
pub struct Running {
    work: Receiver<Result<Learned>>,
    shared: SharedHeard,
    budget: Budget,
    cost: CostChoice,
    learner: &'static NamedLearner,
    settings: Settings,
    method: Option<(Box<dyn Method>, Selection)>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("cost", &self.cost).finish_non_exhaustive()
    }
}

/// How a run on another thread ended ([`Running::wait`]).
#[derive(Debug)]
pub enum Ended {
    /// With what it learned, all of it or what was known when it was left behind.
    Learned(Box<Learned>),
    /// Left behind while the task was still being read.
    Unread(StopReason),
}

impl Running {
    /// Wait for the run, but not much longer than its limits: a run that does not end is left behind, and what it has
    /// found by then counts.
    ///
    /// # Errors
    /// As [`Learn::run`].
    pub fn wait(self) -> Result<Ended> {
        let grace = self.grace();
        self.wait_by(|_| grace)
    }

    /// The same for whoever cannot wait long after Ctrl-C: a cancelled run that takes longer than `patience` to end is left
    /// behind.
    ///
    /// # Errors
    /// As [`Learn::run`].
    #[doc(hidden)]
    pub fn wait_impatiently(self, patience: Duration) -> Result<Ended> {
        let grace = self.grace();
        self.wait_by(|stop| if stop == StopReason::Cancelled { patience } else { grace })
    }

    /// How long the run may take to end after it was told to.
    fn grace(&self) -> Duration {
        let more = if self.method.is_some() { plan::LEAST } else { Duration::ZERO };
        (GRACE + more).max(self.budget.time_limit().unwrap_or_default() / 100)
    }

    fn wait_by(self, grace: impl Fn(StopReason) -> Duration) -> Result<Ended> {
        let stop = match wait_by_reason(&self.work, &self.budget, grace) {
            Waited::Done(learned) => return learned.map(|learned| Ended::Learned(Box::new(learned))),
            Waited::Lost => return Err(Diagnostic::error("the learner has failed: this is a bug in symsnap").into()),
            Waited::Overdue(stop) => stop,
        };
        let mut heard = self.shared.lock();
        heard.close();
        let Some(task) = heard.task.clone() else { return Ok(Ended::Unread(stop)) };
        let cost = heard.cost.or(self.cost.fixed()).unwrap_or_default();
        let outcome = heard.outcome(&task, cost, stop, &self.budget);
        let model = self.rescue(&heard, &task, cost, stop);
        let left = || "the run was left behind before the cost was chosen".to_owned();
        let choice = (self.cost == CostChoice::Auto).then(|| heard.choice.clone().unwrap_or_else(left));
        let (why, pool) = (heard.why(), heard.pool.clone());
        let (learner, settings) = (self.learner, self.settings.clone());
        Ok(Ended::Learned(Box::new(Learned { task, cost, choice, outcome, why, pool, model, learner, settings })))
    }

    /// The model of a run that was left behind: the ensemble was not ready, so the snapshots vote.
    fn rescue(&self, heard: &Heard, task: &Task, cost: Cost, stop: StopReason) -> Option<Model> {
        let (method, selection) = self.method.as_ref()?;
        let why = format!("the ensemble was not ready ({})", stop.words());
        // There is no time for anything that takes some.
        let spent = Budget::unlimited().with_time(Duration::ZERO);
        let chosen = heard.pool.only(*selection);
        let training = Training::new(task, &chosen, cost).selected_from(&heard.pool, *selection);
        let training = training.with_seed(self.settings.seed).with_budget(spent);
        Some(Model::of_snapshots(&training, &**method, &why))
    }
}

/// What was learned: the outcome, the pool of snapshots and, if asked for, the ensemble.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Learned {
    /// The task, with the limits that it was searched with.
    pub task: Arc<Task>,
    /// What was minimised.
    pub cost: Cost,
    /// Why, if that was left to the data.
    pub choice: Option<String>,
    /// How the run ended: value, bound, proof, limits met.
    pub outcome: Outcome,
    /// Why nothing was found, the most fundamental reason first; empty if something was.
    pub why: Vec<Reason>,
    /// All snapshots.
    pub pool: SnapshotPool,
    /// The ensemble, if one was asked for.
    pub model: Option<Model>,
    learner: &'static NamedLearner,
    settings: Settings,
}

impl Learned {
    /// The best hypothesis, if one is better than the empty one.
    pub fn best(&self) -> Option<&Candidate> {
        self.outcome.best.as_ref()
    }

    /// The ensemble that `method` makes of the snapshots and, where it learns again, of further runs, without limits; for
    /// one within limits there is [`Learn::ensemble`]. The default method is better off with [`Learn::keeping_rules`].
    ///
    /// # Errors
    /// As the learner's.
    pub fn ensemble(&self, method: &dyn Method) -> Result<Model> {
        self.ensemble_within(method, &Budget::unlimited())
    }

    /// The same within limits: methods do what they can in the time they have.
    ///
    /// # Errors
    /// As the learner's.
    #[doc(hidden)]
    pub fn ensemble_within(&self, method: &dyn Method, budget: &Budget) -> Result<Model> {
        let again = self.learner.make(Settings { cost: self.cost, ..self.settings.clone() });
        let training = Training::new(&self.task, &self.pool, self.cost).with_seed(self.settings.seed);
        Model::fit(&training.with_learner(&*again).with_budget(budget.clone()), method)
    }

    /// The ensemble as it is kept in a file: its notes say, too, what was not evaluated to its end.
    #[doc(hidden)]
    pub fn model_to_keep(&self) -> Option<Model> {
        let mut model = self.model.clone()?;
        model.notes.extend(self.outcome.limits.iter().map(|limit| format!("not evaluated to the end: {limit}")));
        Some(model)
    }

    /// Test every snapshot again with the slow evaluator, until `budget` ends.
    ///
    /// # Errors
    /// If one has other figures than it was found with.
    pub fn verify(&self, budget: &Budget) -> Result<Verified> {
        verify::verify(&self.task, &self.pool, self.cost, budget)
    }
}
