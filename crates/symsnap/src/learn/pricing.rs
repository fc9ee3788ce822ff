//! When dual prices are set on positives ([`reduced_cost`](crate::covering::theorems::reduced_cost)): they leave out what a
//! better hypothesis has no use for, and if they turn out to be wrong, mining begins anew.

use super::rules::Rules;
use super::run::Run;
use super::settings::Pricing;

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
        let (next, work) = (self.rules.mine.level() as u64 + 1, PRICE_PER_TICK * self.ticks());
        let soon =
            if self.settings.pricing == Pricing::Early { 0 } else { self.rules.mine.largest().min(next + SILENT) };
        let Rules { columns, mine, .. } = &mut self.rules;
        columns.set_prices(&self.known.value, mine.unreachable(), next, soon, work);
    }
}
