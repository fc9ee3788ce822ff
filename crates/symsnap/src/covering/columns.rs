//! The columns generated so far that may be in a best set, and what they make needless.
//!
//! What a column stands for is its *payload*, of which nothing is known here but whether two are equal.

use super::core_pricing::{core_prices, core_prices_hold};
use super::problem::{ColumnId, Problem, Solution};
use super::pruner::{Demands, Pruner};
use super::rates::{Rates, Seek};
use super::theorems::core_prices::CorePrices;
use super::theorems::costed_residual::SizedLeftovers;
use super::theorems::dominance::{Dominator, Dominators};
use super::theorems::reduced_cost::{DualPrices, hold, prices};
use super::theorems::residual::{Alternatives, Consistent, shared};
use super::theorems::rule_limits::RuleLimits;
use crate::budget::Budget;
use crate::cost::{Cost, CostValue};
use crate::error::Result;
use crate::sets::{Cover, CoverIndex, Weights};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Columns, each with a cover of its own or smaller than all others with the same, and the covering problem they make.
#[derive(Debug)]
pub struct ColumnPool<P> {
    problem: Problem,
    payloads: Vec<P>,
    by_cover: CoverIndex,
    /// Payloads of other columns that cover and cost what a kept one does.
    twins: FxHashMap<ColumnId, Vec<P>>,
    most_twins: usize,
    rates: Arc<Rates>,
    dominators: Dominators,
    /// Positives that some column covers.
    reached: Vec<u64>,
    consistent: Consistent,
    /// What was asked of columns last.
    asked: Option<Asked>,
    priced: Option<Priced>,
    core_priced: Option<CorePriced>,
    /// What was asked of columns last where a better set may have errors.
    left_over: Option<LeftOver>,
}

/// What is asked of columns, and the limit and the next size it is for.
#[derive(Debug, Clone)]
struct LeftOver {
    limit: i128,
    next: u64,
    leftovers: Arc<SizedLeftovers>,
}

/// Prices from cores, the size of the columns that were looked for when they were set, and what was found out about them.
#[derive(Debug)]
struct CorePriced {
    prices: Arc<CorePrices>,
    first: u64,
    /// Of how many columns it was found out whether they hold.
    checked: Option<(usize, bool)>,
}

/// Demands, and the limit and the next size they are for.
#[derive(Debug, Clone)]
struct Asked {
    limit: u64,
    next: u64,
    demands: Demands,
}

/// Prices, and the size of the columns that were looked for when they were set.
#[derive(Debug)]
struct Priced {
    prices: Arc<DualPrices>,
    first: u64,
}

/// Payloads of columns with the cover and the size of a kept one that are remembered, unless more are asked for. No proof
/// needs them.
const TWINS: usize = 8;

/// The largest size of which something is asked by itself; what is larger is asked for no less.
const LARGEST: u64 = 24;

impl<P: PartialEq> ColumnPool<P> {
    /// No columns yet, over examples with these weights; one best set is sought.
    ///
    /// # Errors
    /// If the weights of the examples are too large for the cost.
    pub fn new(cost: Cost, weights: Weights) -> Result<Self> {
        let problem = Problem::over(cost, weights)?;
        Ok(ColumnPool {
            rates: Arc::new(Rates::new(*problem.objective(), Seek::One)),
            problem,
            payloads: Vec::new(),
            by_cover: CoverIndex::default(),
            twins: FxHashMap::default(),
            most_twins: TWINS,
            dominators: Dominators::default(),
            reached: Vec::new(),
            consistent: Consistent::default(),
            asked: None,
            priced: None,
            core_priced: None,
            left_over: None,
        })
    }

    /// The same, but every best set is sought, and this many twins of each column are remembered.
    pub fn seeking_all(mut self, most_twins: usize) -> Self {
        self.rates = Arc::new(Rates::new(*self.problem.objective(), Seek::All));
        ColumnPool { most_twins, ..self }
    }

    /// The covering problem of the columns.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// What a column stands for.
    pub fn payload(&self, id: ColumnId) -> &P {
        &self.payloads[id.index()]
    }

    /// What other columns with the cover and size of this one stand for.
    pub fn twins(&self, id: ColumnId) -> &[P] {
        self.twins.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The column that is the best set by itself, the first of several; of many columns only the first are asked.
    pub fn closest(&self) -> Option<(ColumnId, Solution)> {
        let alone = self.problem.ids().take(10_000).map(|id| (id, self.problem.evaluate([id])));
        alone.reduce(|best, next| if next.1.value < best.1.value { next } else { best })
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.payloads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.payloads.is_empty()
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.payloads.len() * (self.problem.sides().words() * 8 + 160)
    }

    /// Keep a column unless one that is no larger covers the same.
    ///
    /// # Panics
    /// If the size is 2^32 or more, or the cover is one of other examples.
    pub fn add(&mut self, size: u64, cover: &Cover, payload: P) {
        let same = self.by_cover.equal(cover.words(), self.problem.covers()).next_back().map(ColumnId::new);
        if let Some(same) = same
            && u64::from(self.problem.size(same)) <= size
        {
            if u64::from(self.problem.size(same)) == size && *self.payload(same) != payload {
                let twins = self.twins.entry(same).or_default();
                if twins.len() < self.most_twins {
                    twins.push(payload);
                }
            }
            return;
        }
        let (pos, neg) = (cover.pos().words(), cover.neg().words());
        let (tp, fp) = (self.problem.weights().pos.of(pos), self.problem.weights().neg.of(neg));
        let id = self.problem.add(u32::try_from(size).expect("a rule's size is limited by the bias"), cover);
        self.by_cover.insert(cover.words(), id.index());
        self.payloads.push(payload);
        self.dominators.offer(Dominator::new(pos, fp, size, &self.rates), tp, &self.rates);
        self.reached.resize(pos.len(), 0);
        let farther = self.reached.iter().zip(pos).any(|(all, new)| new & !all != 0);
        self.reached.iter_mut().zip(pos).for_each(|(all, new)| *all |= new);
        if fp == 0 && self.consistent.add(size, pos) || farther {
            self.asked = None;
        }
        let objective = self.problem.objective();
        let price = objective.number(0, fp, size);
        let fits = |asked: &LeftOver| price < objective.number(0, 0, asked.next);
        if farther || objective.number(tp, 0, 0) > price && self.left_over.as_ref().is_some_and(fits) {
            self.left_over = None;
        }
    }

    /// What the best set, which costs `best`, makes needless where sets of columns are wanted that cost at most `target`,
    /// given that positives of the weight `unreachable` stay uncovered by every set worth considering. Columns not found
    /// yet have at least the size `next`.
    pub fn pruner(&mut self, best: &CostValue, target: &CostValue, unreachable: u64, next: u64) -> Pruner {
        let limits = RuleLimits::new(self.problem.cost(), target, unreachable);
        let mut pruner = Pruner::new(self.problem.shared_weights(), Arc::clone(&self.rates), limits);
        pruner.least = next;
        if let Some(limit) = error_free(&limits, best) {
            let (prices, next) = match &self.priced {
                Some(priced) => (Some(Arc::clone(&priced.prices)), next.min(priced.first)),
                None => (None, next),
            };
            let is_current = |asked: &Asked| (asked.limit, asked.next) == (limit, next);
            let asked = self.asked.take().filter(is_current).unwrap_or_else(|| {
                let alternatives: Arc<[Alternatives]> = self.consistent.demands(&self.reached, limit, next).into();
                let shared = alternatives.iter().map(shared).collect();
                Asked { limit, next, demands: Demands { alternatives, shared } }
            });
            (pruner.demands, pruner.prices) = (asked.demands.clone(), prices);
            self.asked = Some(asked);
        }
        if !self.problem.cost().size_breaks_ties() {
            let next = self.core_priced.as_ref().map_or(next, |priced| next.min(priced.first));
            pruner.leftovers = self.leftovers(best, unreachable, next);
        }
        pruner.core_prices = self.core_priced.as_ref().map(|priced| Arc::clone(&priced.prices));
        pruner.dominators = self.dominators.list();
        pruner
    }

    /// What columns must cover if a set that costs less than `best` is to have them.
    fn leftovers(&mut self, best: &CostValue, unreachable: u64, next: u64) -> Arc<SizedLeftovers> {
        let limit = self.problem.objective().number_of(best) - 1 - self.problem.objective().number(unreachable, 0, 0);
        let is_current = |asked: &LeftOver| (asked.limit, asked.next) == (limit, next);
        let asked = self.left_over.take().filter(is_current).unwrap_or_else(|| {
            let leftovers = SizedLeftovers::new(&self.problem, &self.reached, limit, next, LARGEST);
            LeftOver { limit, next, leftovers: Arc::new(leftovers) }
        });
        let leftovers = Arc::clone(&asked.leftovers);
        self.left_over = Some(asked);
        leftovers
    }

    /// Set prices, to stay until [`ColumnPool::unset_prices`], unless demands are made of columns of the size `soon`. Columns not
    /// found yet have at least the size `next`; `work` is how many numbers may be computed.
    pub fn set_prices(&mut self, best: &CostValue, unreachable: u64, next: u64, soon: u64, work: u64) {
        let limit = error_free(&RuleLimits::new(self.problem.cost(), best, unreachable), best);
        let Some(limit) = limit.filter(|limit| *limit >= 2 * soon) else { return };
        let prices = prices(&self.consistent.rules, &self.reached, limit, next, work);
        self.priced = prices.map(|prices| Priced { prices: Arc::new(prices), first: next });
    }

    /// Set prices from cores, to stay until [`ColumnPool::unset_prices`]. `from` is the best set, which costs `best`.
    pub fn set_core_prices(&mut self, best: &CostValue, from: &[ColumnId], next: u64, budget: &Budget) {
        let prices = core_prices(&self.problem, from, best, next, budget);
        let priced = |prices| CorePriced { prices: Arc::new(prices), first: next, checked: None };
        self.core_priced = prices.map(priced);
    }

    /// Find out whether prices from cores hold, as far as the budget allows.
    pub fn check_core_prices(&mut self, best: &CostValue, from: &[ColumnId], budget: &Budget) {
        let Some(priced) = &mut self.core_priced else { return };
        if priced.checked == Some((self.payloads.len(), true)) {
            return;
        }
        let holds = core_prices_hold(&priced.prices, &self.problem, from, best, budget);
        priced.checked = holds.map(|holds| (self.payloads.len(), holds));
    }

    /// Whether prices have been set.
    pub fn has_prices(&self) -> bool {
        self.priced.is_some() || self.core_priced.is_some()
    }

    /// Forget the prices.
    pub fn unset_prices(&mut self) {
        (self.priced, self.core_priced) = (None, None);
    }

    /// Whether nothing that prices left out is in a set better than `best`, as far as that is known.
    pub fn prices_hold(&self, best: &CostValue, unreachable: u64) -> bool {
        if let Some(priced) = &self.core_priced {
            return priced.checked == Some((self.payloads.len(), true));
        }
        let Some(priced) = &self.priced else { return true };
        let limit = error_free(&RuleLimits::new(self.problem.cost(), best, unreachable), best);
        limit.is_some_and(|limit| hold(&priced.prices, &self.consistent.rules, limit))
    }

    /// Whether it is known that prices from cores do not hold.
    pub fn prices_are_upset(&self) -> bool {
        self.core_priced.as_ref().is_some_and(|priced| priced.checked.is_some_and(|(_, holds)| !holds))
    }

    /// The least size of a column that prices from cores may have left out without it being known that none is needed.
    pub fn first_priced(&self) -> Option<u64> {
        let open = |priced: &&CorePriced| priced.checked != Some((self.payloads.len(), true));
        self.core_priced.as_ref().filter(open).map(|priced| priced.first)
    }
}

/// The largest size of what is better than the best, where that must have no errors.
///
/// What is asked for must be better, not as good: that proves optima a level earlier, at the price of ties that need columns
/// which no better set does. A target below the best is better already.
fn error_free(limits: &RuleLimits, best: &CostValue) -> Option<u64> {
    let better = best.0.last().map_or(0, |size| size.saturating_sub(1));
    limits.only_consistent().then(|| limits.size().min(better))
}
