//! What a learner says while it learns, and who listens.

use crate::cost::{Confusion, CostValue};
use crate::logic::{Hypothesis, Rule};
use std::ops::ControlFlow;
use std::time::Duration;

/// Where a candidate came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The local search over the rules found so far.
    Local,
    /// The exact solver.
    Exact,
    /// Another optimum, listed after the first.
    Tie,
    /// The search over recursive programs.
    Program,
    /// Another learner.
    Outside,
}

impl Source {
    /// All sources.
    #[doc(hidden)]
    pub const ALL: [Source; 5] = [Source::Local, Source::Exact, Source::Tie, Source::Program, Source::Outside];

    /// The word that JSON output uses.
    #[doc(hidden)]
    pub fn word(self) -> &'static str {
        match self {
            Source::Local => "local",
            Source::Exact => "exact",
            Source::Tie => "tie",
            Source::Program => "program",
            Source::Outside => "outside",
        }
    }
}

/// A hypothesis that was at most as costly as every one before it, with its figures on the training examples.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Candidate {
    /// The hypothesis.
    pub hypothesis: Hypothesis,
    /// Its cost.
    pub value: CostValue,
    /// What it does with the training examples.
    pub confusion: Confusion,
    /// Its size.
    pub size: usize,
    /// When it was found.
    pub elapsed: Duration,
    /// After how many rules tested.
    pub ticks: u64,
    /// How it was found.
    pub source: Source,
}

/// How a run stands: what is found, what is proved, and how much was tried.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The cost of the best hypothesis so far (of the empty one, if none is better).
    pub best: CostValue,
    /// No hypothesis of the space costs less.
    pub lower: CostValue,
    /// Whether something was not evaluated to its end, so that nothing can be proved.
    pub(crate) limited: bool,
    /// Rules tested.
    pub ticks: u64,
    /// Rules that may be in a best hypothesis.
    #[doc(hidden)]
    pub rules: usize,
    /// Body literals of the rules that are being tested.
    #[doc(hidden)]
    pub level: usize,
    /// Time so far.
    pub elapsed: Duration,
}

/// Who listens to a learner, and may stop it.
pub trait Observer {
    /// A candidate at most as costly as all before it. The empty hypothesis is never one.
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()>;

    /// At the end of a run that was told to keep rules: those that further hypotheses could be made of, the most worthy
    /// first, each followed by others that cover the same training examples.
    fn rules(&mut self, _rules: &[Rule]) {}

    /// How the run stands; called after every batch of work, which may be many times a second.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps all candidates.
impl Observer for Vec<Candidate> {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        self.push(candidate.clone());
        ControlFlow::Continue(())
    }
}
