//! A program that learns, as a learner: methods that learn again run its command on samples of the examples.
//!
//! A sample is a folder with the files of the task and other examples. Rules that come back may have constants and predicates
//! that the task at hand does not know. Such a hypothesis is withheld, and when the ensemble is made, the words it needs join
//! the task and the ensemble is made again. What the command said about each sample is remembered, so it runs only once.

use crate::intake::SkipTally;
use crate::outside::listen;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use symsnap::internals::ensemble::{Format, Reported, Scored, Scorer, Skipped, Transcript};
use symsnap::internals::logic::write_atom;
use symsnap::{
    Budget, Cost, Error, Examples, Instance, Learner, Observer, Outcome, Result, Settings, StopReason, Task, TermId,
    Terms, Testbed,
};

/// Examples that are written for a sample, repetitions included; weights are scaled down to that.
const MOST_EXAMPLES: u64 = 200_000;

/// A command that learns.
pub struct Guest {
    /// What is run, with `{task}` for the folder.
    pub command: String,
    /// The folder of the task.
    pub folder: PathBuf,
    /// How hypotheses are written.
    pub format: Option<&'static Format>,
    /// What decides which are good.
    pub cost: Cost,
    /// What was said about samples, by the text of their examples: a digest would not tell weights apart.
    said: RefCell<BTreeMap<String, Spoken>>,
    /// What of it was skipped.
    skipped: RefCell<BTreeMap<String, SkipTally>>,
    /// Hypotheses with words that the task does not have.
    withheld: RefCell<Vec<Reported>>,
}

/// What a command said about one sample.
#[derive(Clone)]
struct Spoken {
    reports: Vec<std::result::Result<Reported, Skipped>>,
    stop: Option<StopReason>,
}

impl Guest {
    /// The command as a learner of the task in `folder`.
    pub fn new(command: &str, folder: &Path, format: Option<&'static Format>, cost: Cost) -> Self {
        let (command, folder) = (command.to_owned(), folder.to_owned());
        let (said, skipped, withheld) = (RefCell::default(), RefCell::default(), RefCell::default());
        Guest { command, folder, format, cost, said, skipped, withheld }
    }

    /// Let the task have the words of hypotheses that were withheld; `None` if there were none.
    pub fn teach(&self, task: &Task) -> Option<Task> {
        let mut withheld: Vec<_> = self.withheld.take().into_iter().map(Ok).collect();
        if withheld.is_empty() {
            return None;
        }
        let mut scorer = Scorer::new(task.clone(), self.cost);
        // Their words come with reading; there is no need to test them here.
        scorer.score(&mut withheld, &Budget::unlimited().with_time(std::time::Duration::ZERO));
        Some(scorer.into_task())
    }

    /// What was skipped in all runs on samples.
    pub fn skipped(&self) -> SkipTally {
        let mut all = SkipTally::default();
        self.skipped.borrow().values().for_each(|tally| all.join(tally));
        all
    }

    fn spoken(&self, examples: &str, budget: &Budget) -> Result<Spoken> {
        if let Some(spoken) = self.said.borrow().get(examples) {
            return Ok(spoken.clone());
        }
        let sample = SampleFolder::new(&self.folder, examples)?;
        let mut transcript = Transcript::new(self.format);
        let mut reports = Vec::new();
        let said = listen(&self.command, &sample.0, budget, &mut |part| {
            reports.extend(transcript.read(part, Some(budget.elapsed())));
        })?;
        reports.extend(transcript.end(said.stop.is_some()));
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
    /// The files of `task` with other examples.
    fn new(task: &Path, examples: &str) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("symsnap-{}-{number}", std::process::id()));
        let failed = |source| Error::Io { action: "write", path: folder.clone(), source };
        fs::create_dir(&folder).map_err(failed)?;
        let made = SampleFolder(folder.clone());
        for entry in fs::read_dir(task).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if let Some(name) = path.file_name().filter(|name| *name != "exs.pl" && path.is_file()) {
                fs::copy(&path, folder.join(name)).map_err(failed)?;
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
