//! What the samples of [`Resampled`](super::Resampled) choose from: sets of rules, or whole members where the rules of
//! the best member call each other and mean nothing alone.

use super::Training;
use super::bag_cost::BagCost;
use super::rulebase::RuleBase;
use crate::budget::Budget;
use crate::cost::Confusion;
use crate::covering::LocalSearch;
use crate::error::Result;
use crate::logic::{Hypothesis, Rule};
use crate::sets::Cover;
use crate::task::Random;
use std::sync::Arc;

/// Rows that the local search weighs for each rule of a sample.
const EFFORT_PER_RULE: u64 = 60;

/// What can be chosen, by number.
pub(super) enum Stock {
    /// Classes of rules, any number of which make a hypothesis.
    Rules(RuleBase),
    /// Members, one of which is chosen.
    Members(Vec<(Hypothesis, Arc<Cover>)>),
}

impl Stock {
    /// What `training` has. What there was no time to test is left out, and a note says so.
    pub(super) fn new(training: &Training<'_>) -> Self {
        let (stock, untested, all, what) = match RuleBase::new(training) {
            Some(base) => {
                let (untested, all) = base.untested();
                (Stock::Rules(base), untested, all, "rules")
            }
            None => {
                let members: Vec<Hypothesis> =
                    training.pool().members().iter().map(|member| member.hypothesis().clone()).collect();
                let order: Vec<usize> = (0..members.len()).rev().collect();
                let tested = training.test_in_time(&members, &order);
                let all = members.len();
                let known = members.into_iter().zip(tested).filter_map(|(member, it)| Some((member, it?.cover)));
                let known: Vec<_> = known.collect();
                (Stock::Members(known.clone()), all - known.len(), all, "snapshots")
            }
        };
        if untested > 0 && untested < all {
            training.note(format!("there was time to test {} of {all} {what} for the samples", all - untested));
        }
        stock
    }

    /// Whether there is nothing to choose from.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Stock::Rules(base) => base.len() == 0,
            Stock::Members(members) => members.is_empty(),
        }
    }

    /// Whether some rule has a number or constant.
    pub(super) fn has_constants(&self) -> bool {
        match self {
            Stock::Rules(base) => base.has_constants(),
            Stock::Members(_) => false,
        }
    }

    /// The best choice for examples with these weights.
    pub(super) fn best(
        &self,
        objective: BagCost,
        (pos, neg): (&[u32], &[u32]),
        seed: u64,
        budget: &Budget,
    ) -> Result<Vec<usize>> {
        let priced = |weights: &[u32]| -> Vec<u32> {
            weights.iter().map(|weight| weight.saturating_mul(objective.example)).collect()
        };
        let (pos, neg) = (priced(pos), priced(neg));
        match self {
            Stock::Rules(base) => {
                let problem = base.problem(objective, &pos, &neg)?;
                let effort = EFFORT_PER_RULE * problem.len() as u64;
                let best = LocalSearch::new(seed).improve(&problem, effort, budget, &mut |_| ());
                Ok(best.chosen.iter().map(|id| id.index()).collect())
            }
            Stock::Members(members) => {
                let priced = |member: &Hypothesis| {
                    let constants = member.rules.iter().map(Rule::constants).sum::<usize>();
                    member.size() + constants * objective.constant as usize
                };
                let value = |cover: &Cover, size: usize| {
                    let sum = |weights: &[u32]| weights.iter().map(|&weight| u64::from(weight)).sum::<u64>();
                    let tp: u64 = cover.pos().iter().map(|at| u64::from(pos[at])).sum();
                    let fp: u64 = cover.neg().iter().map(|at| u64::from(neg[at])).sum();
                    let confusion = Confusion { tp, fn_: sum(&pos) - tp, tn: sum(&neg) - fp, fp };
                    objective.cost.value(&confusion, size * objective.literal as usize)
                };
                let values = members.iter().map(|(member, cover)| value(cover, priced(member)));
                let best = values.enumerate().min_by(|a, b| a.1.cmp(&b.1));
                Ok(best.map(|(at, _)| at).into_iter().collect())
            }
        }
    }

    /// What a choice covers.
    pub(super) fn cover(&self, number: usize) -> &Cover {
        match self {
            Stock::Rules(base) => base.cover(number),
            Stock::Members(members) => &members[number].1,
        }
    }

    /// The hypothesis of what was chosen; rules that cover the same training examples take turns.
    pub(super) fn draw(&self, chosen: &[usize], random: &mut Random) -> Hypothesis {
        match self {
            Stock::Rules(base) => {
                Hypothesis { rules: chosen.iter().map(|&class| base.any(class, random).clone()).collect() }
            }
            Stock::Members(members) => {
                Hypothesis { rules: chosen.iter().flat_map(|&at| members[at].0.rules.clone()).collect() }
            }
        }
    }
}
