//! Recorded runs of a learner, replayed: what each method makes of the hypotheses that were found, beside the last of them.
//!
//! A folder has a folder for each task: `bk.pl`, `exs.pl`, `bias.pl`, `test_exs.pl` with examples that the learner has not
//! seen (`test_bk.pl`, if their background is another), and for each cost that was minimised a file `COST.jsonl`,
//! `COST.log` or `COST.txt` with the hypotheses in the order in which they were found, in any format that
//! `symsnap ensemble --from` reads.
//!
//! Only methods that need no more than a pool can be replayed: a recorded run cannot be run again on other examples.

use super::methods::method_and_selection;
use std::path::{Path, PathBuf};
use std::time::Duration;
use symsnap::internals::ensemble::{Needs, Scored, Scorer, Single, Training, Transcript};
use symsnap::internals::file::read;
use symsnap::internals::snapshot::Selection;
use symsnap::internals::task::Queries;
use symsnap::{
    Budget, Cancel, Candidate, Confusion, Cost, Diagnostic, Error, METHODS, Method, Model, Predictor, Result,
    SnapshotPool, Task, Text,
};

/// Ends of names that recorded runs have.
const ENDS: [&str; 3] = ["jsonl", "log", "txt"];

/// A recorded run: the folder of its task, the cost, and the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRun {
    /// The name of the task's folder.
    pub task: String,
    /// What was minimised.
    pub cost: Cost,
    folder: PathBuf,
    file: PathBuf,
}

/// What came of a recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// Hypotheses that were read and tested.
    pub hypotheses: usize,
    /// Those that were not.
    pub skipped: usize,
    /// The members of the pool.
    pub snapshots: usize,
    /// What the last hypothesis does with the test examples.
    pub last: Confusion,
    /// What each method does with them, by name.
    pub methods: Vec<(String, Confusion)>,
}

/// A method, and the snapshots that it is made of.
#[derive(Debug, Clone)]
pub struct ReplayMethod {
    /// What it is called, with the snapshots.
    pub name: String,
    method: &'static dyn Method,
    selection: Selection,
}

/// The methods that can be replayed, all of them or those with these names; `paper@last:5` makes `paper` of the last five
/// hypotheses.
///
/// # Errors
/// If a name is no method's, or that method needs more than a pool.
pub fn replayable(names: &[String]) -> Result<Vec<ReplayMethod>> {
    let fit = || METHODS.into_iter().filter(|method| method.needs() == Needs::Pool);
    let all: Vec<String> = fit().map(|method| method.name().to_owned()).collect();
    let find = |name: &String| {
        let (wanted, selection) = method_and_selection(name).map_err(Diagnostic::error)?;
        let method = fit().find(|method| method.name() == wanted).ok_or_else(|| {
            let message = format!("`{wanted}` is no method that recorded runs can be replayed with");
            Error::from(Diagnostic::error(message).with_help(format!("there are {}", all.join(", "))))
        })?;
        Ok(ReplayMethod { name: name.clone(), method, selection })
    };
    if names.is_empty() { &all[..] } else { names }.iter().map(find).collect()
}

/// The recorded runs in `folder`, by task and cost.
///
/// # Errors
/// If the folder cannot be read or has none.
pub fn recorded_runs(folder: &Path) -> Result<Vec<RecordedRun>> {
    let failed = |source| Error::Io { action: "read", path: folder.to_owned(), source };
    let mut tasks: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        tasks.push(entry.map_err(failed)?.path());
    }
    // A folder of one task is one, too.
    tasks.push(folder.to_owned());
    tasks.retain(|path| path.join("exs.pl").is_file());
    tasks.sort();
    let mut found = Vec::new();
    for folder in tasks {
        for cost in Cost::ALL {
            let file = ENDS.iter().map(|end| folder.join(format!("{}.{end}", cost.name()))).find(|path| path.is_file());
            let task = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            found.extend(file.map(|file| RecordedRun { task, cost, folder: folder.clone(), file }));
        }
    }
    if found.is_empty() {
        let help = "there is a folder for each task, with bk.pl, exs.pl, bias.pl, test_exs.pl and files like mdl.jsonl";
        let message = format!("{} has no recorded runs", folder.display());
        return Err(Diagnostic::error(message).with_help(help).into());
    }
    Ok(found)
}

impl RecordedRun {
    /// What the methods make of it, each within this time.
    ///
    /// # Errors
    /// If the task, the run or the test examples cannot be read.
    pub fn replay(&self, methods: &[ReplayMethod], limit: Duration, cancel: &Cancel) -> Result<Replayed> {
        let task = Task::from_dir(&self.folder)?;
        let mut transcript = Transcript::new(None);
        let mut waiting = transcript.read(&read(&self.file)?, None);
        waiting.extend(transcript.end(false));
        let mut scorer = Scorer::new(task, self.cost);
        let (mut pool, mut last, mut skipped, mut hypotheses) = (SnapshotPool::default(), None, 0, 0);
        for scored in scorer.score(&mut waiting, &Budget::unlimited()) {
            match scored {
                Scored::Skipped(_) => skipped += 1,
                Scored::Needless => hypotheses += 1,
                Scored::Candidate(candidate) => {
                    hypotheses += 1;
                    pool.offer(&candidate);
                    last = Some(candidate);
                }
            }
        }
        let task = scorer.into_task();
        let asked = Asked::read(&self.folder)?;
        let snapshots = pool.members().len();
        let last = asked.answer(&alone(&task, self.cost, last.as_ref())?)?;
        let mut answers = Vec::with_capacity(methods.len());
        for method in methods {
            let budget = Budget::unlimited().with_cancel(cancel.clone()).with_time(limit);
            let chosen = pool.only(method.selection);
            let training = Training::new(&task, &chosen, self.cost).selected_from(&pool, method.selection);
            let model = Model::fit(&training.with_budget(budget), method.method)?;
            answers.push((method.name.clone(), asked.answer(&model)?));
        }
        Ok(Replayed { hypotheses, skipped, snapshots, last, methods: answers })
    }
}

/// The model of one hypothesis; of none if there is none.
fn alone(task: &Task, cost: Cost, candidate: Option<&Candidate>) -> Result<Model> {
    let mut pool = SnapshotPool::default();
    candidate.iter().for_each(|candidate| _ = pool.offer(candidate));
    Model::fit(&Training::new(task, &pool, cost), &Single)
}

/// Test examples and their background.
struct Asked {
    background: Vec<u8>,
    examples: Vec<u8>,
    name: String,
}

impl Asked {
    fn read(folder: &Path) -> Result<Self> {
        let own = folder.join("test_bk.pl");
        let background = read(&if own.is_file() { own } else { folder.join("bk.pl") })?;
        let path = folder.join("test_exs.pl");
        Ok(Asked { background, examples: read(&path)?, name: path.display().to_string() })
    }

    fn answer(&self, model: &Model) -> Result<Confusion> {
        let background = Text::from_bytes("bk.pl", &self.background).map_err(|finding| Error::from(*finding))?;
        let mut predictor = Predictor::new(model, &[background])?;
        let mut queries = Queries::new(self.name.as_str(), self.examples.as_slice(), predictor.head());
        let mut confusion = Confusion::default();
        loop {
            let batch = queries.next(predictor.terms_for_batch())?;
            if batch.is_empty() {
                return Ok(confusion);
            }
            let labels = predictor.predict(&batch).labels;
            for (at, says) in labels.into_iter().enumerate() {
                let Some((is, weight)) = batch.label(at) else { continue };
                let cell = match (is, says) {
                    (true, true) => &mut confusion.tp,
                    (true, false) => &mut confusion.fn_,
                    (false, true) => &mut confusion.fp,
                    (false, false) => &mut confusion.tn,
                };
                *cell += u64::from(weight);
            }
        }
    }
}
