//! A run: what it works with, what it knows so far, and who hears of it.

use super::audience::Audience;
use super::candidate::{Candidate, Observer, Progress, Source};
use super::functional::OutputTest;
use super::known::Known;
use super::outcome::{Closest, Outcome};
use super::recursion::Recursion;
use super::rules::Rules;
use super::settings::Settings;
use super::share::Share;
use crate::budget::{Budget, StopReason, ceiling};
use crate::cost::{Confusion, CostValue};
use crate::covering::{Pruner, Solution};
use crate::language::Taint;
use crate::logic::{Hypothesis, Terms};
use crate::task::Examples;
use std::collections::BTreeSet;

/// Whether a search went to its end, or why it ended early.
pub(super) type Stopped = Result<(), StopReason>;

/// A run.
pub(super) struct Run<'r, 't> {
    pub(super) settings: &'r Settings,
    pub(super) budget: &'r Budget,
    /// The budget with what is kept for ties.
    pub(super) limits: &'r Budget,
    /// The examples that hypotheses are judged by.
    pub(super) examples: &'t Examples,
    /// Where hypotheses come from: rules, and programs where the bias allows recursion.
    pub(super) rules: Rules<'t>,
    pub(super) recursion: Option<Box<Recursion<'t>>>,
    pub(super) share: Share,
    /// Whether the space has neither recursion nor invented predicates.
    pub(super) plain: bool,
    /// Where only functions are wanted.
    pub(super) functional: Option<OutputTest>,
    pub(super) known: Known,
    pub(super) audience: Audience<'r>,
}

impl<'r, 't> Run<'r, 't> {
    pub(super) fn new(
        rules: Rules<'t>,
        examples: &'t Examples,
        settings: &'r Settings,
        (budget, limits): (&'r Budget, &'r Budget),
        observer: &'r mut dyn Observer,
    ) -> Self {
        let empty = rules.columns.problem().evaluate([]).value;
        let known = Known::new(empty, settings.cost.value(&Confusion::default(), 0));
        let audience = Audience::new(observer);
        Run {
            settings,
            budget,
            limits,
            examples,
            rules,
            recursion: None,
            share: Share::new(budget),
            plain: true,
            functional: None,
            known,
            audience,
        }
    }

    /// What the best set so far makes needless.
    pub(super) fn pruner(&mut self) -> Pruner {
        let target = self.target();
        self.rules.pruner(&self.known.value, &target)
    }

    /// What rules alone must reach: better than the best program or, if that is made of rules, at least as good.
    fn target(&self) -> CostValue {
        let mut target = self.known.value.clone();
        if self.known.best.as_ref().is_some_and(|best| best.source == Source::PROGRAM)
            && let Some(last) = target.0.last_mut()
        {
            *last = last.saturating_sub(1);
        }
        target
    }

    /// What was not evaluated to its end, each cause once.
    pub(super) fn taints(&self) -> BTreeSet<Taint> {
        let mut taints = self.rules.taints();
        taints.extend(self.recursion.iter().flat_map(|recursion| recursion.taints()));
        taints
    }

    /// Why there is no proof though nothing is left to try, if that is because of programs that are never tried.
    pub(super) fn unseen(&self, stop: StopReason) -> Option<String> {
        if stop != StopReason::Exhausted || self.plain || self.proved() {
            return None;
        }
        let why = match &self.recursion {
            Some(recursion) => recursion.unseen(&self.known.value)?,
            None => "the bias allows more variables, or fewer rules, than there are searches for",
        };
        Some(format!("not all programs whose rules call each other were tried: {why}"))
    }

    /// Whether something that was concluded may rest on what was not evaluated to its end.
    pub(super) fn tainted(&self) -> bool {
        !self.taints().is_empty()
    }

    /// No hypothesis of the space costs less than this; where that cannot be trusted, nothing is said.
    pub(super) fn bound(&self) -> CostValue {
        if self.tainted() { self.settings.cost.value(&Confusion::default(), 0) } else { self.known.lower.clone() }
    }

    /// Whether nothing in the space costs less than the best hypothesis. Every claim of a proof is this one.
    pub(super) fn proved(&self) -> bool {
        self.bound() >= self.known.value
    }

    /// The rules of the best hypothesis that raise errors.
    pub(super) fn troubles(&mut self, terms: &Terms) -> Vec<String> {
        let (Some(written), Some(best)) = (&mut self.rules.written, &self.known.best) else { return Vec::new() };
        written.begin_scrutiny();
        best.hypothesis.rules.iter().filter_map(|rule| written.trouble(rule, terms)).collect()
    }

    /// If the search has begun anew with other inputs, forget what was concluded from the levels it had done; whether
    /// it has.
    pub(super) fn forget_levels(&mut self) -> bool {
        let anew = self.rules.began_anew();
        if anew {
            self.known.lower = self.settings.cost.value(&Confusion::default(), 0);
        }
        anew
    }

    fn stop(&self) -> Option<StopReason> {
        if self.audience.broken_off {
            return Some(StopReason::Observer);
        }
        let limit = self.budget.memory_limit().map(ceiling);
        // Where there is a watch it has told the budget; where the system is silent we count, which is too little.
        if limit.is_some_and(|limit| !self.budget.is_watched() && self.rules.bytes() as u64 > limit) {
            return Some(StopReason::Memory);
        }
        self.budget.check_ticks(self.ticks())
    }

    /// Whether to go on.
    pub(super) fn check(&self) -> Stopped {
        self.stop().map_or(Ok(()), Err)
    }

    /// Whether the prices, if there are any, left out nothing that can be needed.
    pub(super) fn prices_hold(&self) -> bool {
        self.rules.prices_hold(&self.known.value)
    }

    /// Whether it is known that prices left out something that can be needed.
    pub(super) fn prices_are_upset(&self) -> bool {
        if self.settings.cost.size_breaks_ties() {
            return !self.prices_hold();
        }
        self.rules.columns.prices_are_upset()
    }

    /// Rules tested.
    pub(super) fn ticks(&self) -> u64 {
        let programs = self.recursion.as_ref().map_or(0, |recursion| recursion.tests());
        self.rules.mine.tests() + programs
    }

    /// How many more rules may be tested.
    pub(super) fn ticks_left(&self) -> u64 {
        self.budget.tick_limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.ticks()))
    }

    /// Pass a solution on if it is at most as costly as the best and was not passed on before.
    pub(super) fn offer(&mut self, solution: &Solution, source: Source) {
        let hypothesis = Hypothesis { rules: self.rules.of(solution) };
        self.offer_hypothesis(hypothesis, solution.value.clone(), solution.confusion, source);
    }

    pub(super) fn offer_hypothesis(
        &mut self,
        hypothesis: Hypothesis,
        value: CostValue,
        confusion: Confusion,
        source: Source,
    ) {
        if self.audience.broken_off || hypothesis.rules.is_empty() || value > self.known.value {
            return;
        }
        if !self.audience.sees_first(&hypothesis) {
            return;
        }
        if let Some(functional) = &mut self.functional
            && !functional.admits(&hypothesis, &value)
        {
            return;
        }
        let candidate = Candidate {
            size: hypothesis.size(),
            hypothesis,
            value,
            confusion,
            elapsed: self.budget.elapsed(),
            ticks: self.ticks(),
            source,
        };
        self.audience.hear(&candidate);
        self.known.take(candidate);
    }

    pub(super) fn report(&mut self) {
        let progress = Progress {
            best: self.known.value.clone(),
            lower: self.bound(),
            limited: self.tainted(),
            ticks: self.ticks(),
            rules: self.rules.columns.len(),
            level: self.rules.mine.level(),
            elapsed: self.budget.elapsed(),
        };
        self.audience.hear_progress(&progress);
    }

    /// The rule that saves most, where none was worth being a hypothesis.
    fn closest(&mut self) -> Option<Closest> {
        if self.known.best.is_some() {
            return None;
        }
        let (id, solution) = self.rules.columns.closest()?;
        Some(Closest { rule: self.rules.rule(id), confusion: solution.confusion })
    }

    /// How the run ended.
    pub(super) fn outcome(mut self, stop: StopReason, limits: Vec<String>, notes: Vec<String>) -> Outcome {
        let (ticks, optimal, lower, closest) = (self.ticks(), self.proved(), self.bound(), self.closest());
        let Known { best, value, ties, .. } = self.known;
        let stop = if optimal { StopReason::Proved } else { stop };
        let (first, elapsed) = (self.audience.first, self.budget.elapsed());
        let certificate = None;
        Outcome { best, value, lower, optimal, ties, limits, notes, stop, ticks, first, elapsed, closest, certificate }
    }
}
