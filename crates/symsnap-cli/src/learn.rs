//! `symsnap learn DIR`: learn, show each new best hypothesis as it comes, keep the snapshots, write the model.

use crate::Exit;
use crate::model::{self, Method, Target};
use crate::output::{complain, confusion_json, print, thousands};
use crate::progress::Meter;
use clap::Args;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use symsnap::budget::{Budget, Cancel, StopReason};
use symsnap::cost::{Confusion, Cost};
use symsnap::error::{Diagnostic, Error, Result};
use symsnap::learn::{Candidate, Learner, Observer, Outcome, Progress, Settings, Symsnap};
use symsnap::logic::Terms;
use symsnap::snapshot::{Snapshot, SnapshotPool};
use symsnap::task::{Bias, Task};

/// Learn rules from a task folder; every best-so-far hypothesis is kept as a snapshot.
#[derive(Args)]
pub struct Learn {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    /// What to minimise: `mdl` (fp + fn + size), `errorsize` (fp + fn, then size) or `lexfnsize` (fn, then fp, then
    /// size).
    #[arg(long, value_name = "NAME", default_value = "mdl", value_parser = parse_cost)]
    cost: Cost,
    /// Stop after so many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = parse_seconds)]
    timeout: f64,
    /// Stop after so many rules tested; the result is then the same on any machine and number of threads.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Stop before the process holds more than so many megabytes.
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,
    /// How many threads to use; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed for the random choices of the local search.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the model combines the snapshots: `paper` (weighted vote of all) or `single` (the best alone).
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = Method::from_name)]
    method: Method,
    /// Keep only snapshots that are strictly better than all before, not ties.
    #[arg(long)]
    strict: bool,
    /// At most so many variables in a rule, instead of what bias.pl says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=60))]
    max_vars: Option<u16>,
    /// At most so many body literals in a rule, instead of what bias.pl says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=250))]
    max_body: Option<u16>,
    /// At most so many rules in a recursive hypothesis, instead of what bias.pl says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_clauses: Option<u16>,
    /// Write the ensemble to this file.
    #[arg(short = 'o', long = "output", value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Write each snapshot to this file, one JSON object a line, as it is found.
    #[arg(long, value_name = "FILE")]
    snapshots: Option<PathBuf>,
    /// Test the final hypothesis and every snapshot again, from scratch, with the slow evaluator.
    #[arg(long)]
    verify: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Show no progress and no intermediate hypotheses.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Show warnings about the task, and progress even where standard error is not a terminal.
    #[arg(short, long)]
    verbose: bool,
}

fn parse_cost(name: &str) -> std::result::Result<Cost, String> {
    let known: Vec<&str> = Cost::ALL.iter().map(|cost| cost.name()).collect();
    Cost::from_name(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    text.parse().ok().filter(|seconds: &f64| (0.0..1e9).contains(seconds)).ok_or_else(|| "expected seconds".to_owned())
}

impl Learn {
    /// Read, learn, write.
    pub fn run(self) -> Result<Exit> {
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
        let mut task = Task::from_dir(&self.task)?;
        self.override_limits(&mut task)?;
        if self.verbose {
            task.warnings.iter().for_each(complain);
        }
        if let Some(warning) = unsearched(&task.bias) {
            complain(&Diagnostic::warning(warning));
        }
        let threads = self
            .threads
            .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
        let settings = Settings { cost: self.cost, threads, seed: self.seed, ..Settings::default() };
        let target = self.output.as_deref().map(Target::open).transpose()?;
        let mut listener = Listener::new(&self, &task.terms)?;
        let outcome = Symsnap { settings }.learn(&task, &budget, &mut listener)?;
        let pool = listener.finish()?;
        if self.verify {
            model::verify(&task, &pool, self.cost)?;
        }
        if let Some(target) = target {
            target.write(&model::build(&task, &pool, self.cost, self.method, self.seed, &self.task))?;
        }
        let answer = if self.json {
            format!("{}\n", self.report_json(&task, &outcome, &pool))
        } else {
            self.report_text(&task, &outcome, &pool)
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
            "\n{proof}; {} rules tested in {:.2} s; {} snapshots; stopped: {}\n",
            thousands(outcome.ticks as usize),
            outcome.elapsed.as_secs_f64(),
            thousands(pool.members().len()),
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

fn empty_confusion(task: &Task) -> Confusion {
    let cover = symsnap::coverage::Cover::empty(&task.examples);
    Confusion::new(&cover.pos, &cover.neg, &task.examples)
}

fn rule_texts(candidate: &Candidate, terms: &Terms) -> Vec<String> {
    candidate.hypothesis.rules.iter().map(|rule| rule.show(terms)).collect()
}

/// A hypothesis with its figures, for people.
fn block(candidate: &Candidate, cost: Cost, terms: &Terms) -> String {
    let confusion = &candidate.confusion;
    let figures = format!(
        "% {} {}: tp {}, fn {}, tn {}, fp {}, size {}; found after {:.3} s\n",
        cost.name(),
        candidate.value,
        confusion.tp,
        confusion.fn_,
        confusion.tn,
        confusion.fp,
        candidate.size,
        candidate.elapsed.as_secs_f64(),
    );
    rule_texts(candidate, terms).iter().fold(figures, |text, rule| text + rule + "\n")
}

/// The most memory the process has held, in megabytes; 0 where the system does not say.
fn peak_rss_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()).and_then(|field| field.parse::<f64>().ok());
    (kilobytes.unwrap_or(0.0) / 1024.0 * 10.0).round() / 10.0
}

/// Keeps the pool, writes snapshots as they come, and shows how things stand.
struct Listener<'l> {
    pool: SnapshotPool,
    terms: &'l Terms,
    cost: Cost,
    file: Option<(PathBuf, BufWriter<File>)>,
    failure: Option<Error>,
    /// Whether times may be written: not under a tick budget, where equal runs give equal files.
    timed: bool,
    meter: Option<Meter>,
    show: bool,
}

impl<'l> Listener<'l> {
    fn new(options: &Learn, terms: &'l Terms) -> Result<Self> {
        let file = options.snapshots.as_ref().map(|path| match File::create(path) {
            Ok(file) => Ok((path.clone(), BufWriter::new(file))),
            Err(source) => Err(Error::Io { action: "write", path: path.clone(), source }),
        });
        let show = !options.quiet && !options.json;
        Ok(Listener {
            pool: SnapshotPool::new(options.strict, SnapshotPool::CAP),
            terms,
            cost: options.cost,
            file: file.transpose()?,
            failure: None,
            timed: options.ticks.is_none(),
            meter: (!options.quiet).then(|| Meter::new(options.timeout, options.ticks, options.verbose)).flatten(),
            show,
        })
    }

    fn finish(mut self) -> Result<SnapshotPool> {
        if let Some(meter) = &mut self.meter {
            meter.clear();
        }
        self.failure.map_or(Ok(self.pool), Err)
    }
}

fn write_line(snapshot: &Snapshot, terms: &Terms, timed: bool, out: &mut impl Write) -> std::io::Result<()> {
    let candidate = &snapshot.candidate;
    let line = json!({
        "index": snapshot.index,
        "elapsed_s": timed.then_some(candidate.elapsed.as_secs_f64()),
        "ticks": candidate.ticks,
        "value": candidate.value.0,
        "confusion": confusion_json(&candidate.confusion),
        "size": candidate.size,
        "source": candidate.source.word(),
        "rules": rule_texts(candidate, terms),
    });
    writeln!(out, "{line}")?;
    out.flush()
}

impl Observer for Listener<'_> {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        let improves = self.pool.best().is_none_or(|best| candidate.value < *best);
        let Some(snapshot) = self.pool.offer(candidate) else { return ControlFlow::Continue(()) };
        if let Some((path, file)) = &mut self.file
            && let Err(source) = write_line(snapshot, self.terms, self.timed, file)
        {
            self.failure = Some(Error::Io { action: "write", path: path.clone(), source });
            return ControlFlow::Break(());
        }
        if self.show && improves {
            if let Some(meter) = &mut self.meter {
                meter.clear();
            }
            complain(&block(candidate, self.cost, self.terms));
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if let Some(meter) = &mut self.meter {
            meter.show(progress, self.pool.members().len());
        }
        ControlFlow::Continue(())
    }
}
