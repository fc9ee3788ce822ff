//! Who listens to a run: shows new best hypotheses and how things stand, and writes snapshots to a file as they come.

use crate::output::{complain, confusion_json, warn};
use crate::progress::Meter;
use serde_json::json;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use symsnap::internals::file::Output;
use symsnap::{Candidate, Cost, Error, Event, Result, Snapshot, Task, Terms};

/// What a listener is told to do.
pub struct Wishes {
    /// Write no times, so that equal runs write equal files.
    pub timeless: bool,
    /// Show each new best hypothesis.
    pub show: bool,
    /// Show warnings about the task.
    pub warn: bool,
}

/// What went wrong in writing the snapshots, if something did.
#[derive(Clone, Default)]
pub struct WriteFailure(Arc<Mutex<Option<Error>>>);

impl WriteFailure {
    /// Take it away, to look at it.
    pub fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
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
    wishes: Wishes,
    /// What is searched, and what is minimised, once that has begun.
    begun: Option<(Arc<Task>, Cost)>,
    /// Where snapshots go, until there is a task to write some of: a task that cannot be read leaves an older file alone.
    target: Option<Output>,
    snapshots: Option<Stream>,
    failure: WriteFailure,
    meter: Option<Meter>,
}

/// The file that snapshots are written to.
pub struct Stream {
    path: PathBuf,
    file: File,
    /// The length of its whole lines.
    whole: u64,
}

impl Listener {
    /// A listener that has heard nothing and writes snapshots to `target`; what goes wrong with that goes to `failure`.
    pub fn new(wishes: Wishes, meter: Option<Meter>, target: Option<Output>, failure: WriteFailure) -> Self {
        Listener { wishes, begun: None, target, snapshots: None, failure, meter }
    }

    /// Listen. Nothing that is heard is a reason to stop.
    pub fn hear(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Begun { task, cost } => self.begin(task, *cost),
            Event::Snapshot { snapshot, improves } => self.take(snapshot, *improves),
            Event::Progress { progress, snapshots } => {
                if let Some(meter) = &mut self.meter {
                    meter.show(progress, *snapshots);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin(&mut self, task: &Arc<Task>, cost: Cost) {
        if self.begun.is_none() && self.wishes.warn {
            warn(&task.warnings);
        }
        match self.target.take().map(Stream::open).transpose() {
            Ok(stream) => self.snapshots = self.snapshots.take().or(stream),
            Err(error) => self.give_up(error),
        }
        let anew = self.begun.as_ref().is_some_and(|(_, before)| *before != cost);
        if anew && let Some(stream) = &mut self.snapshots {
            stream.begin_anew();
        }
        self.begun = Some((Arc::clone(task), cost));
    }

    fn take(&mut self, snapshot: &Snapshot, improves: bool) {
        let Some((task, cost)) = self.begun.clone() else { return };
        if let Some(stream) = &mut self.snapshots
            && let Err(error) = stream.write(&line(snapshot, cost, &task.terms, self.wishes.timeless))
        {
            self.give_up(error);
        }
        if self.wishes.show && improves {
            if let Some(meter) = &mut self.meter {
                meter.clear();
            }
            complain(&block(&snapshot.candidate, cost, &task.terms));
        }
    }

    /// A full disk must not cost the result: the run goes on without the file.
    fn give_up(&mut self, error: Error) {
        self.snapshots = None;
        if let Some(meter) = &mut self.meter {
            meter.clear();
        }
        complain(&format!("{error}\n  help: the run goes on, but writes no more snapshots"));
        *self.failure.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

/// A listener that is not needed any more leaves nothing on the screen.
impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.clear();
        }
    }
}

/// A snapshot as a line of JSON.
pub fn line(snapshot: &Snapshot, cost: Cost, terms: &Terms, timeless: bool) -> String {
    let candidate = &snapshot.candidate;
    let line = json!({
        "index": snapshot.index,
        "elapsed_s": (!timeless).then_some(candidate.elapsed.as_secs_f64()),
        "ticks": candidate.ticks,
        "cost": cost.name(),
        "value": candidate.value.0,
        "confusion": confusion_json(&candidate.confusion),
        "size": candidate.size,
        "source": candidate.source.word(),
        "rules": rule_texts(candidate, terms),
    });
    format!("{line}\n")
}

impl Stream {
    /// Begin the file.
    pub fn open(output: Output) -> Result<Self> {
        let path = output.path().to_owned();
        Ok(Stream { path, file: output.stream()?, whole: 0 })
    }

    /// Write a line, or leave the file with the whole lines before it.
    pub fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // What is no regular file cannot be shortened, and need not be.
            Err(_) => _ = self.file.set_len(self.whole),
        }
        written.map_err(|source| Error::Io { action: "write", path: self.path.clone(), source })
    }

    /// Drop the lines so far. What is no regular file keeps them; a line says under which cost it was written.
    fn begin_anew(&mut self) {
        if self.file.set_len(0).is_ok() && self.file.seek(SeekFrom::Start(0)).is_ok() {
            self.whole = 0;
        }
    }
}
