//! Who hears of a run: every hypothesis once, and whether that was the last it wants to hear.

use super::candidate::{Candidate, KeptRule, Observer, Progress};
use crate::logic::{Hypothesis, canonical_hypothesis};
use crate::task::Examples;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// An observer, and what it was told.
pub(super) struct Audience<'r> {
    observer: &'r mut dyn Observer,
    /// Hypotheses that need not be looked at again, up to names of variables and order.
    seen: FxHashSet<Hypothesis>,
    /// When the first candidate was handed over.
    pub(super) first: Option<Duration>,
    /// Whether the observer asked to stop.
    pub(super) broken_off: bool,
}

impl<'r> Audience<'r> {
    pub(super) fn new(observer: &'r mut dyn Observer) -> Self {
        Audience { observer, seen: FxHashSet::default(), first: None, broken_off: false }
    }

    /// Whether a hypothesis is seen for the first time.
    pub(super) fn sees_first(&mut self, hypothesis: &Hypothesis) -> bool {
        self.seen.insert(canonical_hypothesis(hypothesis))
    }

    /// Whether a hypothesis was seen before.
    pub(super) fn has_seen(&self, hypothesis: &Hypothesis) -> bool {
        self.seen.contains(&canonical_hypothesis(hypothesis))
    }

    /// Hand a candidate over.
    pub(super) fn hear(&mut self, candidate: &Candidate) {
        self.first.get_or_insert(candidate.elapsed);
        self.broken_off |= self.observer.candidate(candidate).is_break();
    }

    /// Say how the run stands.
    pub(super) fn hear_progress(&mut self, progress: &Progress) {
        self.broken_off |= self.observer.progress(progress).is_break();
    }

    /// Hand over rules that further hypotheses could be made of, with which of `examples` they cover.
    pub(super) fn keep(&mut self, rules: &[KeptRule], examples: &Examples) {
        self.observer.rules(rules, examples);
    }
}
