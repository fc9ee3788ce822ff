//! All jobs of a suite on this machine: as many at once as there are cores for them, each in a process of its own.
//!
//! Processes, not threads: a job that runs out of memory or stack, or does not end, takes nobody with it and is recorded
//! as failed. They are the same `run --job K` that a cluster's scheduler would start. Each holds a pipe to its parent
//! and ends when that is gone, so that killing an experiment leaves nothing behind.

use super::{Folder, Job, JobResult, Suite, methods, plan};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use symsnap::{Cancel, Error, Result};

/// The pause between two looks at the running jobs.
const PAUSE: Duration = Duration::from_millis(4);
/// Seconds that a job is expected to take besides learning, before any has finished.
const GUESS: f64 = 0.3;
/// How many characters are kept of what a failed job said last.
const LAST_WORDS: usize = 2000;

/// How to start a job: the program, and its arguments before the job's number.
#[derive(Debug, Clone)]
pub struct Worker {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// How an experiment stands.
#[derive(Debug, Clone)]
pub struct JobProgress {
    /// Jobs in all.
    pub total: usize,
    /// Jobs with a result, failed ones included.
    pub done: usize,
    /// Jobs whose result is a failure.
    pub failed: usize,
    /// Time so far.
    pub elapsed: Duration,
    /// Time still needed, by what like jobs took.
    pub remaining: Duration,
}

struct RunningJob {
    child: Child,
    job: usize,
    started: Instant,
    log: PathBuf,
}

/// Run all jobs without a result, `width` at a time. `tell` hears of every change; `cancel` ends it. Returns how things
/// stood at the end.
///
/// # Errors
/// If no process can be started or no result be written.
pub fn run_all(
    suite: &Suite,
    folder: &Folder,
    worker: &Worker,
    width: usize,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&JobProgress),
) -> Result<JobProgress> {
    let jobs = plan(suite);
    let mut pending: Vec<usize> = Vec::new();
    let mut failed = 0;
    for at in (0..jobs.len()).rev() {
        if folder.has(&jobs[at]) {
            failed += usize::from(folder.has_failed(&jobs[at])?);
        } else {
            pending.push(at);
        }
    }
    let mut pace = Pace::new(suite);
    let started = Instant::now();
    let mut running: Vec<RunningJob> = Vec::new();
    loop {
        let mut changed = false;
        while running.len() < width.max(1)
            && let Some(at) = pending.pop()
        {
            changed = true;
            if !folder.has(&jobs[at]) {
                running.push(start(worker, folder, &jobs[at], at)?);
            }
        }
        let waiting = pending.iter().map(|&at| pace.expected(&jobs[at])).sum::<f64>();
        let under_way =
            running.iter().map(|it| (pace.expected(&jobs[it.job]) - it.started.elapsed().as_secs_f64()).max(0.0));
        let remaining = Duration::from_secs_f64((waiting + under_way.sum::<f64>()) / width.max(1) as f64);
        let done = jobs.len() - pending.len() - running.len();
        let progress = JobProgress { total: jobs.len(), done, failed, elapsed: started.elapsed(), remaining };
        if changed || running.is_empty() {
            tell(&progress);
        }
        if running.is_empty() {
            return Ok(progress);
        }
        std::thread::sleep(PAUSE);
        if cancel.is_raised() {
            running.iter_mut().for_each(end);
            return Ok(progress);
        }
        let mut still = Vec::with_capacity(running.len());
        for mut it in running {
            let job = &jobs[it.job];
            let ended = it.child.try_wait().map_err(|source| process_failed(worker, source))?;
            let overdue = it.started.elapsed().as_secs_f64() > suite.limits.job_seconds;
            let error = match ended {
                None if !overdue => {
                    still.push(it);
                    continue;
                }
                None => {
                    end(&mut it);
                    Some(format!("took longer than {} s", suite.limits.job_seconds))
                }
                Some(_) if folder.has(job) => None,
                Some(status) => Some(format!("ended with {status}: {}", last_words(&it.log))),
            };
            pace.learn(job, it.started.elapsed().as_secs_f64());
            if let Some(error) = error {
                folder.put(&JobResult::failed(suite, job, Some(error)))?;
            }
            failed += usize::from(folder.has_failed(job)?);
            // Nothing to do about a file that will not go.
            let _ = std::fs::remove_file(&it.log);
        }
        running = still;
    }
}

fn start(worker: &Worker, folder: &Folder, job: &Job, at: usize) -> Result<RunningJob> {
    let (log, file) = folder.log(job)?;
    let mut command = Command::new(&worker.program);
    command.args(&worker.arguments).arg(at.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(file);
    // Ctrl-C is for the parent, which ends its children itself.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn().map_err(|source| process_failed(worker, source))?;
    Ok(RunningJob { child, job: at, started: Instant::now(), log })
}

/// End a job and leave no trace of it.
fn end(it: &mut RunningJob) {
    // Where it has ended already there is nothing to end.
    let _ = it.child.kill();
    let _ = it.child.wait();
    let _ = std::fs::remove_file(&it.log);
}

fn process_failed(worker: &Worker, source: std::io::Error) -> Error {
    Error::Io { action: "start", path: worker.program.clone(), source }
}

fn last_words(log: &std::path::Path) -> String {
    let text = std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let from = text.char_indices().rev().nth(LAST_WORDS).map_or(0, |(at, _)| at);
    text[from..].trim().to_owned()
}

/// How long jobs take, by their learner.
struct Pace<'s> {
    suite: &'s Suite,
    known: BTreeMap<String, (f64, usize)>,
}

impl<'s> Pace<'s> {
    fn new(suite: &'s Suite) -> Self {
        Pace { suite, known: BTreeMap::new() }
    }

    fn learn(&mut self, job: &Job, seconds: f64) {
        let (sum, count) = self.known.entry(job.learner.clone()).or_default();
        *sum += seconds;
        *count += 1;
    }

    fn expected(&self, job: &Job) -> f64 {
        if let Some((sum, count)) = self.known.get(&job.learner) {
            return sum / *count as f64;
        }
        // Nothing is known of like jobs: each run takes all the time it may, if time is what limits it.
        let runs = methods::runs(&job.learner, self.suite) as f64;
        GUESS + self.suite.limits.seconds.unwrap_or(0.0) * runs
    }
}
