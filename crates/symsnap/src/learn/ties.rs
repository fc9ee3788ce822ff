//! Hypotheses that cost what the best one does: ensembles want them all, for the examples cannot tell them apart.
//!
//! The search leaves out rules that no *better* hypothesis needs, so what it found makes some ties and seldom all. So
//! there are three steps, each within limits of its own, because a run that is proved must end:
//!
//! 1. The solver that has the proof lists the other optimal sets of the rules found
//!    ([`prove_and_list`](crate::covering::prove_and_list)). Without a proof, sets near the best one are looked at, in a
//!    share of the limit that is kept for it.
//! 2. Each rule is exchanged for its twins, which cover the same with as many literals: every product of exchanges.
//! 3. After a proof, the search begins anew and leaves out only what no optimum has ([`Mine::restart_for_all`]). If it
//!    gets to its end, and the sets of its rules that cost the optimum can be listed, there are no others.
//!
//! [`Mine::restart_for_all`]: crate::mine::Mine::restart_for_all

use super::candidate::Source;
use super::improve::EFFORT_PER_TICK;
use super::outcome::Ties;
use super::run::Run;
use super::settings::Settings;
use crate::budget::Budget;
use crate::covering::{ColumnId, ColumnPool, Extent, Listing, Optima, Solution, all_of_cost, as_good};
use crate::logic::{Hypothesis, Rule, canonical_rule};
use crate::mine::{MinedRule, Parts, products};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Without a proof, one part in this many of a limit is for ties: of a time limit it is kept back, and of ticks it is added
/// in effort.
const SHARE: u64 = 50;

/// After a proof, ties may take one part in this many of the effort of the run, and a little more. Effort is counted in rows weighed, in
/// decisions of the solver and in rules tested, not in time, so that what is listed does not depend on the machine.
const AFTER_PROOF: u64 = 25;
const FIRST_ROWS: u64 = 20_000;
const FIRST_DECISIONS: u64 = 5_000;
const FIRST_TESTS: u64 = 2_000;

/// Decisions that the solver may take for each tick of effort.
const DECISIONS_PER_TICK: u64 = 8;

/// Hypotheses tried for each tie that is wanted.
const TRIED: usize = 8;

/// Should that take long all the same, it ends after this part of the time so far, and a little more, unless there is a
/// limit on ticks.
const LONG: u32 = 4;
const A_WHILE: Duration = Duration::from_secs(2);

/// The share of a time limit that is kept for a certificate: what took the search its time takes a linear program some, too.
const CERTIFICATE_SHARE: f64 = 0.2;

/// The budget with a share of its time kept for ties and for a certificate, if they are wanted.
pub(super) fn reserving(budget: &Budget, settings: &Settings) -> Budget {
    let ties = if settings.optima > 1 { 1.0 / SHARE as f64 } else { 0.0 };
    let kept = ties + if settings.certificate { CERTIFICATE_SHARE } else { 0.0 };
    match budget.time_limit() {
        Some(limit) if kept > 0.0 => {
            let left = limit.saturating_sub(budget.elapsed());
            budget.no_later_than(left.mul_f64(1.0 - kept))
        }
        _ => budget.clone(),
    }
}

impl Run<'_, '_> {
    /// Whether more than the best hypothesis is asked for.
    pub(super) fn seeks_ties(&self) -> bool {
        self.settings.optima > 1
    }

    /// How much may be done to list sets once there is a proof.
    pub(super) fn listing(&self) -> Listing {
        let (cap, budget) = (self.settings.optima, self.limits.clone());
        if self.settings.until_limit {
            return Listing { cap, rows: u64::MAX, decisions: u64::MAX, budget };
        }
        let effort = self.ticks() / AFTER_PROOF;
        let rows = FIRST_ROWS + EFFORT_PER_TICK * effort;
        let decisions = FIRST_DECISIONS + DECISIONS_PER_TICK * effort;
        let long = || budget.no_later_than(self.limits.elapsed() / LONG + A_WHILE);
        Listing { cap, rows, decisions, budget: if budget.tick_limit().is_some() { budget } else { long() } }
    }

    /// Without a proof: hypotheses near the best one that are as good.
    pub(super) fn list_nearby(&mut self) {
        let best = self.rules.local.best(self.rules.columns.problem());
        if !self.seeks_ties() || self.over() || self.known.best.is_none() {
            return;
        }
        self.known.ties = Ties::Incomplete;
        if best.value != self.known.value {
            // The best is a program, and others that are as good were handed over as they were found.
            return;
        }
        let rows = match self.limits.tick_limit() {
            Some(_) => EFFORT_PER_TICK * self.ticks() / SHARE,
            None => u64::MAX,
        };
        let listing = Listing { cap: self.settings.optima, rows, decisions: 0, budget: self.limits.clone() };
        let optima = as_good(self.rules.columns.problem(), &best.chosen, &listing);
        self.known.ties = self.list(&optima, Self::alike);
    }

    /// After a proof: the optimal sets of the rules found, and then all others, if they can be found in a while.
    pub(super) fn list_ties(&mut self, optima: &Optima) {
        if self.known.best.is_none() {
            return;
        }
        let listing = self.listing();
        self.known.ties = match self.list(optima, Self::alike) {
            Ties::Complete => Ties::Incomplete,
            other => other,
        };
        // Comparisons with other numbers that cover the same are not listed, so no list is complete. Of constants in heads
        // that has not been held against brute force.
        let (ties, mine) = (self.known.ties, &self.rules.mine);
        let listed = !mine.calls() && !mine.has_cuts() && !mine.has_constant_heads();
        if ties == Ties::Capped || !self.proved() || !self.plain || !listed {
            return;
        }
        let Some(columns) = self.all_rules(&listing.budget) else { return };
        let optima = all_of_cost(columns.problem(), &self.known.value, &listing);
        // Where a rule has too many twins to remember, some of those may be one rule found in two ways.
        let crowded = |id: &ColumnId| columns.twins(*id).len() >= self.settings.optima;
        let whole = !optima.solutions.iter().any(|solution| solution.chosen.iter().any(crowded));
        let alike = |run: &mut Self, id: ColumnId, _: usize| {
            std::iter::once(columns.payload(id))
                .chain(columns.twins(id))
                .map(|parts| run.rules.mine.rule(parts))
                .collect()
        };
        self.known.ties = match self.list(&optima, alike) {
            Ties::Complete if !whole => Ties::Incomplete,
            other => other,
        };
    }

    /// All rules that some optimum has, given its cost, and maybe others; `None` if they were not found in a while.
    fn all_rules(&mut self, budget: &Budget) -> Option<ColumnPool<Parts>> {
        let most = if self.settings.until_limit { u64::MAX } else { FIRST_TESTS + self.ticks() / AFTER_PROOF };
        let end = self.ticks().saturating_add(most).min(self.limits.tick_limit().unwrap_or(u64::MAX));
        let columns =
            ColumnPool::new(self.settings.cost, self.examples.weights()).expect("the weights fit when the run began");
        let mut columns = columns.seeking_all(self.settings.optima);
        // Demands are for what is better than something: here than what is a little worse than the optimum.
        let mut worse = self.known.value.clone();
        worse.0.last_mut().into_iter().for_each(|size| *size += 1);
        self.rules.mine.restart_for_all();
        let mut pruned_at = (0, 0);
        let mut pruner = columns.pruner(&worse, &self.known.value, 0, 0);
        while !self.rules.mine.done() {
            let now = (self.rules.mine.level(), columns.len());
            if now != pruned_at {
                pruner = columns.pruner(&worse, &self.known.value, self.rules.mine.unreachable(), now.0 as u64 + 1);
                pruned_at = now;
            }
            if now.0 as u64 + 1 > pruner.limits().largest() {
                break;
            }
            let left = end - self.ticks();
            for MinedRule { parts, size, cover } in self.rules.mine.step(&pruner, left) {
                columns.add(size, &cover, parts);
            }
            self.report();
            if self.over() || budget.check().is_some() || self.ticks() >= end {
                return None;
            }
        }
        self.rules.mine.is_untainted().then_some(columns)
    }

    /// Rules that may stand for a rule in a tie.
    fn alike(&mut self, id: ColumnId, cap: usize) -> Vec<Rule> {
        self.rules.variants(id, cap)
    }

    /// Whether no more ties can be handed over.
    fn over(&self) -> bool {
        self.audience.broken_off || self.limits.check().is_some()
    }

    /// Hand over hypotheses: each set of rules, and every product of exchanges of its rules for others that cover the
    /// same, which `alike` lists. Says `Complete` if the sets are all there are and so are the products.
    fn list(&mut self, optima: &Optima, mut alike: impl FnMut(&mut Self, ColumnId, usize) -> Vec<Rule>) -> Ties {
        let cap = self.settings.optima;
        let sets = || optima.solutions.iter().filter(|solution| !solution.chosen.is_empty());
        let mut known: FxHashMap<ColumnId, Vec<Rule>> = FxHashMap::default();
        let rules = |known: &FxHashMap<ColumnId, Vec<Rule>>, solution: &Solution, chosen: &[usize]| -> Vec<Rule> {
            solution.chosen.iter().zip(chosen).map(|(id, &at)| known[id][at].clone()).collect()
        };
        // First one hypothesis of each set: those differ most.
        for solution in sets() {
            if self.over() {
                return Ties::Incomplete;
            }
            for &id in &solution.chosen {
                known.entry(id).or_insert_with(|| distinct(alike(self, id, cap + 1)));
            }
            if !self.tie(rules(&known, solution, &vec![0; solution.chosen.len()]), solution) {
                return Ties::Capped;
            }
        }
        // Hypotheses that are known or not functional count for nothing, so how many are tried is limited, too.
        let most = if self.settings.until_limit { usize::MAX } else { cap.saturating_mul(TRIED) };
        let mut tried = 0;
        for solution in sets() {
            let choices: Vec<usize> = solution.chosen.iter().map(|id| known[id].len()).collect();
            for chosen in products(&choices).skip(1) {
                tried += 1;
                if tried > most || tried % 64 == 0 && self.over() {
                    return Ties::Incomplete;
                }
                if !self.tie(rules(&known, solution, &chosen), solution) {
                    return Ties::Capped;
                }
            }
        }
        match optima.extent {
            Extent::All if !self.over() => Ties::Complete,
            Extent::Capped if self.known.tied >= cap => Ties::Capped,
            _ => Ties::Incomplete,
        }
    }

    /// Hand over a tie; false if it is one too many.
    fn tie(&mut self, rules: Vec<Rule>, solution: &Solution) -> bool {
        let hypothesis = Hypothesis { rules };
        if self.known.tied < self.settings.optima {
            self.offer_hypothesis(hypothesis, solution.value.clone(), solution.confusion, Source::TIE);
            return true;
        }
        self.audience.has_seen(&hypothesis)
            || self.functional.as_mut().is_some_and(|functional| !functional.admits(&hypothesis, &solution.value))
    }
}

/// The rules without those that are equal up to names of variables and order to one before.
fn distinct(mut rules: Vec<Rule>) -> Vec<Rule> {
    let mut known = FxHashSet::default();
    rules.retain(|rule| known.insert(canonical_rule(rule)));
    rules
}
