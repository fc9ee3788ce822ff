//! Who listens to a run: keeps the pool, writes snapshots as they come, and shows how things stand.
//!
//! What it keeps is shared with the thread that waits for the run, which must be able to go on without it
//! ([`patience`](crate::patience)).

use crate::output::{complain, confusion_json};
use crate::progress::Meter;
use serde_json::json;
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symsnap::budget::{Budget, StopReason};
use symsnap::cost::{Confusion, Cost};
use symsnap::error::{Error, Result};
use symsnap::file::Output;
use symsnap::learn::{Candidate, Observer, Outcome, Progress, Ties};
use symsnap::logic::{Rule, Terms};
use symsnap::snapshot::{Snapshot, SnapshotPool, Variant};
use symsnap::task::Task;

/// What a listener is told to do.
pub struct Wishes {
    /// Write no times, so that equal runs write equal files.
    pub timeless: bool,
    /// Show each new best hypothesis.
    pub show: bool,
    /// What is minimised.
    pub cost: Cost,
}

/// What has been heard of a run.
pub struct Heard {
    /// The task, once it is read.
    pub task: Option<Arc<Task>>,
    /// The snapshots.
    pub pool: SnapshotPool,
    /// What went wrong in writing the snapshots.
    pub failure: Option<Error>,
    progress: Option<Progress>,
    ended: Option<Outcome>,
}

/// What has been heard, shared between threads.
#[derive(Clone)]
pub struct Memory(Arc<Mutex<Heard>>);

impl Memory {
    /// Nothing heard yet; of snapshots of equal cost so many are kept.
    pub fn new(strict: bool, most_tied: usize) -> Self {
        let pool = SnapshotPool::new(strict, most_tied);
        Memory(Arc::new(Mutex::new(Heard { task: None, pool, progress: None, ended: None, failure: None })))
    }

    /// What has been heard, to read or to change. A listener that died half-way left nothing half-changed.
    pub fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heard {
    /// Remember how learning ended, while the ensemble is still to be made of the snapshots.
    pub fn ended(&mut self, outcome: &Outcome) -> SnapshotPool {
        self.ended = Some(outcome.clone());
        self.pool.clone()
    }

    /// The outcome of a run that was left behind.
    pub fn outcome(&self, task: &Task, cost: Cost, stop: StopReason, budget: &Budget) -> Outcome {
        if let Some(ended) = &self.ended {
            return Outcome { elapsed: budget.elapsed(), ..ended.clone() };
        }
        let best = self.pool.select(Variant::Baseline).first().map(|snapshot| snapshot.candidate.clone());
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
            notes: Vec::from_iter(best.is_some().then_some(unseen)),
            stop: if optimal { StopReason::Proved } else { stop },
            ticks: self.progress.as_ref().map_or(0, |progress| progress.ticks).max(last),
            first: self.pool.members().first().map(|snapshot| snapshot.candidate.elapsed),
            elapsed: budget.elapsed(),
            why: Vec::new(),
            best,
        }
    }
}

/// What the empty hypothesis does with the examples.
pub fn empty_confusion(task: &Task) -> Confusion {
    let cover = symsnap::sets::Cover::empty(task.examples.sides());
    task.examples.confusion(&cover)
}

/// The rules of a candidate as text.
pub fn rule_texts(candidate: &Candidate, terms: &Terms) -> Vec<String> {
    candidate.hypothesis.rules.iter().map(|rule| rule.show(terms)).collect()
}

/// A hypothesis with its figures, for people.
pub fn block(candidate: &Candidate, cost: Cost, terms: &Terms) -> String {
    let confusion = &candidate.confusion;
    let figures = format!(
        "% {} {}: tp {}, fn {}, tn {}, fp {}, size {}; found after {:.3} s\n",
        cost.name(),
        candidate.value,
        confusion.tp,
        confusion.fn_,
        confusion.tn,
        confusion.fp,
        candidate.size,
        candidate.elapsed.as_secs_f64(),
    );
    rule_texts(candidate, terms).iter().fold(figures, |text, rule| text + rule + "\n")
}

/// The listener of one run.
pub struct Listener {
    memory: Memory,
    task: Arc<Task>,
    wishes: Wishes,
    snapshots: Option<Stream>,
    meter: Option<Meter>,
}

/// The file that snapshots are written to.
struct Stream {
    path: PathBuf,
    file: File,
    /// The length of its whole lines.
    whole: u64,
}

impl Listener {
    /// A listener that has heard nothing and writes snapshots to `snapshots`.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn new(
        task: Arc<Task>,
        memory: Memory,
        wishes: Wishes,
        meter: Option<Meter>,
        snapshots: Option<Output>,
    ) -> Result<Self> {
        let stream = |output: Output| {
            let path = output.path().to_owned();
            Ok::<_, Error>(Stream { path, file: output.stream()?, whole: 0 })
        };
        Ok(Listener { memory, task, snapshots: snapshots.map(stream).transpose()?, wishes, meter })
    }

    /// Leave nothing on the screen.
    pub fn finish(mut self) {
        if let Some(meter) = &mut self.meter {
            meter.clear();
        }
    }
}

fn line(snapshot: &Snapshot, terms: &Terms, timeless: bool) -> String {
    let candidate = &snapshot.candidate;
    let line = json!({
        "index": snapshot.index,
        "elapsed_s": (!timeless).then_some(candidate.elapsed.as_secs_f64()),
        "ticks": candidate.ticks,
        "value": candidate.value.0,
        "confusion": confusion_json(&candidate.confusion),
        "size": candidate.size,
        "source": candidate.source.word(),
        "rules": rule_texts(candidate, terms),
    });
    format!("{line}\n")
}

impl Stream {
    /// Write a line, or leave the file with the whole lines before it.
    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // What is no regular file cannot be shortened, and need not be.
            Err(_) => _ = self.file.set_len(self.whole),
        }
        written.map_err(|source| Error::Io { action: "write", path: self.path.clone(), source })
    }
}

impl Observer for Listener {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        let mut heard = self.memory.lock();
        let heard = &mut *heard;
        let improves = heard.pool.best().is_none_or(|best| candidate.value < *best);
        let Some(snapshot) = heard.pool.offer(candidate) else { return ControlFlow::Continue(()) };
        if let Some(stream) = &mut self.snapshots
            && let Err(error) = stream.write(&line(snapshot, &self.task.terms, self.wishes.timeless))
        {
            // A full disk must not cost the result: the run goes on without the file.
            self.snapshots = None;
            if let Some(meter) = &mut self.meter {
                meter.clear();
            }
            complain(&format!("{error}\n  help: the run goes on, but writes no more snapshots"));
            heard.failure = Some(error);
        }
        if self.wishes.show && improves {
            if let Some(meter) = &mut self.meter {
                meter.clear();
            }
            complain(&block(candidate, self.wishes.cost, &self.task.terms));
        }
        ControlFlow::Continue(())
    }

    fn rules(&mut self, rules: &[Rule]) {
        Observer::rules(&mut self.memory.lock().pool, rules);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let mut heard = self.memory.lock();
        if let Some(meter) = &mut self.meter {
            meter.show(progress, heard.pool.members().len());
        }
        heard.progress = Some(progress.clone());
        ControlFlow::Continue(())
    }
}
