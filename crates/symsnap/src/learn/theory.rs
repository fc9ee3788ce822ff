//! A set of rules with what each covers, and random changes of it.

use super::testbed::Testbed;
use crate::cost::Objective;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Rule};
use crate::random::Random;
use crate::sets::Cover;
use std::sync::Arc;

/// Rules, each with what it covers.
#[derive(Clone, Default)]
pub(super) struct Theory {
    rules: Vec<(Rule, Arc<Cover>)>,
}

impl Theory {
    /// The rules of a hypothesis; `None` if a limit is reached.
    pub(super) fn of(hypothesis: &Hypothesis, testbed: &mut Testbed<'_>) -> Option<Self> {
        let with_cover = |rule: &Rule| Some((rule.clone(), testbed.cover(rule)?));
        Some(Theory { rules: hypothesis.rules.iter().map(with_cover).collect::<Option<_>>()? })
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = (&Rule, &Cover)> {
        self.rules.iter().map(|(rule, cover)| (rule, &**cover))
    }

    pub(super) fn has(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|(other, _)| other == rule)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(super) fn hypothesis(&self) -> Hypothesis {
        Hypothesis { rules: self.rules.iter().map(|(rule, _)| rule.clone()).collect() }
    }

    /// The one number that its cost is.
    pub(super) fn number(&self, on: &Instance<'_>, objective: &Objective) -> i128 {
        let confusion = on.examples().confusion(&self.cover(on));
        let size: usize = self.rules.iter().map(|(rule, _)| rule.size()).sum();
        let price: usize = self.rules.iter().map(|(rule, _)| on.bias().price(std::slice::from_ref(rule))).sum();
        objective.number(confusion.fn_, confusion.fp, (size + price) as u64)
    }

    fn cover(&self, on: &Instance<'_>) -> Cover {
        let mut all = Cover::empty(on.examples().sides());
        self.rules.iter().for_each(|(_, cover)| all.union_with(cover));
        all
    }
}

/// Literals that are tried for one place in a rule before the move is given up.
const TRIES: usize = 8;

/// Random changes of sets of rules.
pub(super) struct Moves<'r> {
    pub(super) on: &'r Instance<'r>,
}

impl Moves<'_> {
    /// The set after a random move: a literal more, less or exchanged, a rule less, or a rule more. A move that leads out of the
    /// space is none; `None` outside if a limit is reached.
    pub(super) fn random(
        &self,
        theory: &Theory,
        random: &mut Random,
        testbed: &mut Testbed<'_>,
    ) -> Option<Option<Theory>> {
        // Many moves lead out of the space and test nothing.
        testbed.goes_on()?;
        let which = if theory.is_empty() { 0 } else { random.below(6) };
        if which <= 1 {
            let new = self.new_rule(theory, random, testbed)?;
            return Some(new.filter(|(rule, _)| !theory.has(rule)).map(|new| {
                let mut next = theory.clone();
                next.rules.push(new);
                next
            }));
        }
        let (at, mut next) = (random.below(theory.rules.len()), theory.clone());
        if which == 2 {
            next.rules.swap_remove(at);
            return Some(Some(next));
        }
        let mut rule = next.rules[at].0.clone();
        if which != 3 && !rule.body.is_empty() {
            rule.body.remove(random.below(rule.body.len()));
        }
        if which != 4 {
            let Some(longer) = self.refined(&rule, random) else { return Some(None) };
            rule = longer;
        }
        if theory.has(&rule) || !self.on.allows(&rule) {
            return Some(None);
        }
        let Some(rule) = self.on.space().order(&rule) else { return Some(None) };
        let cover = testbed.cover(&rule)?;
        next.rules[at] = (rule, cover);
        Some(Some(next))
    }

    /// A rule that covers a random one of the positives that the set does not: it grows by random literals with which it still
    /// does, and ends at a random length.
    fn new_rule(
        &self,
        theory: &Theory,
        random: &mut Random,
        testbed: &mut Testbed<'_>,
    ) -> Option<Option<(Rule, Arc<Cover>)>> {
        let mut open = Cover::full(self.on.examples().sides());
        open.subtract(&theory.cover(self.on));
        let open: Vec<usize> = open.pos().iter().collect();
        if open.is_empty() {
            return Some(None);
        }
        let (seed, length) = (open[random.below(open.len())], 1 + random.below(self.on.bias().max_body.max(1)));
        let (mut rule, mut found) = (self.on.space().bare(), None);
        for _ in 0..TRIES + length {
            let Some(longer) = self.refined(&rule, random) else { continue };
            let Some(longer) = self.on.space().order(&longer) else { continue };
            let cover = testbed.cover(&longer)?;
            if !cover.contains(seed) {
                continue;
            }
            if self.on.allows(&longer) {
                found = Some((longer.clone(), cover));
            }
            rule = longer;
            if rule.body.len() >= length {
                break;
            }
        }
        Some(found)
    }

    fn refined(&self, rule: &Rule, random: &mut Random) -> Option<Rule> {
        if rule.body.len() >= self.on.bias().max_body {
            return None;
        }
        self.on.space().random_refinement(rule, &mut || random.next_u64()).filter(|rule| !rule.is_recursive())
    }
}
