//! What a learner needs beside an idea of which hypothesis comes next.

use super::candidate::{Candidate, KeptRule, Observer, Progress, Source};
use super::functional::OutputTest;
use super::outcome::Outcome;
use super::settings::Settings;
use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost, CostValue};
use crate::coverage::{CoverCache, Evaluator};
use crate::instance::Instance;
use crate::logic::{Hypothesis, Rule, canonical_hypothesis};
use crate::sets::Cover;
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// Hypotheses tested between two reports of progress: often enough for a display, seldom enough to cost nothing beside the
/// tests.
const BETWEEN_REPORTS: u64 = 64;

/// Tests hypotheses for a [`Learner`](super::Learner): says what they cost, hands on those that are at most as costly as all
/// before and better than no rules at all, each once, counts ticks and looks at the budget. Each different rule is run once.
/// Where only functions are wanted, no other hypothesis is handed on.
pub struct Testbed<'l> {
    on: &'l Instance<'l>,
    cost: Cost,
    budget: &'l Budget,
    observer: &'l mut dyn Observer,
    source: Source,
    evaluator: Evaluator<'l>,
    covers: CoverCache,
    best: Option<Candidate>,
    /// The cost of the best hypothesis, empty or not.
    value: CostValue,
    /// The cost of the empty one.
    nothing: CostValue,
    /// What was handed on, up to names of variables and order: a learner may come back to it.
    heard: FxHashSet<Hypothesis>,
    functional: Option<OutputTest>,
    ticks: u64,
    stop: Option<StopReason>,
}

impl fmt::Debug for Testbed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Testbed").field("value", &self.value).field("ticks", &self.ticks).finish_non_exhaustive()
    }
}

impl<'l> Testbed<'l> {
    /// Tests on the examples of an instance, under the cost that the learner was told. `learner` is the word by which JSON
    /// output says where candidates come from.
    pub fn new(
        learner: &'static str,
        on: &'l Instance<'_>,
        settings: &Settings,
        budget: &'l Budget,
        observer: &'l mut dyn Observer,
    ) -> Self {
        let (examples, cost) = (on.examples(), settings.cost);
        let nothing = cost.value(&examples.confusion(&Cover::empty(examples.sides())), 0);
        Testbed {
            on,
            cost,
            budget,
            observer,
            source: Source::new(learner),
            evaluator: Evaluator::new(on.database(), examples).with_budget(budget.clone()),
            covers: CoverCache::default(),
            best: None,
            value: nothing.clone(),
            nothing,
            heard: FxHashSet::default(),
            functional: settings.functional.then(|| OutputTest::new(on)),
            ticks: 0,
            stop: None,
        }
    }

    /// What a hypothesis costs; `None` if a limit is reached or the observer has asked to stop, and every time after that. A
    /// test is a tick.
    pub fn test(&mut self, hypothesis: &Hypothesis) -> Option<CostValue> {
        self.goes_on()?;
        let stopped = || self.budget.check().is_some();
        let Some(tested) = self.covers.hypothesis_unless(&mut self.evaluator, hypothesis, &stopped) else {
            self.stop = self.budget.check();
            return None;
        };
        self.ticks += 1;
        let confusion = self.on.examples().confusion(&tested.cover);
        let price = self.on.bias().price(&hypothesis.rules);
        let value = self.cost.value(&confusion, hypothesis.size() + price);
        // Beside the best, what costs the same counts; beside the empty hypothesis it is not worth its rules.
        if value < self.value || self.best.is_some() && value == self.value {
            self.hand_on(hypothesis, value.clone(), confusion);
        }
        if self.ticks.is_multiple_of(BETWEEN_REPORTS) {
            self.report();
        }
        Some(value)
    }

    /// Tell of a hypothesis, whose rules were tested, that a cycle of the learner has ended with it, whatever others cost. As in
    /// all that is handed on, one that is no better than no rules is none.
    pub(super) fn end_cycle(&mut self, hypothesis: &Hypothesis) {
        let Some(tested) = self.covers.known(hypothesis) else { return };
        let confusion = self.on.examples().confusion(&tested.cover);
        let price = self.on.bias().price(&hypothesis.rules);
        let value = self.cost.value(&confusion, hypothesis.size() + price);
        let admitted = |it: &mut OutputTest| it.admits(hypothesis, &value);
        if value < self.nothing && self.functional.as_mut().is_none_or(admitted) {
            let end = self.candidate(hypothesis, value, confusion);
            self.observer.cycle(&end);
        }
    }

    /// Whether to go on: for loops that may go on for long without a test. `None` as [`Testbed::test`].
    pub(super) fn goes_on(&mut self) -> Option<()> {
        self.stop = self.stop.or_else(|| self.budget.check_ticks(self.ticks));
        if self.stop.is_some() { None } else { Some(()) }
    }

    /// What one rule covers, whether it is in the space or a step on the way there; `None` as [`Testbed::test`]. A tick.
    pub(super) fn cover(&mut self, rule: &Rule) -> Option<Arc<Cover>> {
        self.goes_on()?;
        let stopped = || self.budget.check().is_some();
        let Some(tested) = self.covers.rule_unless(&mut self.evaluator, rule, &stopped) else {
            self.stop = self.budget.check();
            return None;
        };
        let cover = Arc::clone(&tested.cover);
        self.count_tick();
        Some(cover)
    }

    /// [`Testbed::cover`] for learners that ask about a rule once: nothing is remembered. With a hundred thousand rules, giving
    /// the memory back took a third of a second after the time limit.
    pub(super) fn cover_once(&mut self, rule: &Rule) -> Option<Cover> {
        self.goes_on()?;
        let cover = self.evaluator.rule(rule);
        self.stop = self.budget.check();
        if self.stop.is_some() {
            return None;
        }
        self.count_tick();
        Some(cover)
    }

    fn count_tick(&mut self) {
        self.ticks += 1;
        if self.ticks.is_multiple_of(BETWEEN_REPORTS) {
            self.report();
        }
    }

    /// The cost of the best hypothesis so far, which may be the empty one.
    pub(super) fn value(&self) -> &CostValue {
        &self.value
    }

    /// Rules and hypotheses tested so far.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Hand rules over that ensembles can make further hypotheses of, at the end of a run; covers are of the examples that
    /// are learned from.
    pub(super) fn hand_over(&mut self, rules: &[KeptRule]) {
        if !rules.is_empty() {
            self.observer.rules(rules, self.on.examples());
        }
    }

    fn hand_on(&mut self, hypothesis: &Hypothesis, value: CostValue, confusion: Confusion) {
        if !self.heard.insert(canonical_hypothesis(hypothesis)) {
            return;
        }
        if self.functional.as_mut().is_some_and(|functional| !functional.admits(hypothesis, &value)) {
            return;
        }
        let candidate = self.candidate(hypothesis, value, confusion);
        if self.observer.candidate(&candidate).is_break() {
            self.stop = Some(StopReason::Observer);
        }
        if candidate.value < self.value || self.best.is_none() {
            self.value = candidate.value.clone();
            self.best = Some(candidate);
        }
    }

    fn candidate(&self, hypothesis: &Hypothesis, value: CostValue, confusion: Confusion) -> Candidate {
        Candidate {
            hypothesis: hypothesis.clone(),
            size: hypothesis.size(),
            value,
            confusion,
            elapsed: self.budget.elapsed(),
            ticks: self.ticks,
            source: self.source.clone(),
        }
    }

    fn report(&mut self) {
        let progress = Progress {
            best: self.value.clone(),
            lower: self.cost.value(&Confusion::default(), 0),
            ticks: self.ticks,
            elapsed: self.budget.elapsed(),
            ..Progress::default()
        };
        if self.observer.progress(&progress).is_break() {
            self.stop = Some(StopReason::Observer);
        }
    }

    /// How the run ended: with the best of what was tested, and without a proof. Whoever ends because the budget has ended need
    /// not have met that here.
    pub fn outcome(self) -> Outcome {
        let stop = self.stop.or_else(|| self.budget.check()).unwrap_or(StopReason::Exhausted);
        // `Space::refinements` has none.
        let bias = self.on.bias();
        let numbers = !bias.cuts.is_empty() || !bias.constants.is_empty();
        let limits = Vec::from_iter(numbers.then(|| NO_NUMBERS.to_owned()));
        let outcome = Outcome::unproved(self.best, self.cost, self.on.examples(), (stop, self.ticks), self.budget);
        Outcome { limits, ..outcome }
    }
}

/// What is said where the bias allows more than is tried.
const NO_NUMBERS: &str =
    "rules with learned numbers and constants, which the bias allows, are tried by `--learner exact` alone";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Literal;
    use crate::task::Task;
    use std::ops::ControlFlow;

    fn task() -> Task {
        let bk = "p(a). p(b). p(c). p(d). q(a). q(b). q(c). r(a). s(a). s(b). s(c).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).";
        Task::from_texts(bk, exs, "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1). body_pred(s,1).")
            .unwrap()
    }

    /// The hypotheses with one literal, in the order of the bias.
    fn hypotheses(task: &Task) -> Vec<Hypothesis> {
        let literal = |&pred| Literal::over(pred, &[0]);
        let rule = |pred| Rule { head: literal(&task.bias.head), body: vec![literal(pred)] };
        task.bias.body.iter().map(|pred| Hypothesis { rules: vec![rule(pred)] }).collect()
    }

    fn under(cost: Cost) -> Settings {
        Settings { cost, ..Settings::default() }
    }

    #[test]
    fn what_is_at_most_as_costly_as_all_before_is_handed_on_and_the_first_of_the_best_is_kept() {
        let task = task();
        let (on, budget, mut heard) = (Instance::new(&task), Budget::unlimited(), Vec::new());
        let mut testbed = Testbed::new("plain", &on, &under(Cost::ErrorSize), &budget, &mut heard);
        let values: Vec<_> = hypotheses(&task).iter().map(|it| testbed.test(it).unwrap().0).collect();
        assert_eq!(values, [[1, 2], [0, 2], [2, 2], [0, 2]]);
        let outcome = testbed.outcome();
        assert_eq!((outcome.stop, outcome.ticks, outcome.optimal), (StopReason::Exhausted, 4, false));
        let shown: Vec<String> = heard.iter().map(|it| it.hypothesis.show(&task.terms)).collect();
        assert_eq!(shown, ["f(V0) :- p(V0).\n", "f(V0) :- q(V0).\n", "f(V0) :- s(V0).\n"]);
        assert_eq!(outcome.best.unwrap().hypothesis.show(&task.terms), "f(V0) :- q(V0).\n");
    }

    #[test]
    fn what_is_no_better_than_no_rules_is_not_handed_on() {
        let task = task();
        let (on, budget, mut heard) = (Instance::new(&task), Budget::unlimited(), Vec::new());
        let mut testbed = Testbed::new("plain", &on, &under(Cost::Mdl), &budget, &mut heard);
        // One positive less to miss, and two literals more.
        assert_eq!(testbed.test(&hypotheses(&task)[2]).unwrap().0, [4]);
        // As costly as the empty hypothesis: three false negatives, or a false positive and two literals.
        assert_eq!(testbed.test(&hypotheses(&task)[0]).unwrap().0, [3]);
        assert!(testbed.outcome().best.is_none() && heard.is_empty());
    }

    #[test]
    fn ticks_time_and_the_observer_end_the_tests() {
        struct Enough;
        impl Observer for Enough {
            fn candidate(&mut self, _: &Candidate) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let task = task();
        let (on, all) = (Instance::new(&task), hypotheses(&task));
        let ends = |budget: &Budget, observer: &mut dyn Observer| {
            let mut testbed = Testbed::new("plain", &on, &under(Cost::ErrorSize), budget, observer);
            let tested = all.iter().filter(|it| testbed.test(it).is_some()).count();
            (tested, testbed.outcome().stop)
        };
        let unlimited = Budget::unlimited;
        assert_eq!(ends(&unlimited().with_ticks(2), &mut Vec::new()), (2, StopReason::Ticks));
        assert_eq!(ends(&unlimited().with_time(std::time::Duration::ZERO), &mut Vec::new()), (0, StopReason::Time));
        assert_eq!(ends(&unlimited(), &mut Enough), (1, StopReason::Observer));
    }
}
