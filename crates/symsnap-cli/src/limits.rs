//! `--timeout S --max-memory MB`, for commands that have an answer or none: where a limit comes first, they say what
//! is not known.
//!
//! The work is done on another thread and left behind when it is overdue ([`watchdog`](symsnap::internals::run::watchdog)), so the limits
//! hold whatever the background does.

use crate::Exit;
use crate::learn::parse_seconds;
use crate::output::{complain, print};
use crate::signals;
use clap::Args;
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symsnap::internals::run::watchdog::{GRACE, Waited, start, wait_longer};
use symsnap::{Budget, Diagnostic, Result, StopReason};

/// What a command may use.
#[derive(Args, Clone)]
pub struct Limits {
    /// Stop after S seconds; no limit if not given.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_seconds, help_heading = "Limits")]
    timeout: Option<f64>,
    /// Stop before the process holds more than MB megabytes; three quarters of the machine's memory if not given.
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    max_memory: Option<u64>,
}

/// What the work is at, for the message about what is not known.
#[derive(Clone)]
pub struct Stage(Arc<Mutex<&'static str>>);

impl Stage {
    /// The work is now at `what`: `reading the task`, say.
    pub fn at(&self, what: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    fn get(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the work ended.
pub enum Ended<T> {
    /// With a result.
    Done(T),
    /// Without, because of a limit or Ctrl-C.
    Stopped(Stopped),
}

/// Work that was left behind.
pub struct Stopped {
    reason: StopReason,
    stage: &'static str,
}

impl Limits {
    /// The limits, with a clock that runs from now and a flag that Ctrl-C raises.
    pub fn budget(&self) -> Budget {
        let budget = Budget::unlimited().with_cancel(signals::cancel());
        let budget = match self.timeout {
            Some(seconds) => budget.with_time(Duration::from_secs_f64(seconds)),
            None => budget,
        };
        with_memory(budget, self.max_memory)
    }

    /// Print the answer that comes of the work; where a limit comes first, say that `unknown` is not known.
    pub fn answer(
        &self,
        json: bool,
        unknown: &str,
        work: impl FnOnce(&Stage) -> Result<String> + Send + 'static,
    ) -> Result<Exit> {
        match self.keep(work)? {
            Ended::Done(answer) => print(&answer).map(|()| Exit::Done),
            Ended::Stopped(stopped) => stopped.tell(json, unknown),
        }
    }

    /// Do the work, but not much beyond the limits.
    pub fn keep<T: Send + 'static>(&self, work: impl FnOnce(&Stage) -> Result<T> + Send + 'static) -> Result<Ended<T>> {
        keep(&self.budget(), GRACE, work)
    }
}

/// `budget` with a limit of `megabytes`, or with a guard against filling the machine.
pub fn with_memory(budget: Budget, megabytes: Option<u64>) -> Budget {
    budget.within_memory(megabytes)
}

/// Do the work, but not longer than `grace` beyond the limits of `budget`.
pub fn keep<T: Send + 'static>(
    budget: &Budget,
    grace: Duration,
    work: impl FnOnce(&Stage) -> Result<T> + Send + 'static,
) -> Result<Ended<T>> {
    let stage = Stage(Arc::new(Mutex::new("starting")));
    let at = stage.clone();
    let run = start(move || work(&at))?;
    match wait_longer(&run, budget, grace) {
        Waited::Done(result) => result.map(Ended::Done),
        Waited::Lost => Err(Diagnostic::error("the command has failed: this is a bug in symsnap").into()),
        Waited::Overdue(reason) => Ok(Ended::Stopped(Stopped { reason, stage: stage.get() })),
    }
}

impl Stopped {
    /// Say that nothing came of it; `unknown` is what is not known.
    pub fn tell(&self, json: bool, unknown: &str) -> Result<Exit> {
        if json {
            print(&format!("{}\n", self.json(unknown)))?;
        } else {
            complain(&self.message(unknown));
        }
        Ok(self.exit())
    }

    /// The exit code of a command that could not finish.
    pub fn exit(&self) -> Exit {
        if self.reason == StopReason::Cancelled { Exit::Interrupted } else { Exit::Limit }
    }

    /// For people: why it ended, where, and what is not known.
    pub fn message(&self, unknown: &str) -> Diagnostic {
        let message = format!("stopped while {}: {}; not known: {unknown}", self.stage, self.reason.words());
        let finding = Diagnostic::error(message);
        match self.reason {
            StopReason::Time => finding.with_help("give it more with --timeout"),
            StopReason::Memory => finding.with_help("give it more with --max-memory"),
            _ => finding,
        }
    }

    /// The same for programs.
    pub fn json(&self, unknown: &str) -> serde_json::Value {
        json!({ "stop": self.reason.word(), "while": self.stage, "unknown": unknown })
    }
}
