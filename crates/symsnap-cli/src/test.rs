//! `symsnap test DIR --rules FILE`: how a given hypothesis classifies the examples of a task, whole and rule by rule.

use crate::Exit;
use crate::files::Files;
use crate::limits::{Limits, Stage};
use crate::output::{Align, Paint, TextTable, confusion_json, count, fraction};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use symsnap::internals::cost::mdl;
use symsnap::internals::coverage::{Assessment, assess};
use symsnap::internals::sets::Cover;
use symsnap::internals::task::GivenRule;
use symsnap::{Confusion, Result, Task};

/// Show how a given hypothesis classifies the examples of a task.
#[derive(Args)]
pub struct Test {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    /// The hypothesis: Prolog rules for the head predicate, and for predicates that these call.
    #[arg(long, value_name = "FILE")]
    rules: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Test {
    /// Read, evaluate, show.
    pub fn run(self) -> Result<Exit> {
        Files::of_task(&self.task).reading(&self.rules).printing()?;
        let (json, limits) = (self.json, self.limits.clone());
        limits.answer(json, "how the rules classify the examples", move |stage| self.answer(stage))
    }

    fn answer(&self, stage: &Stage) -> Result<String> {
        stage.at("reading the task");
        let mut task = Task::from_dir(&self.task)?;
        let rules = task.read_rules_file(&self.rules)?;
        stage.at("testing the rules");
        let report = TestReport { assessment: assess(&task, &rules), rules, task };
        Ok(if self.json {
            format!("{}\n", report.json())
        } else {
            let title = format!("{} with {}", self.task.display(), self.rules.display());
            format!("{title}\n\n{}", report.text(Paint::for_stdout()))
        })
    }
}

struct TestReport {
    task: Task,
    rules: Vec<GivenRule>,
    assessment: Assessment,
}

impl TestReport {
    fn confusion(&self, cover: &Cover) -> Confusion {
        self.task.examples.confusion(cover)
    }

    fn size(&self, rule: &GivenRule) -> usize {
        rule.clause.size(&self.task.terms)
    }

    fn total_size(&self) -> usize {
        self.rules.iter().map(|rule| self.size(rule)).sum()
    }

    /// The size with what `constant_price` adds for numbers and constants.
    fn priced_size(&self) -> usize {
        let flat: Vec<_> = self.rules.iter().filter_map(|rule| rule.clause.as_rule(&self.task.terms)).collect();
        self.total_size() + self.task.bias.price(&flat)
    }

    fn text(&self, paint: Paint) -> String {
        let whole = self.confusion(&self.assessment.whole);
        let mut matrix = TextTable::new(&[Align::Left, Align::Right, Align::Right]);
        matrix.row(["positive".to_owned(), whole.tp.to_string(), whole.fn_.to_string()]);
        matrix.row(["negative".to_owned(), whole.fp.to_string(), whole.tn.to_string()]);
        matrix.titles(paint, &["", "covered", "not covered"]);

        let mut measures = TextTable::new(&[Align::Left, Align::Right]);
        measures.row(["precision", &fraction(whole.precision())]);
        measures.row(["recall", &fraction(whole.recall())]);
        measures.row(["accuracy", &fraction(Some(whole.accuracy()))]);
        measures.row(["size", &self.total_size().to_string()]);
        measures.row(["mdl", &mdl(&whole, self.priced_size()).to_string()]);

        let mut rules = TextTable::new(&[Align::Right, Align::Right, Align::Right, Align::Left]);
        for (rule, cover) in self.rules.iter().zip(&self.assessment.rules) {
            let own = cover.as_ref().map(|cover| self.confusion(cover));
            let show = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
            let (tp, fp) = (show(own.map(|own| own.tp)), show(own.map(|own| own.fp)));
            rules.row([tp, fp, self.size(rule).to_string(), rule.text.clone()]);
        }
        let mut text = format!("{matrix}\n{measures}");
        if !self.rules.is_empty() {
            rules.titles(paint, &["tp", "fp", "size", "rule"]);
            text += &format!("\n{rules}");
        }
        let notes = self.notes();
        if !notes.is_empty() {
            text += &format!("\n{}\n{}\n", paint.title("notes"), notes.join("\n"));
        }
        text
    }

    /// What kept examples from being covered other than logic.
    fn notes(&self) -> Vec<String> {
        let notes = &self.assessment.notes;
        let mut lines = Vec::new();
        if notes.faults > 0 {
            lines.push(format!("{} ended in an error, which covers nothing", count(notes.faults as usize, "proof")));
        }
        if notes.unfinished > 0 {
            lines.push(format!(
                "{} could not be finished, which covers nothing",
                count(notes.unfinished as usize, "proof")
            ));
        }
        lines.extend(notes.messages.iter().cloned());
        lines
    }

    fn json(&self) -> Value {
        let whole = self.confusion(&self.assessment.whole);
        let rules = self.rules.iter().zip(&self.assessment.rules).map(|(rule, cover)| {
            json!({
                "rule": rule.text,
                "size": self.size(rule),
                "confusion": cover.as_ref().map(|cover| confusion_json(&self.confusion(cover))),
            })
        });
        json!({
            "confusion": confusion_json(&whole),
            "size": self.total_size(),
            "mdl": mdl(&whole, self.priced_size()),
            "precision": whole.precision(),
            "recall": whole.recall(),
            "accuracy": whole.accuracy(),
            "rules": rules.collect::<Vec<_>>(),
            "notes": self.notes(),
        })
    }
}
