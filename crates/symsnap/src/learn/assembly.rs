//! The rules that a learner has met, and the best set of them: for learners that find rules one by one and leave it to the
//! covering problem which of them go together.

use super::candidate::KeptRule;
use super::settings::Settings;
use crate::budget::Budget;
use crate::cost::Objective;
use crate::covering::{ColumnId, ColumnPool, LocalSearch, Solution, diverse, prove};
use crate::error::Result;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Rule};
use crate::sets::Cover;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Under a tick limit the exact solver ends after so many rises of its bound, which do not depend on the machine.
const RISES: u32 = 32;

/// Rules with what they cover, of which sets are made.
pub(super) struct Assembly<'r> {
    on: &'r Instance<'r>,
    columns: ColumnPool<Rule>,
    local: LocalSearch,
}

impl<'r> Assembly<'r> {
    /// No rules yet.
    ///
    /// # Errors
    /// If the weights of the examples are too large for the cost.
    pub(super) fn new(on: &'r Instance<'_>, settings: &Settings) -> Result<Self> {
        let columns = ColumnPool::new(settings.cost, on.examples().weights())?;
        Ok(Assembly { on, columns, local: LocalSearch::new(settings.seed) })
    }

    /// One more rule, unless one that is no larger covers the same.
    pub(super) fn add(&mut self, rule: Rule, cover: &Cover) {
        let size = rule.size() + self.on.bias().price(std::slice::from_ref(&rule));
        self.columns.add(size as u64, cover, rule);
    }

    /// How many different ones there are.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// What a false negative, a false positive and a literal count.
    pub(super) fn objective(&self) -> &Objective {
        self.columns.problem().objective()
    }

    /// Better sets than the best so far, each better than the one before, from a local search that weighs `effort` rules.
    pub(super) fn improve(&mut self, effort: u64, budget: &Budget) -> Vec<Hypothesis> {
        let mut better: Vec<Solution> = Vec::new();
        let problem = self.columns.problem();
        self.local.improve(problem, effort, budget, &mut |solution| better.push(solution.clone()));
        better.iter().map(|solution| self.hypothesis(&solution.chosen)).collect()
    }

    /// The best set that the exact solver knows after a while, from which the local search goes on. Under a tick limit the
    /// while is one that does not depend on time.
    pub(super) fn settle(&mut self, a_while: Duration, budget: &Budget) -> Hypothesis {
        let problem = self.columns.problem();
        let (within, mut rises) = match budget.tick_limit() {
            Some(_) => (budget.clone(), RISES),
            None => (budget.no_later_than(a_while), u32::MAX),
        };
        let from = self.local.best(problem).chosen;
        let outcome = prove(problem, &from, &within, &mut |_| {
            rises -= 1;
            if rises == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let chosen = outcome.best().chosen.clone();
        self.local.suggest(problem, &chosen);
        self.hypothesis(&chosen)
    }

    /// At most `cap` rules that further hypotheses could be made of, the most worthy first.
    pub(super) fn kept(&self, cap: usize) -> Vec<KeptRule> {
        let (problem, sides) = (self.columns.problem(), self.on.examples().sides());
        let cover = |id| Some(Arc::new(Cover::from_words(sides, problem.cover(id))));
        let kept = |id| KeptRule { rule: self.columns.payload(id).clone(), cover: cover(id) };
        diverse(problem, cap).into_iter().map(kept).collect()
    }

    fn hypothesis(&self, chosen: &[ColumnId]) -> Hypothesis {
        Hypothesis { rules: chosen.iter().map(|&id| self.columns.payload(id).clone()).collect() }
    }
}
