//! `symsnap learn DIR`: learn, show each new best hypothesis as it comes, keep the snapshots, write the model.

use crate::Exit;
use crate::listener::{Heard, Listener, Memory, Wishes, block, empty_confusion, rule_texts};
use crate::model::{self, Target};
use crate::output::{complain, confusion_json, count, print};
use crate::patience::{Waited, wait};
use crate::progress::Meter;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use symsnap::budget::{Budget, Cancel, StopReason};
use symsnap::cost::Cost;
use symsnap::ensemble::{METHODS, Method, Model, method_named};
use symsnap::error::{Diagnostic, Result};
use symsnap::learn::{Learner, Outcome, Settings, Symsnap};
use symsnap::snapshot::SnapshotPool;
use symsnap::task::{Bias, Task};

/// Learn rules from a task folder; each hypothesis that is at least as good as all before it is kept as a snapshot.
#[derive(Args)]
#[command(after_help = "Ctrl-C and every limit end the run with the best hypothesis so far.\n\
    Exit codes: 0 done; 1 nothing learned; 2 bad input or usage; 3 a limit came before any hypothesis; 130 interrupted.")]
pub struct Learn {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    /// What to minimise: `mdl` (fp + fn + size), `errorsize` (fp + fn, then size) or `lexfnsize` (fn, then fp, then
    /// size).
    #[arg(long, value_name = "NAME", default_value = "mdl", value_parser = parse_cost)]
    cost: Cost,
    /// Stop after so many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_negative_numbers = true, value_parser = parse_seconds, help_heading = "Limits")]
    timeout: f64,
    /// Stop after so many rules tested; the result is then the same on any machine and number of threads.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    ticks: Option<u64>,
    /// Stop before the process holds more than so many megabytes.
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    max_memory: Option<u64>,
    /// How many threads to use; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed for the random choices of the local search.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the model combines the snapshots: `paper` (vote of all, weighted as published), `single` (the best alone)
    /// or `loglik` (vote of all, weighted by likelihood).
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = parse_method)]
    method: &'static dyn Method,
    /// Keep only snapshots that are strictly better than all before, not ties.
    #[arg(long)]
    strict: bool,
    /// At most so many variables in a rule.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=60), help_heading = "Rules (instead of what bias.pl says)")]
    max_vars: Option<u16>,
    /// At most so many body literals in a rule.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250), help_heading = "Rules (instead of what bias.pl says)")]
    max_body: Option<u16>,
    /// At most so many rules in a recursive hypothesis.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Rules (instead of what bias.pl says)")]
    max_clauses: Option<u16>,
    /// Write the ensemble to this file.
    #[arg(short = 'o', long = "output", value_name = "MODEL", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write each snapshot to this file, one JSON object a line, as it is found.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    snapshots: Option<PathBuf>,
    /// Test the final hypothesis and every snapshot again, from scratch, with the slow evaluator.
    #[arg(long, help_heading = "Output")]
    verify: bool,
    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Show no progress and no intermediate hypotheses.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// Show warnings about the task, and progress even where standard error is not a terminal.
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,
}

/// The cost with that name.
pub fn parse_cost(name: &str) -> std::result::Result<Cost, String> {
    let known: Vec<&str> = Cost::ALL.iter().map(|cost| cost.name()).collect();
    Cost::from_name(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

/// The ensemble method with that name.
pub fn parse_method(name: &str) -> std::result::Result<&'static dyn Method, String> {
    let known: Vec<&str> = METHODS.iter().map(|method| method.name()).collect();
    method_named(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| (0.0..1e9).contains(seconds))
        .ok_or_else(|| "expected a number of seconds".to_owned())
}

/// The stack of the thread that learns, as large as the main thread's usually is.
const STACK: usize = 8 << 20;

impl Learn {
    /// Read, learn, write.
    pub fn run(self) -> Result<Exit> {
        let options = Arc::new(self);
        let budget = options.budget()?;
        let target = options.output.as_deref().map(Target::open).transpose()?;
        let memory = Memory::new(options.strict);
        let run = options.start(&budget, &memory)?;
        let waited = wait(&run, &budget);
        // Held to the end: a run that is left behind writes nothing more.
        let mut heard = memory.lock();
        if let (Waited::Overdue(_), false) = (&waited, options.quiet) {
            Meter::wipe();
        }
        let outcome = match waited {
            Waited::Done(outcome) => outcome?,
            Waited::Lost => return Err(Diagnostic::error("the learner has failed: this is a bug in symsnap").into()),
            Waited::Overdue(stop) => match heard.task.clone() {
                Some(task) => heard.outcome(&task, options.cost, stop, &budget),
                None => {
                    complain(&format!("stopped while reading the task: {}", stop_words(stop)));
                    return Ok(if stop == StopReason::Cancelled { Exit::Interrupted } else { Exit::Limit });
                }
            },
        };
        heard.take_failure()?;
        options.deliver(&heard, &outcome, target)
    }

    /// The limits, with a clock that runs from now and a flag that Ctrl-C raises.
    fn budget(&self) -> Result<Budget> {
        let cancel = Cancel::default();
        let on_signal = cancel.clone();
        let interrupt = move || {
            if on_signal.is_raised() {
                // Asked twice: whoever asks does not want to wait for the best so far.
                std::process::exit(i32::from(Exit::Interrupted as u8));
            }
            on_signal.raise();
        };
        ctrlc::set_handler(interrupt)
            .map_err(|error| Diagnostic::error(format!("cannot listen for Ctrl-C: {error}")))?;
        let mut budget = Budget::unlimited().with_time(Duration::from_secs_f64(self.timeout)).with_cancel(cancel);
        if let Some(ticks) = self.ticks {
            budget = budget.with_ticks(ticks);
        }
        if let Some(megabytes) = self.max_memory {
            budget = budget.with_memory(megabytes.saturating_mul(1 << 20));
        }
        Ok(budget)
    }

    /// Read and learn on a thread of their own.
    fn start(self: &Arc<Self>, budget: &Budget, memory: &Memory) -> Result<Receiver<Result<Outcome>>> {
        let (send, run) = channel();
        let (options, budget, memory) = (Arc::clone(self), budget.clone(), memory.clone());
        let work = move || {
            // Nobody listens any more if the run is overdue.
            let _ = send.send(options.learn(&budget, &memory));
        };
        let thread = std::thread::Builder::new().name("learn".to_owned()).stack_size(STACK).spawn(work);
        thread.map_err(|error| Diagnostic::error(format!("cannot start a thread: {error}")))?;
        Ok(run)
    }

    fn learn(&self, budget: &Budget, memory: &Memory) -> Result<Outcome> {
        let mut task = Task::from_dir(&self.task)?;
        self.override_limits(&mut task)?;
        if self.verbose {
            task.warnings.iter().for_each(complain);
        }
        if let Some(warning) = unsearched(&task.bias) {
            complain(&Diagnostic::warning(warning));
        }
        let task = Arc::new(task);
        memory.lock().task = Some(Arc::clone(&task));
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = self.threads.map_or_else(cores, usize::from);
        let settings = Settings { cost: self.cost, threads, seed: self.seed, ..Settings::default() };
        let wishes = Wishes {
            snapshots: self.snapshots.clone(),
            timeless: self.ticks.is_some(),
            show: !self.quiet && !self.json,
            cost: self.cost,
        };
        let meter = (!self.quiet).then(|| Meter::new(self.timeout, self.ticks, self.verbose)).flatten();
        let mut listener = Listener::new(Arc::clone(&task), memory.clone(), wishes, meter)?;
        let outcome = Symsnap { settings }.learn(&task, budget, &mut listener);
        listener.finish();
        outcome
    }

    /// Check, write and print what came of it.
    fn deliver(&self, heard: &Heard, outcome: &Outcome, target: Option<Target>) -> Result<Exit> {
        let (pool, task) = (&heard.pool, heard.task.as_deref().expect("whoever has an outcome has read the task"));
        if self.verify {
            model::verify(task, pool, self.cost)?;
        }
        if let Some(target) = target {
            let model = Model::fit(task, pool, self.method, self.cost, self.seed);
            target.write(&model.learned_from(&self.task)?)?;
        }
        let answer = if self.json {
            format!("{}\n", self.report_json(task, outcome, pool))
        } else {
            self.report_text(task, outcome, pool)
        };
        print(&answer)?;
        Ok(match (outcome.stop, &outcome.best) {
            (StopReason::Cancelled, _) => Exit::Interrupted,
            (_, Some(_)) => Exit::Done,
            (StopReason::Proved | StopReason::Exhausted, None) => Exit::NothingLearned,
            (_, None) => Exit::Limit,
        })
    }

    fn override_limits(&self, task: &mut Task) -> Result<()> {
        let bias = &mut task.bias;
        bias.max_body = self.max_body.map_or(bias.max_body, usize::from);
        bias.max_clauses = self.max_clauses.map_or(bias.max_clauses, usize::from);
        if let Some(max_vars) = self.max_vars.map(usize::from) {
            let arity = bias.head.arity as usize;
            if max_vars < arity {
                let message = format!("--max-vars {max_vars} is less than the {arity} variables of the head");
                return Err(Diagnostic::error(message).with_help(format!("give at least {arity}")).into());
            }
            bias.max_vars = max_vars;
        }
        Ok(())
    }

    fn report_json(&self, task: &Task, outcome: &Outcome, pool: &SnapshotPool) -> Value {
        let empty = empty_confusion(task);
        let best = outcome.best.as_ref();
        let seconds = |time: Duration| time.as_secs_f64();
        json!({
            "cost": self.cost.name(),
            "value": outcome.value.0,
            "confusion": confusion_json(best.map_or(&empty, |best| &best.confusion)),
            "size": best.map_or(0, |best| best.size),
            "optimal": outcome.optimal,
            "lower_bound": outcome.lower.0,
            "stop": outcome.stop.word(),
            "elapsed_s": seconds(outcome.elapsed),
            "first_candidate_s": outcome.first.map(seconds),
            "best_s": best.map(|best| seconds(best.elapsed)),
            "snapshots": pool.members().len(),
            "rules_tested": outcome.ticks,
            "peak_rss_mb": peak_rss_mb(),
            "hypothesis": best.map_or_else(Vec::new, |best| rule_texts(best, &task.terms)),
            "why": outcome.why,
            "verified": self.verify,
        })
    }

    fn report_text(&self, task: &Task, outcome: &Outcome, pool: &SnapshotPool) -> String {
        let mut text = String::new();
        match &outcome.best {
            Some(best) => text += &block(best, self.cost, &task.terms),
            None => {
                text += "No hypothesis is better than the empty one, which covers nothing.\n";
                outcome.why.iter().for_each(|reason| text += &format!("  - {reason}\n"));
            }
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
            stop_words(outcome.stop),
        );
        if self.verify {
            text += "verified: every snapshot has the figures it was found with\n";
        }
        if let Some(path) = &self.output {
            text += &format!("model written to {}\n", path.display());
        }
        text
    }
}

/// What the bias allows and the learner does not look at.
fn unsearched(bias: &Bias) -> Option<&'static str> {
    match (bias.recursion, bias.invention) {
        (_, true) => Some("bias.pl enables recursion or invented predicates, but only rules without them are searched"),
        (true, false) => Some("bias.pl enables recursion, but only rules that are not recursive are searched"),
        (false, false) => None,
    }
}

fn stop_words(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Proved => "nothing better exists",
        StopReason::Exhausted => "nothing left to try",
        StopReason::Time => "time limit",
        StopReason::Ticks => "tick limit",
        StopReason::Memory => "memory limit",
        StopReason::Cancelled => "interrupted",
        StopReason::Observer => "could not write snapshots",
    }
}

/// The most memory the process has held, in megabytes; 0 where the system does not say.
fn peak_rss_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()).and_then(|field| field.parse::<f64>().ok());
    (kilobytes.unwrap_or(0.0) / 1024.0 * 10.0).round() / 10.0
}
