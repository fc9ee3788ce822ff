//! How far the numbers of a rule's comparisons may be moved without changing what the rule covers.
//!
//! Leave a comparison `V =< c` out. What is left has some values of `V` for each example, and with the comparison the rule
//! covers the example iff the least of them is at most `c`. So `c` may be any number from the largest of these least values
//! among examples that are covered up to, and not including, the smallest among those that are not. The middle between the
//! two has the widest margin: Vapnik's argument for the maximal margin, in one dimension.
//!
//! It takes all values of `V`, by resolution, so it is for rules that are shown or kept, not for every rule that is tested.

use crate::index::narrow;
use crate::logic::{Arg, Comparison, Hypothesis, Literal, Number, Pred, Rule, TermId, Terms};
use crate::prolog::{Engine, Limits, Solutions};
use crate::task::{Examples, Task};
use std::cmp::Ordering;

/// Finds how far numbers may be moved.
#[derive(Debug)]
pub struct FreeNumbers {
    engine: Engine,
}

/// How far the number of a comparison may be moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeNumber {
    /// The comparison, by its place in the body.
    pub literal: usize,
    /// Which it is.
    pub comparison: Comparison,
    /// The value, of an example that the rule covers, that is nearest to the number; the number may be as small (or, for
    /// `>=`, as large) as this. `None` if the rule covers nothing.
    pub covered: Option<Number>,
    /// The value, of an example that the rule would cover beyond it, that is nearest; the number stays short of it. `None` if
    /// there is no such example.
    pub uncovered: Option<Number>,
}

impl FreeNumber {
    /// The interval: its lower and its upper end, where it has them.
    pub fn ends(&self) -> [Option<Number>; 2] {
        match self.comparison {
            Comparison::AtLeast => [self.uncovered, self.covered],
            _ => [self.covered, self.uncovered],
        }
    }
}

impl FreeNumbers {
    /// For rules over the background of this evaluator.
    pub fn new(engine: Engine) -> Self {
        FreeNumbers { engine }
    }

    /// The comparisons of a hypothesis for a task with how far their numbers may be moved, as far as that can be found out
    /// before `go_on` says no; each with the number of its rule. Nothing is said of recursive programs: what their rules cover
    /// together is not what each covers.
    pub fn of(task: &Task, hypothesis: &Hypothesis, go_on: impl Fn() -> bool) -> Vec<(usize, FreeNumber)> {
        if task.bias.cuts.is_empty() || hypothesis.is_recursive() {
            return Vec::new();
        }
        let mut free = FreeNumbers::new(Engine::new(task.terms.clone(), &task.program, Limits::default()));
        let mut found = Vec::new();
        for (at, rule) in hypothesis.rules.iter().enumerate() {
            let literals =
                (0..rule.body.len()).filter_map(|literal| free.of_literal(rule, literal, &task.examples, &go_on));
            found.extend(literals.map(|number| (at, number)));
        }
        found
    }

    /// How far the number of a literal of a rule may be moved; `None` if the literal does not compare a variable with a number,
    /// if that cannot be found out within the limits of the evaluator, or if `go_on` says no.
    pub fn of_literal(
        &mut self,
        rule: &Rule,
        at: usize,
        examples: &Examples,
        go_on: impl Fn() -> bool,
    ) -> Option<FreeNumber> {
        let (_, comparison, number) = self.compared(&rule.body[at])?;
        let (mut covered, mut uncovered): (Option<Number>, Option<Number>) = (None, None);
        for first in self.firsts(rule, at, examples, go_on)?.into_iter().flatten() {
            let (slot, nearer) = match comparison.holds(first.compare(number)) {
                true => (&mut covered, Ordering::Greater),
                false => (&mut uncovered, Ordering::Less),
            };
            if slot.is_none_or(|known| comparison.order(first, known) == nearer) {
                *slot = Some(first);
            }
        }
        Some(FreeNumber { literal: at, comparison, covered, uncovered })
    }

    /// For each example, positives first, the value that the comparison `at` takes up first: with the comparison the rule covers
    /// the example iff it holds for that one. `None` as [`FreeNumbers::of_literal`] says.
    pub fn firsts(
        &mut self,
        rule: &Rule,
        at: usize,
        examples: &Examples,
        go_on: impl Fn() -> bool,
    ) -> Option<Vec<Option<Number>>> {
        let (var, comparison, _) = self.compared(&rule.body[at])?;
        let pred = self.leave_out(rule, &[at], &[var]);
        let mut firsts = Vec::with_capacity(examples.positives() + examples.negatives());
        for args in all(examples) {
            let answers = if go_on() { self.answers(pred, args)? } else { return None };
            let mut first: Option<Number> = None;
            for row in answers.rows() {
                let number = Number::of(*row.last()?, self.engine.terms())?;
                if first.is_none_or(|known| comparison.order(number, known).is_lt()) {
                    first = Some(number);
                }
            }
            firsts.push(first);
        }
        Some(firsts)
    }

    /// `V =< c` or `V >= c`.
    pub(super) fn compared(&self, literal: &Literal) -> Option<(Arg, Comparison, Number)> {
        let comparison = Comparison::of(literal.pred, self.engine.terms())?;
        match (comparison, &*literal.args) {
            (Comparison::AtMost | Comparison::AtLeast, &[var @ Arg::Var(_), Arg::Number(number)]) => {
                Some((var, comparison, number))
            }
            _ => None,
        }
    }

    /// Have the rule without some literals, and with variables as further arguments of the head.
    pub(super) fn leave_out(&mut self, rule: &Rule, places: &[usize], vars: &[Arg]) -> Pred {
        let name = self.engine.terms_mut().intern("$values");
        let pred = Pred::new(name, rule.head.pred.arity + narrow::<_, u32>(vars.len()));
        let head: Vec<Arg> = rule.head.args.iter().chain(vars).copied().collect();
        let left = rule.body.iter().enumerate().filter(|(at, _)| !places.contains(at));
        let body = left.map(|(_, literal)| literal.clone()).collect();
        self.engine.set_hypothesis(&[Rule { head: Literal::new(pred, head), body }]);
        pred
    }

    /// All answers for an example, whose arguments come first; `None` if they are not known.
    pub(super) fn answers(&mut self, pred: Pred, args: &[TermId]) -> Option<Solutions> {
        let open = pred.arity as usize - args.len();
        let call: Vec<Option<TermId>> = args.iter().copied().map(Some).chain(std::iter::repeat_n(None, open)).collect();
        self.engine.call(pred, &call).ok().filter(|answers| !answers.open)
    }

    pub(super) fn terms(&self) -> &Terms {
        self.engine.terms()
    }
}

/// All examples, positives first.
pub(super) fn all(examples: &Examples) -> impl Iterator<Item = &[TermId]> {
    let positives = (0..examples.positives()).map(|at| examples.positive(at));
    positives.chain((0..examples.negatives()).map(|at| examples.negative(at)))
}
