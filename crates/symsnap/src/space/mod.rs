//! The rules that the bias allows: membership with the reason why not, evaluation order, constraints for a learner
//! that grows rules literal by literal, and a slow enumerator and a sampler for tests.
//!
//! A rule of the space has the head `p(V0,..,Vn-1)`, constants in the place of some of these variables where the bias allows it
//! ([`head_constants`]), and a body of one to `max_body` different literals of body
//! predicates over variables, each variable once per literal; at most `max_vars` variables, all connected to the head
//! through shared literals; every head variable in the body unless `non_datalog`; one type for each variable; an order
//! of evaluation that respects the directions; what a computation gives used by another literal or the head; at most
//! `max_numeric` comparisons and computations, and `max_magic` constants; and no constraint of the bias violated. Constraints that speak of
//! variable numbers are met if *some* numbering of the body's own variables meets them, because that is what makes a
//! rule an answer set in Popper: rules are equal up to renaming here, and there each numbering is a model of its own.
//!
//! Without recursion and invention a hypothesis is any set of rules of the space. A recursive hypothesis has at most
//! `max_clauses` rules, and constraints see all of them, numbered with base rules before recursive ones.
//!
//! Not for: generating rules fast. The learner does that; this room says what is right.

mod check;
mod classify;
mod enumerate;
mod head_constants;
mod hypothesis;
mod order;
mod refine;
mod sample;
mod shape;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
mod typing;
mod violation;

pub use violation::Violation;

use crate::logic::{Arg, Literal, Pred, Rule, Symbol, Var};
use crate::task::{Bias, Direction, Task};
use classify::ConstraintClass;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use typing::Typings;

/// The rules that a bias allows.
#[derive(Debug, Clone)]
pub struct Space {
    bias: Bias,
    classes: Vec<ConstraintClass>,
    /// Whether a verdict was given up; clones of the space share it.
    ran_out: Arc<AtomicBool>,
}

/// A rule with variables numbered without gaps (the head's first) and its typings.
#[derive(Debug)]
struct Prepared<'r> {
    rule: Cow<'r, Rule>,
    typings: Typings,
}

impl Space {
    /// The space of a task.
    pub fn new(task: &Task) -> Self {
        Space::of(&task.bias)
    }

    /// The space of a bias.
    pub fn of(bias: &Bias) -> Self {
        let mut bias = bias.clone();
        bias.constraints.set_max_vars(bias.max_vars);
        Space { classes: check::classes(&bias), bias, ran_out: Arc::default() }
    }

    /// Whether some rule was left out because it would have taken too long to find out if it is in the space.
    pub fn ran_out(&self) -> bool {
        self.ran_out.load(Ordering::Relaxed)
    }

    /// What is said of a rule that takes too long to judge.
    fn give_up(&self) -> Violation {
        self.ran_out.store(true, Ordering::Relaxed);
        Violation::TooMuchWork
    }

    /// The bias.
    pub fn bias(&self) -> &Bias {
        &self.bias
    }

    /// The declared types of a predicate's arguments, alternatives in the order of declaration; empty if untyped.
    pub fn types(&self, pred: Pred) -> &[Box<[Symbol]>] {
        self.bias.types.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// The declared directions of a predicate's arguments, likewise.
    pub fn directions(&self, pred: Pred) -> &[Box<[Direction]>] {
        self.bias.directions.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// The predicates that bodies may call, the head's last if recursion is enabled.
    pub fn callable(&self) -> impl Iterator<Item = Pred> + '_ {
        self.bias.body.iter().copied().chain(self.bias.recursion.then_some(self.bias.head))
    }

    /// Whether `rule` is in the space.
    ///
    /// A rule that does not call its head is judged as a hypothesis of its own. A recursive rule is no hypothesis; it
    /// is in the space if it can be part of one as far as constraints on single rules say.
    ///
    /// # Errors
    /// The first requirement that it fails.
    pub fn contains(&self, rule: &Rule) -> Result<(), Violation> {
        if rule.head.args.iter().all(|arg| matches!(arg, Arg::Var(_))) {
            return self.contains_form(rule, 0);
        }
        let mut readings = head_constants::readings(rule, &self.bias);
        let Some((first, constant)) = readings.next() else { return Err(Violation::HeadArguments) };
        self.contains_form(&first, constant).or_else(|violation| {
            let inside = readings.any(|(general, constant)| self.contains_form(&general, constant).is_ok());
            if inside { Ok(()) } else { Err(violation) }
        })
    }

    /// Whether a rule over variables is in the space if constants stand for the head variables in `constant`, which need not
    /// be in the body therefore.
    ///
    /// # Errors
    /// The first requirement that it fails.
    pub fn contains_form(&self, rule: &Rule, constant: u64) -> Result<(), Violation> {
        let prepared = self.prepare(rule, &[], constant)?;
        if prepared.rule.is_recursive() { self.check_part(&prepared) } else { self.check_alone(&prepared) }
    }

    /// Whether `rule` can be part of a recursive hypothesis, or of one that invents the predicate of its head, as far as
    /// constraints on single rules say.
    ///
    /// # Errors
    /// The first requirement that it fails.
    pub fn fits(&self, rule: &Rule) -> Result<(), Violation> {
        let pred = rule.head.pred;
        let invented = self.bias.invention && pred != self.bias.head && !self.bias.body.contains(&pred);
        self.check_part(&self.prepare(rule, if invented { std::slice::from_ref(&pred) } else { &[] }, 0)?)
    }

    /// Whether the constraints of the bias allow `rule`, all other requirements aside (its types must be consistent).
    ///
    /// # Errors
    /// The constraint it violates, or [`Violation::Types`].
    pub fn check_constraints(&self, rule: &Rule) -> Result<(), Violation> {
        if self.classes.is_empty() {
            return Ok(());
        }
        let rule = renumber(rule);
        let typings = self.typings(&rule)?;
        let prepared = Prepared { rule, typings };
        if prepared.rule.is_recursive() { self.check_part(&prepared) } else { self.check_alone(&prepared) }
    }

    /// The rule with its body in the order of evaluation: directions respected; literals that bind nothing new first,
    /// then those with most bound arguments, then by the order given. `None` if no order respects the directions.
    pub fn order(&self, rule: &Rule) -> Option<Rule> {
        let renumbered = renumber(rule);
        let order = order::order(&self.bias, &renumbered, 0).ok()?;
        // The order speaks of the renumbered literals; give back the rule's own.
        let own = |literal: &Literal| {
            let at = renumbered.body.iter().position(|other| std::ptr::eq(other, literal));
            rule.body[at.expect("the order holds literals of the body")].clone()
        };
        Some(Rule { head: rule.head.clone(), body: order.into_iter().map(own).collect() })
    }

    /// All requirements but the constraints. `invented` may be defined and called besides the declared predicates; constants
    /// stand for the head variables in `constant`.
    fn prepare<'r>(&self, rule: &'r Rule, invented: &[Pred], constant: u64) -> Result<Prepared<'r>, Violation> {
        let bias = &self.bias;
        if rule.head.pred != bias.head && !invented.contains(&rule.head.pred) {
            return Err(Violation::WrongHead(rule.head.pred));
        }
        let mut head = Vec::with_capacity(rule.head.args.len());
        for arg in &rule.head.args {
            match arg {
                Arg::Var(var) if !head.contains(var) => head.push(*var),
                _ => return Err(Violation::HeadArguments),
            }
        }
        if rule.body.is_empty() {
            return Err(Violation::EmptyBody);
        }
        if rule.body.len() > bias.max_body {
            return Err(Violation::TooManyLiterals { found: rule.body.len(), limit: bias.max_body });
        }
        for (at, literal) in rule.body.iter().enumerate() {
            self.check_literal(literal, rule.head.pred, invented)?;
            if *literal == rule.head || rule.body[..at].contains(literal) {
                return Err(Violation::RepeatedLiteral(literal.clone()));
            }
        }
        let cuts = rule.body.iter().filter(|literal| bias.cuts.is_numeric(literal.pred)).count();
        if let Some(limit) = bias.cuts.most.filter(|limit| cuts > *limit) {
            return Err(Violation::TooManyComparisons { found: cuts, limit });
        }
        let symbols = rule.body.iter().filter(|literal| !bias.cuts.is_numeric(literal.pred));
        let symbols = symbols.flat_map(|literal| &literal.args).filter(|arg| !matches!(arg, Arg::Var(_))).count();
        let constants = symbols + constant.count_ones() as usize;
        if let Some(limit) = bias.constants.most.filter(|limit| constants > *limit) {
            return Err(Violation::TooManyConstants { found: constants, limit });
        }
        if let Some(literal) = rule.body.iter().find(|literal| wasted(literal, rule, bias)) {
            return Err(Violation::WastedResult(literal.clone()));
        }
        if let Some(var) = unconnected(rule, &head) {
            return Err(Violation::NotConnected(var));
        }
        let in_body = |var: &Var| rule.body.iter().any(|literal| literal.vars().any(|other| other == *var));
        if !bias.non_datalog
            && let Some((_, &var)) = head.iter().enumerate().find(|(at, var)| constant >> at & 1 == 0 && !in_body(var))
        {
            return Err(Violation::HeadVariableMissing(var));
        }
        let rule = renumber(rule);
        if rule.var_count() > bias.max_vars {
            return Err(Violation::TooManyVariables { found: rule.var_count(), limit: bias.max_vars });
        }
        let typings = self.typings(&rule)?;
        order::order(bias, &rule, constant).map_err(|literal| Violation::Directions(literal.clone()))?;
        Ok(Prepared { rule, typings })
    }

    fn typings(&self, rule: &Rule) -> Result<Typings, Violation> {
        match typing::typings(&self.bias, rule) {
            Ok(typings) if typings.found.is_empty() => Err(self.give_up()),
            Ok(typings) => Ok(typings),
            Err(literal) => Err(Violation::Types(literal.clone())),
        }
    }

    fn check_literal(&self, literal: &Literal, head: Pred, invented: &[Pred]) -> Result<(), Violation> {
        let pred = literal.pred;
        if self.bias.cuts.comparison(pred).is_some() && !self.bias.body.contains(&pred) {
            let compares = matches!(&*literal.args, [Arg::Var(_), Arg::Number(_)]);
            return if compares { Ok(()) } else { Err(Violation::Constant(literal.clone())) };
        }
        if self.bias.cuts.multiples.as_ref().is_some_and(|multiples| multiples.product == pred) {
            let multiplies = matches!(&*literal.args, [Arg::Number(factor), Arg::Var(_), Arg::Var(_)] if self.bias.cuts.is_factor(*factor));
            return if multiplies { Ok(()) } else { Err(Violation::Constant(literal.clone())) };
        }
        if (pred == self.bias.head || pred == head) && !self.bias.recursion {
            return Err(Violation::RecursionDisabled);
        }
        if pred != self.bias.head && !self.bias.body.contains(&pred) && !invented.contains(&pred) {
            return Err(Violation::UnknownPredicate(pred));
        }
        for (at, arg) in literal.args.iter().enumerate() {
            if !matches!(arg, Arg::Var(_)) {
                if self.bias.constants.allows(&self.bias, pred, at) {
                    continue;
                }
                return Err(Violation::Constant(literal.clone()));
            }
            if literal.args[..at].contains(arg) {
                return Err(Violation::RepeatedVariable(literal.clone()));
            }
        }
        Ok(())
    }
}

/// Whether a literal is a computation whose result stands nowhere else in the rule.
fn wasted(literal: &Literal, rule: &Rule, bias: &Bias) -> bool {
    if !bias.cuts.computations.contains(&literal.pred) {
        return false;
    }
    let result = literal.args.last();
    let uses = |other: &Literal| other != literal && other.args.iter().any(|arg| Some(arg) == result);
    !std::iter::once(&rule.head).chain(&rule.body).any(uses)
}

/// A variable that no chain of literals connects with the head.
fn unconnected(rule: &Rule, head: &[Var]) -> Option<Var> {
    let mut connected: Vec<Var> = head.to_vec();
    loop {
        let before = connected.len();
        for literal in &rule.body {
            if literal.vars().any(|var| connected.contains(&var)) {
                literal.vars().for_each(|var| {
                    if !connected.contains(&var) {
                        connected.push(var);
                    }
                });
            }
        }
        if connected.len() == before {
            break;
        }
    }
    rule.body.iter().flat_map(Literal::vars).find(|var| !connected.contains(var))
}

/// The rule with variables numbered in the order of first occurrence, head first.
fn renumber(rule: &Rule) -> Cow<'_, Rule> {
    let mut numbers: [Option<u8>; 256] = [None; 256];
    let mut next = 0u8;
    let mut same = true;
    for var in std::iter::once(&rule.head).chain(&rule.body).flat_map(Literal::vars) {
        if numbers[var.index()].is_none() {
            numbers[var.index()] = Some(next);
            same &= var.0 == next;
            // Only the last of 256 variables has no next one.
            next = next.wrapping_add(1);
        }
    }
    if same {
        return Cow::Borrowed(rule);
    }
    let literal = |literal: &Literal| {
        let args = literal.args.iter().map(|arg| match arg {
            Arg::Var(var) => Arg::Var(Var(numbers[var.index()].expect("every variable was numbered"))),
            constant => *constant,
        });
        Literal { pred: literal.pred, args: args.collect() }
    };
    Cow::Owned(Rule { head: literal(&rule.head), body: rule.body.iter().map(literal).collect() })
}
