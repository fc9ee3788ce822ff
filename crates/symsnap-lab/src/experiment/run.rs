//! One job from the task's files to its figures.
//!
//! The run goes through the library's front door and is listened to: a [`CostRecord`] keeps how cost and bound went. All that
//! the report shows of a run with less time is read off it, because a shorter run is a prefix of a longer one.

use super::methods::{self, PAPER};
use super::plan::SNAPSHOTS;
use super::votes::Votes;
use super::who::Who;
use super::{
    Anytime, Checkpoint, Job, JobResult, PoolMember, Row, Run, SplitKind, Spread, Suite, SweepPoint, TaskSource,
};
use crate::guest::GuestRun;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::{Paper, Training, Voter, ensemble_size};
use symsnap::internals::run::empty_confusion;
use symsnap::internals::snapshot::Selection;
use symsnap::{
    Budget, Candidate, Confusion, Cost, CostValue, Diagnostic, Event, Examples, Instance, Learn, Learned, Learner,
    NamedLearner, Result, Settings, Snapshot, SnapshotPool, Task,
};

/// How many members of a pool are kept for the report, those with most weight.
const SHOWN_MEMBERS: usize = 24;
/// How many improvements of a run are kept for the report, evenly thinned.
const SHOWN_STEPS: usize = 24;

/// Run a job. What goes wrong becomes part of the result.
pub fn run_job(suite: &Suite, job: &Job, data: Option<&Path>) -> JobResult {
    let (run, error) = match attempt(suite, job, data) {
        Ok(run) => (Some(run), None),
        Err(error) => (None, Some(error.to_string())),
    };
    JobResult { run, ..JobResult::failed(suite, job, error) }
}

impl JobResult {
    /// A job that came to nothing.
    pub fn failed(suite: &Suite, job: &Job, error: Option<String>) -> Self {
        JobResult {
            job: job.clone(),
            symsnap: env!("CARGO_PKG_VERSION").to_owned(),
            split_seed: job.split_seed(suite),
            seed: job.seed(suite),
            error,
            run: None,
        }
    }
}

fn attempt(suite: &Suite, job: &Job, data: Option<&Path>) -> Result<Run> {
    let source = suite.tasks.iter().find(|task| task.name == job.task).expect("jobs are made from the suite's tasks");
    let started = Instant::now();
    let mut task = suite.load(source, data)?;
    let (parts, left_out) = divide(&task.examples, source, suite, job);
    let [train, validation, test]: [Examples; 3] = parts.try_into().expect("there are three ratios");
    if test.positives() + test.negatives() == 0 {
        let message = format!("the {} split of {} leaves no test examples", job.split.word(), job.task);
        return Err(Diagnostic::error(message).with_help("the task is too small, or its individuals too few").into());
    }
    task.examples = train;
    let cost = Cost::from_name(&job.cost).expect("a checked suite names known costs");
    let settings = Settings { cost, threads: suite.limits.threads, seed: job.seed(suite), ..Settings::default() };
    let who = Who::of(suite, source, data, cost)?;
    let (validation, test) = (&validation, &test);
    let mut bench = Bench { suite, job, task: Arc::new(task), validation, test, cost, who, settings };
    let mut run = bench.run()?;
    run.left_out = left_out;
    run.load_s = bench.timed(started.elapsed()).map(|all| all - run.learn_s.unwrap_or(0.0)).map(|rest| rest.max(0.0));
    Ok(run)
}

fn divide(examples: &Examples, source: &TaskSource, suite: &Suite, job: &Job) -> (Vec<Examples>, usize) {
    let seed = job.split_seed(suite);
    match job.split {
        SplitKind::Random => (examples.split(&suite.ratios, seed), 0),
        SplitKind::Grouped => {
            let arity = examples.pred().arity as usize;
            let places: Vec<usize> = source.individuals.iter().copied().filter(|&place| place < arity).collect();
            examples.split_grouped(&places, &suite.ratios, seed)
        }
    }
}

/// Everything that a job is evaluated with.
struct Bench<'b> {
    suite: &'b Suite,
    job: &'b Job,
    task: Arc<Task>,
    validation: &'b Examples,
    test: &'b Examples,
    cost: Cost,
    who: Who,
    settings: Settings,
}

/// What a method made of what there was, and how long that took.
struct Fitted<'b> {
    method: &'b str,
    voters: Vec<Voter>,
    took: Duration,
}

impl<'b> Bench<'b> {
    fn timed(&self, time: Duration) -> Option<f64> {
        (!self.suite.is_repeatable()).then_some(time.as_secs_f64())
    }

    /// When a candidate was found, in the unit of the limit.
    fn at(&self, candidate: &Candidate) -> f64 {
        if self.suite.is_repeatable() { candidate.ticks as f64 } else { candidate.elapsed.as_secs_f64() }
    }

    fn budget(&self, runs: usize) -> Budget {
        let budget = Budget::unlimited();
        match (self.suite.limits.seconds, self.suite.limits.ticks) {
            (Some(seconds), _) => budget.with_time(Duration::from_secs_f64(seconds * runs as f64)),
            (None, Some(ticks)) => budget.with_ticks(ticks),
            (None, None) => budget,
        }
    }

    /// Learn once, and hear how it goes.
    fn learn(&self, learner: &'static NamedLearner) -> Result<(Learned, Vec<CostStep>)> {
        let record = Arc::new(Mutex::new(CostRecord::default()));
        let listener = Arc::clone(&record);
        let learned = Learn::new(Arc::clone(&self.task))
            .cost(self.cost)
            .learner(learner)
            .settings(self.settings.clone())
            .budget(self.budget(1))
            .keeping_rules()
            .observe(move |event| {
                listener.lock().unwrap_or_else(PoisonError::into_inner).hear(event);
                ControlFlow::Continue(())
            })
            .run()?;
        let steps = std::mem::take(&mut record.lock().unwrap_or_else(PoisonError::into_inner).steps);
        Ok((learned, steps))
    }

    /// The snapshots of one run, with how it went. What a guest names beside the task joins the task.
    fn take_snapshots(&mut self, run: &mut Run) -> Result<(SnapshotPool, Vec<CostStep>)> {
        let guest = match &self.who {
            Who::Own(learner) => {
                let (learned, steps) = self.learn(learner)?;
                let outcome = learned.outcome;
                run.learn_s = self.timed(outcome.elapsed);
                run.ticks = outcome.ticks;
                run.stop = outcome.stop.word().to_owned();
                run.optimal = outcome.optimal;
                (run.value, run.lower) = (outcome.value.0, outcome.lower.0);
                return Ok((learned.pool, steps));
            }
            Who::Guest(guest) => &**guest,
        };
        let GuestRun { task, pool, stop, tested, elapsed } = guest.run(&self.task, &self.budget(1))?;
        run.learn_s = self.timed(elapsed);
        run.ticks = tested;
        run.stop = stop.word().to_owned();
        if let Some(best) = pool.best() {
            run.value.clone_from(&best.0);
        }
        let mut record = CostRecord::default();
        for (at, snapshot) in pool.members().iter().enumerate() {
            if at == 0 || snapshot.candidate.value < pool.members()[at - 1].candidate.value {
                record.take(snapshot);
            }
        }
        self.task = Arc::new(task);
        Ok((pool, record.steps))
    }

    fn run(&mut self) -> Result<Run> {
        let mut run = self.nothing();
        let (mut pool, mut steps) = (SnapshotPool::default(), Vec::new());
        if self.job.learner == SNAPSHOTS {
            (pool, steps) = self.take_snapshots(&mut run)?;
        }
        while let Some(taught) = self.evaluate(&mut run, &pool, &steps)? {
            self.task = Arc::new(taught);
        }
        run.skipped = self.who.skipped();
        Ok(run)
    }

    /// Let all methods of the job make their ensembles and look at them. Where a guest that learned again needed words that the
    /// task does not have, nothing is looked at, and the task with these words is returned.
    fn evaluate(&self, run: &mut Run, pool: &SnapshotPool, steps: &[CostStep]) -> Result<Option<Task>> {
        let on = Instance::new(&self.task);
        let fitted = self.fit(pool, &on)?;
        let took: Duration = fitted.iter().map(|it| it.took).sum();
        if self.job.learner != SNAPSHOTS {
            run.learn_s = self.timed(took).map(|took| took + run.learn_s.unwrap_or(0.0));
        }
        if let Some(taught) = self.who.teach(&self.task) {
            return Ok(Some(taught));
        }
        if let (true, Some(failure)) = (fitted.iter().all(|it| it.voters.is_empty()), self.who.failure()) {
            return Err(failure);
        }
        let database = on.database();
        let [mut train, mut validation, mut test] =
            [&self.task.examples, self.validation, self.test].map(|examples| Votes::on(examples, database));
        for Fitted { method, voters, took } in fitted {
            if self.job.learner != SNAPSHOTS {
                run.members = voters.len();
            } else if method == PAPER {
                run.weigh_s = self.timed(took);
                run.predict_s = self.time_prediction(&voters, database);
            }
            run.rows.push(Row {
                method: method.to_owned(),
                voters: voters.len(),
                size: Some(ensemble_size(&voters)),
                train: train.tally(&voters).into(),
                validation: validation.tally(&voters).into(),
                test: test.tally(&voters).into(),
            });
        }
        if self.job.learner == SNAPSHOTS {
            self.look_at_members(run, pool, &mut test);
            self.sweep(run, pool, &mut validation, &mut test);
            self.look_back(run, pool.members(), steps, &mut validation, &mut test);
            if self.job.trial == 1 {
                self.show_members(run, pool, &mut train, &mut test);
            }
        }
        Ok(None)
    }

    fn fit(&self, pool: &SnapshotPool, on: &Instance<'_>) -> Result<Vec<Fitted<'b>>> {
        let own;
        let again: &dyn Learner = match &self.who {
            Who::Own(learner) => {
                own = learner.make(self.settings.clone());
                &*own
            }
            Who::Guest(guest) => &**guest,
        };
        // Samples have the seeds that the paper names, 43, 44 and 45 in a suite of seed 1, whatever the trial.
        let seed = if self.job.learner == SNAPSHOTS { self.settings.seed } else { self.suite.seed };
        let fit = |method: &'b str| {
            let selection = methods::selection_of(method);
            let chosen = pool.only(selection);
            let training = Training::new(&self.task, &chosen, self.cost)
                .selected_from(pool, selection)
                .with_seed(seed)
                .with_held_out(self.validation)
                .with_learner(again)
                .with_budget(self.budget(methods::runs(method, self.suite)))
                .sharing(on);
            let started = Instant::now();
            let voters = methods::fit(method, &training, self.suite)?;
            Ok(Fitted { method, voters, took: started.elapsed() })
        };
        self.job.methods(self.suite).into_iter().map(fit).collect()
    }

    fn nothing(&self) -> Run {
        let count = |examples: &Examples| [examples.positives(), examples.negatives()];
        Run {
            examples: [count(&self.task.examples), count(self.validation), count(self.test)],
            value: self.cost.value(&empty_confusion(&self.task), 0).0,
            lower: self.cost.value(&Confusion::default(), 0).0,
            ..Run::default()
        }
    }

    /// Seconds for all voters' predictions of the test examples and their vote, with nothing known before.
    fn time_prediction(&self, voters: &[Voter], database: &Database) -> Option<f64> {
        let started = Instant::now();
        Votes::on(self.test, database).tally(voters);
        self.timed(started.elapsed())
    }

    fn look_at_members(&self, run: &mut Run, pool: &SnapshotPool, test: &mut Votes<'_>) {
        run.members = pool.members().len();
        run.optima = pool.select(Selection::OnlyOptima).len();
        let accuracies: Vec<f64> =
            pool.members().iter().map(|member| test.single(member.hypothesis()).accuracy()).collect();
        run.best_member = accuracies.iter().copied().max_by(f64::total_cmp);
        run.worst_member = accuracies.iter().copied().min_by(f64::total_cmp);
        let coverage = || pool.members().iter().map(|member| member.confusion().accuracy());
        let mdl = || pool.members().iter().map(Snapshot::mdl);
        run.spread = mdl().max().map(|mdl_max| Spread {
            coverage_max: coverage().fold(0.0, f64::max),
            coverage_min: coverage().fold(1.0, f64::min),
            mdl_max,
            mdl_min: mdl().min().unwrap_or(0),
        });
    }

    fn sweep(&self, run: &mut Run, pool: &SnapshotPool, validation: &mut Votes<'_>, test: &mut Votes<'_>) {
        let members: Vec<&Snapshot> = pool.members().iter().collect();
        for &alpha in &self.suite.sweep {
            let voters = methods::weigh(&Paper { alpha, beta: self.suite.beta }, &members);
            let (validation, test) = (validation.tally(&voters).accuracy(), test.tally(&voters).accuracy());
            run.sweep.push(SweepPoint { alpha, validation, test });
        }
    }

    /// What there was earlier in the run: at the checkpoints, and at some of the improvements.
    fn look_back(
        &self,
        run: &mut Run,
        members: &[Snapshot],
        steps: &[CostStep],
        validation: &mut Votes<'_>,
        test: &mut Votes<'_>,
    ) {
        let until = |at: f64| members.iter().take_while(|member| self.at(&member.candidate) <= at).count();
        for &at in &self.suite.checkpoints {
            let [baseline, ensemble] = self.early(&members[..until(at)], test);
            run.checkpoints.push(Checkpoint { at, members: until(at), baseline, ensemble });
        }
        let steps: Vec<&CostStep> = steps.iter().filter(|step| step.members > 0).collect();
        for step in thinned(&steps, SHOWN_STEPS) {
            let at = if self.suite.is_repeatable() { step.ticks as f64 } else { step.elapsed.as_secs_f64() };
            let [baseline, ensemble] = self.early(&members[..step.members], validation);
            run.anytime.push(Anytime {
                at,
                value: step.best.0.clone(),
                lower: step.lower.0.clone(),
                members: step.members,
                baseline,
                ensemble,
            });
        }
    }

    /// The accuracies of the best of the first members and of their ensemble.
    fn early(&self, members: &[Snapshot], votes: &mut Votes<'_>) -> [f64; 2] {
        // The last improvement is the first of the best.
        let best = members.iter().min_by(|a, b| a.candidate.value.cmp(&b.candidate.value));
        let single: Vec<Voter> = best.into_iter().map(|member| Voter::of(member, 1.0)).collect();
        let all: Vec<&Snapshot> = members.iter().collect();
        let paper = Paper { alpha: self.suite.alpha, beta: self.suite.beta };
        [votes.tally(&single).accuracy(), votes.tally(&methods::weigh(&paper, &all)).accuracy()]
    }

    fn show_members(&self, run: &mut Run, pool: &SnapshotPool, train: &mut Votes<'_>, test: &mut Votes<'_>) {
        let all: Vec<&Snapshot> = pool.members().iter().collect();
        let paper = Paper { alpha: self.suite.alpha, beta: self.suite.beta };
        let mut weighed: Vec<(&Snapshot, f64)> =
            all.iter().copied().zip(methods::weigh(&paper, &all).iter().map(|voter| voter.weight)).collect();
        weighed.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.index.cmp(&b.0.index)));
        weighed.truncate(SHOWN_MEMBERS);
        weighed.sort_by_key(|(member, _)| member.index);
        for (member, weight) in &weighed {
            run.pool.push(PoolMember {
                index: member.index,
                weight: *weight,
                at: self.at(&member.candidate),
                value: member.candidate.value.0.clone(),
                size: member.candidate.size,
                train: (*member.confusion()).into(),
                test_accuracy: test.single(member.hypothesis()).accuracy(),
                rules: member.hypothesis().rules.iter().map(|rule| rule.show(&self.task.terms)).collect(),
            });
            let row = weighed.iter().map(|(other, _)| train.overlap(member.hypothesis(), other.hypothesis()));
            run.overlap.push(row.collect());
        }
    }
}

/// The first, the last and evenly chosen others, `most` in all.
fn thinned<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    let (count, kept) = (items.len(), items.len().min(most));
    (0..kept).map(move |at| &items[if kept < 2 { at } else { at * (count - 1) / (kept - 1) }])
}

/// How a run stood at some point.
struct CostStep {
    elapsed: Duration,
    ticks: u64,
    best: CostValue,
    lower: CostValue,
    members: usize,
}

/// Keeps a step for each change of cost or bound.
#[derive(Default)]
struct CostRecord {
    steps: Vec<CostStep>,
    lower: Option<CostValue>,
}

impl CostRecord {
    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Snapshot { snapshot, improves: true } => self.take(snapshot),
            Event::Progress { progress, snapshots } if self.lower.as_ref().is_none_or(|it| *it < progress.lower) => {
                self.lower = Some(progress.lower.clone());
                self.note(progress.elapsed, progress.ticks, &progress.best, *snapshots);
            }
            _ => {}
        }
    }

    /// A snapshot that is better than all before.
    fn take(&mut self, snapshot: &Snapshot) {
        let Candidate { elapsed, ticks, value, .. } = &snapshot.candidate;
        self.note(*elapsed, *ticks, value, snapshot.index + 1);
    }

    fn note(&mut self, elapsed: Duration, ticks: u64, best: &CostValue, members: usize) {
        let lower = self.lower.clone().unwrap_or_else(|| CostValue(vec![0; best.0.len()]));
        self.steps.push(CostStep { elapsed, ticks, best: best.clone(), lower, members });
    }
}
