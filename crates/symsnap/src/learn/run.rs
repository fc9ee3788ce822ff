//! A run: what is known so far, and who hears of it.

use super::candidate::{Candidate, Observer, Progress, Source};
use super::functional::Functional;
use super::outcome::{Closest, Outcome, Ties};
use super::recursion::Recursion;
use super::settings::Settings;
use super::written::Written;
use crate::budget::{Budget, StopReason, ceiling};
use crate::cost::{Confusion, CostValue};
use crate::covering::{ColumnId, Columns, LocalSearch, Pruner, Solution, diverse};
use crate::language::Taint;
use crate::logic::{Hypothesis, Rule, Terms, canonical_hypothesis};
use crate::mine::{Found, Mine, Parts};
use crate::task::Examples;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Duration;

/// Whether a search went to its end, or why it ended early.
pub(super) type Stopped = Result<(), StopReason>;

/// A run.
pub(super) struct Run<'r, 't> {
    pub(super) mine: Mine<'t>,
    pub(super) columns: Columns<Parts>,
    /// Where the bias allows recursion.
    pub(super) recursion: Option<Box<Recursion<'t>>>,
    pub(super) examples: &'t Examples,
    pub(super) functional: Option<Functional>,
    pub(super) local: LocalSearch,
    pub(super) settings: &'r Settings,
    pub(super) budget: &'r Budget,
    /// The budget with what is kept for ties.
    pub(super) limits: &'r Budget,
    pub(super) observer: &'r mut dyn Observer,
    pub(super) seen: FxHashSet<Hypothesis>,
    pub(super) best: Option<Candidate>,
    pub(super) value: CostValue,
    pub(super) lower: CostValue,
    pub(super) first: Option<Duration>,
    /// Hypotheses handed over that cost what the best one does.
    pub(super) tied: usize,
    pub(super) ties: Ties,
    pub(super) broken_off: bool,
    /// How many rules the last look between levels saw.
    pub(super) settled: usize,
    /// Where background predicates are called: rules as they are written.
    pub(super) written: Option<Box<Written<'t>>>,
    /// Whether a program covered something else than the search for programs says.
    pub(super) differed: bool,
    /// How often the search had begun anew when the bound was last set.
    pub(super) restarts: u32,
    /// Whether the space has neither recursion nor invented predicates.
    pub(super) plain: bool,
}

impl<'r, 't> Run<'r, 't> {
    pub(super) fn new(
        mine: Mine<'t>,
        columns: Columns<Parts>,
        examples: &'t Examples,
        settings: &'r Settings,
        (budget, limits): (&'r Budget, &'r Budget),
        observer: &'r mut dyn Observer,
    ) -> Self {
        let value = columns.problem().evaluate([]).value;
        let lower = settings.cost.value(&Confusion::default(), 0);
        let local = LocalSearch::new(settings.seed);
        Run {
            mine,
            columns,
            recursion: None,
            examples,
            functional: None,
            local,
            settings,
            budget,
            limits,
            observer,
            seen: FxHashSet::default(),
            best: None,
            value,
            lower,
            first: None,
            tied: 0,
            ties: Ties::NotSought,
            broken_off: false,
            settled: 0,
            written: None,
            differed: false,
            restarts: 0,
            plain: true,
        }
    }

    /// What the best set so far makes needless.
    pub(super) fn pruner(&mut self) -> Pruner {
        let target = self.target();
        self.columns.pruner(&self.value, &target, self.mine.unreachable(), self.mine.level() as u64 + 1)
    }

    /// What rules alone must reach: better than the best program or, if that is made of rules, at least as good.
    pub(super) fn target(&self) -> CostValue {
        let mut target = self.value.clone();
        if self.best.as_ref().is_some_and(|best| best.source == Source::PROGRAM)
            && let Some(last) = target.0.last_mut()
        {
            *last = last.saturating_sub(1);
        }
        target
    }

    /// The rule with what it covers as written.
    pub(super) fn as_written(&mut self, found: Found) -> Found {
        match &mut self.written {
            Some(written) => written.settle(found, &mut self.mine),
            None => found,
        }
    }

    /// What was not evaluated to its end, each cause once.
    pub(super) fn taints(&self) -> BTreeSet<Taint> {
        let mut taints: BTreeSet<Taint> = self.mine.taints().into_iter().collect();
        taints.extend(self.written.iter().flat_map(|written| written.taints.iter().cloned()));
        taints.extend(self.recursion.iter().flat_map(|recursion| recursion.taints()));
        if self.differed {
            taints.insert(Taint::Order);
        }
        taints
    }

    /// Whether something that was concluded may rest on what was not evaluated to its end.
    pub(super) fn tainted(&self) -> bool {
        !self.taints().is_empty()
    }

    /// No hypothesis of the space costs less than this; where that cannot be trusted, nothing is said.
    pub(super) fn bound(&self) -> CostValue {
        if self.tainted() { self.settings.cost.value(&Confusion::default(), 0) } else { self.lower.clone() }
    }

    /// Whether nothing in the space costs less than the best hypothesis. Every claim of a proof is this one.
    pub(super) fn proved(&self) -> bool {
        self.bound() >= self.value
    }

    /// The rules of the best hypothesis that raise errors.
    pub(super) fn troubles(&mut self, terms: &Terms) -> Vec<String> {
        let (Some(written), Some(best)) = (&mut self.written, &self.best) else { return Vec::new() };
        best.hypothesis.rules.iter().filter_map(|rule| written.trouble(rule, terms)).collect()
    }

    /// If the search has begun anew with other inputs, forget what was concluded from the levels it had done; whether
    /// it has.
    pub(super) fn forget_levels(&mut self) -> bool {
        if self.restarts == self.mine.restarts() {
            return false;
        }
        self.restarts = self.mine.restarts();
        self.lower = self.settings.cost.value(&Confusion::default(), 0);
        self.columns.unset_prices();
        true
    }

    fn stop(&self) -> Option<StopReason> {
        if self.broken_off {
            return Some(StopReason::Observer);
        }
        let held = || (self.mine.bytes() + self.columns.bytes()) as u64;
        let limit = self.budget.memory_limit().map(ceiling);
        // Where there is a watch it has told the budget; where the system is silent we count, which is too little.
        if limit.is_some_and(|limit| !self.budget.is_watched() && held() > limit) {
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
        self.columns.prices_hold(&self.value, self.mine.unreachable())
    }

    /// Rules tested.
    pub(super) fn ticks(&self) -> u64 {
        self.mine.tests() + self.recursion.as_ref().map_or(0, |recursion| recursion.tests())
    }

    /// How many more rules may be tested.
    pub(super) fn ticks_left(&self) -> u64 {
        self.budget.tick_limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.ticks()))
    }

    /// Pass a solution on if it is at most as costly as the best and was not passed on before.
    pub(super) fn offer(&mut self, solution: &Solution, source: Source) {
        let rules = solution.chosen.iter().map(|&id| self.mine.rule(self.columns.payload(id))).collect();
        self.offer_rules(rules, solution, source);
    }

    pub(super) fn offer_rules(&mut self, rules: Vec<Rule>, solution: &Solution, source: Source) {
        self.offer_hypothesis(Hypothesis { rules }, solution.value.clone(), solution.confusion, source);
    }

    pub(super) fn offer_hypothesis(
        &mut self,
        hypothesis: Hypothesis,
        value: CostValue,
        confusion: Confusion,
        source: Source,
    ) {
        if self.broken_off || hypothesis.rules.is_empty() || value > self.value {
            return;
        }
        if !self.seen.insert(canonical_hypothesis(&hypothesis)) {
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
        self.first.get_or_insert(candidate.elapsed);
        if self.observer.candidate(&candidate).is_break() {
            self.broken_off = true;
        }
        self.tied += 1;
        if candidate.value < self.value {
            self.tied = 1;
            self.value = candidate.value.clone();
            self.best = Some(candidate);
        }
    }

    pub(super) fn report(&mut self) {
        let progress = Progress {
            best: self.value.clone(),
            lower: self.bound(),
            limited: self.tainted(),
            ticks: self.ticks(),
            rules: self.columns.len(),
            level: self.mine.level(),
            elapsed: self.budget.elapsed(),
        };
        if self.observer.progress(&progress).is_break() {
            self.broken_off = true;
        }
    }

    /// Rules that the observer may want, with their twins.
    pub(super) fn hand_over(&mut self) {
        let cap = self.settings.keep;
        if cap == 0 || self.columns.is_empty() {
            return;
        }
        let mut handed: Vec<Rule> = Vec::new();
        for id in diverse(self.columns.problem(), cap) {
            if handed.len() >= cap {
                break;
            }
            handed.push(self.mine.rule(self.columns.payload(id)));
            handed.extend(self.verified_variants(id, TWINS).into_iter().skip(1).take(TWINS_HANDED));
        }
        self.observer.rules(&handed);
    }

    /// Rules that cover what a rule does with as many literals, at most `cap`: itself, those with one part exchanged,
    /// those found by themselves, and those with several parts exchanged.
    pub(super) fn variants(&self, id: ColumnId, cap: usize) -> Vec<Rule> {
        let parts = self.columns.payload(id);
        let mut variants = self.mine.variants(parts, cap);
        let several = variants.split_off(variants.len().min(self.mine.single_exchanges(parts)));
        variants.extend(self.columns.twins(id).iter().flat_map(|twin| self.mine.variants(twin, cap)));
        variants.extend(several);
        variants.truncate(cap);
        variants
    }

    /// The same without those that, where predicates are called, cover something else as they are written: bindings that
    /// are equal in one order of the literals say nothing about another.
    pub(super) fn verified_variants(&mut self, id: ColumnId, cap: usize) -> Vec<Rule> {
        let mut variants = self.variants(id, cap);
        if let Some(written) = &mut self.written {
            let (others, cover) = (variants.split_off(1), self.columns.problem().cover(id));
            variants.extend(others.into_iter().filter(|rule| written.covers(rule, cover)));
        }
        variants
    }

    /// The rule that saves most, where none was worth being a hypothesis.
    fn closest(&self) -> Option<Closest> {
        if self.best.is_some() {
            return None;
        }
        let (id, solution) = self.columns.closest()?;
        Some(Closest { rule: self.mine.rule(self.columns.payload(id)), confusion: solution.confusion })
    }

    /// How the run ended.
    pub(super) fn outcome(self, stop: StopReason, limits: Vec<String>, notes: Vec<String>) -> Outcome {
        let (ticks, optimal, closest) = (self.ticks(), self.proved(), self.closest());
        Outcome {
            optimal,
            lower: self.bound(),
            ties: self.ties,
            limits,
            notes,
            stop: if optimal { StopReason::Proved } else { stop },
            best: self.best,
            value: self.value,
            ticks,
            first: self.first,
            elapsed: self.budget.elapsed(),
            closest,
        }
    }
}

/// Variants of a rule of which the first are handed over with it, and how many of them are.
const TWINS: usize = 16;
const TWINS_HANDED: usize = 3;
