//! What the best hypothesis so far makes needless: all theorems for one incumbent, as miners ask for them.

use super::rates::{Rates, Seek};
use super::theorems::core_prices::CorePrices;
use super::theorems::costed_residual::SizedLeftovers;
use super::theorems::dominance::{Dominator, is_dominated};
use super::theorems::improvement::pays;
use super::theorems::reduced_cost::DualPrices;
use super::theorems::residual::Alternatives;
use super::theorems::rule_limits::RuleLimits;
use super::theorems::support::is_too_small;
use super::witnesses::Witnesses;
use crate::index::narrow;
use crate::sets::Weights;
use std::sync::Arc;

/// Says which rules, and which branches of rules, are in no better hypothesis.
#[derive(Debug, Clone)]
pub struct Pruner {
    weights: Arc<Weights>,
    rates: Arc<Rates>,
    limits: RuleLimits,
    /// The least size of a rule that is not known: smaller ones were found, or shown to be needless. So a branch is judged by
    /// its rules of this size and more, however small its first ones are. (With one more than this, `learn_brute_force` fails.)
    pub(super) least: u64,
    pub(super) dominators: Vec<Dominator>,
    pub(super) demands: Demands,
    pub(super) prices: Option<Arc<DualPrices>>,
    pub(super) core_prices: Option<Arc<CorePrices>>,
    pub(super) leftovers: Arc<SizedLeftovers>,
}

/// What rules of each size must cover.
#[derive(Debug, Clone, Default)]
pub(super) struct Demands {
    /// `alternatives[m]`: sets of positives of which a rule of size `m` or more must cover one. Larger sizes than there are
    /// here have the last one; if there are none, nothing is asked.
    pub alternatives: Arc<[Alternatives]>,
    /// `shared[m]`: some of the positives that all alternatives of that size have in common.
    pub shared: Arc<[Vec<(u32, u64)>]>,
}

impl Pruner {
    /// Only what holds without any hypothesis, and the limits given.
    pub(super) fn new(weights: Arc<Weights>, rates: Arc<Rates>, limits: RuleLimits) -> Self {
        let (dominators, demands) = (Vec::new(), Demands::default());
        let leftovers = Arc::default();
        Pruner { weights, rates, limits, least: 0, dominators, demands, prices: None, core_prices: None, leftovers }
    }

    /// What is sought.
    pub fn seek(&self) -> Seek {
        self.rates.seek()
    }

    /// Limits on single rules.
    #[inline]
    pub fn limits(&self) -> &RuleLimits {
        &self.limits
    }

    /// Whether rules of at least `size` that cover a subset of these positives can be needed. Rules as good as a dominator
    /// are worth having: they may differ on new examples.
    pub fn needed(&self, pos: &[u64], size: u64) -> bool {
        !self.too_small(self.weights.pos.of(pos), size)
            && !self.falls_short(pos, size)
            && !is_dominated(pos, size.max(self.least) - 1, &self.dominators, &self.rates, &self.weights)
    }

    /// Whether refinements of a rule, of at least `size`, can be needed, given what it covers. `is_rule` is asked whether
    /// that rule is in the space.
    pub fn worth_refining(&self, pos: &[u64], neg: &[u64], size: u64, is_rule: impl FnOnce() -> bool) -> bool {
        // Where every best hypothesis is sought, only what is better than a rule stands for it.
        let size = size.max(self.least);
        let least = if self.seek() == Seek::All { size - 1 } else { size };
        let done = self.too_small(self.weights.pos.of(pos), size)
            || self.falls_short(pos, size)
            || is_dominated(pos, least, &self.dominators, &self.rates, &self.weights)
            || !self.pays(self.weights.neg.of(neg), 0, 1) && is_rule();
        !done
    }

    /// Whether a conjunction that is to become rules of `size` can be dropped: it is dominated or covers too little.
    #[inline]
    pub fn is_done(&self, pos: &[u64], size: u64) -> bool {
        let size = size.max(self.least);
        is_dominated(pos, size - 1, &self.dominators, &self.rates, &self.weights) || self.falls_short(pos, size)
    }

    /// Whether rules of at least `size` that cover positives of at most the weight `tp` are too small to be needed.
    #[inline]
    pub fn too_small(&self, tp: u64, size: u64) -> bool {
        is_too_small(tp, size.max(self.least), &self.rates)
    }

    /// Whether a refinement that adds `literals` and leaves `special` of `general` false positives can be needed.
    #[inline]
    pub fn pays(&self, general: u64, special: u64, literals: u64) -> bool {
        pays(general, special, literals, &self.rates)
    }

    /// Whether a branch of rules of at least `size` that cover a subset of `pos` covers too little of what known rules
    /// leave, or is not worth its size at dual prices.
    #[inline]
    fn falls_short(&self, pos: &[u64], size: u64) -> bool {
        let size = size.max(self.least);
        let all = &self.demands.alternatives;
        let demand = all.get(narrow::<_, usize>(size)).or(all.last());
        let meets = |wanted: &[u64]| wanted.iter().zip(pos).all(|(wanted, pos)| wanted & !pos == 0);
        demand.is_some_and(|alternatives| !alternatives.iter().any(|wanted| meets(wanted)))
            || self.prices.as_ref().is_some_and(|prices| prices.too_dear(pos, size))
            || self.core_prices.as_ref().is_some_and(|prices| prices.too_dear(pos, size))
            || self.leaves_too_much(pos, size)
    }

    /// Whether rules of at least `size` that cover a subset of `pos` miss too much of what known rules leave.
    #[inline]
    fn leaves_too_much(&self, pos: &[u64], size: u64) -> bool {
        let meets = |wanted: &[u64], slack: u64| self.weights.pos.of_and_not(wanted, pos) <= slack;
        self.leftovers.of(size).is_some_and(|leftovers| {
            !leftovers.alternatives.iter().any(|leftover| meets(&leftover.wanted, leftover.slack))
        })
    }

    /// Whether rules of at least `size` that cover only positives that both sets have are too small to be needed.
    #[inline]
    pub fn too_small_and(&self, a: &[u64], b: &[u64], size: u64) -> bool {
        let size = size.max(self.least);
        self.too_small(self.weights.pos.of_and(a, b), size)
            || self.core_prices.as_ref().is_some_and(|prices| prices.too_dear_and(a, b, size))
    }

    /// Whom to ask about a rule of at least `size` before it is known what it covers.
    #[inline]
    pub fn witnesses(&self, size: u64) -> Witnesses<'_> {
        let size = size.max(self.least);
        let all = &self.demands.shared;
        let shared = all.get(narrow::<_, usize>(size)).or(all.last()).map_or(&[][..], Vec::as_slice);
        if let Some(leftovers) = self.leftovers.of(size) {
            return Witnesses::new(&leftovers.shared.0, leftovers.shared.1);
        }
        match &self.prices {
            Some(prices) if shared.is_empty() => Witnesses::new(&prices.of, prices.slack(size)),
            _ if shared.is_empty() => {
                let core = self.core_prices.as_ref().and_then(|prices| prices.witnesses(size));
                core.map_or(Witnesses::NONE, |(asked, slack)| Witnesses::new(asked, slack))
            }
            _ => Witnesses::new(shared, 0),
        }
    }
}
