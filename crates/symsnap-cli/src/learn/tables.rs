//! `symsnap learn FILE.csv --target COLUMN`: the same runs on tables; with more than two labels one for each, against the rest.

use super::origin::{Origin, TableRun, labels_json};
use super::{Learn, LearnReport, VERIFIED, unverified};
use crate::Exit;
use crate::files::Files;
use crate::limits::{Ended as Kept, keep};
use crate::listener::WriteFailure;
use crate::output::{complain, print};
use crate::tables::{ReadingMeter, labels_in_words};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use symsnap::internals::file::Output;
use symsnap::internals::run::watchdog::GRACE;
use symsnap::{Diagnostic, Ended, Learned, Model, Result, StopReason, Task, Verified};
use symsnap_tables::{Dataset, TableModel, TableOrigin, TableRequest, TableTask};

impl Learn {
    /// Read tables, learn, write.
    pub(super) fn run_on_tables(&self, request: TableRequest) -> Result<Exit> {
        let begun = Instant::now();
        let mut files = request.files().iter().fold(Files::default(), |files, path| files.reading(path));
        files.printing()?;
        let target = self.output.as_deref().map(|path| files.output(path)).transpose()?;
        let snapshots = self.snapshots.as_deref().map(|path| files.output(path)).transpose()?;
        let mut meter = ReadingMeter::new(self.quiet || self.json);
        let read = keep(&self.budget(), GRACE, move |stage| {
            stage.at("reading the tables");
            request.load(&mut |file, part| meter.show(file, part))
        })?;
        let data = match read {
            Kept::Done(data) => Arc::new(data),
            Kept::Stopped(stopped) => {
                complain(&stopped.message("what the tables say"));
                return Ok(stopped.exit());
            }
        };
        let rows = data.examples(&self.tables.example_options(self.seed))?;
        let origin = TableOrigin::new(&data, rows.labels.clone(), rows.counts());
        let run = TableRun { origin, schema: data.schema.clone(), labels: labels_in_words(&data.schema, &rows) };
        let failure = WriteFailure::default();
        if run.origin.labels.len() == 2 {
            let budget = self.budget_within(self.timeout - begun.elapsed().as_secs_f64(), 1);
            return match self.learn(self.reader(&data, 0), &budget, snapshots, &failure, true)? {
                Ended::Learned(learned) => self.deliver(*learned, &Origin::Tables(&run), target, &failure, &budget),
                Ended::Unread(stop) => self.unread(stop),
            };
        }
        if snapshots.is_some() {
            let finding = Diagnostic::error("--snapshots is for two labels: there is a run for each class");
            return Err(finding.with_help("--positive LABEL learns one of them against the rest").into());
        }
        let mut learned = Vec::with_capacity(run.origin.labels.len());
        for label in 0..run.origin.labels.len() {
            let left = self.timeout - begun.elapsed().as_secs_f64();
            let runs = run.origin.labels.len() - label;
            let budget = self.budget_within(left / runs as f64, run.origin.labels.len() as u64);
            if !self.quiet && !self.json {
                complain(&format!("--- {}", run.origin.labels[label]));
            }
            match self.learn(self.reader(&data, label), &budget, None, &failure, label == 0)? {
                Ended::Learned(one) => {
                    let verified = self.verify.then(|| one.verify(&budget)).transpose()?;
                    learned.push((*one, verified));
                }
                Ended::Unread(stop) => return self.unread(stop),
            }
        }
        self.deliver_classes(learned, &run, target)
    }

    /// What reads the task of one label.
    fn reader(&self, data: &Arc<Dataset>, label: usize) -> impl FnOnce() -> Result<Task> + Send + 'static {
        let (data, limits) = (Arc::clone(data), self.limits());
        let options = self.tables.example_options(self.seed);
        move || {
            let rows = data.examples(&options)?;
            limits.applied(TableTask::new(&data).task(&rows, label)?)
        }
    }

    /// Write and print what came of the runs, one for each class.
    fn deliver_classes(
        &self,
        learned: Vec<(Learned, Option<Verified>)>,
        run: &TableRun,
        target: Option<Output>,
    ) -> Result<Exit> {
        let origin = &run.origin;
        let mut notes: Vec<String> = Vec::new();
        let (mut text, mut classes) = (String::new(), Vec::new());
        let mut models: Vec<Model> = Vec::new();
        let any = learned.iter().any(|(one, _)| one.outcome.best.is_some());
        let cancelled = learned.iter().any(|(one, _)| one.outcome.stop == StopReason::Cancelled);
        let ended =
            learned.iter().all(|(one, _)| matches!(one.outcome.stop, StopReason::Proved | StopReason::Exhausted));
        for ((mut one, verified), label) in learned.into_iter().zip(&origin.labels) {
            let mut own: Vec<String> = one.model.as_ref().map_or_else(Vec::new, |model| model.notes.clone());
            own.extend(one.outcome.notes.iter().filter(|note| !own.contains(note)).cloned().collect::<Vec<_>>());
            let complete = verified.as_ref().is_some_and(|verified| verified.stop.is_none());
            own.extend(verified.as_ref().and_then(unverified));
            models.extend(one.model.take().map(|mut model| {
                model.notes.extend(one.outcome.limits.iter().map(|limit| format!("not evaluated to the end: {limit}")));
                model
            }));
            let report = LearnReport::of(&one, self.why(&one.why));
            if self.json {
                let mut entry = json!({ "label": label });
                if let (Value::Object(entry), Value::Object(report)) =
                    (&mut entry, self.report_json(&report, &own, complete))
                {
                    entry.extend(report);
                }
                entry["dates"] = json!(run.dates(&one));
                classes.push(entry);
            } else {
                text += &format!("--- {label}\n{}", self.report_text(&report));
                run.dates(&one).iter().for_each(|line| text += &format!("date: {line}\n"));
                if complete {
                    text += VERIFIED;
                }
                own.iter().for_each(|note| text += &format!("note: {note}\n"));
                text.push('\n');
            }
        }
        let (mut unwritten, mut written) = (None, String::new());
        if let (Some(target), Some(path)) = (target, &self.output) {
            let empty = models.iter().all(|model| model.members.is_empty());
            if empty && path.is_file() {
                notes.push(format!("nothing was learned, so {} stays as it was", path.display()));
            } else {
                let model = TableModel { origin: origin.clone(), models };
                unwritten = target.write(model.to_json().as_bytes()).err();
                match &unwritten {
                    Some(error) => complain(error),
                    None => written = format!("model written to {}\n", path.display()),
                }
            }
        }
        let answer = if self.json {
            format!("{}\n", json!({ "labels": labels_json(origin), "classes": classes, "notes": notes }))
        } else {
            notes.iter().for_each(|note| text += &format!("note: {note}\n"));
            format!("{text}{}\n{written}", run.labels)
        };
        print(&answer)?;
        Ok(match (unwritten, cancelled, any, ended) {
            (Some(_), ..) => Exit::BadInput,
            (_, true, ..) => Exit::Interrupted,
            (_, _, true, _) => Exit::Done,
            (_, _, _, true) => Exit::NothingLearned,
            _ => Exit::Limit,
        })
    }

    /// The limits of one of several runs: these seconds, and its share of the ticks.
    fn budget_within(&self, seconds: f64, runs: u64) -> symsnap::Budget {
        let budget = self.budget().with_time(Duration::from_secs_f64(seconds.max(0.0)));
        match self.ticks {
            Some(ticks) => budget.with_ticks((ticks / runs.max(1)).max(1)),
            None => budget,
        }
    }
}
