//! Small to large: all rules in the order of their size, and at each size the best set of those so far. That is the order of
//! Popper, which learns from failures (Cropper and Morel 2021, *Learning programs by learning from failures*, Machine Learning
//! 110, 801-856) and combines rules with a solver (Cropper and Hocquette 2023, *Learning logic programs by combining programs*,
//! ECAI 2023, 501-508; for noisy examples Hocquette, Niskanen, Järvisalo and Cropper 2024, *Learning MDL logic programs from noisy
//! data*, AAAI 2024, 10553-10561).
//!
//! Generate, test, combine, constrain: rules grow by one literal from those of the size before, each different one is tested on
//! all examples, and what a failure says about larger rules decides which grow on. Two arguments are used, both of Popper. A
//! rule that covers too few positives to be worth a literal more has no specialisation that is worth its size, and one that
//! covers no negative has none that is better.
//!
//! It is the plain course that [`exact`](super::exact) is a faster way of going: that one mines parts of rules, leaves out what
//! theorems make needless, and proves. Here one rule after the other is run, so that the sequence of candidates is one that can
//! be compared with Popper's.

use super::assembly::Assembly;
use super::candidate::Observer;
use super::learner::Learner;
use super::outcome::Outcome;
use super::settings::Settings;
use super::testbed::Testbed;
use crate::budget::Budget;
use crate::cost::Confusion;
use crate::error::Result;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Rule, canonical_rule};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// Within a size, sets are looked for after so many new rules, with so many rules weighed: whoever stops the run in a wide level
/// has them.
const BATCH: usize = 64;
const BATCH_EFFORT: u64 = 20_000;

/// The same at the end of a size: for each rule tested so far, and at most.
const EFFORT_PER_TICK: u64 = 200;
const MOST_EFFORT: u64 = 1_000_000;

/// Beside one part in so many of the time so far, what the exact solver has at the end of a size.
const SOLVER_PART: u32 = 5;
const LEAST_FOR_SOLVER: Duration = Duration::from_millis(5);

/// The learner.
pub(super) struct SmallToLarge {
    pub(super) settings: Settings,
}

impl Learner for SmallToLarge {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let assembly = Assembly::new(on, &self.settings)?;
        let testbed = Testbed::new("small-to-large", on, &self.settings, budget, observer);
        let mut run = SizesRun { on, settings: &self.settings, budget, testbed, assembly, combined: 0 };
        // Why it ended is for the testbed to say.
        let _ = run.all_sizes();
        let kept = run.assembly.kept(self.settings.keep);
        run.testbed.hand_over(&kept);
        Ok(run.testbed.outcome())
    }
}

struct SizesRun<'r> {
    on: &'r Instance<'r>,
    settings: &'r Settings,
    budget: &'r Budget,
    testbed: Testbed<'r>,
    assembly: Assembly<'r>,
    /// How many rules there were when sets of them were last looked for.
    combined: usize,
}

impl SizesRun<'_> {
    /// Rules of all sizes; `None` if a limit ends it.
    fn all_sizes(&mut self) -> Option<()> {
        let mut level = vec![self.on.space().bare()];
        for size in 2..=self.on.bias().max_body + 1 {
            if level.is_empty() || self.is_too_large(size) {
                break;
            }
            level = self.one_size(&level)?;
            let more = self.budget.elapsed() / SOLVER_PART + LEAST_FOR_SOLVER;
            self.combine((EFFORT_PER_TICK * self.testbed.ticks()).min(MOST_EFFORT))?;
            self.solve(more)?;
        }
        // Nothing is left but the choice among the rules: it may take as long as finding them.
        self.solve(self.budget.elapsed())
    }

    /// Whether a rule of that size costs as much by itself as the best hypothesis does, errors or not.
    fn is_too_large(&self, size: usize) -> bool {
        self.settings.cost.value(&Confusion::default(), size) >= *self.testbed.value()
    }

    /// Test the rules with one literal more than those of the level; those that are to grow on.
    fn one_size(&mut self, level: &[Rule]) -> Option<Vec<Rule>> {
        let (mut next, mut seen) = (Vec::new(), FxHashSet::default());
        for parent in level {
            // Most refinements of a large rule were met as those of another, so there may be no test for long.
            self.testbed.goes_on()?;
            for rule in self.on.space().refinements(parent) {
                if rule.is_recursive() || !seen.insert(digest(&rule)) {
                    continue;
                }
                // What cannot be run yet may be once another literal has bound a variable.
                let Some(ordered) = self.on.space().order(&rule) else {
                    next.push(rule);
                    continue;
                };
                if self.test(&ordered)? {
                    next.push(ordered);
                }
                if self.assembly.len() >= self.combined + BATCH {
                    self.combine(BATCH_EFFORT)?;
                }
            }
        }
        Some(next)
    }

    /// Test a rule; whether one with more literals may be worth having.
    fn test(&mut self, rule: &Rule) -> Option<bool> {
        let cover = self.testbed.cover_once(rule)?;
        let confusion = self.on.examples().confusion(&cover);
        let (worth, literal) = {
            let objective = self.assembly.objective();
            (objective.fn_ * i128::from(confusion.tp), objective.size)
        };
        let size = rule.size() as i128;
        let is_rule = self.on.allows(rule);
        if is_rule && worth > literal * size {
            if self.settings.cost.value(&confusion, rule.size()) <= *self.testbed.value() {
                self.testbed.test(&Hypothesis { rules: vec![rule.clone()] })?;
            }
            self.assembly.add(rule.clone(), &cover);
        }
        Some(worth > literal * (size + 1) && !(is_rule && confusion.fp == 0))
    }

    /// Look for a better set of the rules so far.
    fn combine(&mut self, effort: u64) -> Option<()> {
        self.combined = self.assembly.len();
        for hypothesis in self.assembly.improve(effort, self.budget) {
            self.offer(&hypothesis)?;
        }
        Some(())
    }

    /// The same with the exact solver.
    fn solve(&mut self, a_while: Duration) -> Option<()> {
        let hypothesis = self.assembly.settle(a_while, self.budget);
        self.offer(&hypothesis)
    }

    fn offer(&mut self, hypothesis: &Hypothesis) -> Option<()> {
        if !hypothesis.rules.is_empty() {
            self.testbed.test(hypothesis)?;
        }
        Some(())
    }
}

/// A number that rules share which are equal up to names and order, and others as good as never: two hash functions that have
/// nothing to do with each other, and so 10^-26 for any two of a million rules. The rules themselves would take most of the memory.
fn digest(rule: &Rule) -> u128 {
    fn half<H: Hasher + Default>(rule: &Rule) -> u128 {
        let mut hasher = H::default();
        rule.hash(&mut hasher);
        u128::from(hasher.finish())
    }
    let rule = canonical_rule(rule);
    half::<FxHasher>(&rule) << 64 | half::<DefaultHasher>(&rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Cost, CostValue};
    use crate::coverage::Evaluator;
    use crate::database::Database;
    use crate::sets::Cover;
    use crate::space::Space;
    use crate::task::Task;
    use std::collections::BTreeMap;

    fn learn(task: &Task, cost: Cost) -> (Vec<super::super::candidate::Candidate>, Outcome) {
        let (settings, mut heard) = (Settings { cost, ..Settings::default() }, Vec::new());
        let outcome = SmallToLarge { settings }.learn_task(task, &Budget::unlimited(), &mut heard).unwrap();
        assert!(!outcome.optimal);
        (heard, outcome)
    }

    fn task() -> Task {
        let bk = "e(a,b). e(b,c). e(c,d). e(d,e). e(x,y). e(y,z). s(y). s(e). s(d). t(b). t(x).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(y)). pos(f(e)). neg(f(d)). neg(f(x)).";
        let bias = "head_pred(f,1). body_pred(e,2). body_pred(s,1). body_pred(t,1). max_vars(3). max_body(3).";
        Task::from_texts(bk, exs, bias).unwrap()
    }

    /// The least cost of all sets of rules of the whole space, none left out: the least size for each set of examples that some
    /// of them cover together.
    fn brute_force(task: &Task, cost: Cost) -> CostValue {
        let (on, database) = (Instance::new(task), Database::new(task));
        let (space, mut evaluator) = (Space::new(task), Evaluator::new(&database, &task.examples));
        let mut least = BTreeMap::from([(Cover::empty(task.examples.sides()).words().to_vec(), 0)]);
        for rule in space.enumerate(9).filter_map(|rule| space.order(&rule)) {
            let cover = evaluator.rule(&rule);
            for (mut words, size) in least.clone() {
                words.iter_mut().zip(cover.words()).for_each(|(word, with)| *word |= with);
                let known = least.entry(words).or_insert(usize::MAX);
                *known = (*known).min(size + rule.size());
            }
        }
        let confusion = |words: &[u64]| on.examples().confusion(&Cover::from_words(task.examples.sides(), words));
        least.iter().map(|(words, &size)| cost.value(&confusion(words), size)).min().unwrap()
    }

    #[test]
    fn the_best_of_all_hypotheses_is_found() {
        let task = task();
        for cost in Cost::ALL {
            assert_eq!(learn(&task, cost).1.value, brute_force(&task, cost), "{}", cost.name());
        }
    }

    #[test]
    fn candidates_come_in_the_order_of_their_largest_rule() {
        let task = task();
        let (heard, outcome) = learn(&task, Cost::ErrorSize);
        let largest = heard.iter().map(|it| it.hypothesis.rules.iter().map(Rule::size).max());
        assert!(largest.is_sorted(), "{heard:?}");
        let confusion = outcome.best.unwrap().confusion;
        assert_eq!(confusion.fn_ + confusion.fp, 0);
    }

    #[test]
    fn sizes_end_where_a_rule_alone_costs_as_much_as_the_best_hypothesis() {
        let bk = "p(a). p(b). p(c). q(a). q(b). q(c). q(d).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).";
        let task = Task::from_texts(bk, exs, "head_pred(f,1). body_pred(p,1). body_pred(q,1).").unwrap();
        let (_, outcome) = learn(&task, Cost::Mdl);
        // Two rules, of which one is the answer; nothing of size three is tested.
        assert_eq!(outcome.value, CostValue(vec![2]));
        assert!(outcome.ticks <= 6, "{} ticks", outcome.ticks);
    }
}
