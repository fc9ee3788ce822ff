//! Constraints on rules: evaluate what can matter, on every numbering of variables that can matter.

use super::classify::{ConstraintClass, ConstraintReach, RelationContext, classify};
use super::{Prepared, Space, Violation, renumber};
use crate::logic::{Rule, Symbol};
use crate::task::Bias;
use crate::task::bias::eval::{Exhausted, Fuel};
use crate::task::bias::view::{DeclaredPredicates, Seen};

/// Steps of evaluation that one check may take, some milliseconds; a usual check takes a thousandth of them.
pub(super) const FUEL: u64 = 2_000_000;

/// What each constraint of the bias looks at.
pub(super) fn classes(bias: &Bias) -> Vec<ConstraintClass> {
    let Some(tuple) = bias.constraints.tuple() else { return Vec::new() };
    // Invented predicates may have fewer arguments than the head, so no number is safely a head variable's.
    let fixed = if bias.invention { 0 } else { i64::from(bias.head.arity) };
    let context = RelationContext { origins: bias.constraints.origins(), tuple, fixed };
    bias.constraints.list().iter().map(|constraint| classify(constraint, context)).collect()
}

/// A verdict on constraints: fine, or the first that is violated.
pub(super) type ConstraintVerdict = Result<Option<usize>, Exhausted>;

impl Space {
    /// Whether some constraint is violated by `rule` and by every rule whose body has more literals besides: a learner
    /// need not refine it. Sees through `#count{...} != k` when the count is above `k` already.
    pub fn violates_monotone(&self, rule: &Rule) -> bool {
        let alone = !self.bias.recursion && !self.bias.invention;
        self.violates(rule, |class| alone || class.reach == ConstraintReach::EachRule)
    }

    /// The same for a rule that is a hypothesis of its own: then it is the first rule, whatever other hypotheses the
    /// bias allows.
    pub fn violates_alone(&self, rule: &Rule) -> bool {
        self.violates(rule, |_| true)
    }

    fn violates(&self, rule: &Rule, speaks_of_it: impl Fn(&ConstraintClass) -> bool) -> bool {
        let relevant =
            |class: &ConstraintClass| class.monotone.is_some() && speaks_of_it(class) && has_needed(class, &[rule]);
        let which: Vec<usize> = (0..self.classes.len()).filter(|&at| relevant(&self.classes[at])).collect();
        if which.is_empty() {
            return false;
        }
        let rule = renumber(rule);
        let Ok(typings) = self.typings(&rule) else { return true };
        let fuel = Fuel::new(FUEL);
        let numbers = identity(&rule);
        let violated = |types: &Vec<Option<Symbol>>| {
            let seen = Seen { clause: 0, rule: &rule, numbers: &numbers, types };
            let found = self.bias.constraints.with_view(&[seen], self.declared(), &fuel, |evaluator| {
                for &at in &which {
                    let body = self.classes[at].monotone.as_ref().expect("only monotone ones were chosen");
                    if evaluator.satisfiable(&body.steps, body.slots)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            });
            found.unwrap_or(false)
        };
        typings.complete && typings.found.iter().all(violated)
    }

    /// Whether a rule that covers nothing may be of use because of a constraint: one that looks at all rules, or at the
    /// rule with some number, and that more rules may meet.
    pub fn needs_idle_rules(&self) -> bool {
        self.classes.iter().enumerate().any(|(at, class)| match class.reach {
            ConstraintReach::EachRule => false,
            ConstraintReach::Clause(_) => true,
            ConstraintReach::Whole => !self.is_monotone(at),
        })
    }

    /// Whether a violation of the constraint at `index` (in the order of the file) is final under refinement.
    pub fn is_monotone(&self, index: usize) -> bool {
        let unchanged = |class: &ConstraintClass| {
            let body = &self.bias.constraints.list()[index].body;
            class.monotone.as_ref().is_some_and(|monotone| monotone == body)
        };
        self.classes.get(index).is_some_and(unchanged)
    }

    /// The constraints on a rule that is a hypothesis of its own.
    pub(super) fn check_alone(&self, prepared: &Prepared<'_>) -> Result<(), Violation> {
        self.check(&[prepared], &[0], |_| true)
    }

    /// The constraints on single rules, for a rule that is part of a hypothesis under some number.
    pub(super) fn check_part(&self, prepared: &Prepared<'_>) -> Result<(), Violation> {
        let first = usize::from(prepared.rule.is_recursive() && prepared.rule.head.pred == self.bias.head);
        let mut verdict = Err(Violation::TooManyRules { found: 2, limit: self.bias.max_clauses });
        // Numbers beyond those that constraints name are all alike.
        let named = self.classes.iter().filter_map(|class| match class.reach {
            ConstraintReach::Clause(number) => usize::try_from(number).ok(),
            _ => None,
        });
        let last =
            named.max().map_or(first, |named| (named + 1).max(first)).min(self.bias.max_clauses.saturating_sub(1));
        for clause in first..=last {
            let number = i64::try_from(clause).expect("clause numbers are small");
            verdict = self.check(&[prepared], &[clause], |class| match class.reach {
                ConstraintReach::EachRule => true,
                ConstraintReach::Clause(of) => of == number,
                ConstraintReach::Whole => false,
            });
            if verdict.is_ok() {
                return Ok(());
            }
        }
        verdict
    }

    /// Whether the rules, numbered by `clauses`, have typings and variable numbers under which no constraint of those
    /// chosen is violated.
    pub(super) fn check(
        &self,
        rules: &[&Prepared<'_>],
        clauses: &[usize],
        chosen: impl Fn(&ConstraintClass) -> bool,
    ) -> Result<(), Violation> {
        let plain: Vec<&Rule> = rules.iter().map(|prepared| &*prepared.rule).collect();
        let relevant = |class: &ConstraintClass| chosen(class) && has_needed(class, &plain);
        let which: Vec<usize> = (0..self.classes.len()).filter(|&at| relevant(&self.classes[at])).collect();
        if which.is_empty() {
            return Ok(());
        }
        let (blind, seeing): (Vec<usize>, Vec<usize>) = which.iter().partition(|&&at| self.classes[at].blind);
        let mut search = NumberingSearch { space: self, rules, clauses, fuel: Fuel::new(FUEL), first: None };
        let numbers = plain.iter().map(|rule| identity(rule)).collect();
        match search.typings(&mut Vec::new(), numbers, &blind, &seeing) {
            Ok(true) => Ok(()),
            Ok(false) if rules.iter().any(|rule| !rule.typings.complete) => Err(self.give_up()),
            Ok(false) => {
                let at = search.first.expect("a failed search met a violated constraint");
                Err(Violation::Constraint(self.bias.constraints.list()[at].text.clone()))
            }
            Err(Exhausted) => Err(self.give_up()),
        }
    }

    pub(super) fn declared(&self) -> DeclaredPredicates<'_> {
        DeclaredPredicates {
            head: self.bias.head,
            body: &self.bias.body,
            recursion: self.bias.recursion,
            tuple: self.bias.constraints.tuple().expect("constraints come with the functor of tuples"),
        }
    }

    /// The first of `which` that the rules violate.
    pub(super) fn violated(&self, which: &[usize], seen: &[Seen<'_>], fuel: &Fuel) -> ConstraintVerdict {
        self.bias.constraints.with_view(seen, self.declared(), fuel, |evaluator| {
            for &at in which {
                let body = &self.bias.constraints.list()[at].body;
                if evaluator.satisfiable(&body.steps, body.slots)? {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        })
    }
}

/// The search for typings and numberings: typings outside, because the blind constraints need no numbering.
struct NumberingSearch<'a> {
    space: &'a Space,
    rules: &'a [&'a Prepared<'a>],
    clauses: &'a [usize],
    fuel: Fuel,
    /// The first violation met, for the message.
    first: Option<usize>,
}

impl NumberingSearch<'_> {
    fn typings(
        &mut self,
        chosen: &mut Vec<usize>,
        numbers: Vec<Vec<u8>>,
        blind: &[usize],
        seeing: &[usize],
    ) -> Result<bool, Exhausted> {
        if let Some(prepared) = self.rules.get(chosen.len()) {
            for at in 0..prepared.typings.found.len() {
                chosen.push(at);
                let found = self.typings(chosen, numbers.clone(), blind, seeing)?;
                chosen.pop();
                if found {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if !self.holds(blind, chosen, &numbers)? {
            return Ok(false);
        }
        if seeing.is_empty() { Ok(true) } else { self.numberings(0, chosen, numbers, seeing) }
    }

    /// Go through the numberings of the rules from `at` on.
    fn numberings(
        &mut self,
        at: usize,
        typings: &[usize],
        mut numbers: Vec<Vec<u8>>,
        seeing: &[usize],
    ) -> Result<bool, Exhausted> {
        let Some(prepared) = self.rules.get(at) else { return self.holds(seeing, typings, &numbers) };
        let fixed = prepared.rule.head.args.len();
        loop {
            if self.numberings(at + 1, typings, numbers.clone(), seeing)? {
                return Ok(true);
            }
            if !next_permutation(&mut numbers[at][fixed..]) {
                return Ok(false);
            }
        }
    }

    fn holds(&mut self, which: &[usize], typings: &[usize], numbers: &[Vec<u8>]) -> Result<bool, Exhausted> {
        if which.is_empty() {
            return Ok(true);
        }
        let seen: Vec<Seen<'_>> = (0..self.rules.len())
            .map(|at| Seen {
                clause: self.clauses[at],
                rule: &self.rules[at].rule,
                numbers: &numbers[at],
                types: &self.rules[at].typings.found[typings[at]],
            })
            .collect();
        let violated = self.space.violated(which, &seen, &self.fuel)?;
        self.first = self.first.or(violated);
        Ok(violated.is_none())
    }
}

fn has_needed(class: &ConstraintClass, rules: &[&Rule]) -> bool {
    class.needs.iter().all(|name| rules.iter().any(|rule| rule.body.iter().any(|literal| literal.pred.name == *name)))
}

fn identity(rule: &Rule) -> Vec<u8> {
    (0..rule.var_count()).map(|var| u8::try_from(var).expect("variables are numbered by bytes")).collect()
}

/// The next permutation in lexicographic order; `false` after the last.
fn next_permutation(items: &mut [u8]) -> bool {
    let Some(rise) = (1..items.len()).rev().find(|&at| items[at - 1] < items[at]) else { return false };
    let above = (rise..items.len()).rev().find(|&at| items[at] > items[rise - 1]).expect("the rise itself is above");
    items.swap(rise - 1, above);
    items[rise..].reverse();
    true
}
