//! What a constraint looks at, found out once: whether it sees the numbers of variables, whether it speaks of one rule
//! at a time, whether adding literals can ever repair a violation, and which predicates it needs.
//!
//! All answers err on the safe side: a constraint taken for more than it is costs time, never correctness.

use crate::logic::Symbol;
use crate::task::bias::clauses::{Body, Comparison, Constraint, Count, Domain, Origin, Pattern, Slot, Step, View};
use crate::task::bias::value::Value;

/// Which rules a constraint speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Each rule by itself, whatever its number.
    EachRule,
    /// The rule with this number by itself.
    Clause(i64),
    /// The hypothesis as a whole.
    Whole,
}

/// What a constraint looks at.
#[derive(Debug, Clone)]
pub(super) struct Class {
    /// Renaming the body's own variables cannot change the verdict.
    pub(super) blind: bool,
    /// Which rules it speaks of.
    pub(super) reach: Reach,
    /// A body that, once satisfied, stays satisfied when literals are added, and implies the constraint's body.
    pub(super) monotone: Option<Body>,
    /// Names of predicates without which the constraint cannot be violated.
    pub(super) needs: Vec<Symbol>,
}

/// What the rows of the relations are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// Where they come from.
    pub(super) origins: &'a [Origin],
    /// The functor of tuples.
    pub(super) tuple: Symbol,
    /// Variables below this number are the head's in every rule.
    pub(super) fixed: i64,
}

/// Classify a constraint.
pub(super) fn classify(constraint: &Constraint, context: Context<'_>) -> Class {
    let steps = &constraint.body.steps;
    let mut sorts = Sorts { context, sorts: vec![None; constraint.body.slots], blind: true };
    // Twice: a slot may get its sort from a step behind a comparison that uses it.
    sorts.steps(steps, false);
    sorts.steps(steps, true);
    let blind = sorts.blind;
    let monotone = blind.then(|| monotone(steps, context)).flatten();
    let monotone = monotone.map(|steps| Body { steps, slots: constraint.body.slots });
    let needs = steps.iter().filter_map(|step| needed(step, context)).collect();
    Class { blind, reach: reach(steps, context), monotone, needs }
}

fn view(step_relation: &Origin) -> Option<View> {
    match step_relation {
        Origin::View(view) => Some(*view),
        _ => None,
    }
}

fn needed(step: &Step, context: Context<'_>) -> Option<Symbol> {
    match step {
        Step::Scan(relation, args) if view(&context.origins[relation.index()]) == Some(View::BodyLiteral) => {
            match &args[1] {
                Pattern::Value(Value::Name(name)) => Some(*name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A variable's number.
    Var,
    /// A tuple of variables.
    Tuple,
    /// Anything else.
    Other,
}

struct Sorts<'a> {
    context: Context<'a>,
    sorts: Vec<Option<Sort>>,
    blind: bool,
}

impl Sorts<'_> {
    fn steps(&mut self, steps: &[Step], last: bool) {
        for step in steps {
            match step {
                Step::Scan(relation, args) | Step::Absent(relation, args) => {
                    // Rules of the file may look at numbers in ways that are not followed here.
                    self.blind &= self.context.origins[relation.index()] != Origin::Derived;
                    let sorts = argument_sorts(self.context.origins[relation.index()], args.len());
                    args.iter().zip(sorts).for_each(|(arg, sort)| self.place(arg, sort));
                }
                Step::Match(left, right) => self.equate(left, right, last),
                Step::Compare(left, Comparison::Equal | Comparison::Unequal, right) => self.equate(left, right, last),
                Step::Compare(left, _, right) => {
                    if last && (self.sees(left) || self.sees(right)) {
                        self.blind = false;
                    }
                }
                Step::Count(count) => {
                    for (_, condition) in &count.elements {
                        self.steps(condition, last);
                    }
                    count.guards.iter().for_each(|(_, guard)| self.place(guard, Sort::Other));
                    count.result.iter().for_each(|slot| self.place(&Pattern::Slot(*slot), Sort::Other));
                }
            }
        }
    }

    /// `pattern` stands where things of `sort` stand.
    fn place(&mut self, pattern: &Pattern, sort: Sort) {
        match (pattern, sort) {
            (Pattern::Wild, _) => {}
            (Pattern::Slot(slot), _) => match self.sorts[slot.index()] {
                Some(have) => self.blind &= have == sort,
                None => self.sorts[slot.index()] = Some(sort),
            },
            (Pattern::Value(Value::Int(number)), Sort::Var) => self.blind &= *number < self.context.fixed,
            (Pattern::Value(Value::Compound(functor, items)), Sort::Tuple) if *functor == self.context.tuple => {
                let head = |item: &Value| !matches!(item, Value::Int(number) if *number >= self.context.fixed);
                self.blind &= items.iter().all(head);
            }
            (Pattern::Compound(functor, items), Sort::Tuple) if *functor == self.context.tuple => {
                items.iter().for_each(|item| self.place(item, Sort::Var));
            }
            (Pattern::Value(_), _) => {}
            (Pattern::Compound(_, items), _) => items.iter().for_each(|item| self.place(item, Sort::Other)),
            (Pattern::Arithmetic(_, operands), _) => {
                self.blind &= sort == Sort::Other;
                operands.iter().for_each(|operand| self.place(operand, Sort::Other));
            }
        }
    }

    fn sort(&self, pattern: &Pattern) -> Option<Sort> {
        match pattern {
            Pattern::Slot(slot) => self.sorts[slot.index()],
            _ => None,
        }
    }

    fn equate(&mut self, left: &Pattern, right: &Pattern, last: bool) {
        match (self.sort(left), self.sort(right)) {
            (Some(sort), _) => self.place(right, sort),
            (None, Some(sort)) => self.place(left, sort),
            // Terms that hold slots of known sorts, compared with each other: only equal shapes are harmless.
            (None, None) => self.blind &= !last || !(self.sees(left) || self.sees(right)),
        }
    }

    /// Whether the term holds variables or tuples of them.
    fn sees(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Wild | Pattern::Value(_) => false,
            Pattern::Slot(slot) => matches!(self.sorts[slot.index()], Some(Sort::Var | Sort::Tuple)),
            Pattern::Compound(_, items) => items.iter().any(|item| self.sees(item)),
            Pattern::Arithmetic(_, operands) => operands.iter().any(|operand| self.sees(operand)),
        }
    }
}

fn argument_sorts(origin: Origin, arity: usize) -> Vec<Sort> {
    use Sort::{Other, Tuple, Var};
    match origin {
        Origin::View(View::HeadLiteral | View::BodyLiteral) => vec![Other, Other, Other, Tuple],
        Origin::View(View::HeadVar | View::BodyVar | View::ClauseVar) => vec![Other, Var],
        Origin::View(View::VarType) => vec![Other, Var, Other],
        Origin::View(View::VarInLiteral) => vec![Other, Other, Tuple, Var],
        Origin::Domain(Domain::Vars) => vec![Other, Tuple],
        Origin::Domain(Domain::VarPos) => vec![Var, Tuple, Other],
        Origin::Domain(Domain::VarMember) => vec![Var, Tuple],
        // A helper fact that is given a variable names its number: the sorts clash, the constraint counts as seeing.
        Origin::Given | Origin::Derived | Origin::View(_) => vec![Other; arity],
    }
}

/// Which rules the steps speak of: one rule if every look at the hypothesis goes through the same clause number.
fn reach(steps: &[Step], context: Context<'_>) -> Reach {
    let mut clauses: Vec<&Pattern> = Vec::new();
    let mut positive = false;
    if !clause_arguments(steps, context, &mut clauses) {
        return Reach::Whole;
    }
    for step in steps {
        if let Step::Scan(relation, _) = step {
            positive |= view(&context.origins[relation.index()]).is_some();
        }
    }
    match clauses.split_first() {
        None => Reach::Whole,
        Some((Pattern::Slot(slot), rest)) if positive && rest.iter().all(|other| **other == Pattern::Slot(*slot)) => {
            Reach::EachRule
        }
        Some((Pattern::Wild, [])) if positive => Reach::EachRule,
        Some((Pattern::Value(Value::Int(number)), rest)) if rest.iter().all(|other| *other == clauses[0]) => {
            Reach::Clause(*number)
        }
        _ => Reach::Whole,
    }
}

/// Collect the clause arguments; `false` if a step looks at the hypothesis in another way.
fn clause_arguments<'s>(steps: &'s [Step], context: Context<'_>, out: &mut Vec<&'s Pattern>) -> bool {
    steps.iter().all(|step| match step {
        Step::Scan(relation, args) | Step::Absent(relation, args) => match context.origins[relation.index()] {
            Origin::Given | Origin::Domain(_) => true,
            Origin::Derived => false,
            Origin::View(View::Recursive | View::Invented | View::HeadAux | View::BodyAux | View::Lower) => false,
            Origin::View(_) => {
                out.push(&args[0]);
                true
            }
        },
        Step::Compare(..) | Step::Match(..) => true,
        Step::Count(count) => count.elements.iter().all(|(_, condition)| clause_arguments(condition, context, out)),
    })
}

/// The steps with each part replaced by one that literals can only help: `None` if that is not possible.
///
/// `#count{...} != k` becomes `> k`: too many never become fewer, too few may still become enough.
fn monotone(steps: &[Step], context: Context<'_>) -> Option<Vec<Step>> {
    steps
        .iter()
        .map(|step| match step {
            Step::Scan(relation, _) => match context.origins[relation.index()] {
                Origin::View(View::BodySize | View::BaseClause) | Origin::Derived => None,
                _ => Some(step.clone()),
            },
            Step::Absent(relation, _) => match context.origins[relation.index()] {
                Origin::Given | Origin::Domain(_) => Some(step.clone()),
                Origin::View(_) | Origin::Derived => None,
            },
            Step::Compare(..) | Step::Match(..) => Some(step.clone()),
            Step::Count(count) => {
                let elements: Option<Vec<_>> = count
                    .elements
                    .iter()
                    .map(|(tuple, condition)| Some((tuple.clone(), monotone(condition, context)?)))
                    .collect();
                let guards: Option<Vec<_>> = count
                    .guards
                    .iter()
                    .map(|(comparison, guard)| match comparison {
                        Comparison::Greater | Comparison::GreaterOrEqual => Some((*comparison, guard.clone())),
                        Comparison::Unequal => Some((Comparison::Greater, guard.clone())),
                        _ => None,
                    })
                    .collect();
                let free: Option<Slot> = count.result;
                let usable = !count.negated && free.is_none();
                let replaced = Count { elements: elements?, guards: guards?, negated: false, result: None };
                usable.then(|| Step::Count(Box::new(replaced)))
            }
        })
        .collect()
}
