//! Whether a suite can be run: what its file says is checked, and its tasks are looked for, before anything is done.
//!
//! What is wrong is found in the suite as it was read, where nothing knows its line any more. So a [`Slip`] says which
//! entry is wrong, and [`Slip::place`] looks that up in the text again.

use super::methods::{RETIRED, known_methods, learns_by_itself, method_and_selection};
use super::{Suite, SuiteLearner, TaskSource};
use crate::generate::{KINDS, Kind, MAX_SIZE};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use symsnap::internals::ensemble::format_named;
use symsnap::internals::error::nearest;
use symsnap::internals::learn::learner_named;
use symsnap::internals::snapshot::{Selection, Stretch};
use symsnap::{Cost, Diagnostic, Location, Result};
use toml::de::{DeTable, DeValue};

/// More jobs than this are a slip of the pen: their list alone would take longer than most experiments.
pub const MOST_JOBS: u64 = 100_000;

/// Something wrong in a suite.
#[derive(Debug)]
pub(super) struct Slip {
    /// Tables and keys that lead to it.
    path: Vec<String>,
    /// What is wrong.
    pub(super) message: String,
    help: Option<String>,
}

impl Slip {
    fn new(path: &[&str], message: impl Into<String>) -> Self {
        Slip { path: path.iter().map(|&part| part.to_owned()).collect(), message: message.into(), help: None }
    }

    fn with_help(self, help: impl Into<String>) -> Self {
        Slip { help: Some(help.into()), ..self }
    }

    /// The finding about the suite in `file`, whose text is `text`; `borrowed` tasks come from another file.
    pub(super) fn finding(self, file: &str, text: &str, borrowed: usize) -> Diagnostic {
        let finding = match self.place(text, borrowed) {
            Some(start) => Diagnostic::error(self.message).at(location(file, text, start)),
            None => Diagnostic::error(format!("{file}: {}", self.message)),
        };
        match self.help {
            Some(help) => finding.with_help(help),
            None => finding,
        }
    }

    /// Where in the text the entry begins; for an entry that is missing, where the table begins that should have it.
    fn place(&self, text: &str, borrowed: usize) -> Option<usize> {
        let table = DeTable::parse(text).ok()?;
        let mut value: Option<&toml::Spanned<DeValue<'_>>> = None;
        for part in &self.path {
            let inside = match (value.map(toml::Spanned::get_ref), part.parse::<usize>()) {
                (None, _) => table.get_ref().get(part.as_str()),
                (Some(DeValue::Array(items)), Ok(at)) => items.get(at.checked_sub(borrowed)?),
                (Some(DeValue::Table(entries)), _) => entries.get(part.as_str()),
                _ => None,
            };
            let Some(inside) = inside else { break };
            value = Some(inside);
        }
        Some(value?.span().start)
    }
}

/// The line and column of a byte of `text`.
pub(super) fn location(file: &str, text: &str, start: usize) -> Location {
    let before = text.get(..start).unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let line = number(before.matches('\n').count() + 1);
    let column = number(before.rsplit('\n').next().unwrap_or_default().chars().count() + 1);
    Location { file: file.into(), line, column }
}

type Checked = std::result::Result<(), Slip>;

impl Suite {
    /// Whether it can be run; says what is wrong if not.
    pub(super) fn check(&self) -> Checked {
        self.check_learner()?;
        self.check_with(&known_methods())
    }

    fn check_learner(&self) -> Checked {
        let outside = match &self.learner {
            SuiteLearner::Named(name) => {
                let learner = learner_named(name).map_err(|message| Slip::new(&["learner"], message))?;
                return self.check_cycles(learner.has_cycles());
            }
            SuiteLearner::Outside(outside) => outside,
        };
        self.check_cycles(false)?;
        if !outside.command.contains("{task}") {
            let slip = Slip::new(&["learner", "command"], "the command has no {task} for the folder of the task");
            return Err(slip.with_help("write {task} where the command takes the folder"));
        }
        if let Some(name) = &outside.format {
            format_named(name).map_err(|message| Slip::new(&["learner", "format"], message))?;
        }
        if self.limits.ticks.is_some() {
            let message = "another program does not count the rules that it tests, so `ticks` cannot limit it";
            return Err(Slip::new(&["limits", "ticks"], message).with_help("limit it by `seconds`"));
        }
        Ok(())
    }

    /// Of a learner without cycles, all snapshots would be taken under the name of some.
    fn check_cycles(&self, has_cycles: bool) -> Checked {
        let is_wrong =
            |name: &String| !has_cycles && method_and_selection(name).is_ok_and(|it| it.1 == Selection::Cycles);
        let Some(at) = self.methods.iter().position(is_wrong) else { return Ok(()) };
        let message = format!("the learner `{}` has no cycles", self.learner.words());
        Err(Slip::new(&["methods", &at.to_string()], message))
    }

    /// Whether it could be run when its results were recorded.
    pub(super) fn check_recorded(&self) -> Checked {
        self.check_with(&[&known_methods()[..], &RETIRED].concat())
    }

    fn check_with(&self, methods: &[&str]) -> Checked {
        let costs: Vec<&str> = Cost::ALL.iter().map(|cost| cost.name()).collect();
        for (at, name) in self.costs.iter().enumerate() {
            if !costs.contains(&name.as_str()) {
                return Err(Slip::new(&["costs", &at.to_string()], unknown("cost", name, &costs)));
            }
        }
        for (at, name) in self.methods.iter().enumerate() {
            let slip = |message: String| Err(Slip::new(&["methods", &at.to_string()], message));
            let (method, selection) = match method_and_selection(name) {
                Ok(found) => found,
                Err(message) => return slip(message),
            };
            if !methods.contains(&method) {
                return slip(unknown("method", method, methods));
            }
            if selection != Selection::All && learns_by_itself(method) {
                return slip(format!("the method `{method}` learns by itself and takes no snapshots"));
            }
            if matches!(selection, Selection::Every(Stretch::Time(_))) && self.is_repeatable() {
                return slip(format!("`{name}` counts seconds, which a limit in `ticks` does not"));
            }
            if self.methods[..at].contains(name) {
                return slip(format!("the method `{name}` is named twice"));
            }
        }
        let empty = [
            ("costs", self.costs.is_empty()),
            ("methods", self.methods.is_empty()),
            ("splits", self.splits.is_empty()),
            ("tasks", self.tasks.is_empty()),
            ("trials", self.trials == 0),
        ];
        if let Some((name, _)) = empty.iter().find(|(_, empty)| *empty) {
            return Err(Slip::new(&[name], format!("`{name}` must not be empty")));
        }
        self.check_numbers()?;
        let mut names = BTreeSet::new();
        for (at, task) in self.tasks.iter().enumerate() {
            check_task(task, at, names.insert(task.name.as_str()))?;
        }
        self.check_jobs()
    }

    fn check_numbers(&self) -> Checked {
        match (self.limits.seconds, self.limits.ticks) {
            (Some(seconds), None) if (0.001..1e9).contains(&seconds) => {}
            (None, Some(ticks)) if ticks > 0 => {}
            (seconds, _) => {
                let entry = if seconds.is_some() { "seconds" } else { "ticks" };
                let message =
                    "`limits` needs either `seconds` or `ticks`, above 0 and below a thousand million seconds";
                return Err(Slip::new(&["limits", entry], message));
            }
        }
        if !(1..=1024).contains(&self.limits.threads) {
            return Err(Slip::new(&["limits", "threads"], "`limits.threads` is not between 1 and 1024"));
        }
        if !(self.limits.job_seconds > 0.0 && self.limits.job_seconds < 1e9) {
            return Err(Slip::new(&["limits", "job_seconds"], "`limits.job_seconds` is not a number of seconds"));
        }
        let (alpha, beta) = ([self.alpha], [self.beta]);
        let numbers: [(&str, &[f64]); 4] =
            [("alpha", &alpha), ("beta", &beta), ("sweep", &self.sweep), ("checkpoints", &self.checkpoints)];
        for (name, numbers) in numbers {
            if !numbers.iter().all(|number| number.is_finite() && *number >= 0.0) {
                return Err(Slip::new(&[name], "`alpha`, `beta`, `sweep` and `checkpoints` are numbers from 0"));
            }
        }
        if self.ratios[0] == 0 || self.ratios[2] == 0 || self.ratios.iter().any(|&ratio| ratio > 1_000_000) {
            let message = "`ratios` of training and test are at least 1 and at most a million";
            return Err(Slip::new(&["ratios"], message));
        }
        Ok(())
    }

    /// Count the jobs before they are listed.
    fn check_jobs(&self) -> Checked {
        let learners = self.methods.iter().filter(|method| learns_by_itself(method)).count();
        let shared = usize::from(learners < self.methods.len());
        let each = [self.splits.len(), self.costs.len(), self.tasks.len(), learners + shared];
        let jobs = each.iter().fold(u128::from(self.trials), |jobs, &count| jobs.saturating_mul(count as u128));
        if jobs <= u128::from(MOST_JOBS) {
            return Ok(());
        }
        let message = format!("{} trials make {jobs} jobs; a suite has at most {MOST_JOBS}", self.trials);
        let most = u128::from(MOST_JOBS) * u128::from(self.trials) / jobs;
        let slip = Slip::new(&["trials"], message);
        Err(if most > 0 { slip.with_help(format!("with all else as it is, {most} trials are possible")) } else { slip })
    }

    /// Whether the folders of the tasks that `wanted` chooses are there; `data` is what `SYMSNAP_DATA` names.
    ///
    /// # Errors
    /// If some are not, with the way to have them.
    pub fn find_data(&self, data: Option<&Path>, wanted: impl Fn(&TaskSource) -> bool) -> Result<()> {
        let tasks = || self.tasks.iter().filter(|task| wanted(task));
        let outside: Vec<&Path> = tasks().filter_map(|task| task.data.as_deref()).collect();
        if let (None, Some(first)) = (data, outside.first()) {
            let message = format!(
                "the suite {} reads {} from the folder that the variable SYMSNAP_DATA names, which is not set",
                self.name,
                counted(outside.len(), "task")
            );
            return Err(Diagnostic::error(message).with_help(wanted_folder(first)).into());
        }
        let missing: Vec<(PathBuf, bool)> = tasks()
            .filter_map(|task| Some((self.task_folder(task, data)?, task.data.is_some())))
            .filter(|(folder, _)| ["bk.pl", "exs.pl", "bias.pl"].iter().any(|file| !folder.join(file).is_file()))
            .collect();
        let Some((first, below)) = missing.first() else { return Ok(()) };
        let others = match missing.len() - 1 {
            0 => String::new(),
            more => format!(", nor {} like it", counted(more, "other")),
        };
        let message = format!("the suite {} needs the task {}, which is not there{others}", self.name, first.display());
        let finding = Diagnostic::error(message);
        Err(match outside.first() {
            Some(example) if *below => finding.with_help(wanted_folder(example)),
            _ => finding.with_help("a task folder holds the files bk.pl, exs.pl and bias.pl"),
        }
        .into())
    }
}

/// What `SYMSNAP_DATA` must be.
fn wanted_folder(example: &Path) -> String {
    let example = example.display();
    format!(
        "set SYMSNAP_DATA to a folder that holds {example}/bk.pl, exs.pl and bias.pl, and so on for each task; \
         docs/EXPERIMENTS.md says where the tasks come from"
    )
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let meant = nearest(name, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
    format!("there is no {kind} `{name}`{meant}; there are {}", known.join(", "))
}

fn check_task(task: &TaskSource, at: usize, is_new: bool) -> Checked {
    let (name, at) = (&task.name, at.to_string());
    let slip = |entry: &str, message: String| Err(Slip::new(&["tasks", &at, entry], message));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if name.is_empty() || !name.chars().all(plain) || name.contains("..") || name.contains("--") {
        return slip("name", format!("the task name `{name}` is not made of letters, digits, `-`, `_`, `.` and `/`"));
    }
    if !is_new {
        return slip("name", format!("two tasks are called `{name}`"));
    }
    let sources = [task.data.is_some(), task.folder.is_some(), task.generate.is_some()];
    if sources.iter().filter(|given| **given).count() != 1 {
        return slip("name", format!("task `{name}` needs one of `data`, `folder` and `generate`"));
    }
    if let Some(kind) = &task.generate {
        if Kind::named(kind).is_none() {
            return slip("generate", unknown("generator", kind, &KINDS.map(|kind| kind.name)));
        }
        if !(1..=MAX_SIZE).contains(&task.size) {
            return slip("size", format!("a size of {} is not between 1 and {MAX_SIZE}", task.size));
        }
        if !(0.0..=1.0).contains(&task.noise) {
            return slip("noise", format!("noise of {} is not between 0 and 1", task.noise));
        }
    }
    Ok(())
}
