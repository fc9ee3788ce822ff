//! One job from the task's files to its figures.
//!
//! The run is watched: [`Recorder`] keeps the pool and how cost and bound went. All that the report shows of a run with
//! less time is read off that record, because a shorter run is a prefix of a longer one.

use super::methods::{self, PAPER};
use super::plan::SNAPSHOTS;
use super::votes::Votes;
use super::{
    Anytime, Checkpoint, Job, JobResult, PoolMember, Row, Run, SplitKind, Spread, Suite, SweepPoint, TaskSource,
};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::{Paper, Training, Voter};
use symsnap::internals::learn::Symsnap;
use symsnap::internals::learn::{Learner, Observer, Settings};
use symsnap::internals::sets::Cover;
use symsnap::internals::snapshot::Variant;
use symsnap::{
    Budget, Candidate, Confusion, Cost, CostValue, Diagnostic, Examples, Progress, Result, Snapshot, SnapshotPool, Task,
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
    let bench = Bench { suite, job, task: &task, validation: &validation, test: &test, learner: Symsnap { settings } };
    let mut run = bench.run(cost)?;
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
    task: &'b Task,
    validation: &'b Examples,
    test: &'b Examples,
    learner: Symsnap,
}

impl Bench<'_> {
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

    fn run(&self, cost: Cost) -> Result<Run> {
        let mut recorder = Recorder::default();
        let mut run = self.nothing(cost);
        if self.job.learner == SNAPSHOTS {
            let outcome = self.learner.learn(self.task, &self.budget(1), &mut recorder)?;
            run.learn_s = self.timed(outcome.elapsed);
            run.ticks = outcome.ticks;
            run.stop = outcome.stop.word().to_owned();
            run.optimal = outcome.optimal;
            (run.value, run.lower) = (outcome.value.0, outcome.lower.0);
        }
        let pool = &recorder.pool;
        let database = Database::new(self.task);
        let [mut train, mut validation, mut test] =
            [&self.task.examples, self.validation, self.test].map(|examples| Votes::on(examples, &database));
        for method in self.job.methods(self.suite) {
            let runs = methods::runs(method, self.suite);
            let training = Training::new(self.task, pool, cost)
                .with_seed(self.job.seed(self.suite))
                .with_held_out(self.validation)
                .with_learner(&self.learner)
                .with_budget(self.budget(runs));
            let started = Instant::now();
            let voters = methods::fit(method, &training, self.suite)?;
            if self.job.learner != SNAPSHOTS {
                run.learn_s = self.timed(started.elapsed());
                run.members = voters.len();
            } else if method == PAPER {
                run.weigh_s = self.timed(started.elapsed());
                run.predict_s = self.time_prediction(&voters, &database);
            }
            run.rows.push(Row {
                method: method.to_owned(),
                voters: voters.len(),
                train: train.tally(&voters).into(),
                validation: validation.tally(&voters).into(),
                test: test.tally(&voters).into(),
            });
        }
        if self.job.learner == SNAPSHOTS {
            self.look_at_members(&mut run, pool, &mut test);
            self.sweep(&mut run, pool, &mut validation, &mut test);
            self.look_back(&mut run, &recorder, &mut validation, &mut test);
            if self.job.trial == 1 {
                self.show_members(&mut run, pool, &mut train, &mut test);
            }
        }
        Ok(run)
    }

    fn nothing(&self, cost: Cost) -> Run {
        let count = |examples: &Examples| [examples.positives(), examples.negatives()];
        let nothing = Cover::empty(self.task.examples.sides());
        let empty = self.task.examples.confusion(&nothing);
        Run {
            examples: [count(&self.task.examples), count(self.validation), count(self.test)],
            value: cost.value(&empty, 0).0,
            lower: cost.value(&Confusion::default(), 0).0,
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
        run.optima = pool.select(Variant::OnlyOptima).len();
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
    fn look_back(&self, run: &mut Run, recorder: &Recorder, validation: &mut Votes<'_>, test: &mut Votes<'_>) {
        let members = recorder.pool.members();
        let until = |at: f64| members.iter().take_while(|member| self.at(&member.candidate) <= at).count();
        for &at in &self.suite.checkpoints {
            let [baseline, ensemble] = self.early(&members[..until(at)], test);
            run.checkpoints.push(Checkpoint { at, members: until(at), baseline, ensemble });
        }
        let steps = recorder.steps();
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
#[derive(Clone)]
struct Step {
    elapsed: Duration,
    ticks: u64,
    best: CostValue,
    lower: CostValue,
    members: usize,
}

/// Keeps the pool, and a step for each change of cost or bound.
#[derive(Default)]
struct Recorder {
    pool: SnapshotPool,
    steps: Vec<Step>,
    lower: Option<CostValue>,
}

impl Recorder {
    fn note(&mut self, elapsed: Duration, ticks: u64, best: &CostValue) {
        let lower = self.lower.clone().unwrap_or_else(|| CostValue(vec![0; best.0.len()]));
        let members = self.pool.members().len();
        self.steps.push(Step { elapsed, ticks, best: best.clone(), lower, members });
    }

    /// The steps with members.
    fn steps(&self) -> Vec<Step> {
        self.steps.iter().filter(|step| step.members > 0).cloned().collect()
    }
}

impl Observer for Recorder {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        let improves = self.pool.best().is_none_or(|best| candidate.value < *best);
        if self.pool.offer(candidate).is_some() && improves {
            self.note(candidate.elapsed, candidate.ticks, &candidate.value);
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.lower.as_ref().is_none_or(|lower| *lower < progress.lower) {
            self.lower = Some(progress.lower.clone());
            self.note(progress.elapsed, progress.ticks, &progress.best);
        }
        ControlFlow::Continue(())
    }
}
