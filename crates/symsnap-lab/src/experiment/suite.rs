//! What an experiment is, as a TOML file: tasks, costs, methods, trials, limits, splits and settings.
//!
//! Some suites are part of the program; any other is a file. A file is checked whole before anything runs, so that a
//! slip of the pen does not surface after half an hour.

use super::SuiteLearner;
use super::check::location;
use crate::generate::{Generated, Kind};
use crate::guest::TaskFiles;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use symsnap::{Diagnostic, Error, Result, Task};

/// The suites that are part of the program, by name.
pub const SHIPPED: [(&str, &str); 7] = [
    ("smoke", include_str!("../../suites/smoke.toml")),
    ("synthetic", include_str!("../../suites/synthetic.toml")),
    ("paper", include_str!("../../suites/paper.toml")),
    ("paper-grouped", include_str!("../../suites/paper-grouped.toml")),
    ("paper-budgets", include_str!("../../suites/paper-budgets.toml")),
    ("paper-learners", include_str!("../../suites/paper-learners.toml")),
    ("paper-learners-again", include_str!("../../suites/paper-learners-again.toml")),
];

/// How examples are divided into training, validation and test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitKind {
    /// At random, stratified by label.
    Random,
    /// Such that individuals of one part occur in no other.
    Grouped,
}

impl SplitKind {
    /// The word that files and reports use.
    pub fn word(self) -> &'static str {
        match self {
            SplitKind::Random => "random",
            SplitKind::Grouped => "grouped",
        }
    }
}

/// The limits of one use of the learner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Seconds.
    pub seconds: Option<f64>,
    /// Rules tested; results then repeat byte for byte.
    pub ticks: Option<u64>,
    /// Threads of the learner.
    #[serde(default = "one")]
    pub threads: usize,
    /// Seconds after which a job is ended and recorded as failed.
    #[serde(default = "an_hour")]
    pub job_seconds: f64,
}

/// Where a task comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSource {
    /// What reports call it.
    pub name: String,
    /// Which tasks belong together.
    pub family: String,
    /// A folder below `SYMSNAP_DATA`.
    pub data: Option<PathBuf>,
    /// A folder, seen from the suite's file.
    pub folder: Option<PathBuf>,
    /// A kind of generator.
    pub generate: Option<String>,
    /// For a generator: the seed.
    #[serde(default = "seed_one")]
    pub seed: u64,
    /// For a generator: how many individuals.
    #[serde(default = "a_hundred")]
    pub size: usize,
    /// For a generator: the fraction of wrong labels.
    #[serde(default)]
    pub noise: f64,
    /// Argument places of the examples that hold individuals, for grouped splits.
    #[serde(default = "first_place")]
    pub individuals: Vec<usize>,
}

/// A checked suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// One sentence about it.
    pub title: String,
    /// From which all seeds are derived.
    #[serde(default = "seed_one")]
    pub seed: u64,
    /// How often each task is split and learned anew.
    pub trials: u32,
    /// The costs to minimise.
    pub costs: Vec<String>,
    /// Who learns.
    #[serde(default, skip_serializing_if = "SuiteLearner::is_first")]
    pub learner: SuiteLearner,
    /// The methods to compare.
    pub methods: Vec<String>,
    /// The splits to make.
    #[serde(default = "random_split")]
    pub splits: Vec<SplitKind>,
    /// Training, validation and test.
    #[serde(default = "seven_two_one")]
    pub ratios: [u32; 3],
    /// Alpha of the paper's weights.
    #[serde(default = "published_alpha")]
    pub alpha: f64,
    /// Beta of the paper's weights.
    #[serde(default = "published_beta")]
    pub beta: f64,
    /// Values of alpha to try on the validation examples.
    #[serde(default)]
    pub sweep: Vec<f64>,
    /// Budgets at which to look at what there is so far, in seconds or ticks as the limit is.
    #[serde(default)]
    pub checkpoints: Vec<f64>,
    /// The limits of each use of the learner.
    pub limits: Limits,
    /// The tasks.
    #[serde(default)]
    pub tasks: Vec<TaskSource>,
    /// Another suite, shipped or in a file, whose tasks come before these; nothing once it is read.
    #[serde(default, skip_serializing)]
    tasks_of: Option<String>,
    /// Where relative folders start.
    #[serde(skip)]
    base: PathBuf,
}

fn one() -> usize {
    1
}
fn an_hour() -> f64 {
    3600.0
}
fn seed_one() -> u64 {
    1
}
fn a_hundred() -> usize {
    100
}
fn first_place() -> Vec<usize> {
    vec![0]
}
fn random_split() -> Vec<SplitKind> {
    vec![SplitKind::Random]
}
fn seven_two_one() -> [u32; 3] {
    [7, 2, 1]
}
fn published_alpha() -> f64 {
    symsnap::internals::ensemble::Paper::DEFAULT.alpha
}
fn published_beta() -> f64 {
    symsnap::internals::ensemble::Paper::DEFAULT.beta
}

/// The text of the suite with that name, or in that file; what errors call it, and where its folders start.
fn text_of(name: &str) -> Result<(String, String, PathBuf)> {
    if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Ok((format!("<suite {name}>"), (*text).to_owned(), PathBuf::from(".")));
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        let help = format!("name a TOML file, or one of {}", known.join(", "));
        return Err(Diagnostic::error(format!("there is no suite {name}")).with_help(help).into());
    }
    let text = String::from_utf8(symsnap::internals::file::read(path)?)
        .map_err(|_| Error::from(Diagnostic::error(format!("{name} is not text in UTF-8"))))?;
    Ok((name.to_owned(), text, path.parent().unwrap_or(Path::new(".")).to_owned()))
}

/// The task that a generator makes, if one does.
fn generated(source: &TaskSource) -> Result<Option<Generated>> {
    let kind = source.generate.as_deref().and_then(Kind::named);
    kind.map(|kind| kind.generate(source.seed, source.size, source.noise)).transpose()
}

impl Suite {
    /// The suite with that name, or in that file.
    ///
    /// # Errors
    /// If there is neither, or the file is not a suite.
    pub fn find(name: &str) -> Result<Self> {
        let (file, text, base) = text_of(name)?;
        Suite::parse(&file, &text, &base)
    }

    /// The suite that `text` describes; `file` is named in errors, relative folders start at `base`.
    ///
    /// # Errors
    /// If it is not TOML, or not a suite.
    pub fn parse(file: &str, text: &str, base: &Path) -> Result<Self> {
        let mut suite = Suite::read(file, text, base)?;
        let mut borrowed = 0;
        if let Some(other) = suite.tasks_of.take() {
            let mut tasks = suite.tasks_of(&other, file)?;
            borrowed = tasks.len();
            tasks.append(&mut suite.tasks);
            suite.tasks = tasks;
        }
        suite.check().map_err(|slip| Error::from(slip.finding(file, text, borrowed)))?;
        Ok(suite)
    }

    /// The same suite with one of our learners, whichever it names.
    ///
    /// # Errors
    /// If there is no such learner, or the suite asks for what it has not.
    pub fn learned_by(self, name: &str) -> Result<Self> {
        let suite = Suite { learner: SuiteLearner::Named(name.to_owned()), ..self };
        suite.check().map_err(|slip| Diagnostic::error(format!("{}: {}", suite.name, slip.message)))?;
        Ok(suite)
    }

    /// What `text` says, unchecked and without the tasks of another suite.
    fn read(file: &str, text: &str, base: &Path) -> Result<Self> {
        let mut suite: Suite = toml::from_str(text).map_err(|error| {
            let finding = Diagnostic::error(format!("this is not a suite: {}", error.message().replace('\n', "; ")));
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            Error::from(finding.at(location(file, text, start)))
        })?;
        suite.base = base.to_owned();
        Ok(suite)
    }

    /// The tasks of another suite, which must have all of them itself.
    fn tasks_of(&self, other: &str, file: &str) -> Result<Vec<TaskSource>> {
        let shipped = SHIPPED.iter().any(|(name, _)| *name == other);
        let path = if shipped { PathBuf::from(other) } else { self.base.join(other) };
        let (name, text, base) = text_of(&path.to_string_lossy())?;
        let found = Suite::read(&name, &text, &base)?;
        if found.tasks_of.is_some() {
            let message = format!("{file}: the suite {other} takes its tasks from another one");
            return Err(Diagnostic::error(message).with_help("name the suite that lists them").into());
        }
        let mut tasks = found.tasks;
        for folder in tasks.iter_mut().filter_map(|task| task.folder.as_mut()) {
            let whole = std::path::absolute(base.join(&*folder));
            *folder = whole.map_err(|source| Error::Io { action: "find", path: folder.clone(), source })?;
        }
        Ok(tasks)
    }

    /// Whether results repeat byte for byte.
    pub fn is_repeatable(&self) -> bool {
        self.limits.ticks.is_some()
    }

    /// Read or generate a task.
    ///
    /// # Errors
    /// If its files cannot be read, or what they say is wrong.
    pub fn load(&self, source: &TaskSource, data: Option<&Path>) -> Result<Task> {
        match generated(source)? {
            Some(made) => made.task(),
            None => Task::from_dir(self.named_folder(source, data)?),
        }
    }

    /// The files of a task but for its examples, for learners that are other programs.
    ///
    /// # Errors
    /// If it is in `SYMSNAP_DATA`, which is not set.
    pub(super) fn files_of(&self, source: &TaskSource, data: Option<&Path>) -> Result<TaskFiles> {
        Ok(match generated(source)? {
            Some(made) => TaskFiles::Texts { background: made.background, bias: made.bias },
            None => TaskFiles::Folder(self.named_folder(source, data)?),
        })
    }

    fn named_folder(&self, source: &TaskSource, data: Option<&Path>) -> Result<PathBuf> {
        self.task_folder(source, data).ok_or_else(|| {
            let message =
                format!("the task {} is in the folder that SYMSNAP_DATA names, which is not set", source.name);
            Diagnostic::error(message).with_help("SYMSNAP_DATA=FOLDER symsnap ...").into()
        })
    }

    /// The folder of a task that has one; `data` is what `SYMSNAP_DATA` names.
    pub(super) fn task_folder(&self, source: &TaskSource, data: Option<&Path>) -> Option<PathBuf> {
        let below = |folder: &PathBuf| data.map(|data| data.join(folder));
        source.folder.as_ref().map(|folder| self.base.join(folder)).or_else(|| source.data.as_ref().and_then(below))
    }

    /// The suite as the text that is kept with its results.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a suite has only finite numbers and text keys") + "\n"
    }
}
