//! How a run ends.

use super::advice::Reason;
use super::candidate::Candidate;
use crate::budget::StopReason;
use crate::cost::CostValue;
use std::time::Duration;

/// How a run ended: the best hypothesis, what is proved about it, and why the run stopped.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The best hypothesis found, if one is better than the empty one.
    pub best: Option<Candidate>,
    /// The cost of the best hypothesis, empty or not.
    pub value: CostValue,
    /// No hypothesis of the space costs less than this.
    pub lower: CostValue,
    /// Whether the best hypothesis is proved to be one: exactly if nothing costs less than it does.
    pub optimal: bool,
    /// Whether the observer was given all hypotheses that cost what the best one does.
    pub ties: Ties,
    /// What was not evaluated to its end, in words: calls that were cut short, errors that may hide a better rule, limits
    /// that recursive programs met ([`program`](crate::program)). Nothing is proved if there is any.
    pub limits: Vec<String>,
    /// What users of the best hypothesis should know, such as a rule that raises an error on some examples.
    pub notes: Vec<String>,
    /// Why the run ended.
    pub stop: StopReason,
    /// Rules tested.
    pub ticks: u64,
    /// When the first candidate was found.
    #[doc(hidden)]
    pub first: Option<Duration>,
    /// How long it took.
    pub elapsed: Duration,
    /// What a run that found nothing learned about why; empty if it found something.
    pub why: Vec<Reason>,
}

impl Outcome {
    /// The outcome of a run that found nothing better than the empty hypothesis, which costs `value`, and proved nothing but
    /// the bound `lower`; for learners that are not in this crate.
    #[doc(hidden)]
    pub fn unproved(value: CostValue, lower: CostValue, stop: StopReason) -> Self {
        Outcome {
            best: None,
            value,
            lower,
            optimal: false,
            ties: Ties::NotSought,
            limits: Vec::new(),
            notes: Vec::new(),
            stop,
            ticks: 0,
            first: None,
            elapsed: Duration::ZERO,
            why: Vec::new(),
        }
    }
}

/// What is known about the hypotheses that cost what the best one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// All of them were handed over.
    Complete,
    /// There are more than were asked for.
    Capped,
    /// There may be more.
    Incomplete,
    /// Nobody looked for them.
    NotSought,
}

impl Ties {
    /// The words that JSON output and messages use.
    #[doc(hidden)]
    pub fn words(self) -> &'static str {
        match self {
            Ties::Complete => "complete",
            Ties::Capped => "capped",
            Ties::Incomplete => "incomplete",
            Ties::NotSought => "not looked for",
        }
    }
}
