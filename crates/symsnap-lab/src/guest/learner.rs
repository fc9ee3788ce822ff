//! A program that learns, as a learner: methods that learn again run its command on samples of the examples.
//!
//! A sample is a folder with the files of the task and other examples. Rules that come back may have constants and predicates
//! that the task at hand does not know. Such a hypothesis is withheld, and when the ensemble is made, the words it needs join
//! the task and the ensemble is made again. What the command said about each sample is remembered, so it runs only once.

use super::process::{complaint, listen};
use super::tally::SkipTally;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use symsnap::internals::ensemble::{Format, Reported, Scored, Scorer, Skipped, Transcript};
use symsnap::internals::logic::write_atom;
use symsnap::{
    Budget, Cost, Diagnostic, Error, Examples, Instance, Learner, Observer, Outcome, Result, Settings, SnapshotPool,
    StopReason, Task, TermId, Terms, Testbed,
};

/// Examples that are written for a sample, repetitions included; weights are scaled down to that.
const MOST_EXAMPLES: u64 = 200_000;

/// The files of a task but for its examples.
#[derive(Debug, Clone)]
pub enum TaskFiles {
    /// All that are in this folder.
    Folder(PathBuf),
    /// These, of a task that is nowhere.
    Texts {
        /// `bk.pl`.
        background: String,
        /// `bias.pl`.
        bias: String,
    },
}

/// A command that learns.
#[derive(Debug)]
pub struct Guest {
    /// What is run, with `{task}` for the folder.
    command: String,
    files: TaskFiles,
    /// How hypotheses are written.
    format: Option<&'static Format>,
    /// What decides which are good.
    cost: Cost,
    /// What was said about samples, by the text of their examples: a digest would not tell weights apart.
    said: RefCell<BTreeMap<String, Spoken>>,
    /// What of it was skipped.
    skipped: RefCell<BTreeMap<String, SkipTally>>,
    /// Hypotheses with words that the task does not have.
    withheld: RefCell<Vec<Reported>>,
    /// How the command failed, the first time that it did without a word.
    failure: RefCell<Option<Diagnostic>>,
}

/// What a command said about one sample.
#[derive(Debug, Clone)]
struct Spoken {
    reports: Vec<std::result::Result<Reported, Skipped>>,
    stop: Option<StopReason>,
}

/// What came of a command that learned from a task as it stands.
#[derive(Debug)]
pub struct GuestRun {
    /// The task, with the words that hypotheses have added to it.
    pub task: Task,
    /// What was at most as costly as all before, with the times at which it was said.
    pub pool: SnapshotPool,
    /// Why it ended.
    pub stop: StopReason,
    /// Hypotheses that were tested.
    pub tested: u64,
    /// How long the command ran.
    pub elapsed: Duration,
}

impl Guest {
    /// The command as a learner of the task that these are the files of.
    pub fn new(command: &str, files: TaskFiles, format: Option<&'static Format>, cost: Cost) -> Self {
        let command = command.to_owned();
        let (said, skipped, withheld) = (RefCell::default(), RefCell::default(), RefCell::default());
        Guest { command, files, format, cost, said, skipped, withheld, failure: RefCell::default() }
    }

    /// Learn from the task as it stands, with all that hypotheses have to say: what the command names beside the task joins it.
    ///
    /// # Errors
    /// If the command cannot be run.
    pub fn run(&self, task: &Task, budget: &Budget) -> Result<GuestRun> {
        let examples = examples_text(&task.examples, &task.terms);
        let Spoken { mut reports, stop } = self.spoken(&examples, budget)?;
        let elapsed = budget.elapsed();
        let mut scorer = Scorer::new(task.clone(), self.cost);
        let (mut pool, mut skipped, mut tested) = (SnapshotPool::default(), SkipTally::default(), 0);
        // What was said before the end counts, so it is tested however late it is.
        for scored in scorer.score(&mut reports, &Budget::unlimited()) {
            match scored {
                Scored::Skipped(it) => skipped.add(it),
                Scored::Needless => tested += 1,
                Scored::Candidate(candidate) => {
                    tested += 1;
                    pool.offer(&candidate);
                }
            }
        }
        self.skipped.borrow_mut().insert(examples, skipped);
        Ok(GuestRun { task: scorer.into_task(), pool, stop: stop.unwrap_or(StopReason::Exhausted), tested, elapsed })
    }

    /// How the command failed, the first time that it ended badly and had said no hypothesis.
    pub fn failure(&self) -> Option<Diagnostic> {
        self.failure.borrow().clone()
    }

    /// Let the task have the words of hypotheses that were withheld; `None` if there were none.
    pub fn teach(&self, task: &Task) -> Option<Task> {
        let mut withheld: Vec<_> = self.withheld.take().into_iter().map(Ok).collect();
        if withheld.is_empty() {
            return None;
        }
        let mut scorer = Scorer::new(task.clone(), self.cost);
        // Their words come with reading; there is no need to test them here.
        scorer.score(&mut withheld, &Budget::unlimited().with_time(Duration::ZERO));
        Some(scorer.into_task())
    }

    /// What was skipped in all runs.
    pub fn skipped(&self) -> SkipTally {
        let mut all = SkipTally::default();
        self.skipped.borrow().values().for_each(|tally| all.join(tally));
        all
    }

    fn spoken(&self, examples: &str, budget: &Budget) -> Result<Spoken> {
        if let Some(spoken) = self.said.borrow().get(examples) {
            return Ok(spoken.clone());
        }
        let sample = SampleFolder::new(&self.files, examples)?;
        let mut transcript = Transcript::new(self.format);
        let mut reports = Vec::new();
        let said = listen(&self.command, &sample.0, budget, &mut |part| {
            reports.extend(transcript.read(part, Some(budget.elapsed())));
        })?;
        reports.extend(transcript.end(said.stop.is_some()));
        if let (true, Some(failure)) = (reports.is_empty(), complaint(&said, 0)) {
            self.failure.borrow_mut().get_or_insert(failure);
        }
        let spoken = Spoken { reports, stop: said.stop };
        self.said.borrow_mut().insert(examples.to_owned(), spoken.clone());
        Ok(spoken)
    }
}

impl Learner for Guest {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let examples = examples_text(on.examples(), on.terms());
        let Spoken { reports, stop } = self.spoken(&examples, budget)?;
        // What was said before the end is tested after it.
        let limits = if stop.is_some() { &Budget::unlimited() } else { budget };
        let mut scorer = Scorer::new(on.as_task().into_owned(), self.cost);
        let settings = Settings { cost: self.cost, ..Settings::default() };
        let mut testbed = Testbed::new("outside", on, &settings, limits, observer);
        let mut skipped = SkipTally::default();
        for report in reports {
            let text = report.clone().ok();
            for scored in scorer.score(&mut vec![report], limits) {
                match scored {
                    Scored::Skipped(it) => skipped.add(it),
                    Scored::Needless => {}
                    Scored::Candidate(it) if !scorer.is_known_to(on, &it.hypothesis) => {
                        self.withheld.borrow_mut().extend(text.clone());
                    }
                    // A test that was stopped is one of those that follow, which are not done either.
                    Scored::Candidate(it) => _ = testbed.test(&it.hypothesis),
                }
            }
        }
        self.skipped.borrow_mut().insert(examples, skipped);
        let mut outcome = testbed.outcome();
        outcome.stop = stop.unwrap_or(outcome.stop);
        Ok(outcome)
    }
}

/// Examples as a file has them; each stands there as often as it weighs.
fn examples_text(examples: &Examples, terms: &Terms) -> String {
    let weights = || examples.positive_weights().iter().chain(examples.negative_weights());
    let sum: u64 = weights().map(|&weight| u64::from(weight)).sum();
    let scale = u32::try_from(sum.div_ceil(MOST_EXAMPLES).max(1)).unwrap_or(u32::MAX);
    let mut text = String::new();
    let mut write = |kind: &str, args: &[TermId], weight: u32| {
        let mut atom = String::new();
        write_atom(&mut atom, terms.name(examples.pred().name));
        let shown: Vec<String> = args.iter().map(|&arg| terms.show(arg)).collect();
        if !shown.is_empty() {
            atom += &format!("({})", shown.join(","));
        }
        let line = format!("{kind}({atom}).\n");
        (0..weight.div_ceil(scale)).for_each(|_| text.push_str(&line));
    };
    for (at, &weight) in examples.positive_weights().iter().enumerate() {
        write("pos", examples.positive(at), weight);
    }
    for (at, &weight) in examples.negative_weights().iter().enumerate() {
        write("neg", examples.negative(at), weight);
    }
    text
}

/// A folder that is there while somebody needs it.
struct SampleFolder(PathBuf);

impl SampleFolder {
    /// The files of a task with these examples.
    fn new(files: &TaskFiles, examples: &str) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("symsnap-{}-{number}", std::process::id()));
        let failed = |source| Error::Io { action: "write", path: folder.clone(), source };
        fs::create_dir(&folder).map_err(failed)?;
        let made = SampleFolder(folder.clone());
        match files {
            TaskFiles::Texts { background, bias } => {
                fs::write(folder.join("bk.pl"), background).map_err(failed)?;
                fs::write(folder.join("bias.pl"), bias).map_err(failed)?;
            }
            TaskFiles::Folder(task) => {
                for entry in fs::read_dir(task).map_err(failed)? {
                    let path = entry.map_err(failed)?.path();
                    if let Some(name) = path.file_name().filter(|name| *name != "exs.pl" && path.is_file()) {
                        fs::copy(&path, folder.join(name)).map_err(failed)?;
                    }
                }
            }
        }
        fs::write(folder.join("exs.pl"), examples).map_err(failed)?;
        Ok(made)
    }
}

impl Drop for SampleFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever cleans the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
