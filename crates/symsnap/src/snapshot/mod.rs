//! Phase 1 of the paper: the pool of all hypotheses that were best so far at the time they were found.
//!
//! The pool is an [`Observer`] of any learner. It checks what it is given rather than trusting it: a candidate that is
//! worse than the best seen is not taken, and a hypothesis that differs from a member only in names of variables and
//! order, and does the same with the examples, is the same hypothesis. Members with equal coverage are kept: they agree on the training examples and may
//! differ on new ones.

mod selection;

pub use selection::{Selection, Stretch};

use crate::cost::{Confusion, CostValue, mdl};
use crate::learn::{Candidate, KeptRule, Observer};
use crate::logic::{Hypothesis, Rule, canonical_hypothesis};
use crate::sets::Cover;
use crate::task::Examples;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A member of a [`SnapshotPool`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Snapshot {
    /// Its place in the order of arrival, from 0.
    pub index: usize,
    /// The candidate as the learner gave it.
    pub candidate: Candidate,
}

impl Snapshot {
    /// Description length on the training examples, whatever the cost in use.
    #[doc(hidden)]
    pub fn mdl(&self) -> u64 {
        mdl(&self.candidate.confusion, self.candidate.size)
    }

    /// What it does with the training examples.
    #[doc(hidden)]
    pub fn confusion(&self) -> &Confusion {
        &self.candidate.confusion
    }

    /// The hypothesis.
    #[doc(hidden)]
    pub fn hypothesis(&self) -> &Hypothesis {
        &self.candidate.hypothesis
    }
}

/// All hypotheses that were at most as costly as every one before them: what ensembles are made of.
#[derive(Debug, Clone)]
pub struct SnapshotPool {
    members: Vec<Snapshot>,
    /// With what they do with the examples: where predicates are called, the order of literals decides on that.
    known: FxHashSet<(Hypothesis, Confusion)>,
    best: Option<CostValue>,
    /// Members that cost what the best costs.
    tied: usize,
    strict: bool,
    cap: usize,
    /// Where the cycles of the learner ended, each hypothesis once.
    cycles: Vec<Snapshot>,
    rules: Vec<KeptRule>,
    /// The digest of the examples that the rules' covers are of.
    rules_of: Option<u64>,
}

impl Default for SnapshotPool {
    fn default() -> Self {
        SnapshotPool::new(false, SnapshotPool::CAP)
    }
}

impl SnapshotPool {
    /// How many members of equal cost a pool keeps by default.
    #[doc(hidden)]
    pub const CAP: usize = 1000;

    /// An empty pool. A `strict` one keeps only improvements; otherwise up to `cap` members of each cost, oldest first.
    #[doc(hidden)]
    pub fn new(strict: bool, cap: usize) -> Self {
        SnapshotPool {
            members: Vec::new(),
            known: FxHashSet::default(),
            best: None,
            tied: 0,
            strict,
            cap: cap.max(1),
            cycles: Vec::new(),
            rules: Vec::new(),
            rules_of: None,
        }
    }

    /// A pool without members that keeps what this one would.
    #[must_use]
    pub(crate) fn emptied(&self) -> Self {
        SnapshotPool::new(self.strict, self.cap)
    }

    /// The members, in the order of arrival.
    pub fn members(&self) -> &[Snapshot] {
        &self.members
    }

    /// Rules that the learner found besides those of the members, if it handed any over.
    #[doc(hidden)]
    pub fn rules(&self) -> &[KeptRule] {
        &self.rules
    }

    /// What such rules cover of `examples`: nothing is known if it was other examples that they were tested on.
    pub(crate) fn known_covers(&self, examples: &Examples) -> impl Iterator<Item = (&Rule, &Arc<Cover>)> {
        let same = !self.rules.is_empty() && self.rules_of == Some(examples.digest());
        self.rules.iter().filter(move |_| same).filter_map(|kept| Some((&kept.rule, kept.cover.as_ref()?)))
    }

    /// The cost of the best member.
    pub fn best(&self) -> Option<&CostValue> {
        self.best.as_ref()
    }

    /// Take a candidate in if it is at most as costly as all before; returns the new member if it did.
    #[doc(hidden)]
    pub fn offer(&mut self, candidate: &Candidate) -> Option<&Snapshot> {
        if candidate.hypothesis.rules.is_empty() {
            return None;
        }
        let improves = match &self.best {
            None => true,
            Some(best) if candidate.value > *best => return None,
            Some(best) => candidate.value < *best,
        };
        if !improves && (self.strict || self.tied >= self.cap) {
            return None;
        }
        if !self.known.insert((canonical_hypothesis(&candidate.hypothesis), candidate.confusion)) {
            return None;
        }
        self.tied = if improves { 1 } else { self.tied + 1 };
        self.best = Some(candidate.value.clone());
        self.members.push(Snapshot { index: self.members.len(), candidate: candidate.clone() });
        self.members.last()
    }
}

impl Observer for SnapshotPool {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        self.offer(candidate);
        ControlFlow::Continue(())
    }

    fn cycle(&mut self, end: &Candidate) {
        let canonical = canonical_hypothesis(&end.hypothesis);
        let same = |it: &Snapshot| {
            it.candidate.confusion == end.confusion && canonical_hypothesis(it.hypothesis()) == canonical
        };
        if !end.hypothesis.rules.is_empty() && self.cycles.len() < self.cap && !self.cycles.iter().any(same) {
            self.cycles.push(Snapshot { index: self.cycles.len(), candidate: end.clone() });
        }
    }

    fn rules(&mut self, rules: &[KeptRule], examples: &Examples) {
        (self.rules, self.rules_of) = (rules.to_vec(), Some(examples.digest()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Source;
    use crate::logic::{Literal, Pred, Terms};
    use std::time::Duration;

    pub(super) fn candidate(cost: u64, names: &[(&str, u8)]) -> Candidate {
        let mut terms = Terms::default();
        let head = Pred::new(terms.intern("f"), 1);
        let body = |terms: &mut Terms| {
            names.iter().map(|(name, var)| Literal::over(Pred::new(terms.intern(name), 2), &[0, *var])).collect()
        };
        // Intern all names in one order, so that equal names are equal symbols across calls.
        ["p", "q", "r"].iter().for_each(|name| {
            terms.intern(name);
        });
        let rule = Rule { head: Literal::over(head, &[0]), body: body(&mut terms) };
        Candidate {
            size: rule.size(),
            hypothesis: Hypothesis { rules: vec![rule] },
            value: CostValue(vec![cost]),
            confusion: Confusion::default(),
            elapsed: Duration::ZERO,
            ticks: 0,
            source: Source::LOCAL,
        }
    }

    fn pool(strict: bool, cap: usize, offers: &[Candidate]) -> SnapshotPool {
        let mut pool = SnapshotPool::new(strict, cap);
        offers.iter().for_each(|offer| {
            pool.offer(offer);
        });
        pool
    }

    fn costs(members: &[&Snapshot]) -> Vec<u64> {
        members.iter().map(|member| member.candidate.value.0[0]).collect()
    }

    #[test]
    fn a_pool_keeps_improvements_and_ties_and_nothing_worse() {
        let offers = [
            candidate(9, &[("p", 1)]),
            candidate(10, &[("q", 1)]),
            candidate(9, &[("r", 1)]),
            candidate(3, &[("q", 1)]),
        ];
        assert_eq!(costs(&pool(false, 10, &offers).select(Selection::All)), [9, 9, 3]);
        assert_eq!(costs(&pool(true, 10, &offers).select(Selection::All)), [9, 3]);
        assert_eq!(costs(&pool(false, 1, &offers).select(Selection::All)), [9, 3]);
    }

    #[test]
    fn renamed_hypotheses_are_one_member() {
        let offers = [candidate(5, &[("p", 1), ("q", 2)]), candidate(5, &[("q", 7), ("p", 3)])];
        assert_eq!(pool(false, 10, &offers).members().len(), 1);
    }

    #[test]
    fn literals_in_another_order_that_cover_otherwise_are_another_member() {
        let first = Candidate {
            confusion: Confusion { fn_: 5, ..Confusion::default() },
            ..candidate(5, &[("p", 1), ("q", 2)])
        };
        let turned = candidate(3, &[("q", 2), ("p", 1)]);
        assert_eq!(costs(&pool(false, 10, &[first, turned]).select(Selection::All)), [5, 3]);
    }

    #[test]
    fn variants_are_those_of_the_papers_questions() {
        let offers = [candidate(9, &[("p", 1)]), candidate(3, &[("q", 1)]), candidate(3, &[("r", 1)])];
        let pool = pool(false, 10, &offers);
        let indices = |variant| pool.select(variant).iter().map(|member| member.index).collect::<Vec<_>>();
        assert_eq!(indices(Selection::All), [0, 1, 2]);
        assert_eq!(indices(Selection::OneOptimum), [0, 1]);
        assert_eq!(indices(Selection::OnlyOptima), [1, 2]);
        assert_eq!(indices(Selection::Baseline), [1]);
    }
}
