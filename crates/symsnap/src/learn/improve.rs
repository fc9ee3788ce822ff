//! A better set of the rules found: a little after every batch, more between levels.

use super::candidate::Source;
use super::rules::Rules;
use super::run::Run;
use crate::cost::{Cost, CostValue};
use crate::covering::theorems::level_bound::lower_bound;
use crate::covering::{ProofOutcome, Pruner, Solution, prove};
use crate::index::whole;
use std::ops::ControlFlow;
use std::time::Duration;

/// Columns weighed by the local search for a batch that met `met` rules, of which `new` are new. Under lexicographic
/// costs the exact solver does better between levels, so little is enough. Under `mdl` much is, but not at once: early in
/// a run new rules do more than a better choice among few.
pub(super) fn effort(cost: Cost, met: usize, new: usize, ticks: u64) -> u64 {
    if cost.size_breaks_ties() {
        4_000 + 200 * new as u64
    } else {
        20_000 + (4_000 * met as u64).min(EFFORT_PER_TICK * ticks)
    }
}

/// However long the best hypothesis has stood, the local search gets at least this part of its usual effort: rules
/// found late may still make a better set.
const LEAST_EFFORT: f64 = 0.2;

/// Columns weighed between two levels where size does not only break ties.
const EFFORT_PER_LEVEL: u64 = 1_000_000;

/// Neither of these efforts is more than this for each rule tested so far.
pub(super) const EFFORT_PER_TICK: u64 = 200;

/// Between levels, under a tick limit, the exact solver ends after as many rises of its bound.
const RISES: u32 = 32;

/// Where size does not only break ties, it gets one part in so many of the time so far to raise the bound: more where that
/// would be a proof.
const PROOF_PART: u32 = 5;
const BOUND_PART: u32 = 20;

impl Run<'_, '_> {
    /// Look for a better set with the local search, with less effort the longer the best has stood: a quarter of it once
    /// that is half of the run.
    pub(super) fn improve(&mut self, effort: u64) {
        let ticks = self.ticks().max(1);
        let fresh = self.known.best.as_ref().map_or(ticks, |best| best.ticks) as f64 / ticks as f64;
        let effort = whole(effort as f64 * (fresh * fresh).max(LEAST_EFFORT));
        let mut better: Vec<Solution> = Vec::new();
        let Rules { local, columns, .. } = &mut self.rules;
        local.improve(columns.problem(), effort, self.budget, &mut |solution| better.push(solution.clone()));
        for solution in better {
            self.offer(&solution, Source::LOCAL);
        }
    }

    /// Look for rules that would improve the best set, unless that has had its share or all was tried at this level; whether
    /// any were found.
    pub(super) fn seek_improvements(&mut self, pruner: &Pruner) -> bool {
        let (tests, left) = (self.ticks(), self.ticks_left());
        let Rules { mine, columns, local, aims, .. } = &mut self.rules;
        if !aims.are_due(tests) {
            return false;
        }
        let next = aims.next(local, columns.problem(), mine.level());
        if next.is_empty() {
            return false;
        }
        let (made, known) = (mine.tests(), columns.len());
        let found = mine.aim(&next, pruner, left);
        aims.count(mine.tests() - made);
        self.rules.take(found, self.budget);
        let new = self.rules.columns.len() - known;
        if new > 0 {
            self.improve(effort(self.settings.cost, new, new, self.ticks()));
        }
        new > 0
    }

    /// Between two levels: a better set from a longer local search or, under lexicographic costs, from the exact solver
    /// as far as it gets in a short while. Local search is weak where the first level of such a cost decides and most
    /// single changes leave it as it is.
    pub(super) fn settle(&mut self) {
        let is_settled = self.rules.columns.len() == self.rules.settled;
        self.rules.settled = self.rules.columns.len();
        if !self.settings.cost.size_breaks_ties() {
            if !is_settled {
                self.improve(EFFORT_PER_LEVEL.min(EFFORT_PER_TICK * self.ticks()));
            }
            self.raise_to_level();
            return;
        }
        if is_settled {
            return;
        }
        let outcome = self.prove_a_while(self.budget.elapsed() / 5, None);
        self.adopt(outcome.best());
        self.raise(outcome.lower());
    }

    /// When there are no more rules and programs are left to be searched: the best set of the rules, from the exact solver as
    /// far as it gets in as long as the run took so far.
    pub(super) fn settle_rules(&mut self) {
        if self.recursion.is_some() && !self.rules.columns.is_empty() {
            let best = self.known.value.clone();
            let outcome = self.prove_a_while(self.budget.elapsed(), Some(&best));
            self.adopt_if_better(outcome.best());
        }
    }

    /// The exact solver for a while and a little more, or until it knows a bound that is `enough`. Under a tick limit the while
    /// is one that does not depend on time.
    fn prove_a_while(&mut self, a_while: Duration, enough: Option<&CostValue>) -> ProofOutcome {
        let from = self.rules.local.best(self.rules.columns.problem()).chosen;
        let (budget, mut rises) = if self.budget.tick_limit().is_some() {
            (self.budget.clone(), RISES)
        } else {
            (self.budget.no_later_than(a_while + Duration::from_millis(5)), u32::MAX)
        };
        prove(self.rules.columns.problem(), &from, &budget, &mut |lower| {
            rises -= 1;
            let ends = rises == 0 || enough.is_some_and(|enough| lower >= enough);
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// Offer what the exact solver has found, and let the local search go on from it.
    fn adopt(&mut self, found: &Solution) {
        let Rules { local, columns, .. } = &mut self.rules;
        local.suggest(columns.problem(), &found.chosen);
        self.offer(found, Source::EXACT);
    }

    fn adopt_if_better(&mut self, found: &Solution) {
        if found.value < self.known.value {
            self.adopt(found);
        }
    }

    /// Raise the bound as far as the level allows where size does not only break ties: to what any hypothesis costs that has
    /// a rule not looked for yet, if those of the rules found cost as much. That is little, so it is soon known, and where it
    /// is what the best hypothesis costs, that one is proved before the level is searched.
    fn raise_to_level(&mut self) {
        let refused = self.functional.as_ref().is_some_and(|functional| functional.has_refused(&self.known.value));
        if self.ticks() == 0 || !self.plain || refused || self.tainted() {
            return;
        }
        let (unreachable, next) = (self.rules.mine.unreachable(), self.next_unseen());
        let wanted = lower_bound(self.settings.cost, &self.known.value, unreachable, next);
        if wanted <= self.known.lower {
            return;
        }
        let part = if wanted == self.known.value { PROOF_PART } else { BOUND_PART };
        let outcome = self.prove_a_while(self.budget.elapsed() / part, Some(&wanted));
        self.adopt_if_better(outcome.best());
        self.raise(outcome.lower());
    }

    /// Raise the bound, given one on the hypotheses of the rules found so far: any other holds a rule that is larger than
    /// all that have been looked for.
    pub(super) fn raise(&mut self, known: &CostValue) {
        let set_aside = self.settings.cost.size_breaks_ties() && !self.prices_hold();
        if !self.plain || set_aside || self.tainted() {
            return;
        }
        let (unreachable, next) = (self.rules.mine.unreachable(), self.next_unseen());
        let lower = lower_bound(self.settings.cost, known, unreachable, next).min(self.known.value.clone());
        if lower > self.known.lower {
            self.known.lower = lower;
        }
    }

    /// The least size of a rule that was neither found nor shown to be needless.
    fn next_unseen(&self) -> usize {
        let priced = self.rules.columns.first_priced().map_or(usize::MAX, crate::index::narrow);
        (self.rules.mine.level() + 1).min(priced)
    }
}
