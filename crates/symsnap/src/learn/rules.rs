//! Rules on their way from the mine into the covering problem, and sets of them.

use super::aims::Aims;
use super::centred::Centred;
use super::settings::Settings;
use super::written::Written;
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::covering::{ColumnId, ColumnPool, LocalSearch, Pruner, Solution};
use crate::error::Result;
use crate::instance::Instance;
use crate::language::Taint;
use crate::logic::Rule;
use crate::mine::{Mine, MinedRule, Parts};
use crate::sets::{Cover, Sides};
use std::collections::BTreeSet;

/// Rules taken between two looks at the clock: a batch may have a million, which take a second.
const BETWEEN_CHECKS: usize = 4096;

/// The mine, the columns that came out of it, and the search for sets of them.
pub(super) struct Rules<'t> {
    pub(super) mine: Mine<'t>,
    pub(super) columns: ColumnPool<Parts>,
    pub(super) local: LocalSearch,
    /// Where background predicates are called: rules as they are written.
    pub(super) written: Option<Box<Written<'t>>>,
    /// Where rules compare numbers: these in the middle.
    centred: Option<Box<Centred<'t>>>,
    /// What a number or constant counts beside its literal.
    price: u32,
    /// The search for rules that the best set lacks.
    pub(super) aims: Aims,
    /// How many columns the last look between levels saw.
    pub(super) settled: usize,
    /// How often the mine had begun anew when a bound was last concluded from its levels.
    restarts: u32,
    /// How many examples there are that columns cover some of.
    sides: Sides,
}

impl<'t> Rules<'t> {
    /// None yet of the rules for an instance.
    ///
    /// # Errors
    /// If the weights of the examples are too large for the cost.
    pub(super) fn new(on: &'t Instance<'_>, settings: &Settings, budget: &Budget) -> Result<Self> {
        let mut mine = Mine::new(on, settings.threads, budget.clone());
        if settings.tables {
            mine.use_tables();
        }
        let written = mine.calls().then(|| Box::new(Written::new(on, budget)));
        let columns = ColumnPool::new(settings.cost, on.examples().weights())?;
        let (local, sides) = (LocalSearch::new(settings.seed), on.examples().sides());
        let price = on.bias().price_of_constant();
        let centred = Centred::new(on, budget).map(Box::new);
        let aims = Aims::default();
        Ok(Rules { mine, columns, local, written, centred, price, aims, settled: 0, restarts: 0, sides })
    }

    /// Put rules that were found into the covering problem, with what they cover as written. Those for which the budget leaves
    /// no time are left out.
    pub(super) fn take(&mut self, found: Vec<MinedRule>, budget: &Budget) {
        for (at, rule) in found.into_iter().enumerate() {
            if at % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 && budget.check().is_some() {
                return;
            }
            let settled = match &mut self.written {
                Some(written) => written.settle(rule, &mut self.mine),
                None => Some(rule),
            };
            let Some(MinedRule { parts, size, cover }) = settled else { return };
            let price = match self.price {
                0 => 0,
                price => u64::from(price) * self.mine.rule(&parts).constants() as u64,
            };
            self.columns.add(size + price, &cover, parts);
        }
    }

    /// What a better set than one that costs `value` makes needless; `target` is what rules alone must reach.
    pub(super) fn pruner(&mut self, value: &CostValue, target: &CostValue) -> Pruner {
        self.columns.pruner(value, target, self.mine.unreachable(), self.mine.level() as u64 + 1)
    }

    /// Whether the prices, if there are any, left out nothing that can be needed to be better than `value`.
    pub(super) fn prices_hold(&self, value: &CostValue) -> bool {
        self.columns.prices_hold(value, self.mine.unreachable())
    }

    /// Whether the mine has begun anew with other inputs since this was last asked. Then what was concluded from the levels
    /// it had done no longer holds.
    pub(super) fn began_anew(&mut self) -> bool {
        let anew = self.restarts != self.mine.restarts();
        if anew {
            self.restarts = self.mine.restarts();
            self.columns.unset_prices();
        }
        anew
    }

    /// What was not evaluated to its end.
    pub(super) fn taints(&self) -> BTreeSet<Taint> {
        let mut taints: BTreeSet<Taint> = self.mine.taints().into_iter().collect();
        taints.extend(self.written.iter().flat_map(|written| written.taints.iter().cloned()));
        taints
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.mine.bytes() + self.columns.bytes()
    }

    /// A rule in full.
    pub(super) fn rule(&mut self, id: ColumnId) -> Rule {
        let rule = self.mine.rule(self.columns.payload(id));
        match &mut self.centred {
            Some(centred) => centred.rule(rule),
            None => rule,
        }
    }

    /// The rules of a set in full.
    pub(super) fn of(&mut self, solution: &Solution) -> Vec<Rule> {
        solution.chosen.iter().map(|&id| self.rule(id)).collect()
    }

    /// What a rule covers of the examples that are mined.
    pub(super) fn cover(&self, id: ColumnId) -> Cover {
        Cover::from_words(self.sides, self.columns.problem().cover(id))
    }

    /// Rules that cover what a rule does with as many literals, at most `cap`: itself, those with one part exchanged,
    /// those found by themselves, and those with several parts exchanged. Where predicates are called, those are left out
    /// that cover something else as they are written: bindings that are equal in one order of the literals say nothing
    /// about another.
    pub(super) fn variants(&mut self, id: ColumnId, cap: usize) -> Vec<Rule> {
        let parts = self.columns.payload(id);
        let mut variants = self.mine.variants(parts, cap);
        let several = variants.split_off(variants.len().min(self.mine.single_exchanges(parts)));
        variants.extend(self.columns.twins(id).iter().flat_map(|twin| self.mine.variants(twin, cap)));
        variants.extend(several);
        if self.price > 0 {
            let constants = variants.first().map_or(0, Rule::constants);
            variants.retain(|rule| rule.constants() == constants);
        }
        variants.truncate(cap);
        if let Some(written) = &mut self.written {
            let (others, cover) = (variants.split_off(1), self.columns.problem().cover(id));
            variants.extend(others.into_iter().filter(|rule| written.covers(rule, cover)));
        }
        variants
    }
}
