//! `symsnap learn DIR`: learn, show each new best hypothesis as it comes, keep the snapshots, write the model.

mod certificate;
mod cross_validation;
mod numbers;
mod origin;
mod tables;

use crate::Exit;
use crate::files::Files;
use crate::keep::kept;
use crate::limits::with_memory;
use crate::listener::{Listener, Wishes, WriteFailure, block, rule_texts};
use crate::method;
use crate::output::{complain, confusion_json, count, diagnostic_json, print};
use crate::popper::Popper;
use crate::progress::Meter;
use crate::signals;
use crate::tables::TableArgs;
use certificate::write_certificate;
use clap::Args;
use cross_validation::CrossValidation;
use numbers::{MovableNumber, free_numbers};
use origin::{Origin, labels_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use symsnap::internals::database::{redefined, undefined};
use symsnap::internals::file::Output;
use symsnap::internals::learn::learner_named;
use symsnap::internals::run::{Told, empty_confusion};
use symsnap::{
    Bias, Budget, Cost, CostChoice, Diagnostic, Ended, Error, LEARNERS, Learned, NamedLearner, Outcome, Reason, Result,
    Settings, SnapshotPool, StopReason, Task, Ties, Verified,
};

/// Learn rules from a task folder; each hypothesis that is at least as good as all before it is kept as a snapshot.
#[derive(Args)]
#[command(after_help = format!("{}\n\
    Methods that learn again divide the time and the ticks by the number of runs.\n\
    Ctrl-C and every limit end the run with the best hypothesis so far.\n\
    Flags of Popper (--noisy, --max-rules, --functional-test, --all-opt, ...) are understood, and say what they are here.\n\
    Exit codes: 0 done; 1 nothing learned; 2 bad input or usage; 3 a limit came before any hypothesis; 130 interrupted.",
    method::list()))]
pub struct Learn {
    /// The folder with bk.pl, exs.pl and bias.pl; or the table with the labels, a CSV, TSV, Parquet or Arrow file; or a folder with a
    /// schema.toml that says where the tables are.
    #[arg(value_name = "DIR")]
    pub(crate) task: PathBuf,
    // The help of this option is made from the table of costs.
    #[arg(long, value_name = "NAME", default_value = CostChoice::AUTO, value_parser = parse_cost_choice, help = list_costs())]
    cost: CostChoice,
    // The help of this option is made from the list of learners.
    #[arg(long, value_name = "NAME", default_value = LEARNERS[0].name, value_parser = parse_learner, help = list_learners())]
    learner: &'static NamedLearner,
    /// Stop after S seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_negative_numbers = true, value_parser = parse_seconds, help_heading = "Limits")]
    timeout: f64,
    /// Stop after N rules have been tested; the result is then the same on any machine and number of threads.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    ticks: Option<u64>,
    /// Stop before the process holds more than MB megabytes; three quarters of the machine's memory if not given.
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    max_memory: Option<u64>,
    /// How many threads to use; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed for the random choices of the local search.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    choice: method::MethodChoice,
    /// Keep only snapshots that are strictly better than all before; other hypotheses that cost as little as the best
    /// one are not looked for.
    #[arg(long, conflicts_with_all = ["optima", "until_timeout"])]
    strict: bool,
    /// List at most N hypotheses that cost as little as the best one, itself included.
    #[arg(long, value_name = "N", default_value_t = SnapshotPool::CAP, value_parser = parse_optima)]
    optima: usize,
    /// After a proof go on looking for hypotheses that cost as little as the best one, until all are known, --optima are
    /// found or a limit ends the run.
    #[arg(long)]
    until_timeout: bool,
    /// Leave out hypotheses that give, for the inputs of a positive example, another output than a positive has; inputs
    /// and outputs are what `direction` says of the head.
    #[arg(long)]
    functional: bool,
    /// At most N variables in a rule.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=60), help_heading = "Rules (instead of what bias.pl says)")]
    max_vars: Option<u16>,
    /// At most N body literals in a rule.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250), help_heading = "Rules (instead of what bias.pl says)")]
    max_body: Option<u16>,
    /// At most N rules in a recursive hypothesis.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Rules (instead of what bias.pl says)")]
    max_clauses: Option<u16>,
    /// Write the ensemble to this file.
    #[arg(short = 'o', long = "output", value_name = "MODEL", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write each snapshot to this file, one JSON object a line, as it is found.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    snapshots: Option<PathBuf>,
    /// Write to this file why no hypothesis made of the rules found costs less than a bound, so that others can check it
    /// (scripts/check-certificate does); a fifth of the time limit is kept for that.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    certificate: Option<PathBuf>,
    /// Test the final hypothesis and every snapshot again, from scratch, with the slow evaluator.
    #[arg(long, help_heading = "Output")]
    verify: bool,
    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Show no progress, no intermediate hypotheses and no warnings.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// Show progress even where standard error is not a terminal.
    #[arg(short, long, overrides_with = "verbose", help_heading = "Output")]
    verbose: bool,
    #[command(flatten)]
    pub(crate) tables: TableArgs,
    #[command(flatten)]
    validation: CrossValidation,
    #[command(flatten)]
    popper: Popper,
}

/// The cost with that name.
pub fn parse_cost(name: &str) -> std::result::Result<Cost, String> {
    let known: Vec<&str> = Cost::ALL.iter().map(|cost| cost.name()).collect();
    Cost::from_name(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

/// The cost with that name, or the choice that is left to the data.
fn parse_cost_choice(name: &str) -> std::result::Result<CostChoice, String> {
    CostChoice::from_name(name).ok_or_else(|| format!("expected one of {}", CostChoice::names().join(", ")))
}

/// What the costs count, for the help.
fn list_costs() -> String {
    let each: Vec<String> = Cost::ALL.iter().map(|cost| format!("`{}` ({})", cost.name(), cost.formula())).collect();
    format!(
        "What to minimise: {}, or `{}`: errorsize or mdl, whichever votes of bootstrap samples speak for",
        each.join(", "),
        CostChoice::AUTO
    )
}

/// What the learners do, for the help.
fn list_learners() -> String {
    let each: Vec<String> =
        LEARNERS.iter().map(|learner| format!("`{}` ({})", learner.name, learner.summary)).collect();
    format!("Who learns: {}", each.join(", "))
}

/// The learner with that name.
fn parse_learner(name: &str) -> std::result::Result<&'static NamedLearner, String> {
    learner_named(name)
}

/// Seconds, not negative.
pub fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| (0.0..1e9).contains(seconds))
        .ok_or_else(|| "expected a number of seconds".to_owned())
}

/// How many optima to list, at least one.
fn parse_optima(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|count| *count >= 1).ok_or_else(|| "expected a whole number from 1 on".to_owned())
}

impl Learn {
    /// Read, learn, write.
    pub fn run(mut self) -> Result<Exit> {
        self.heed_popper()?;
        self.refuse_certificate()?;
        if let Some(request) = self.tables.request(&self.task)? {
            self.popper.refuse_files()?;
            return if self.validation.is_wanted() {
                self.cross_validate_tables(request)
            } else {
                self.run_on_tables(request)
            };
        }
        if self.validation.is_wanted() {
            return self.cross_validate_folder();
        }
        let mut files = self.popper.files().fold(Files::of_task(&self.task), Files::reading);
        files.printing()?;
        let targets = self.targets(&mut files)?;
        let snapshots = self.snapshots.as_deref().map(|path| files.output(path)).transpose()?;
        let (budget, failure) = (self.budget(), WriteFailure::default());
        let (popper, folder, limits) = (self.popper.clone(), self.task.clone(), self.limits());
        let read = move || read_task(&popper, &folder, limits);
        let learn = symsnap::Learn::reading(read).budget(budget.clone());
        match self.learn(learn, snapshots, &failure)? {
            Ended::Learned(learned) => self.deliver(*learned, &Origin::Folder, targets, &failure, &budget),
            Ended::Unread(stop) => self.unread(stop),
        }
    }

    /// The files that are written at the end, opened before the work.
    fn targets(&self, files: &mut Files) -> Result<Targets> {
        let mut open = |path: &Option<PathBuf>| path.as_deref().map(|path| files.output(path)).transpose();
        Ok(Targets { model: open(&self.output)?, certificate: open(&self.certificate)? })
    }

    /// Run the learner and wait for it.
    fn learn(&self, learn: symsnap::Learn, snapshots: Option<Output>, failure: &WriteFailure) -> Result<Ended> {
        let ended = self.set_up(learn, snapshots, failure, true)?.spawn()?.wait()?;
        self.wipe_meter();
        Ok(ended)
    }

    /// The run that the options ask for. What is odd about the task is told if `warn`.
    fn set_up(
        &self,
        learn: symsnap::Learn,
        snapshots: Option<Output>,
        failure: &WriteFailure,
        warn: bool,
    ) -> Result<symsnap::Learn> {
        let method = self.choice.method()?;
        let warn = warn && !self.quiet;
        let wishes = Wishes { timeless: self.ticks.is_some(), show: !self.quiet && !self.json, warn };
        let meter = (!self.quiet).then(|| Meter::new(self.timeout, self.ticks, self.verbose)).flatten();
        let mut listener = Listener::new(wishes, meter, snapshots, failure.clone());
        let mut learn = self.configured(learn);
        if self.output.is_some() {
            learn = learn.ensemble(method);
        }
        if self.verify {
            learn = learn.leaving_time_to_verify();
        }
        if self.certificate.is_some() {
            learn = learn.certified();
        }
        Ok(learn.observe(move |event| listener.hear(event)))
    }

    /// The run with what the options say of the learner.
    fn configured(&self, learn: symsnap::Learn) -> symsnap::Learn {
        let learn = learn.cost(self.cost).learner(self.learner).settings(self.settings());
        let learn = learn.selecting(self.choice.selection());
        if self.strict { learn.strict() } else { learn }
    }

    /// A run that was left behind has taken its meter with it.
    fn wipe_meter(&self) {
        if !self.quiet {
            Meter::wipe();
        }
    }

    /// Say that a limit came while the task was read.
    fn unread(&self, stop: StopReason) -> Result<Exit> {
        complain(&format!("stopped while reading the task: {}", stop.words()));
        Ok(if stop == StopReason::Cancelled { Exit::Interrupted } else { Exit::Limit })
    }

    /// Take over what flags of Popper say, and say what they are here.
    fn heed_popper(&mut self) -> Result<()> {
        let notes = self.popper.notes(self.output.is_some())?;
        if !self.quiet {
            notes.iter().for_each(complain);
        }
        if self.popper.wants_mdl() {
            self.cost = Cost::Mdl.into();
        }
        self.functional |= self.popper.wants_functions();
        self.max_clauses = self.max_clauses.or(self.popper.most_rules());
        self.verbose |= self.popper.wants_progress() && !self.quiet;
        Ok(())
    }

    /// The limits, with a clock that runs from now and a flag that Ctrl-C raises.
    fn budget(&self) -> Budget {
        let budget = Budget::unlimited().with_cancel(signals::cancel());
        let mut budget = budget.with_time(Duration::from_secs_f64(self.timeout));
        if let Some(ticks) = self.ticks {
            budget = budget.with_ticks(ticks);
        }
        with_memory(budget, self.max_memory)
    }

    fn settings(&self) -> Settings {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Settings {
            threads: self.threads.map_or_else(cores, usize::from),
            seed: self.seed,
            optima: self.optima,
            until_limit: self.until_timeout,
            functional: self.functional,
            ..Settings::default()
        }
    }

    fn limits(&self) -> GivenLimits {
        GivenLimits { vars: self.max_vars, body: self.max_body, clauses: self.max_clauses }
    }

    /// Check, write and print what came of it. What cannot be written does not keep the rest from being printed.
    fn deliver(
        &self,
        learned: Learned,
        origin: &Origin<'_>,
        targets: Targets,
        failure: &WriteFailure,
        budget: &Budget,
    ) -> Result<Exit> {
        let verified = self.verify.then(|| learned.verify(budget)).transpose()?;
        let model = learned.model_to_keep();
        let report = LearnReport::of(&learned, self.why(&learned.why));
        let outcome = &learned.outcome;
        let failure = failure.take();
        let mut notes = learned.model.as_ref().map_or_else(Vec::new, |model| model.notes.clone());
        notes.extend(outcome.notes.iter().filter(|note| !notes.contains(note)).cloned().collect::<Vec<_>>());
        let kept = self.output.as_ref().zip(model.as_ref()).and_then(|(path, model)| kept(model, path));
        let certified = self.certificate.as_ref().map(|path| write_certificate(path, targets.certificate, outcome));
        let unwritten = match (targets.model, model) {
            (Some(target), Some(model)) if kept.is_none() => {
                origin.model_text(model, &self.task).and_then(|text| target.write(text.as_bytes())).err()
            }
            _ => None,
        };
        let written = self.output.as_ref().filter(|_| kept.is_none() && unwritten.is_none());
        notes.extend(kept);
        if let Some(error) = &unwritten {
            complain(error);
        }
        notes.extend(failure.as_ref().map(|error| format!("not all snapshots were written: {}", cause(error))));
        notes.extend(unwritten.as_ref().map(|error| format!("the model was not written: {}", cause(error))));
        let uncertified = outcome.certificate.is_some() && matches!(certified, Some(Err(_)));
        notes.extend(certified.as_ref().and_then(|certified| certified.as_ref().err().cloned()));
        let complete = verified.is_some_and(|verified| verified.is_complete());
        notes.extend(verified.and_then(|verified| unverified(&verified)));
        let answer = if self.json {
            let mut value = self.report_json(&report, &notes, complete);
            if self.certificate.is_some() {
                let bound = outcome.certificate.as_ref().filter(|_| !uncertified).map(|it| it.bound().0);
                value["certified_bound"] = json!(bound);
            }
            if let Origin::Tables(run) = origin {
                value["dates"] = json!(run.dates(&learned));
                value["labels"] = labels_json(&run.origin);
            }
            format!("{value}\n")
        } else {
            let mut text = self.report_text(&report);
            if let Origin::Tables(run) = origin {
                run.dates(&learned).iter().for_each(|line| text += &format!("date: {line}\n"));
                text += &format!("{}\n", run.labels);
            }
            if complete {
                text += VERIFIED;
            }
            notes.iter().for_each(|note| text += &format!("note: {note}\n"));
            if let Some(path) = written {
                text += &format!("model written to {}\n", path.display());
            }
            text.extend(certified.and_then(std::result::Result::ok));
            text
        };
        print(&answer)?;
        if failure.is_some() || unwritten.is_some() || uncertified {
            return Ok(Exit::BadInput);
        }
        Ok(match (outcome.stop, &outcome.best) {
            (StopReason::Cancelled, _) => Exit::Interrupted,
            (_, Some(_)) => Exit::Done,
            (StopReason::Proved | StopReason::Exhausted, None) => Exit::NothingLearned,
            (_, None) => Exit::Limit,
        })
    }

    /// Why nothing was learned, with the commands to try next.
    fn why(&self, reasons: &[Reason]) -> Vec<String> {
        let told = Told {
            cost: self.cost.fixed(),
            max_body: self.max_body.map(usize::from),
            max_vars: self.max_vars.map(usize::from),
            max_clauses: self.max_clauses.map(usize::from),
            functional: self.functional,
            timeout: self.timeout,
            ticks: self.ticks,
            max_memory: self.max_memory,
            tables: self.tables.spelled(),
        };
        let task = self.task.display().to_string();
        reasons.iter().map(|reason| reason.show(&task, &told)).collect()
    }

    fn report_json(&self, report: &LearnReport<'_>, notes: &[String], verified: bool) -> Value {
        let LearnReport { task, cost, choice, outcome, why, pool, numbers } = report;
        let empty = empty_confusion(task);
        let best = outcome.best.as_ref();
        let seconds = |time: Duration| time.as_secs_f64();
        json!({
            "cost": cost.name(),
            "choice": choice,
            "value": outcome.value.0,
            "confusion": confusion_json(best.map_or(&empty, |best| &best.confusion)),
            "size": best.map_or(0, |best| best.size),
            "optimal": outcome.optimal,
            "limited": !outcome.limits.is_empty(),
            "limits": outcome.limits,
            "lower_bound": outcome.lower.0,
            "ties": outcome.ties.words(),
            "optima": tied(outcome, pool),
            "stop": outcome.stop.word(),
            "elapsed_s": seconds(outcome.elapsed),
            "first_candidate_s": outcome.first.map(seconds),
            "best_s": best.map(|best| seconds(best.elapsed)),
            "snapshots": pool.members().len(),
            "rules_tested": outcome.ticks,
            "peak_rss_mb": peak_rss_mb(),
            "hypothesis": best.map_or_else(Vec::new, |best| rule_texts(best, &task.terms)),
            "numbers": numbers.iter().map(MovableNumber::json).collect::<Vec<_>>(),
            "why": why,
            "warnings": task.warnings.iter().map(diagnostic_json).collect::<Vec<_>>(),
            "notes": notes,
            "verified": verified,
        })
    }

    fn report_text(&self, report: &LearnReport<'_>) -> String {
        let LearnReport { task, cost, choice, outcome, why, pool, numbers } = report;
        let mut text = String::new();
        match &outcome.best {
            Some(_) if self.popper.wants_all_optima() => {
                let optima = pool.members().iter().map(|member| &member.candidate);
                let optima = optima.filter(|candidate| candidate.value == outcome.value);
                optima.for_each(|best| text += &block(best, *cost, &task.terms));
            }
            Some(best) => text += &block(best, *cost, &task.terms),
            None => {
                text += "No hypothesis is better than the empty one, which covers nothing.\n";
                why.iter().for_each(|reason| text += &format!("  - {reason}\n"));
            }
        }
        if !numbers.is_empty() {
            let shown: Vec<String> = numbers.iter().map(MovableNumber::text).collect();
            text += &format!("\nnumbers, and between which they cover the same: {}\n", shown.join(", "));
        }
        let proof = if outcome.optimal {
            "proved optimal".to_owned()
        } else {
            format!("not proved optimal (lower bound {})", outcome.lower)
        };
        text += &format!(
            "\n{proof}; {} tested in {:.2} s; {}; stopped: {}\n",
            count(outcome.ticks as usize, "rule"),
            outcome.elapsed.as_secs_f64(),
            count(pool.members().len(), "snapshot"),
            outcome.stop.words(),
        );
        if let Some(choice) = choice.as_ref().filter(|_| outcome.best.is_some()) {
            text += &format!("cost {}: {choice}\n", cost.name());
        }
        for limit in outcome.limits.iter().take(LIMITS_SHOWN) {
            text += &format!("not evaluated to the end: {limit}\n");
        }
        if let Some(more) = outcome.limits.len().checked_sub(LIMITS_SHOWN).filter(|&more| more > 0) {
            text += &format!("not evaluated to the end: {more} more (`limits` in `--json`)\n");
        }
        if outcome.best.is_some() {
            text += &format!("{}\n", tie_words(outcome, tied(outcome, pool), self.optima));
        }
        text
    }
}

/// The files that are written at the end of a run.
struct Targets {
    model: Option<Output>,
    certificate: Option<Output>,
}

/// What is said of a run that was tested again.
const VERIFIED: &str = "verified: every snapshot has the figures it was found with\n";

/// Causes of doubt that the text names: a background of a dozen ring predicates has two dozen.
const LIMITS_SHOWN: usize = 6;

/// What there is to report of a run.
struct LearnReport<'r> {
    task: &'r Task,
    cost: Cost,
    choice: Option<String>,
    outcome: &'r Outcome,
    /// Why nothing was found, with the commands to try next.
    why: Vec<String>,
    pool: &'r SnapshotPool,
    numbers: Vec<MovableNumber>,
}

impl<'r> LearnReport<'r> {
    fn of(learned: &'r Learned, why: Vec<String>) -> Self {
        let Learned { task, cost, choice, outcome, pool, .. } = learned;
        let numbers = outcome.best.as_ref().map_or_else(Vec::new, |best| free_numbers(task, &best.hypothesis));
        LearnReport { task, cost: *cost, choice: choice.clone(), outcome, why, pool, numbers }
    }
}

/// Limits on rules that stand instead of those of the bias.
#[derive(Clone, Copy)]
struct GivenLimits {
    vars: Option<u16>,
    body: Option<u16>,
    clauses: Option<u16>,
}

impl GivenLimits {
    /// The task with these limits.
    fn applied(self, mut task: Task) -> Result<Task> {
        let bias = &mut task.bias;
        if let Some(body) = self.body {
            (bias.max_body, bias.max_body_given) = (usize::from(body), true);
        }
        bias.max_clauses = self.clauses.map_or(bias.max_clauses, usize::from);
        if let Some(max_vars) = self.vars.map(usize::from) {
            let arity = bias.head.arity as usize;
            if max_vars < arity {
                let message = format!("--max-vars {max_vars} is less than the {arity} variables of the head");
                return Err(Diagnostic::error(message).with_help(format!("give at least {arity}")).into());
            }
            if max_vars > Bias::MOST_VARS {
                let message =
                    format!("--max-vars {max_vars} is too much: a rule has at most {} variables", Bias::MOST_VARS);
                return Err(Diagnostic::error(message).into());
            }
            bias.max_vars = max_vars;
        }
        Ok(task)
    }
}

/// The task with these limits, with warnings about what nothing defines, and with what the bias could declare.
fn read_task(popper: &Popper, folder: &Path, limits: GivenLimits) -> Result<Task> {
    let mut task = limits.applied(popper.read_task(folder)?)?;
    let more: Vec<Diagnostic> =
        undefined(&task).into_iter().chain(redefined(&task)).chain(task.suggestions()).collect();
    task.warnings.extend(more);
    Ok(task)
}

/// What `--verify` had no time for, for notes.
fn unverified(verified: &Verified) -> Option<String> {
    let total = count(verified.total, "snapshot");
    if let Some(stop) = verified.stop {
        return Some(format!(
            "{} of {total} tested again, the best first, before the end ({})",
            verified.done,
            stop.words()
        ));
    }
    let limits = "proofs by plain resolution met a limit";
    (!verified.is_complete()).then(|| format!("{} of {total} not tested again: {limits}", verified.unfinished))
}

/// How many snapshots cost what the best hypothesis does.
fn tied(outcome: &Outcome, pool: &SnapshotPool) -> usize {
    pool.members().iter().filter(|member| member.candidate.value == outcome.value).count()
}

/// What is known about hypotheses that cost what the best one does, of which `tied` are snapshots.
fn tie_words(outcome: &Outcome, tied: usize, most: usize) -> String {
    let words = outcome.ties.words();
    match outcome.ties {
        Ties::Complete if tied == 1 => format!("ties: {words}; no other hypothesis costs as little"),
        Ties::Complete => format!("ties: {words}; {tied} hypotheses cost as little"),
        Ties::Capped => format!("ties: {words}; more than {most} hypotheses cost as little (--optima {most})"),
        Ties::Incomplete if tied == 1 => format!("ties: {words}; 1 hypothesis of this cost found, there may be more"),
        Ties::Incomplete => format!("ties: {words}; {tied} hypotheses of this cost found, there may be more"),
        Ties::NotSought => format!("ties: {words}"),
    }
}

/// What the system said, without the file, which the user has named.
fn cause(error: &Error) -> String {
    match error {
        Error::Io { source, .. } => source.to_string(),
        _ => error.to_string(),
    }
}

/// The most memory the process has held, in megabytes; 0 where the system does not say.
fn peak_rss_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()).and_then(|field| field.parse::<f64>().ok());
    (kilobytes.unwrap_or(0.0) / 1024.0 * 10.0).round() / 10.0
}
