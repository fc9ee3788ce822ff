//! `symsnap experiment`: suites of tasks, learned and evaluated job by job.

use crate::Exit;
use crate::files::PARTIALS;
use crate::output::{complain, count, print};
use crate::replay::Replay;
use crate::signals;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use symsnap::{Diagnostic, Error, Result};
use symsnap_lab::experiment::{Folder, Job, JobProgress, JobResult, Suite, Worker, plan, run_all, run_job};

/// Run a suite of tasks with all its costs, trials and methods, and keep every result.
#[derive(Args)]
#[command(after_help = "SUITE is the name of a suite that is part of symsnap, or a TOML file.\n\
    Tasks of the suite `paper` are read from the folder that the variable SYMSNAP_DATA names.")]
pub struct Experiment {
    #[command(subcommand)]
    command: Which,
}

#[derive(Subcommand)]
enum Which {
    Plan(Plan),
    Run(Run),
    Collect(Collect),
    Replay(Replay),
}

/// Which suite.
#[derive(Args)]
struct SuiteChoice {
    /// The suite.
    suite: String,
    /// Let this learner learn, instead of the one that the suite names; `learn --help` lists them.
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,
}

impl SuiteChoice {
    fn find(&self) -> Result<Suite> {
        let suite = Suite::find(&self.suite)?;
        match &self.learner {
            Some(name) => suite.learned_by(name),
            None => Ok(suite),
        }
    }
}

/// List the jobs of a suite with their numbers.
#[derive(Args)]
struct Plan {
    #[command(flatten)]
    suite: SuiteChoice,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Run the jobs that have no result yet or have failed; start it again after an interruption and it goes on.
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all jobs done; 1 some failed; 2 bad input or usage, or tasks that are not there; \
    130 interrupted."
)]
struct Run {
    #[command(flatten)]
    suite: SuiteChoice,
    /// The folder for results.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: PathBuf,
    /// How many jobs at once; as many as there are cores for if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Run one job, by its number in the plan, in this process.
    #[arg(long, value_name = "K", conflicts_with = "jobs")]
    job: Option<usize>,
    /// Leave jobs that failed as they are.
    #[arg(long)]
    no_retry: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(short, long)]
    quiet: bool,
    /// End when standard input does.
    #[arg(long, hide = true, requires = "job")]
    tethered: bool,
}

/// Merge folders of results of the same suite, from other machines say, and write its tables.
#[derive(Args)]
struct Collect {
    /// The folders.
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The folder for the results of all of them.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The folder of the tasks that are not part of symsnap.
fn data() -> Option<PathBuf> {
    std::env::var_os("SYMSNAP_DATA").filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl Experiment {
    /// Plan, run, collect or replay.
    pub fn run(self) -> Result<Exit> {
        match self.command {
            Which::Plan(it) => it.run(),
            Which::Run(it) => it.run(),
            Which::Collect(it) => it.run(),
            Which::Replay(it) => it.run(),
        }
    }
}

impl Plan {
    fn run(self) -> Result<Exit> {
        let suite = self.suite.find()?;
        let jobs = plan(&suite);
        if self.json {
            print(&format!("{}\n", json!({ "suite": suite.name, "jobs": jobs })))?;
            return Ok(Exit::Done);
        }
        let line = |(at, job): (usize, &Job)| {
            let Job { task, split, cost, trial, learner, .. } = job;
            format!("{at}\t{task}\t{}\t{cost}\t{trial}\t{learner}\n", split.word())
        };
        let lines: String = jobs.iter().enumerate().map(line).collect();
        print(&format!("job\ttask\tsplit\tcost\ttrial\tlearner\n{lines}"))?;
        Ok(Exit::Done)
    }
}

impl Run {
    fn run(self) -> Result<Exit> {
        let suite = self.suite.find()?;
        match self.job {
            Some(at) => self.one(&suite, at),
            None => self.all(&suite),
        }
    }

    fn one(&self, suite: &Suite, at: usize) -> Result<Exit> {
        if self.tethered {
            std::thread::spawn(|| {
                // Whatever ends the reading, nobody waits for this job any more.
                let _ = std::io::stdin().read(&mut [0]);
                signals::end();
            });
        }
        let jobs = plan(suite);
        let Some(job) = jobs.get(at) else {
            let message = format!("there is no job {at}; the suite {} has {}", suite.name, count(jobs.len(), "job"));
            return Err(Diagnostic::error(message).with_help("jobs are counted from 0; see `experiment plan`").into());
        };
        suite.find_data(data().as_deref(), |task| task.name == job.task)?;
        let folder = Folder::create(&self.output, suite, &PARTIALS)?;
        let done = folder.get(job)?.filter(|result| self.no_retry || result.error.is_none());
        let result = match done {
            Some(result) => result,
            None => {
                let result = run_job(suite, job, data().as_deref());
                folder.put(&result)?;
                result
            }
        };
        if self.json {
            print(&format!("{}\n", json!({ "job": at, "id": job.id(), "error": result.error })))?;
        } else if let (false, Some(error)) = (self.tethered, &result.error) {
            complain(error);
        }
        // Who started this for a whole experiment reads the result, and takes other codes for accidents.
        Ok(if result.error.is_some() && !self.tethered { Exit::NothingLearned } else { Exit::Done })
    }

    fn all(&self, suite: &Suite) -> Result<Exit> {
        suite.find_data(data().as_deref(), |_| true)?;
        let folder = &Folder::create(&self.output, suite, &PARTIALS)?;
        if !self.no_retry {
            folder.forget_failures(suite)?;
        }
        let cancel = signals::cancel();
        let program = std::env::current_exe().map_err(|source| Error::Io {
            action: "find",
            path: "the program itself".into(),
            source,
        })?;
        let mut arguments = vec!["experiment".into(), "run".into(), self.suite.suite.clone().into()];
        if let Some(learner) = &self.suite.learner {
            arguments.extend(["--learner".into(), learner.into()]);
        }
        arguments.push("-o".into());
        arguments.extend([self.output.clone().into_os_string(), "--tethered".into(), "--job".into()]);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let width = self.jobs.map_or(cores / suite.limits.threads, usize::from).max(1);
        let mut display = Display { quiet: self.quiet, shown: None };
        let worker = Worker { program, arguments };
        let end = run_all(suite, folder, &worker, width, &cancel, &mut |progress| display.show(progress))?;
        display.clear();
        if end.done == end.total {
            folder.tidy()?;
        }
        folder.tabulate(suite)?;
        let failure = folder.results(suite)?.into_iter().find(|result| result.error.is_some());
        let written = folder.path().join("rows.csv").display().to_string();
        print(&if self.json {
            let first = failure.map(|failure| json!({ "id": failure.job.id(), "error": failure.error }));
            let line = progress_json(end.done, end.total, end.failed, &written);
            format!("{}\n", with(line, "first_failure", json!(first)))
        } else {
            summary(&end, failure.as_ref(), &written)
        })?;
        Ok(match (cancel.is_raised(), end.failed) {
            (true, _) => Exit::Interrupted,
            (false, 0) => Exit::Done,
            (false, _) => Exit::NothingLearned,
        })
    }
}

/// How an experiment ended, for people, with the first of its failures.
fn summary(end: &JobProgress, failure: Option<&JobResult>, written: &str) -> String {
    let failed = match failure {
        Some(failure) => format!(
            "; {} failed, {} with\n{}\nrun it again when the cause is gone: jobs that failed are run again",
            count(end.failed, "job"),
            failure.job.id(),
            failure.error.as_deref().unwrap_or_default()
        ),
        None => String::new(),
    };
    format!("{} of {} done{failed}\nresults in {written}\n", end.done, count(end.total, "job"))
}

fn progress_json(done: usize, total: usize, failed: usize, written: &str) -> Value {
    json!({ "done": done, "jobs": total, "failed": failed, "rows": written })
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

/// One line on standard error that is written over; a line every ten seconds where nobody can see it move.
struct Display {
    quiet: bool,
    shown: Option<Instant>,
}

impl Display {
    fn show(&mut self, progress: &JobProgress) {
        let live = std::io::stderr().is_terminal();
        let pause = Duration::from_millis(if live { 200 } else { 10_000 });
        if self.quiet || self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let failed = if progress.failed > 0 { format!(", {} failed", progress.failed) } else { String::new() };
        let line = format!(
            "{} of {}{failed}; {} so far, about {} to go",
            progress.done,
            count(progress.total, "job"),
            clock(progress.elapsed),
            clock(progress.remaining),
        );
        if live {
            // A line of progress that cannot be written is not worth more.
            let _ = write!(std::io::stderr(), "\r{line}\u{1b}[K");
        } else {
            complain(&line);
        }
    }

    fn clear(&self) {
        if !self.quiet && std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }
}

/// `0:07`, `12:34`, `1:02:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

impl Collect {
    fn run(self) -> Result<Exit> {
        let (_, suite) = Folder::open(&self.folders[0], &PARTIALS)?;
        let target = Folder::create(&self.output, &suite, &PARTIALS)?;
        let mut taken = 0;
        for folder in &self.folders {
            taken += target.take_from(folder, &suite)?;
        }
        let done = target.tabulate(&suite)?;
        let jobs = plan(&suite);
        let mut failed = 0;
        for job in &jobs {
            failed += usize::from(target.has_failed(job)?);
        }
        let written = self.output.join("rows.csv").display().to_string();
        print(&if self.json {
            format!("{}\n", with(progress_json(done, jobs.len(), failed, &written), "new", json!(taken)))
        } else {
            let failures = if failed > 0 { format!("; {} failed", count(failed, "job")) } else { String::new() };
            let taken = count(taken, "new result");
            format!("{taken}; {done} of {} done{failures}\nresults in {written}\n", count(jobs.len(), "job"))
        })?;
        Ok(Exit::Done)
    }
}
