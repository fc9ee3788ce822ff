//! `symsnap learn ... --cv K`: how good what is learned is on examples that it was not learned from.
//!
//! The examples are divided into K parts; each part is predicted by a model that was learned from the others. All runs together
//! keep the limits of one. Task folders and tables are the same here but for how a part is learned and asked.

use super::{Learn, read_task};
use crate::Exit;
use crate::files::Files;
use crate::limits::{Ended as Kept, keep};
use crate::output::{Align, Paint, TextTable, complain, count, fraction, print};
use crate::predict::show_atom;
use clap::Args;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use symsnap::internals::evaluate::{FoldScores, Judged, corrected_interval, stratified_folds};
use symsnap::internals::file::Output;
use symsnap::internals::run::watchdog::GRACE;
use symsnap::internals::task::Batch;
use symsnap::{Budget, Diagnostic, Ended, Examples, Learned, Predictor, Result, StopReason, Task};
use symsnap_tables::{TableEnded, TableLearn, TableRequest, csv_line};

/// How sure intervals are.
const CONFIDENCE: f64 = 0.95;

/// Options of cross-validation.
#[derive(Args, Clone)]
pub struct CrossValidation {
    /// Cross-validate: learn K times, each time without a K-th of the examples, and predict these. Labels are spread evenly.
    /// The limits are those of all runs together. Nothing is written but what --out-of-fold asks for.
    #[arg(long, value_name = "K", value_parser = parse_folds, conflicts_with_all = ["output", "snapshots", "verify"], help_heading = "Cross-validation")]
    cv: Option<usize>,
    /// Do so N times, with other parts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_repeats, requires = "cv", help_heading = "Cross-validation")]
    repeats: usize,
    /// Keep rows with the same value of this column in one part; of task folders, examples with the same argument of this
    /// number.
    #[arg(long, value_name = "COLUMN", requires = "cv", help_heading = "Cross-validation")]
    group: Option<String>,
    /// Write the prediction for each example, made without it, to this CSV file.
    #[arg(long, value_name = "FILE", requires = "cv", help_heading = "Cross-validation")]
    out_of_fold: Option<PathBuf>,
}

fn parse_folds(text: &str) -> std::result::Result<usize, String> {
    text.parse()
        .ok()
        .filter(|folds| (2..=1000).contains(folds))
        .ok_or_else(|| "expected a number from 2 to 1000".to_owned())
}

fn parse_repeats(text: &str) -> std::result::Result<usize, String> {
    text.parse()
        .ok()
        .filter(|repeats| (1..=1000).contains(repeats))
        .ok_or_else(|| "expected a number from 1 to 1000".to_owned())
}

/// What is divided into parts.
struct Examined {
    labels: Vec<String>,
    /// The label of each example and its weight.
    truths: Vec<(usize, u32)>,
    /// Examples with the same number stay together.
    groups: Option<Vec<usize>>,
    /// Titles of what names an example, and the names of each.
    titles: Vec<String>,
    keys: Vec<Vec<String>>,
}

/// What one run learned from some examples and said about others: label and probabilities, or why there is none.
type Told = std::result::Result<Vec<(usize, Vec<f64>)>, StopReason>;

/// One fold of one repetition.
struct Fold {
    repeat: usize,
    fold: usize,
    scores: FoldScores,
    examples: Vec<usize>,
    judged: Vec<Judged>,
    /// Test examples for each training example.
    ratio: f64,
}

impl CrossValidation {
    /// Whether it is asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.cv.is_some()
    }
}

impl Learn {
    /// Cross-validate on tables.
    pub(super) fn cross_validate_tables(&self, request: TableRequest) -> Result<Exit> {
        let budget = self.budget();
        let mut files = request.files().iter().fold(Files::default(), |files, path| files.reading(path));
        files.printing()?;
        let target = self.validation.out_of_fold.as_deref().map(|path| files.output(path)).transpose()?;
        let data = match self.load(request, &budget)? {
            Ok(data) => data,
            Err(exit) => return Ok(exit),
        };
        let limits = self.limits();
        let learn = TableLearn::new(data, self.tables.example_options(self.seed))?;
        let learn = learn.preparing(move |task| limits.applied(task));
        let groups = self.validation.group.as_deref().map(|title| learn.group_by(title)).transpose()?;
        let examined = Examined {
            labels: learn.origin().labels.clone(),
            truths: learn.labels()?,
            groups,
            titles: learn.key_titles(),
            keys: learn.keys()?,
        };
        let mut first = true;
        self.cross_validate(&examined, target, &budget, |train, test, budget| {
            let some = learn.of_some(train)?;
            let ended = some.run(budget, |_, learn| {
                let warn = std::mem::take(&mut first);
                self.set_up_quietly(learn, warn)
            })?;
            match ended {
                TableEnded::Unread(stop) => Ok(Err(stop)),
                TableEnded::Learned(learned) => match cancelled(&learned) {
                    true => Ok(Err(StopReason::Cancelled)),
                    false => {
                        let model = some.model(&learned).expect("each run was to make a model");
                        learn.ask(&model, test).map(Ok)
                    }
                },
            }
        })
    }

    /// Cross-validate on a task folder.
    pub(super) fn cross_validate_folder(&self) -> Result<Exit> {
        let budget = self.budget();
        let mut files = self.popper.files().fold(Files::of_task(&self.task), Files::reading);
        files.printing()?;
        let target = self.validation.out_of_fold.as_deref().map(|path| files.output(path)).transpose()?;
        let (popper, folder, limits) = (self.popper.clone(), self.task.clone(), self.limits());
        let read = keep(&budget, GRACE, move |stage| {
            stage.at("reading the task");
            read_task(&popper, &folder, limits)
        })?;
        let task = match read {
            Kept::Done(task) => task,
            Kept::Stopped(stopped) => {
                complain(&stopped.message("what the task says"));
                return Ok(stopped.exit());
            }
        };
        let examined = self.examined(&task)?;
        let mut first = true;
        self.cross_validate(&examined, target, &budget, |train, test, budget| {
            let mut part = task.clone();
            part.examples = some(&task.examples, train);
            let learn =
                self.set_up_quietly(symsnap::Learn::new(part).budget(budget.clone()), std::mem::take(&mut first))?;
            match learn.spawn()?.wait()? {
                Ended::Unread(stop) => Ok(Err(stop)),
                Ended::Learned(learned) if cancelled(std::slice::from_ref(&*learned)) => Ok(Err(StopReason::Cancelled)),
                Ended::Learned(learned) => {
                    let model = learned.model.as_ref().expect("the run was to make a model");
                    let mut predictor = Predictor::new(model, &*learned.task)?;
                    let mut batch = Batch::new(predictor.head().arity as usize);
                    test.iter().for_each(|&at| batch.push(arguments(&task.examples, at)));
                    let said = predictor.predict(&batch);
                    let each = said.labels.iter().zip(&said.probabilities);
                    Ok(Ok(each.map(|(&label, &p)| (usize::from(!label), vec![p, 1.0 - p])).collect()))
                }
            }
        })
    }

    /// The examples of a task folder, positives first.
    fn examined(&self, task: &Task) -> Result<Examined> {
        let examples = &task.examples;
        let (positives, all) = (examples.positives(), examples.positives() + examples.negatives());
        let weights = examples.positive_weights().iter().chain(examples.negative_weights());
        let groups = self.validation.group.as_deref().map(|text| -> Result<Vec<usize>> {
            let arity = examples.pred().arity as usize;
            let place: Option<usize> = text.parse().ok().filter(|place| (1..=arity).contains(place));
            let Some(place) = place else {
                let finding = Diagnostic::error(format!("--group {text} is not the number of an argument of the head"));
                return Err(finding.with_help(format!("a number from 1 to {arity}")).into());
            };
            let mut numbers = HashMap::new();
            let number = |at: usize| {
                let next = numbers.len();
                *numbers.entry(arguments(examples, at)[place - 1]).or_insert(next)
            };
            Ok((0..all).map(number).collect())
        });
        let name = task.terms.name(examples.pred().name);
        Ok(Examined {
            labels: vec!["pos".to_owned(), "neg".to_owned()],
            truths: weights.enumerate().map(|(at, &weight)| (usize::from(at >= positives), weight)).collect(),
            groups: groups.transpose()?,
            titles: vec!["example".to_owned()],
            keys: (0..all).map(|at| vec![show_atom(name, arguments(examples, at), &task.terms)]).collect(),
        })
    }

    /// The run of one part: it makes an ensemble and tells nobody but, at first, of warnings.
    fn set_up_quietly(&self, learn: symsnap::Learn, warn: bool) -> Result<symsnap::Learn> {
        let (warn, mut told) = (warn && !self.quiet, false);
        let learn = self.configured(learn).ensemble(self.choice.method()?);
        Ok(learn.observe(move |event| {
            if let symsnap::Event::Begun { task, .. } = event
                && warn
                && !std::mem::replace(&mut told, true)
            {
                crate::output::warn(&task.warnings);
            }
            std::ops::ControlFlow::Continue(())
        }))
    }

    /// Learn and ask, part by part, and say what came of it.
    fn cross_validate(
        &self,
        examined: &Examined,
        target: Option<Output>,
        budget: &Budget,
        mut run: impl FnMut(&[usize], &[usize], &Budget) -> Result<Told>,
    ) -> Result<Exit> {
        let validation = &self.validation;
        let folds = validation.cv.expect("cross-validation was asked for");
        let labels: Vec<usize> = examined.truths.iter().map(|truth| truth.0).collect();
        check_folds(examined, folds)?;
        let runs = folds * validation.repeats;
        let mut done: Vec<Fold> = Vec::with_capacity(runs);
        let mut stopped = None;
        'all: for repeat in 0..validation.repeats {
            let seed = self.seed.wrapping_add(repeat as u64);
            let fold_of = stratified_folds(&labels, examined.groups.as_deref(), folds, seed);
            for fold in 0..folds {
                let (test, train): (Vec<usize>, Vec<usize>) = (0..labels.len()).partition(|&at| fold_of[at] == fold);
                if test.is_empty() {
                    continue;
                }
                if !self.quiet && !self.json {
                    complain(&format!("fold {} of {runs}", repeat * folds + fold + 1));
                }
                match run(&train, &test, &budget.share(runs, runs - done.len()))? {
                    Err(stop) => {
                        stopped = Some(stop);
                        break 'all;
                    }
                    Ok(told) => done.push(Fold::new(repeat, fold, test, told, examined, train.len())),
                }
            }
        }
        if let Some(target) = target {
            target.write(predictions(&done, examined).as_bytes())?;
        }
        print(&if self.json { json_report(&done, runs, stopped) } else { self.text_report(&done, runs, examined) })?;
        if let Some(stop) = stopped {
            complain(&format!("stopped after {}: {}", count(done.len(), "fold"), stop.words()));
            return Ok(if stop == StopReason::Cancelled { Exit::Interrupted } else { Exit::Limit });
        }
        Ok(Exit::Done)
    }

    fn text_report(&self, done: &[Fold], runs: usize, examined: &Examined) -> String {
        let validation = &self.validation;
        let group = validation.group.as_ref().map_or_else(String::new, |group| format!(", grouped by {group}"));
        let mut text = format!(
            "{} of {runs} folds, stratified{group}; {}\n\n",
            done.len(),
            count(examined.truths.len(), "example")
        );
        let mut rows = TextTable::new(&[Align::Right; 7]);
        for (at, fold) in done.iter().enumerate() {
            let mut cells = vec![(at + 1).to_string(), fold.judged.len().to_string()];
            cells.extend(measures(&fold.scores).map(|(_, value)| fraction(value)));
            rows.row(cells);
        }
        let titles = ["fold", "examples", "accuracy", "balanced", "auc", "log loss", "brier"];
        rows.titles(Paint::for_stdout(), &titles);
        text += &rows.to_string();
        text.push('\n');
        for (name, interval) in intervals(done) {
            text += &match interval {
                Some(interval) if interval.half_width.is_finite() => {
                    format!("{name:<17}  {:.3} +- {:.3}\n", interval.mean, interval.half_width)
                }
                Some(interval) => format!("{name:<17}  {:.3}\n", interval.mean),
                None => format!("{name:<17}  unknown: a fold has one label\n"),
            };
        }
        text + "means over folds, 95 % intervals widened for folds that share training examples\n"
    }
}

impl Fold {
    fn new(
        repeat: usize,
        fold: usize,
        examples: Vec<usize>,
        told: Vec<(usize, Vec<f64>)>,
        examined: &Examined,
        training: usize,
    ) -> Self {
        let judged = examples.iter().zip(told).map(|(&at, (label, probabilities))| {
            let (truth, weight) = examined.truths[at];
            Judged { probabilities, label, truth, weight: f64::from(weight) }
        });
        let judged: Vec<Judged> = judged.collect();
        let ratio = examples.len() as f64 / training.max(1) as f64;
        Fold { repeat, fold, scores: FoldScores::of(&judged), examples, judged, ratio }
    }
}

/// Whether there is something to learn from and to test on in every part.
fn check_folds(examined: &Examined, folds: usize) -> Result<()> {
    let parts = match &examined.groups {
        Some(groups) => groups.iter().max().map_or(0, |most| most + 1),
        None => examined.truths.len(),
    };
    if parts < folds {
        let what = if examined.groups.is_some() { "group" } else { "example" };
        let finding =
            Diagnostic::error(format!("--cv {folds} needs {folds} parts, and there are {}", count(parts, what)));
        return Err(finding.with_help(format!("--cv {}", parts.max(2))).into());
    }
    for (at, label) in examined.labels.iter().enumerate() {
        let rows = examined.truths.iter().filter(|truth| truth.0 == at).count();
        if rows < 2 {
            let finding = Diagnostic::error(format!(
                "{} with the label {label}: it cannot be both learned and tested",
                count(rows, "example")
            ));
            return Err(finding.with_help("leave the label out, or find more examples of it").into());
        }
    }
    Ok(())
}

fn cancelled(learned: &[Learned]) -> bool {
    learned.iter().any(|one| one.outcome.stop == StopReason::Cancelled)
}

/// Arguments of an example, positives first.
fn arguments(examples: &Examples, at: usize) -> &[symsnap::TermId] {
    match at.checked_sub(examples.positives()) {
        None => examples.positive(at),
        Some(at) => examples.negative(at),
    }
}

/// Some of the examples, by their numbers.
fn some(examples: &Examples, numbers: &[usize]) -> Examples {
    let mut part = Examples::new(examples.pred());
    for &at in numbers {
        let positive = at < examples.positives();
        let weight = match positive {
            true => examples.positive_weights()[at],
            false => examples.negative_weights()[at - examples.positives()],
        };
        part.push(positive, arguments(examples, at), weight);
    }
    part
}

/// The measures with the names that reports use.
fn measures(scores: &FoldScores) -> [(&'static str, Option<f64>); 5] {
    [
        ("accuracy", Some(scores.accuracy)),
        ("balanced_accuracy", Some(scores.balanced_accuracy)),
        ("auc", scores.auc),
        ("log_loss", Some(scores.log_loss)),
        ("brier", Some(scores.brier)),
    ]
}

/// What the folds say together about each measure.
fn intervals(done: &[Fold]) -> Vec<(&'static str, Option<symsnap::internals::evaluate::Interval>)> {
    let ratio = done.iter().map(|fold| fold.ratio).sum::<f64>() / done.len().max(1) as f64;
    let names = ["accuracy", "balanced_accuracy", "auc", "log_loss", "brier"];
    let interval = |(at, name): (usize, &'static str)| {
        let values: Option<Vec<f64>> = done.iter().map(|fold| measures(&fold.scores)[at].1).collect();
        let values = values.filter(|values| !values.is_empty());
        (name, values.map(|values| corrected_interval(&values, ratio, CONFIDENCE)))
    };
    names.into_iter().enumerate().map(interval).collect()
}

fn json_report(done: &[Fold], runs: usize, stopped: Option<StopReason>) -> String {
    let folds = done.iter().map(|fold| {
        let mut entry = json!({ "repeat": fold.repeat + 1, "fold": fold.fold + 1, "examples": fold.judged.len() });
        measures(&fold.scores).iter().for_each(|(name, value)| entry[*name] = json!(value));
        entry
    });
    let folds: Vec<Value> = folds.collect();
    let summary: Map<String, Value> = intervals(done)
        .into_iter()
        .map(|(name, interval)| {
            let value = interval.map(|it| {
                let half = it.half_width.is_finite().then_some(it.half_width);
                json!({ "mean": it.mean, "low": half.map(|half| it.mean - half), "high": half.map(|half| it.mean + half) })
            });
            (name.to_owned(), json!(value))
        })
        .collect();
    let stop = stopped.map(StopReason::word);
    format!("{}\n", json!({ "runs": runs, "folds": folds, "summary": summary, "stop": stop }))
}

/// The predictions as CSV, in the order of the folds.
fn predictions(done: &[Fold], examined: &Examined) -> String {
    let mut titles: Vec<String> = ["repeat", "fold"].map(str::to_owned).to_vec();
    titles.extend(examined.titles.iter().cloned());
    titles.extend(["truth", "label"].map(str::to_owned));
    titles.extend(examined.labels.iter().map(|label| format!("probability_{label}")));
    let mut text = csv_line(&titles);
    for fold in done {
        for (&at, judged) in fold.examples.iter().zip(&fold.judged) {
            let mut cells = vec![(fold.repeat + 1).to_string(), (fold.fold + 1).to_string()];
            cells.extend(examined.keys[at].iter().cloned());
            cells.extend([judged.truth, judged.label].map(|label| examined.labels[label].clone()));
            cells.extend(judged.probabilities.iter().map(|probability| format!("{probability:.6}")));
            text += &csv_line(&cells);
        }
    }
    text
}
