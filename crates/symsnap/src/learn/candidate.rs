//! What a learner says while it learns, and who listens.

use crate::cost::{Confusion, CostValue};
use crate::logic::{Hypothesis, Rule};
use crate::sets::Cover;
use crate::task::Examples;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Where a candidate came from, in a word that JSON output uses. A learner of one's own may have words of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(Cow<'static, str>);

impl Source {
    /// The local search over the rules found so far.
    #[doc(hidden)]
    pub const LOCAL: Source = Source(Cow::Borrowed("local"));
    /// The exact solver.
    #[doc(hidden)]
    pub const EXACT: Source = Source(Cow::Borrowed("exact"));
    /// Another optimum, listed after the first.
    #[doc(hidden)]
    pub const TIE: Source = Source(Cow::Borrowed("tie"));
    /// The search over recursive programs.
    #[doc(hidden)]
    pub const PROGRAM: Source = Source(Cow::Borrowed("program"));
    /// Another learner, whose output was read.
    #[doc(hidden)]
    pub const OUTSIDE: Source = Source(Cow::Borrowed("outside"));

    /// Those that the learners here and the readers of others' output use.
    #[doc(hidden)]
    pub const KNOWN: [Source; 5] = [Source::LOCAL, Source::EXACT, Source::TIE, Source::PROGRAM, Source::OUTSIDE];

    /// The source with that word.
    #[doc(hidden)]
    pub fn new(word: impl Into<Cow<'static, str>>) -> Self {
        Source(word.into())
    }

    /// The word.
    pub fn word(&self) -> &str {
        &self.0
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
    #[doc(hidden)]
    pub size: usize,
    /// When it was found.
    pub elapsed: Duration,
    /// After how many rules tested.
    pub ticks: u64,
    /// How it was found.
    pub source: Source,
}

/// A rule that further hypotheses could be made of.
#[derive(Debug, Clone)]
pub struct KeptRule {
    /// The rule.
    pub rule: Rule,
    /// Which examples it covers, if that is known for the rule as it is written.
    pub cover: Option<Arc<Cover>>,
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

/// Who listens to a [`Learner`](crate::Learner), and may stop it.
pub trait Observer {
    /// A candidate at most as costly as all before it. The empty hypothesis is never one.
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()>;

    /// At the end of a run that was told to keep rules: those that further hypotheses could be made of, the most worthy
    /// first, each followed by others that cover the same training examples. Covers are of `examples`.
    #[doc(hidden)]
    fn rules(&mut self, _rules: &[KeptRule], _examples: &Examples) {}

    /// A cycle of a learner that begins again and again has ended with this hypothesis, which may be worse than others before.
    #[doc(hidden)]
    fn cycle(&mut self, _end: &Candidate) {}

    /// How the run stands; called after every batch of work, which may be many times a second.
    #[doc(hidden)]
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
