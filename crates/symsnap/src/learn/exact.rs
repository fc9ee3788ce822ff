//! The loop: mine, cover, guide, observe.
//!
//! Columns come from [`mine`](crate::mine), sets of them from [`covering`](crate::covering); what the best set so far makes
//! needless goes back to the miner, and every set that is at most as costly as the best so far goes to the observer.

use super::candidate::{Observer, Source};
use super::functional::OutputTest;
use super::improve::effort;
use super::learner::Learner;
use super::outcome::Outcome;
use super::recursion::Recursion;
use super::rules::Rules;
use super::run::{Run, Stopped};
use super::settings::{Pricing, Settings};
use super::ties::reserving;
use crate::budget::{Budget, StopReason};
use crate::cost::CostValue;
use crate::covering::{prove, prove_and_list};
use crate::error::Result;
use crate::instance::{Instance, Quotient};
use std::ops::ControlFlow;

/// Our learner: complete over the rules of the space, anytime, with a proof at the end.
#[derive(Debug, Clone, Default)]
pub struct Symsnap {
    /// What it is told.
    pub settings: Settings,
}

impl Learner for Symsnap {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let settings = &self.settings;
        let (limits, budget) = (budget, &reserving(budget, settings));
        // One rule alone that calls itself derives nothing, unless the background does.
        let single = on.bias().max_clauses < 2 && !on.defines_head();
        let plain = single || !on.bias().recursion && !on.bias().invention;
        // Programs do not tell such examples apart either: what leaves the background as it is leaves their least model as
        // it is. Unless they call a head predicate that the background defines, too.
        let quotient = if plain || !on.defines_head() { on.quotient() } else { None };
        let mined = quotient.as_ref().map_or(on, Quotient::instance);
        let rules = Rules::new(mined, settings, budget)?;
        let objective = *rules.columns.problem().objective();
        let mut run = Run::new(rules, mined.examples(), settings, (budget, limits), observer);
        let whole = (!plain).then(|| mined.as_task());
        run.recursion = whole.as_deref().and_then(|task| Recursion::new(task, mined, objective, budget));
        if settings.functional {
            let functional = OutputTest::new(on);
            if let Some(recursion) = &mut run.recursion {
                recursion.set_functional(functional.queries());
            }
            run.functional = Some(functional);
        }
        run.plain = plain;

        let searched = run.search();
        let stop = run.conclude(searched);
        let mut unevaluated: Vec<String> = run.taints().iter().map(|taint| taint.show(on.terms())).collect();
        unevaluated.extend(run.unseen(stop));
        run.hand_over(on.examples(), quotient.as_ref());
        let notes = run.troubles(on.terms());
        let certificate = run.certificate(on, quotient.as_ref(), &unevaluated);
        Ok(Outcome { certificate, ..run.outcome(stop, unevaluated, notes) })
    }
}

/// Levels are mined at most this often with prices, if they turn out to be wrong.
const PASSES: u32 = 3;

impl Run<'_, '_> {
    /// Everything there is, unless something stops it: all levels of rules, again if dual prices turn out to be wrong, and
    /// all programs.
    fn search(&mut self) -> Stopped {
        for pass in 1.. {
            self.pass(if pass <= PASSES { self.settings.pricing } else { Pricing::Never })?;
            self.check_core_prices(true);
            if self.prices_hold() || self.proved() {
                break;
            }
            self.rules.columns.unset_prices();
            self.rules.mine.restart();
            if pass < PASSES {
                self.set_prices();
            }
        }
        self.settle_rules();
        self.search_programs(None)
    }

    /// All levels with one set of dual prices, or until these turn out to be wrong.
    fn pass(&mut self, pricing: Pricing) -> Stopped {
        let (mut level, mut began_with) = (0, None);
        let mut pruner = self.pruner();
        while !self.rules.mine.done() {
            if self.rules.mine.level() > level {
                level = self.rules.mine.level();
                self.check_core_prices(false);
                self.settle();
                if self.prices_are_upset() || self.proved() {
                    break;
                }
                let steady =
                    began_with.replace(self.known.value.clone()).is_some_and(|value| value == self.known.value);
                self.set_prices_if_due(pricing, level, steady);
                pruner = self.pruner();
            }
            // Mine.
            let (left, began) = (self.ticks_left(), self.share.reading(self.ticks()));
            let found = self.rules.mine.step(&pruner, left);
            if self.forget_levels() {
                (level, began_with) = (0, None);
                pruner = self.pruner();
            }
            // Cover, and guide.
            let (before, met) = (self.rules.columns.len(), found.len());
            self.rules.take(found, self.budget);
            let new = self.rules.columns.len() - before;
            if new > 0 || met > 0 && !self.settings.cost.size_breaks_ties() {
                self.improve(effort(self.settings.cost, met, new, self.ticks()));
                pruner = self.pruner();
            }
            if self.seek_improvements(&pruner) {
                pruner = self.pruner();
            }
            self.share.note_rules(began, self.share.reading(self.ticks()));
            // Observe.
            self.report();
            self.check()?;
            // Programs, where there are some.
            let best = self.known.value.clone();
            self.search_programs(Some(2 * level + 3))?;
            if self.known.value < best {
                pruner = self.pruner();
            }
            if self.rules.mine.level() as u64 + 1 > pruner.limits().size() {
                if !self.rules.mine.make_dear_calls(true) {
                    break;
                }
                self.forget_levels();
                (level, began_with) = (0, None);
                pruner = self.pruner();
            }
        }
        Ok(())
    }

    /// After the search: the exact best set of the rules found, and its ties. Returns why the run ended; the best can be
    /// proved to be one only if the rules searched are the whole space.
    fn conclude(&mut self, searched: Stopped) -> StopReason {
        if let Err(stop) = searched {
            self.list_nearby();
            return stop;
        }
        let exhausted = |recursion: &Recursion<'_>| recursion.is_exhausted(self.settings.cost, &self.known.value);
        let whole = self.plain || self.recursion.as_deref().is_some_and(exhausted);
        let problem = self.rules.columns.problem();
        let from = self.rules.local.best(problem).chosen;
        let best = self.known.value.clone();
        let mut on_bound = |lower: &CostValue| {
            // Nothing is to be gained from rules alone once they cannot be better than a program that is known.
            if *lower >= best { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (outcome, optima) = if self.seeks_ties() {
            prove_and_list(problem, &from, self.budget, &mut on_bound, || self.listing())
        } else {
            (prove(problem, &from, self.budget, &mut on_bound), None)
        };
        self.offer(outcome.best(), Source::EXACT);
        let missed = self.functional.as_ref().is_some_and(|functional| functional.has_refused(&self.known.value));
        if whole && !missed {
            let known = &mut self.known;
            known.lower = known.lower.clone().max(outcome.lower().clone().min(known.value.clone()));
        }
        if !outcome.is_optimal() && *outcome.lower() < self.known.value {
            self.list_nearby();
            let ticks = self.budget.tick_limit().map(|_| StopReason::Ticks);
            return self.budget.check().or(ticks).unwrap_or(StopReason::Exhausted);
        }
        match optima {
            Some(optima) if outcome.best().value == self.known.value => self.list_ties(&optima),
            _ => self.list_nearby(),
        }
        if self.audience.broken_off { StopReason::Observer } else { StopReason::Exhausted }
    }
}
