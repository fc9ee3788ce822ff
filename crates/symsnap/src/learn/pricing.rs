//! When dual prices are set on positives ([`reduced_cost`](crate::covering::theorems::reduced_cost)): they leave out what a
//! better hypothesis has no use for, and if they turn out to be wrong, mining begins anew.

use super::rules::Rules;
use super::run::Run;
use super::settings::Pricing;
use crate::budget::Budget;
use std::time::Duration;

/// Prices from cores are set and checked in one part in so many of the time so far.
const CORE_PART: u32 = 10;

/// Prices from cores are not worth setting where positives would have more than one part in so many of their weight in the mean:
/// on Alzheimer's amine with ten literals, where they have nearly half of it, they saved 5 % of the tests and took 30 % of the time.
const LEAST_DISCOUNT: i128 = 4;

/// Prices are set at the first level from this on that begins with the best hypothesis the one before began with: where it
/// still changes, so would they.
const FIRST_PRICED: usize = 4;

/// They are worth setting if no demand is made in this level and as many more.
const SILENT: u64 = 2;

/// For each rule tested so far, setting prices may compute this many numbers.
const PRICE_PER_TICK: u64 = 2_000;

impl Run<'_, '_> {
    /// Set prices at a level that has just begun, if it is time. `steady` says whether the best hypothesis is the one that
    /// the level before began with.
    pub(super) fn set_prices_if_due(&mut self, pricing: Pricing, level: usize, steady: bool) {
        let due = match pricing {
            Pricing::Late => steady && level >= FIRST_PRICED,
            Pricing::Early => true,
            Pricing::Never => false,
        };
        if due {
            self.set_prices();
        }
    }

    /// Set prices, unless there are some.
    pub(super) fn set_prices(&mut self) {
        if self.rules.columns.has_prices() || !self.plain || self.functional.is_some() {
            return;
        }
        if !self.settings.cost.size_breaks_ties() {
            self.set_core_prices();
            return;
        }
        let (next, work) = (self.rules.mine.level() as u64 + 1, PRICE_PER_TICK * self.ticks());
        let soon =
            if self.settings.pricing == Pricing::Early { 0 } else { self.rules.mine.largest().min(next + SILENT) };
        let Rules { columns, mine, .. } = &mut self.rules;
        columns.set_prices(&self.known.value, mine.unreachable(), next, soon, work);
    }

    /// Set prices from cores, unless the run can prove nothing.
    fn set_core_prices(&mut self) {
        if self.tainted() {
            return;
        }
        let budget = self.part_of_budget();
        let Rules { columns, mine, local, .. } = &mut self.rules;
        let problem = columns.problem();
        let all = problem.objective().number(problem.weights().pos.total(), 0, 0);
        if self.settings.pricing != Pricing::Early
            && problem.objective().number_of(&self.known.value) * LEAST_DISCOUNT > all
        {
            return;
        }
        let from = local.best(problem).chosen;
        columns.set_core_prices(&self.known.value, &from, mine.level() as u64 + 1, &budget);
    }

    /// Find out whether prices from cores hold: with the whole budget, or with a part of it.
    pub(super) fn check_core_prices(&mut self, with_all: bool) {
        let budget = if with_all { self.budget.clone() } else { self.part_of_budget() };
        let Rules { columns, local, .. } = &mut self.rules;
        let from = local.best(columns.problem()).chosen;
        columns.check_core_prices(&self.known.value, &from, &budget);
    }

    /// Under a tick limit, which the linear program heeds by itself, a part that does not depend on time.
    fn part_of_budget(&self) -> Budget {
        if self.budget.tick_limit().is_some() {
            return self.budget.clone();
        }
        self.budget.no_later_than(self.budget.elapsed() / CORE_PART + Duration::from_millis(5))
    }
}
