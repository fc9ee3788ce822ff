//! How a run ends.

use super::candidate::Candidate;
use super::certificate::Certificate;
use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost, CostValue};
use crate::logic::Rule;
use crate::sets::Cover;
use crate::task::Examples;
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
    /// Where nothing was worth being a hypothesis, the rule that came closest to it, if the learner knows.
    #[doc(hidden)]
    pub closest: Option<Closest>,
    /// A bound on what can be made of the rules found, which others can check, where one was asked for and could be made.
    #[doc(hidden)]
    pub certificate: Option<Box<Certificate>>,
}

/// A rule that is not worth being a hypothesis.
#[derive(Debug, Clone)]
pub struct Closest {
    /// The rule.
    pub rule: Rule,
    /// What it does with the training examples.
    pub confusion: Confusion,
}

impl Outcome {
    /// The outcome of a learner that proves nothing and does not look for ties: `best` is the best of what it found under
    /// `cost`, if that is better than covering none of the `examples`.
    #[doc(hidden)]
    pub fn unproved(
        best: Option<Candidate>,
        cost: Cost,
        examples: &Examples,
        (stop, ticks): (StopReason, u64),
        budget: &Budget,
    ) -> Self {
        let empty = || cost.value(&examples.confusion(&Cover::empty(examples.sides())), 0);
        Outcome {
            value: best.as_ref().map_or_else(empty, |best| best.value.clone()),
            lower: cost.value(&Confusion::default(), 0),
            first: best.as_ref().map(|best| best.elapsed),
            best,
            optimal: false,
            ties: Ties::NotSought,
            limits: Vec::new(),
            notes: Vec::new(),
            stop,
            ticks,
            elapsed: budget.elapsed(),
            closest: None,
            certificate: None,
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
