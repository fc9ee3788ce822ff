//! `symsnap ensemble DIR --from FILE|-` or `--learner 'CMD {task}'`: a model from hypotheses that another learner found.

use crate::Exit;
use crate::files::Files;
use crate::keep::kept;
use crate::learn::{parse_cost, parse_seconds};
use crate::limits::{self, Ended, Stage};
use crate::method;
use crate::output::{complain, count, print};
use crate::outside::{self, Said};
use crate::signals;
use clap::Args;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use symsnap::internals::ensemble::{Needs, Training, evaluate, read_outside};
use symsnap::internals::run::watchdog::GRACE;
use symsnap::{Budget, Cost, Diagnostic, Error, Model, Result, SnapshotPool, StopReason, Task, Text};

/// Make a model of hypotheses from elsewhere: snapshots as JSON lines, or a log of Popper, from a file or from a program
/// that symsnap starts.
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
    /// Stop after S seconds, of which the command gets all but a tenth (at most five); what it has written by
    /// then counts.
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
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
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
        let budget = Budget::unlimited().with_cancel(signals::cancel());
        let budget = limits::with_memory(budget.with_time(Duration::from_secs_f64(self.timeout)), self.max_memory);
        let (json, clock) = (self.json, budget.clone());
        let grace = if self.learner.is_some() { LEARNER_GRACE } else { GRACE };
        match limits::keep(&budget, grace, move |stage| self.make(stage, &clock))? {
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

    /// The model, unless an older one is kept, what to print about it, and the exit code.
    fn make(&self, stage: &Stage, budget: &Budget) -> Result<(Option<Model>, String, Exit)> {
        let method = self.choice.method()?;
        let held_out_given = self.held_out.is_some();
        let lacks = match method.needs() {
            Needs::Learner => Some("learns again, which `symsnap ensemble` cannot"),
            Needs::HeldOut if !held_out_given => Some("chooses by examples that the hypotheses were not learned from"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            let help = match method.needs() {
                Needs::Learner => "use it with `symsnap learn`",
                _ => "give them with --held-out FILE",
            };
            return Err(Diagnostic::error(format!("the method `{}` {lacks}", method.name())).with_help(help).into());
        }
        stage.at("reading the task");
        let mut task = Task::from_dir(&self.task)?;
        let held_out = self.held_out.as_ref().map(|path| task.read_examples_file(path)).transpose()?;
        stage.at("listening to the learner");
        let (name, bytes, said) = self.input(budget)?;
        stage.at("testing the hypotheses");
        let source = Text::from_bytes(name.as_str(), &bytes).map_err(|finding| Error::from(*finding))?;
        let found = read_outside(&name, source.text)?;
        if let Some(complaint) = said.as_ref().and_then(|said| outside::complaint(said, found.len())) {
            complain(&complaint);
        }
        let candidates = evaluate(&name, &found, &mut task, self.cost)?;
        let mut pool = SnapshotPool::new(self.strict, SnapshotPool::CAP);
        candidates.iter().for_each(|candidate| {
            pool.offer(candidate);
        });
        let mut training = Training::new(&task, &pool, self.cost).with_seed(self.seed);
        if let Some(examples) = &held_out {
            training = training.with_held_out(examples);
        }
        stage.at("making the ensemble");
        // Ctrl-C ends the learner; the ensemble of what it has found is made all the same.
        let rest = Duration::from_secs_f64(self.timeout).saturating_sub(budget.elapsed());
        let training = training.with_budget(Budget::unlimited().with_time(rest + GRACE / 2));
        let model = Model::fit(&training, &*method)?.learned_from(&self.task)?;
        let mut notes = model.notes.clone();
        let kept = self.output.as_ref().and_then(|path| kept(&model, path));
        let is_kept = kept.is_some();
        notes.extend(kept);
        let (taken, best) = (pool.members().len(), pool.best());
        let answer = if self.json {
            let best = best.map(|best| best.0.clone());
            let cost = self.cost.name();
            let report =
                json!({ "cost": cost, "found": found.len(), "snapshots": taken, "value": best, "notes": notes });
            format!("{report}\n")
        } else {
            let best = best.map_or_else(String::new, |best| format!("; best {} {best}", self.cost.name()));
            let hypotheses =
                if found.len() == 1 { "1 hypothesis".to_owned() } else { format!("{} hypotheses", found.len()) };
            let written = self.output.as_ref().filter(|_| !is_kept);
            let written = written.map_or_else(String::new, |path| format!("model written to {}\n", path.display()));
            let notes: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
            format!("{hypotheses} read, {} taken{best}\n{notes}{written}", count(taken, "snapshot"))
        };
        let stopped = said.and_then(|said| said.stop);
        let exit = match (stopped, taken) {
            (Some(StopReason::Cancelled), _) => Exit::Interrupted,
            (Some(_), 0) => Exit::Limit,
            (None, 0) => Exit::NothingLearned,
            _ => Exit::Done,
        };
        Ok(((!is_kept).then_some(model), answer, exit))
    }

    /// The text with the hypotheses, how messages call it, and how the program that wrote it ended.
    fn input(&self, budget: &Budget) -> Result<(String, Vec<u8>, Option<Said>)> {
        if let Some(command) = &self.learner {
            let limit = Duration::from_secs_f64(self.timeout);
            let reserve = (limit / 10).min(Duration::from_secs(5));
            let budget = budget.no_later_than(limit.saturating_sub(reserve).saturating_sub(budget.elapsed()));
            let said = outside::listen(command, &self.task, &budget)?;
            return Ok(("<learner>".to_owned(), said.bytes.clone(), Some(said)));
        }
        if let Some(path) = self.from.as_ref().filter(|path| *path != Path::new("-")) {
            return Ok((path.display().to_string(), symsnap::internals::file::read(path)?, None));
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map_err(|source| Error::Io { action: "read", path: "standard input".into(), source })?;
        Ok(("<standard input>".to_owned(), bytes, None))
    }
}
