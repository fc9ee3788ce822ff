//! `symsnap experiment`: suites of tasks, learned and evaluated job by job.

use crate::Exit;
use crate::output::{complain, count, print};
use clap::{Args, Subcommand};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::budget::Cancel;
use symsnap::error::{Diagnostic, Error, Result};
use symsnap_lab::experiment::{Folder, Job, Progress, Suite, Worker, plan, run_all, run_job};

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
}

/// List the jobs of a suite with their numbers.
#[derive(Args)]
struct Plan {
    /// The suite.
    suite: String,
}

/// Run the jobs that have no result yet; start it again after an interruption and it goes on.
#[derive(Args)]
struct Run {
    /// The suite.
    suite: String,
    /// The folder for results.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: PathBuf,
    /// How many jobs at once; as many as there are cores for if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Run one job, by its number in the plan, in this process.
    #[arg(long, value_name = "K", conflicts_with = "jobs")]
    job: Option<usize>,
    /// Run jobs that failed again.
    #[arg(long)]
    retry: bool,
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
}

/// The folder of the tasks that are not part of symsnap.
fn data() -> Option<PathBuf> {
    std::env::var_os("SYMSNAP_DATA").filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl Experiment {
    /// Plan, run or collect.
    pub fn run(self) -> Result<Exit> {
        match self.command {
            Which::Plan(it) => it.run(),
            Which::Run(it) => it.run(),
            Which::Collect(it) => it.run(),
        }
    }
}

impl Plan {
    fn run(self) -> Result<Exit> {
        let jobs = plan(&Suite::find(&self.suite)?);
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
        let suite = Suite::find(&self.suite)?;
        let folder = Folder::create(&self.output, &suite)?;
        match self.job {
            Some(at) => self.one(&suite, &folder, at),
            None => self.all(&suite, &folder),
        }
    }

    fn one(&self, suite: &Suite, folder: &Folder, at: usize) -> Result<Exit> {
        if self.tethered {
            std::thread::spawn(|| {
                // Whatever ends the reading, nobody waits for this job any more.
                let _ = std::io::stdin().read(&mut [0]);
                std::process::exit(i32::from(Exit::Interrupted as u8));
            });
        }
        let jobs = plan(suite);
        let Some(job) = jobs.get(at) else {
            let message = format!("there is no job {at}; the suite {} has {}", suite.name, count(jobs.len(), "job"));
            return Err(Diagnostic::error(message).with_help("jobs are counted from 0; see `experiment plan`").into());
        };
        if folder.has(job) && !self.retry {
            return Ok(Exit::Done);
        }
        let result = run_job(suite, job, data().as_deref());
        folder.put(&result)?;
        if let (false, Some(error)) = (self.tethered, &result.error) {
            complain(error);
            return Ok(Exit::NothingLearned);
        }
        Ok(Exit::Done)
    }

    fn all(&self, suite: &Suite, folder: &Folder) -> Result<Exit> {
        if self.retry {
            folder.forget_failures(suite)?;
        }
        let cancel = Cancel::default();
        let on_signal = cancel.clone();
        ctrlc::set_handler(move || on_signal.raise())
            .map_err(|error| Diagnostic::error(format!("cannot listen for Ctrl-C: {error}")))?;
        let program = std::env::current_exe().map_err(|source| Error::Io {
            action: "find",
            path: "the program itself".into(),
            source,
        })?;
        let mut arguments = vec!["experiment".into(), "run".into(), self.suite.clone().into(), "-o".into()];
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
        print(&self.summary(&end, folder.path()))?;
        Ok(if cancel.is_raised() { Exit::Interrupted } else { Exit::Done })
    }

    fn summary(&self, end: &Progress, path: &Path) -> String {
        let failed = if end.failed > 0 {
            format!("; {} failed (their files say why; --retry runs them again)", count(end.failed, "job"))
        } else {
            String::new()
        };
        let written = path.join("rows.csv");
        format!("{} of {} done{failed}\nresults in {}\n", end.done, count(end.total, "job"), written.display())
    }
}

/// One line on standard error that is written over; a line every ten seconds where nobody can see it move.
struct Display {
    quiet: bool,
    shown: Option<Instant>,
}

impl Display {
    fn show(&mut self, progress: &Progress) {
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
        let (_, suite) = Folder::open(&self.folders[0])?;
        let target = Folder::create(&self.output, &suite)?;
        let mut taken = 0;
        for folder in &self.folders {
            taken += target.take_from(folder, &suite)?;
        }
        let done = target.tabulate(&suite)?;
        let written = self.output.join("rows.csv");
        let taken = count(taken, "new result");
        print(&format!(
            "{taken}; {done} of {} done\nresults in {}\n",
            count(plan(&suite).len(), "job"),
            written.display()
        ))?;
        Ok(Exit::Done)
    }
}
