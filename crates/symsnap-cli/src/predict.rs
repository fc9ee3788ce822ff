//! `symsnap predict MODEL --examples FILE`: what a model says about new atoms, a batch at a time, so that neither the
//! file nor the answer need fit in memory.

mod score;
mod tables;

use crate::Exit;
use crate::background::Background;
use crate::files::Files;
use crate::limits::{Ended, Limits, Stage};
use crate::models::ClassChoice;
use crate::output::{complain, confusion_json, count, fraction, print};
use clap::Args;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symsnap::internals::coverage::Notes;
use symsnap::internals::ensemble::Strangers;
use symsnap::internals::evaluate::ProbabilityScore;
use symsnap::internals::logic::write_atom;
use symsnap::internals::task::{Batch, Queries};
use symsnap::{Confusion, Diagnostic, Error, Model, Predictions, Result, TermId, Terms};
use symsnap_tables::TableModel;

/// Predict the labels of new examples.
#[derive(Args)]
pub struct Predict {
    /// The model file, as `learn -o` writes it.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    background: Background,
    /// The examples: one atom a clause, with `pos(...)` or `neg(...)` around it where the label is known; `-` for
    /// standard input. Without it, the rows of the tables are predicted.
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// How many threads to use; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object for each example instead of text.
    #[arg(long)]
    json: bool,
    /// Show each member's vote, too.
    #[arg(long)]
    votes: bool,
}

impl Predict {
    /// Read, predict, show, until the examples or the limits end.
    pub fn run(self) -> Result<Exit> {
        let files = self.background.files(Files::default().reading_model(&self.model));
        files.maybe_reading(self.examples.as_deref()).printing()?;
        let json = self.json;
        let shown = Shown::default();
        let counter = shown.clone();
        match self.limits.clone().keep(move |stage| self.predict(stage, &counter))? {
            Ended::Done(()) => Ok(Exit::Done),
            Ended::Stopped(stopped) => {
                let shown = shown.end();
                let last = shown.map_or_else(|| "last one printed".to_owned(), |shown| format!("first {shown}"));
                let unknown = format!("the examples after the {last}");
                if json {
                    let mut line = stopped.json(&unknown);
                    line["predicted"] = Value::from(shown);
                    complain(&line);
                } else {
                    complain(&stopped.message(&unknown));
                }
                Ok(stopped.exit())
            }
        }
    }

    fn predict(&self, stage: &Stage, shown: &Shown) -> Result<()> {
        stage.at("reading the model and the background");
        let Some(examples) = &self.examples else {
            let model = TableModel::read(&self.model)?.ok_or_else(|| not_of_tables(&self.model))?;
            return self.predict_tables(&model, stage, shown);
        };
        if TableModel::read(&self.model)?.is_some_and(|model| model.models.len() > 1) {
            let message = format!("{} has a model for each class, which predict rows of tables", self.model.display());
            return Err(Diagnostic::error(message)
                .with_help("give rows with --table FILE instead of --examples")
                .into());
        }
        let model = ClassChoice::default().read(&self.model)?;
        let mut predictor = self.background.open(&model, &self.model)?;
        if model.members.is_empty() {
            complain(&Diagnostic::warning("the model has no members and predicts all negative"));
        }
        let (name, input) = input(examples)?;
        let mut queries = Queries::new(name, input, predictor.head());
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from)).build();
        let threads = threads.map_err(|error| Diagnostic::error(format!("cannot start threads: {error}")))?;
        let mut score = Score::default();
        let (mut notes, mut strangers) = (Notes::default(), Strangers::default());
        stage.at("predicting");
        loop {
            let batch = queries.next(predictor.terms_for_batch())?;
            if batch.is_empty() {
                break;
            }
            let predictions = threads.install(|| predictor.predict(&batch));
            score.count(&batch, &predictions);
            strangers.count(&predictor, &batch);
            notes.add(&predictions.notes);
            shown.print(&self.show(&model, predictor.terms(), &batch, &predictions), batch.len())?;
        }
        if score.known.total() > 0 {
            if self.json {
                complain(&score.json());
            } else {
                print(&score.text())?;
            }
        }
        strangers.warning().into_iter().for_each(|text| complain(&Diagnostic::warning(text)));
        complain_of(&notes);
        Ok(())
    }

    fn show(&self, model: &Model, terms: &Terms, batch: &Batch, predictions: &Predictions) -> String {
        let mut text = String::new();
        for at in 0..batch.len() {
            let example = show_atom(&model.head.name, batch.args(at), terms);
            let (probability, label) = (predictions.probabilities[at], predictions.labels[at]);
            let share = predictions.shares[at];
            let votes = predictions.votes.iter().map(|votes| votes.contains(at));
            if self.json {
                let mut line =
                    json!({ "example": example, "probability": probability, "vote": share, "label": word(label) });
                if let Some((truth, _)) = batch.label(at) {
                    line["truth"] = Value::from(word(truth));
                }
                if self.votes {
                    line["votes"] = Value::from(votes.collect::<Vec<bool>>());
                }
                text += &format!("{line}\n");
            } else {
                let votes: String = votes.map(|vote| if vote { '+' } else { '-' }).collect();
                let votes = if self.votes { format!("  {votes}") } else { String::new() };
                text += &format!("{}  {probability:.4}  {example}{votes}\n", word(label));
            }
        }
        text
    }
}

/// What is wrong with a model whose examples are not rows.
fn not_of_tables(model: &Path) -> Error {
    // What is no model at all is told as such.
    let Err(error) = Model::read(model) else {
        let finding = Diagnostic::error(format!("{} was not learned from tables", model.display()));
        return finding.with_help("give examples with --examples FILE").into();
    };
    error
}

/// The examples, and what messages call them.
fn input(examples: &Path) -> Result<(String, Box<dyn Read>)> {
    if examples == Path::new("-") {
        return Ok(("<standard input>".to_owned(), Box::new(std::io::stdin())));
    }
    let failed = |source| Error::Io { action: "read", path: examples.to_owned(), source };
    let file = File::open(examples).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        let message = format!("{} is a folder, not a file", examples.display());
        return Err(Diagnostic::error(message).into());
    }
    Ok((examples.display().to_string(), Box::new(file)))
}

/// How many examples were shown, and whether more may be.
#[derive(Clone, Default)]
struct Shown(Arc<Mutex<usize>>);

impl Shown {
    fn print(&self, text: &str, examples: usize) -> Result<()> {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        print(text)?;
        *shown += examples;
        Ok(())
    }

    /// How many they are, once what is being printed is; nothing is printed any more. Where nobody reads what is
    /// printed, that is not waited for, and their number is not known.
    fn end(&self) -> Option<usize> {
        for _ in 0..200 {
            if let Ok(shown) = self.0.try_lock() {
                let examples = *shown;
                std::mem::forget(shown);
                return Some(examples);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

/// The JSON word of a label.
pub fn word(positive: bool) -> &'static str {
    if positive { "pos" } else { "neg" }
}

/// An atom as Prolog writes it.
pub fn show_atom(name: &str, args: &[TermId], terms: &Terms) -> String {
    let mut text = String::new();
    write_atom(&mut text, name);
    for (at, &arg) in args.iter().enumerate() {
        text.push(if at == 0 { '(' } else { ',' });
        text += &terms.show(arg);
    }
    if !args.is_empty() {
        text.push(')');
    }
    text
}

/// Say what kept examples from being covered other than logic.
pub fn complain_of(notes: &Notes) {
    let ends = [(notes.faults, "ended in an error"), (notes.unfinished, "could not be finished")];
    for (number, end) in ends.into_iter().filter(|(number, _)| *number > 0) {
        let message = format!("{} {end}, which counts as not covered", count(number as usize, "proof"));
        complain(&Diagnostic::warning(message));
    }
    notes.messages.iter().for_each(|message| complain(&Diagnostic::warning(message.clone())));
}

/// How predictions compare with the labels that the file gives.
#[derive(Default)]
struct Score {
    known: Confusion,
    probabilities: ProbabilityScore,
}

impl Score {
    fn count(&mut self, batch: &Batch, predictions: &Predictions) {
        for at in 0..batch.len() {
            let Some((truth, weight)) = batch.label(at) else { continue };
            let cell = match (truth, predictions.labels[at]) {
                (true, true) => &mut self.known.tp,
                (true, false) => &mut self.known.fn_,
                (false, false) => &mut self.known.tn,
                (false, true) => &mut self.known.fp,
            };
            *cell += u64::from(weight);
            let probability = predictions.probabilities[at];
            self.probabilities.count(&[probability, 1.0 - probability], usize::from(!truth), f64::from(weight));
        }
    }

    fn text(&self) -> String {
        let Confusion { tp, fn_, tn, fp } = self.known;
        let accuracy = fraction(Some(self.known.accuracy()));
        let text = format!("accuracy {accuracy}: tp {tp}, fn {fn_}, tn {tn}, fp {fp}\n");
        let text = text + &score::text(&self.probabilities, 2);
        text.lines().map(|line| format!("% {line}\n")).collect()
    }

    fn json(&self) -> Value {
        let mut value = json!({ "accuracy": self.known.accuracy(), "confusion": confusion_json(&self.known) });
        score::json(&self.probabilities, &mut value);
        value
    }
}
