//! FOIL: one rule after the other, each grown literal by literal from the top (Quinlan 1990, *Learning logical definitions from
//! relations*, Machine Learning 5, 239-266).
//!
//! A rule grows by the literal with the most information gain about the examples that no rule covers yet; a beam of several
//! rules grows side by side. Of all rules met on the way that the space allows, the one with the largest surplus of positives
//! over negatives joins the theory, unless the theory costs no less with it, which ends the run.
//!
//! What differs from Quinlan's FOIL: gain counts examples, not bindings of variables; a literal without gain stays in the beam
//! if it brings a variable, behind all that have gain, where FOIL adds determinate literals; the user's cost, not encoding
//! length, says when to stop; rules do not call themselves; and there are no constants but those of the background.

use super::candidate::Observer;
use super::learner::Learner;
use super::outcome::Outcome;
use super::settings::Settings;
use super::testbed::Testbed;
use crate::budget::Budget;
use crate::error::Result;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Rule, canonical_rule};
use crate::sets::Cover;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::sync::Arc;

/// Rules that grow side by side.
const BEAM: usize = 5;

/// The learner.
pub(super) struct Foil {
    pub(super) settings: Settings,
}

impl Learner for Foil {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let testbed = Testbed::new("foil", on, &self.settings, budget, observer);
        let known = Cover::empty(on.examples().sides());
        let mut run = FoilRun { on, testbed, theory: Hypothesis::default(), known };
        while run.add_rule().is_some() {}
        Ok(run.testbed.outcome())
    }
}

struct FoilRun<'r> {
    on: &'r Instance<'r>,
    testbed: Testbed<'r>,
    theory: Hypothesis,
    /// What the theory covers.
    known: Cover,
}

/// A rule with what it covers of the examples that the theory does not.
struct Grown {
    rule: Rule,
    cover: Arc<Cover>,
    positives: u64,
    negatives: u64,
    gain: f64,
    /// Whether its last literal has a variable of its own.
    brings: bool,
}

impl FoilRun<'_> {
    /// Find the next rule and let it join; `None` at the end.
    fn add_rule(&mut self) -> Option<()> {
        let before = self.testbed.value().clone();
        let rule = self.grow()?;
        self.theory.rules.push(rule.rule);
        if self.testbed.test(&self.theory)? >= before {
            return None;
        }
        self.known.union_with(&rule.cover);
        Some(())
    }

    /// The rule with the largest surplus of positives; `None` if there is none with one, or no more time.
    fn grow(&mut self) -> Option<Grown> {
        let bare = self.on.space().bare();
        let full = Arc::new(Cover::full(self.on.examples().sides()));
        let mut beam = vec![self.grown(bare, full, None)];
        let mut best: Option<Grown> = None;
        for _ in 0..self.on.bias().max_body {
            let (mut next, mut seen) = (Vec::new(), FxHashSet::default());
            for parent in &beam {
                for rule in self.on.space().refinements(&parent.rule) {
                    if rule.is_recursive() || !seen.insert(canonical_rule(&rule)) {
                        continue;
                    }
                    let Some(rule) = self.on.space().order(&rule) else { continue };
                    let cover = self.testbed.cover(&rule)?;
                    let grown = self.grown(rule, cover, Some(parent));
                    if grown.positives == 0 {
                        continue;
                    }
                    if best.as_ref().is_none_or(|best| grown.surplus() > best.surplus()) && self.on.allows(&grown.rule)
                    {
                        self.offer(&grown)?;
                        best = Some(grown.copy());
                    }
                    next.push(grown);
                }
            }
            next.retain(|grown| grown.negatives > 0 && (grown.gain > 0.0 || grown.brings));
            next.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| a.rule.cmp(&b.rule)));
            next.truncate(BEAM);
            if next.is_empty() {
                break;
            }
            beam = next;
        }
        best.filter(|best| best.positives > best.negatives)
    }

    /// Let the testbed hear of the theory with this rule: whoever stops the run has it.
    fn offer(&mut self, grown: &Grown) -> Option<()> {
        if grown.positives <= grown.negatives {
            return Some(());
        }
        let mut theory = self.theory.clone();
        theory.rules.push(grown.rule.clone());
        self.testbed.test(&theory).map(|_| ())
    }

    fn grown(&self, rule: Rule, cover: Arc<Cover>, parent: Option<&Grown>) -> Grown {
        let mut rest = Cover::clone(&cover);
        rest.subtract(&self.known);
        let confusion = self.on.examples().confusion(&rest);
        let (positives, negatives) = (confusion.tp, confusion.fp);
        let brings = parent.is_some_and(|parent| parent.rule.var_count() < rule.var_count());
        let gain = parent.map_or(0.0, |parent| {
            let before = information(parent.positives, parent.negatives);
            positives as f64 * (before - information(positives, negatives))
        });
        Grown { rule, cover, positives, negatives, gain, brings }
    }
}

impl Grown {
    /// Positives less negatives; of equals, the rule with fewer negatives, then the smaller one.
    fn surplus(&self) -> (i128, Reverse<u64>, Reverse<usize>) {
        let surplus = i128::from(self.positives) - i128::from(self.negatives);
        (surplus, Reverse(self.negatives), Reverse(self.rule.size()))
    }

    fn copy(&self) -> Grown {
        Grown { rule: self.rule.clone(), cover: Arc::clone(&self.cover), ..*self }
    }
}

/// Bits that say that an example is positive.
fn information(positives: u64, negatives: u64) -> f64 {
    if positives == 0 { 0.0 } else { -(positives as f64 / (positives + negatives) as f64).log2() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::task::Task;

    fn learn(task: &Task, cost: Cost) -> Vec<String> {
        let settings = Settings { cost, ..Settings::default() };
        let outcome = Foil { settings }.learn_task(task, &Budget::unlimited(), &mut Vec::new()).unwrap();
        assert!(!outcome.optimal);
        outcome
            .best
            .map_or_else(Vec::new, |best| best.hypothesis.rules.iter().map(|rule| rule.show(&task.terms)).collect())
    }

    /// Quinlan's network: which nodes can be reached in two steps or are special.
    #[test]
    fn rules_are_added_until_all_positives_are_covered() {
        let bk = "e(a,b). e(b,c). e(c,d). e(d,e). e(x,y). s(y). s(e).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(y)). pos(f(e)). neg(f(d)). neg(f(x)).";
        let task =
            Task::from_texts(bk, exs, "head_pred(f,1). body_pred(e,2). body_pred(s,1). max_vars(3). max_body(2).")
                .unwrap();
        assert_eq!(learn(&task, Cost::ErrorSize), ["f(V0) :- e(V0,V1), e(V1,V2).", "f(V0) :- s(V0)."]);
    }

    #[test]
    fn a_rule_that_the_cost_is_not_better_with_does_not_join() {
        let bk = "p(a). p(b). p(c). q(d). p(x).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)).";
        let task = Task::from_texts(bk, exs, "head_pred(f,1). body_pred(p,1). body_pred(q,1).").unwrap();
        assert_eq!(
            learn(&task, Cost::Mdl),
            Vec::<String>::new(),
            "two literals and two errors cost as much as four errors"
        );
        assert_eq!(learn(&task, Cost::ErrorSize), ["f(V0) :- p(V0).", "f(V0) :- q(V0)."]);
    }
}
