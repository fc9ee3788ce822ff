//! The search from the first level to the last, as often as it takes: prices on positives ([`reduced_cost`](crate::covering::theorems::reduced_cost)) leave
//! out what a better hypothesis has no use for, and if they turn out to be wrong it begins anew.

use super::{Pricing, Run, effort};
use crate::budget::StopReason;
use crate::mine::Found;

/// Prices are set at the first level from this on that begins with the best hypothesis the one before began with: where it
/// still changes, so would they.
const FIRST_PRICED: usize = 4;

/// They are worth setting if no demand is made in this level and so many more.
const SILENT: u64 = 2;

/// So many times the search goes through all levels with prices, if they turn out to be wrong.
const PASSES: u32 = 3;

/// For each rule tested so far, setting prices may compute so many numbers.
const PRICE_PER_TICK: u64 = 2_000;

impl Run<'_, '_> {
    /// Mine until nothing is left or something stops it; the reason is `None` if nothing is left.
    pub(super) fn search(&mut self) -> Option<StopReason> {
        for pass in 1.. {
            let stop = self.pass(if pass <= PASSES { self.settings.pricing } else { Pricing::Never });
            if stop.is_some() || self.prices_hold() || self.proved() {
                return stop;
            }
            self.columns.unset_prices();
            self.mine.restart();
            if pass < PASSES {
                self.set_prices();
            }
        }
        None
    }

    /// Mine once through all levels, or until prices turn out to be wrong.
    fn pass(&mut self, pricing: Pricing) -> Option<StopReason> {
        let mut pruner = self.pruner();
        let mut level = 0;
        let mut began_with = None;
        while !self.mine.done() {
            if self.mine.level() > level {
                level = self.mine.level();
                self.settle();
                if let Some(stop) = self.search_programs(Some(2 * level + 3)) {
                    return Some(stop);
                }
                if !self.prices_hold() || self.proved() {
                    return None;
                }
                let steady = began_with.replace(self.value.clone()).is_some_and(|value| value == self.value);
                let due = match pricing {
                    Pricing::Late => steady && level >= FIRST_PRICED,
                    Pricing::Early => true,
                    Pricing::Never => false,
                };
                if due {
                    self.set_prices();
                }
                pruner = self.pruner();
            }
            let found = self.mine.step(&pruner, self.ticks_left());
            if self.forget_levels() {
                (level, began_with) = (0, None);
                pruner = self.pruner();
            }
            let (before, met) = (self.columns.len(), found.len());
            for rule in found {
                let Found { parts, size, cover } = self.as_written(rule);
                self.columns.add(size, &cover, parts);
            }
            if self.columns.len() > before || met > 0 && !self.settings.cost.size_breaks_ties() {
                self.improve(effort(self.settings.cost, met, self.columns.len() - before, self.ticks()));
                pruner = self.pruner();
            }
            self.report();
            if let Some(stop) = self.stop() {
                return Some(stop);
            }
            if self.mine.level() as u64 + 1 > pruner.limits().size() {
                break;
            }
        }
        None
    }

    /// Set prices, unless there are some.
    fn set_prices(&mut self) {
        if self.columns.has_prices() || !self.plain || self.functional.is_some() {
            return;
        }
        let (next, work) = (self.mine.level() as u64 + 1, PRICE_PER_TICK * self.ticks());
        let soon = if self.settings.pricing == Pricing::Early { 0 } else { self.mine.largest().min(next + SILENT) };
        self.columns.set_prices(&self.value, self.mine.unreachable(), next, soon, work);
    }

    /// Whether the prices, if there are any, left out nothing that can be needed.
    pub(super) fn prices_hold(&self) -> bool {
        self.columns.prices_hold(&self.value, self.mine.unreachable())
    }
}
