//! What a run that found nothing says: reasons, each with the next command to try.

use crate::budget::StopReason;
use crate::cost::Cost;
use std::fmt::Write as _;

/// Why nothing was found, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// A sentence without a full stop.
    pub text: String,
    /// The command to try next.
    #[doc(hidden)]
    pub next: Next,
    /// What the command was seen to find, if it was tried.
    #[doc(hidden)]
    pub finds: Option<String>,
}

/// A command to try next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Look at the task: something in its files is to be changed first.
    Check,
    /// Learn again, told something else.
    Learn(Change),
}

/// What a run is to be told instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Another cost.
    pub cost: Option<Cost>,
    /// Another limit on body literals.
    pub max_body: Option<usize>,
    /// Another limit on variables.
    pub max_vars: Option<usize>,
    /// Hypotheses need not be functional.
    pub any_function: bool,
    /// More of the limit that ended the run: ten times the time or ticks, at least a second or a thousand, and twice the
    /// memory.
    pub more: Option<StopReason>,
}

/// What a run was told on the command line, as far as a command that is to be tried next must repeat it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// `--cost`, if given.
    pub cost: Option<Cost>,
    /// `--max-body`, if given.
    pub max_body: Option<usize>,
    /// `--max-vars`, if given.
    pub max_vars: Option<usize>,
    /// `--max-clauses`, if given.
    pub max_clauses: Option<usize>,
    /// `--functional`.
    pub functional: bool,
    /// `--timeout`, or what it is by default.
    pub timeout: f64,
    /// `--ticks`, if given.
    pub ticks: Option<u64>,
    /// `--max-memory`, if given, in megabytes.
    pub max_memory: Option<u64>,
    /// The options that say what is learned from tables, as they are typed; empty for a task folder.
    pub tables: String,
}

impl Reason {
    /// The reason with its command, about the task in the folder `task`, or about the tables of which it is the first.
    #[doc(hidden)]
    pub fn show(&self, task: &str, told: &Told) -> String {
        let subject = quoted(task) + &told.tables;
        let command = match &self.next {
            Next::Check if told.tables.is_empty() => format!("symsnap check {subject}"),
            Next::Check => format!("symsnap import {subject}"),
            Next::Learn(change) => format!("symsnap learn {subject}{}", told.changed(change).options(change.more)),
        };
        match &self.finds {
            Some(found) => format!("{}; try `{command}`, which finds {found}", self.text),
            None => format!("{}; try `{command}`", self.text),
        }
    }
}

impl Told {
    fn changed(&self, change: &Change) -> Told {
        let mut told = self.clone();
        told.cost = change.cost.or(told.cost);
        // A larger limit on memory is better than a smaller space, where there is one to raise.
        let enough_memory = change.more == Some(StopReason::Memory) && told.max_memory.is_some();
        told.max_body = change.max_body.filter(|_| !enough_memory).or(told.max_body);
        told.max_vars = change.max_vars.or(told.max_vars);
        told.functional &= !change.any_function;
        match change.more {
            Some(StopReason::Time) => told.timeout = (told.timeout * 10.0).max(1.0),
            Some(StopReason::Ticks) => told.ticks = told.ticks.map(|ticks| ticks.saturating_mul(10).max(1_000)),
            Some(StopReason::Memory) => told.max_memory = told.max_memory.map(|megabytes| megabytes.saturating_mul(2)),
            _ => {}
        }
        told
    }

    /// The options as they are typed. Limits are repeated only where they are what is changed.
    fn options(&self, more: Option<StopReason>) -> String {
        let mut text = String::new();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                write!(text, " --{name} {value}").expect("a string takes all text");
            }
        };
        option("cost", self.cost.map(|cost| cost.name().to_owned()));
        option("max-vars", self.max_vars.map(|count| count.to_string()));
        option("max-body", self.max_body.map(|count| count.to_string()));
        option("max-clauses", self.max_clauses.map(|count| count.to_string()));
        option("timeout", (more == Some(StopReason::Time)).then(|| self.timeout.to_string()));
        option("ticks", self.ticks.filter(|_| more == Some(StopReason::Ticks)).map(|ticks| ticks.to_string()));
        let megabytes = self.max_memory.filter(|_| more == Some(StopReason::Memory));
        option("max-memory", megabytes.map(|megabytes| megabytes.to_string()));
        if self.functional {
            text += " --functional";
        }
        text
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,=:@%".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_repeat_what_the_run_was_told_and_change_what_is_advised() {
        let told = Told { max_body: Some(3), functional: true, timeout: 10.0, ticks: Some(50), ..Told::default() };
        let show = |change: Change| {
            let reason = Reason { text: "why".to_owned(), next: Next::Learn(change), finds: None };
            reason.show("a b", &told)
        };
        let change = Change { cost: Some(Cost::ErrorSize), max_vars: Some(7), ..Change::default() };
        assert_eq!(
            show(change),
            "why; try `symsnap learn 'a b' --cost errorsize --max-vars 7 --max-body 3 --functional`"
        );
        let change = Change { more: Some(StopReason::Time), any_function: true, ..Change::default() };
        assert_eq!(show(change), "why; try `symsnap learn 'a b' --max-body 3 --timeout 100`");
        let change = Change { more: Some(StopReason::Ticks), ..Change::default() };
        assert_eq!(show(change), "why; try `symsnap learn 'a b' --max-body 3 --ticks 1000 --functional`");
        let tables = Told { tables: " --target y".to_owned(), ..Told::default() };
        let check = Reason { text: "why".to_owned(), next: Next::Check, finds: None };
        assert_eq!(check.show("a b.csv", &tables), "why; try `symsnap import 'a b.csv' --target y`");
        assert_eq!(check.show("a", &Told::default()), "why; try `symsnap check a`");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("examples/family"), "examples/family");
    }
}
