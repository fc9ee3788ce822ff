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
use symsnap::internals::file::Output;
use symsnap::internals::run::watchdog::GRACE;
use symsnap::{Budget, Diagnostic, Learned, Model, Result, StopReason};
use symsnap_tables::{Dataset, TableEnded, TableLearn, TableModel, TableRequest};

impl Learn {
    /// Read tables, learn, write.
    pub(super) fn run_on_tables(&self, request: TableRequest) -> Result<Exit> {
        let budget = self.budget();
        let mut files = request.files().iter().fold(Files::default(), |files, path| files.reading(path));
        files.printing()?;
        let targets = self.targets(&mut files)?;
        let mut snapshots = self.snapshots.as_deref().map(|path| files.output(path)).transpose()?;
        let data = match self.load(request, &budget)? {
            Ok(data) => data,
            Err(exit) => return Ok(exit),
        };
        let limits = self.limits();
        let learn = TableLearn::new(Arc::clone(&data), self.tables.example_options(self.seed))?;
        let learn = learn.preparing(move |task| limits.applied(task));
        let several = learn.tasks() > 1;
        let one_run = snapshots.as_ref().map(|_| "--snapshots").or(self.certificate.as_ref().map(|_| "--certificate"));
        if let Some(option) = one_run.filter(|_| several) {
            let finding = Diagnostic::error(format!("{option} is for two labels: there is a run for each class"));
            return Err(finding.with_help("--positive LABEL learns one of them against the rest").into());
        }
        let origin = learn.origin().clone();
        let labels = labels_in_words(&data.schema, &origin.labels, &origin.counts);
        let run = TableRun { origin, schema: data.schema.clone(), labels };
        drop(data);
        let failure = WriteFailure::default();
        let ended = learn.run(&budget, |label, learn| {
            if several && !self.quiet && !self.json {
                complain(&format!("--- {}", run.origin.labels[label]));
            }
            self.set_up(learn, snapshots.take(), &failure, label == 0)
        })?;
        self.wipe_meter();
        match ended {
            TableEnded::Unread(stop) => self.unread(stop),
            TableEnded::Learned(learned) if several => self.deliver_classes(learned, &run, targets.model, &budget),
            TableEnded::Learned(learned) => {
                let one = learned.into_iter().next().expect("two labels are one run");
                self.deliver(one, &Origin::Tables(&run), targets, &failure, &budget)
            }
        }
    }

    /// Read tables within the limits; how the command ends if these come first.
    pub(super) fn load(
        &self,
        request: TableRequest,
        budget: &Budget,
    ) -> Result<std::result::Result<Arc<Dataset>, Exit>> {
        let mut meter = ReadingMeter::new(self.quiet || self.json);
        let read = keep(budget, GRACE, move |stage| {
            stage.at("reading the tables");
            request.load(&mut |file, part| meter.show(file, part))
        })?;
        Ok(match read {
            Kept::Done(data) => Ok(Arc::new(data)),
            Kept::Stopped(stopped) => {
                complain(&stopped.message("what the tables say"));
                Err(stopped.exit())
            }
        })
    }

    /// Write and print what came of the runs, one for each class.
    fn deliver_classes(
        &self,
        learned: Vec<Learned>,
        run: &TableRun,
        target: Option<Output>,
        budget: &Budget,
    ) -> Result<Exit> {
        let origin = &run.origin;
        let mut notes: Vec<String> = Vec::new();
        let (mut text, mut classes) = (String::new(), Vec::new());
        let mut models: Vec<Model> = Vec::new();
        let any = learned.iter().any(|one| one.outcome.best.is_some());
        let cancelled = learned.iter().any(|one| one.outcome.stop == StopReason::Cancelled);
        let ended = learned.iter().all(|one| matches!(one.outcome.stop, StopReason::Proved | StopReason::Exhausted));
        for (one, label) in learned.into_iter().zip(&origin.labels) {
            let verified = self.verify.then(|| one.verify(budget)).transpose()?;
            let mut own: Vec<String> = one.model.as_ref().map_or_else(Vec::new, |model| model.notes.clone());
            own.extend(one.outcome.notes.iter().filter(|note| !own.contains(note)).cloned().collect::<Vec<_>>());
            let complete = verified.as_ref().is_some_and(|verified| verified.stop.is_none());
            own.extend(verified.as_ref().and_then(unverified));
            models.extend(one.model_to_keep());
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
}
