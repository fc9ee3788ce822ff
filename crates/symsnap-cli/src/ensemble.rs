//! `symsnap ensemble DIR --from FILE|-` or `--learner 'CMD {task}'`: a model from hypotheses that another learner found.

use crate::Exit;
use crate::files::Files;
use crate::intake::{Intake, hypotheses, skipped_json, skipped_text};
use crate::keep::kept;
use crate::learn::{parse_cost, parse_seconds};
use crate::limits::{self, Ended, Stage};
use crate::listener::Stream;
use crate::method;
use crate::output::{complain, count, print};
use crate::signals;
use clap::Args;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use symsnap::internals::ensemble::{FORMATS, Format, Needs, Training, format_named};
use symsnap::internals::file::Output;
use symsnap::internals::run::watchdog::GRACE;
use symsnap::{Budget, Cost, Diagnostic, Error, Method, Model, Result, SnapshotPool, StopReason, Task};
use symsnap_lab::guest::{self, Guest, SkipTally, TaskFiles};

/// Make a model of hypotheses from elsewhere: from a file, or from a program that symsnap starts.
///
/// What cannot be read or tested is skipped, counted and shown.
#[derive(Args)]
#[command(after_help = method::list())]
pub struct Ensemble {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    /// The hypotheses, in the order in which they were found; `-` for standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "learner", conflicts_with = "learner")]
    from: Option<PathBuf>,
    /// A command of the shell that learns and writes hypotheses as it finds them; `{task}` stands for the folder.
    #[arg(long, value_name = "CMD")]
    learner: Option<String>,
    // The help of this option is made from the list of formats.
    #[arg(long, value_name = "NAME", value_parser = parse_format, help = list_formats())]
    format: Option<&'static Format>,
    /// Stop after S seconds, of which the command gets all but a tenth (at most five); what it has written by
    /// then counts. Methods that learn again run the command again, and share the time among the runs.
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_negative_numbers = true, value_parser = parse_seconds, help_heading = "Limits")]
    timeout: f64,
    /// Stop before the process holds more than MB megabytes; three quarters of the machine's memory if not given.
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    max_memory: Option<u64>,
    /// The cost that decides which hypotheses are snapshots.
    #[arg(long, value_name = "NAME", default_value = "mdl", value_parser = parse_cost)]
    cost: Cost,
    #[command(flatten)]
    choice: method::MethodChoice,
    /// Examples that the hypotheses were not learned from, for methods that choose by them.
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Seed for the random choices of a method.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep only snapshots that are strictly better than all before, not ties.
    #[arg(long)]
    strict: bool,
    /// Write the ensemble to this file.
    #[arg(short = 'o', long = "output", value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Write each snapshot to this file, one JSON object a line, as it is found.
    #[arg(long, value_name = "FILE")]
    snapshots: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The format with that name.
fn parse_format(name: &str) -> std::result::Result<&'static Format, String> {
    format_named(name)
}

/// What the formats are, for the help.
fn list_formats() -> String {
    let each: Vec<String> = FORMATS.iter().map(|format| format!("`{}` ({})", format.name, format.summary)).collect();
    format!("How the hypotheses are written, if that is not to be recognised: {}", each.join(", "))
}

/// How long it may take to end a learner, and to make an ensemble of what it has found, after the end of the limit.
const LEARNER_GRACE: Duration = Duration::from_millis(750);

impl Ensemble {
    /// Read, test, weigh, write.
    pub fn run(self) -> Result<Exit> {
        let files = Files::of_task(&self.task).maybe_reading(self.from.as_deref());
        let mut files = files.maybe_reading(self.held_out.as_deref());
        files.printing()?;
        let target = self.output.as_deref().map(|path| files.output(path)).transpose()?;
        let snapshots = self.snapshots.as_deref().map(|path| files.output(path)).transpose()?;
        let budget = Budget::unlimited().with_cancel(signals::cancel());
        let budget = limits::with_memory(budget.with_time(Duration::from_secs_f64(self.timeout)), self.max_memory);
        let (json, clock) = (self.json, budget.clone());
        let grace = if self.learner.is_some() { LEARNER_GRACE } else { GRACE };
        match limits::keep(&budget, grace, move |stage| self.make(stage, &clock, snapshots))? {
            Ended::Stopped(stopped) => stopped.tell(json, "the ensemble"),
            Ended::Done((model, answer, exit)) => {
                if let (Some(target), Some(model)) = (target, model) {
                    target.write(model.to_json().as_bytes())?;
                }
                print(&answer)?;
                Ok(exit)
            }
        }
    }

    /// What the method lacks here, if it lacks something.
    fn lack(&self, method: &dyn Method) -> Option<Diagnostic> {
        let again = self.learner.as_ref().map(|command| command.contains("{task}"));
        let (lacks, help) = match (method.needs(), again) {
            (Needs::Pool, _) | (_, Some(true)) => return None,
            (Needs::HeldOut, _) if self.held_out.is_some() => return None,
            (Needs::HeldOut, None) => (
                "chooses by examples that the hypotheses were not learned from",
                "give them with --held-out FILE, or the command that learns with --learner",
            ),
            (_, None) => ("learns again, which a file cannot", "give the command that learns with --learner"),
            (_, Some(false)) => (
                "learns again from other examples, but the command has no {task} for their folder",
                "write {task} where the command takes the folder",
            ),
        };
        Some(Diagnostic::error(format!("the method `{}` {lacks}", method.name())).with_help(help))
    }

    /// The model, unless an older one is kept, what to print about it, and the exit code.
    fn make(&self, stage: &Stage, budget: &Budget, snapshots: Option<Output>) -> Result<(Option<Model>, String, Exit)> {
        let method = self.choice.method()?;
        if let Some(lack) = self.lack(&*method) {
            return Err(lack.into());
        }
        stage.at("reading the task");
        let mut task = Task::from_dir(&self.task)?;
        let held_out = self.held_out.as_ref().map(|path| task.read_examples_file(path)).transpose()?;
        stage.at(if self.learner.is_some() { "listening to the learner" } else { "testing the hypotheses" });
        let pool = SnapshotPool::new(self.strict, SnapshotPool::CAP);
        let stream = snapshots.map(Stream::open).transpose()?;
        let mut intake = Intake::new(task, self.cost, self.format, pool, stream);
        let again = if method.needs() == Needs::Pool || held_out.is_some() { 0 } else { method.runs() };
        let stopped = self.listen(&mut intake, budget, again)?;
        stage.at("testing the hypotheses");
        // Ctrl-C ends the learner; the ensemble of what it has found is made all the same.
        let rest = Duration::from_secs_f64(self.timeout).saturating_sub(budget.elapsed());
        let rest = Budget::unlimited().with_time(rest + GRACE / 2);
        intake.end(stopped.is_some(), &rest);
        let mut report = Report::of(&mut intake);
        let (mut task, pool) = intake.finish();
        stage.at("making the ensemble");
        let guest = self
            .learner
            .as_ref()
            .map(|command| Guest::new(command, TaskFiles::Folder(self.task.clone()), self.format, self.cost));
        let chosen = pool.only(self.choice.selection());
        let model = loop {
            let training = Training::new(&task, &chosen, self.cost).selected_from(&pool, self.choice.selection());
            let mut training = training.with_seed(self.seed).with_budget(rest.clone());
            if let Some(examples) = &held_out {
                training = training.with_held_out(examples);
            }
            if let Some(guest) = &guest {
                training = training.with_learner(guest);
            }
            let model = Model::fit(&training, &*method)?;
            match guest.as_ref().and_then(|guest| guest.teach(&task)) {
                Some(taught) => task = taught,
                None => break model,
            }
        };
        let model = model.learned_from(&self.task)?;
        report.notes.extend(model.notes.iter().cloned());
        report.in_samples = guest.filter(|_| again > 0).map(|guest| guest.skipped());
        let kept = self.output.as_ref().and_then(|path| kept(&model, path));
        let is_kept = kept.is_some();
        report.notes.extend(kept);
        let written = self.output.as_ref().filter(|_| !is_kept);
        let taken = pool.members().len();
        let best = pool.best().map(|best| best.0.clone());
        let answer =
            if self.json { report.json(self.cost, taken, best) } else { report.text(self.cost, &pool, written) };
        let exit = match (stopped, taken) {
            _ if report.is_unwritten => Exit::BadInput,
            (Some(StopReason::Cancelled), _) => Exit::Interrupted,
            (Some(_), 0) => Exit::Limit,
            (None, 0) => Exit::NothingLearned,
            _ => Exit::Done,
        };
        Ok(((!is_kept).then_some(model), answer, exit))
    }

    /// Take in the text with the hypotheses; why the program that wrote it was stopped, if it was. The command will be run
    /// `again` so often.
    fn listen(&self, intake: &mut Intake, budget: &Budget, again: usize) -> Result<Option<StopReason>> {
        if let Some(command) = &self.learner {
            let limit = Duration::from_secs_f64(self.timeout) / u32::try_from(again + 1).unwrap_or(u32::MAX);
            let reserve = (limit / 10).min(Duration::from_secs(5));
            let budget = budget.no_later_than(limit.saturating_sub(reserve).saturating_sub(budget.elapsed()));
            let hear = &mut |part: &[u8]| intake.hear(part, Some(budget.elapsed()), &budget);
            let said = guest::listen(command, &self.task, &budget, hear)?;
            if let Some(complaint) = guest::complaint(&said, intake.tested) {
                complain(&complaint);
            }
            return Ok(said.stop);
        }
        let bytes = match self.from.as_ref().filter(|path| *path != Path::new("-")) {
            Some(path) => symsnap::internals::file::read(path)?,
            None => {
                let mut bytes = Vec::new();
                let read = std::io::stdin().read_to_end(&mut bytes);
                read.map_err(|source| Error::Io { action: "read", path: "standard input".into(), source })?;
                bytes
            }
        };
        intake.hear(&bytes, None, budget);
        Ok(None)
    }
}

/// What there is to say of what was taken in.
struct Report {
    found: usize,
    format: Option<&'static str>,
    skipped: SkipTally,
    /// What was skipped when the command ran on samples.
    in_samples: Option<SkipTally>,
    notes: Vec<String>,
    /// Whether snapshots are missing in their file.
    is_unwritten: bool,
}

impl Report {
    fn of(intake: &mut Intake) -> Self {
        let mut notes: Vec<String> = intake.undefined().into_iter().collect();
        if intake.untested() > 0 {
            notes.push(format!("there was no time to test {}", hypotheses(intake.untested())));
        }
        let failure = intake.failure.take();
        notes.extend(failure.as_ref().map(|error| format!("not all snapshots were written: {error}")));
        Report {
            found: intake.tested,
            format: intake.format(),
            skipped: std::mem::take(&mut intake.skipped),
            in_samples: None,
            notes,
            is_unwritten: failure.is_some(),
        }
    }

    fn json(&self, cost: Cost, taken: usize, best: Option<Vec<u64>>) -> String {
        let in_samples = self.in_samples.as_ref().map(skipped_json);
        let report = json!({
            "cost": cost.name(), "format": self.format, "found": self.found, "snapshots": taken, "value": best,
            "skipped": skipped_json(&self.skipped), "skipped_in_samples": in_samples, "notes": self.notes,
        });
        format!("{report}\n")
    }

    fn text(&self, cost: Cost, pool: &SnapshotPool, written: Option<&PathBuf>) -> String {
        let best = pool.best().map_or_else(String::new, |best| format!("; best {} {best}", cost.name()));
        let found = hypotheses(self.found);
        let mut text = format!("{found} read, {} taken{best}\n", count(pool.members().len(), "snapshot"));
        text += &skipped_text(&self.skipped, "");
        text += &self.in_samples.as_ref().map_or_else(String::new, |it| skipped_text(it, " in runs on samples"));
        self.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
        text + &written.map_or_else(String::new, |path| format!("model written to {}\n", path.display()))
    }
}
