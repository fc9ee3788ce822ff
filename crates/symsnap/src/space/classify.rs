//! What a constraint looks at, found out once: whether it sees the numbers of variables, whether it speaks of one rule
//! at a time, whether adding literals can ever repair a violation, and which predicates it needs.
//!
//! All answers err on the safe side: a constraint taken for more than it is costs time, never correctness.

use crate::logic::Symbol;
use crate::task::bias::clauses::{
    BiasComparison, BiasPattern, BiasStep, Body, BodySlot, Constraint, Count, HypothesisView, Origin, TupleRelation,
};
use crate::task::bias::value::BiasValue;

/// Which rules a constraint speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstraintReach {
    /// Each rule by itself, whatever its number.
    EachRule,
    /// The rule with this number by itself.
    Clause(i64),
    /// The hypothesis as a whole.
    Whole,
}

/// What a constraint looks at.
#[derive(Debug, Clone)]
pub(super) struct ConstraintClass {
    /// Renaming the body's own variables cannot change the verdict.
    pub(super) blind: bool,
    /// Which rules it speaks of.
    pub(super) reach: ConstraintReach,
    /// A body that, once satisfied, stays satisfied when literals are added, and implies the constraint's body.
    pub(super) monotone: Option<Body>,
    /// Names of predicates without which the constraint cannot be violated.
    pub(super) needs: Vec<Symbol>,
}

/// What the rows of the relations are.
#[derive(Debug, Clone, Copy)]
pub(super) struct RelationContext<'a> {
    /// Where they come from.
    pub(super) origins: &'a [Origin],
    /// The functor of tuples.
    pub(super) tuple: Symbol,
    /// Variables below this number are the head's in every rule.
    pub(super) fixed: i64,
}

/// Classify a constraint.
pub(super) fn classify(constraint: &Constraint, context: RelationContext<'_>) -> ConstraintClass {
    let steps = &constraint.body.steps;
    let mut sorts = Sorts { context, sorts: vec![None; constraint.body.slots], blind: true };
    // Twice: a slot may get its sort from a step behind a comparison that uses it.
    sorts.steps(steps, false);
    sorts.steps(steps, true);
    let blind = sorts.blind;
    let monotone = blind.then(|| monotone(steps, context)).flatten();
    let monotone = monotone.map(|steps| Body { steps, slots: constraint.body.slots });
    let needs = steps.iter().filter_map(|step| needed(step, context)).collect();
    ConstraintClass { blind, reach: reach(steps, context), monotone, needs }
}

fn view(step_relation: &Origin) -> Option<HypothesisView> {
    match step_relation {
        Origin::View(view) => Some(*view),
        _ => None,
    }
}

fn needed(step: &BiasStep, context: RelationContext<'_>) -> Option<Symbol> {
    match step {
        BiasStep::Scan(relation, args)
            if view(&context.origins[relation.index()]) == Some(HypothesisView::BodyLiteral) =>
        {
            match &args[1] {
                BiasPattern::Value(BiasValue::Name(name)) => Some(*name),
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
    context: RelationContext<'a>,
    sorts: Vec<Option<Sort>>,
    blind: bool,
}

impl Sorts<'_> {
    fn steps(&mut self, steps: &[BiasStep], last: bool) {
        for step in steps {
            match step {
                BiasStep::Scan(relation, args) | BiasStep::Absent(relation, args) => {
                    // Rules of the file may look at numbers in ways that are not followed here.
                    self.blind &= self.context.origins[relation.index()] != Origin::Derived;
                    let sorts = argument_sorts(self.context.origins[relation.index()], args.len());
                    args.iter().zip(sorts).for_each(|(arg, sort)| self.place(arg, sort));
                }
                BiasStep::Match(left, right) => self.equate(left, right, last),
                BiasStep::Compare(left, BiasComparison::Equal | BiasComparison::Unequal, right) => {
                    self.equate(left, right, last)
                }
                BiasStep::Compare(left, _, right) => {
                    if last && (self.sees(left) || self.sees(right)) {
                        self.blind = false;
                    }
                }
                BiasStep::Count(count) => {
                    for (_, condition) in &count.elements {
                        self.steps(condition, last);
                    }
                    count.guards.iter().for_each(|(_, guard)| self.place(guard, Sort::Other));
                    count.result.iter().for_each(|slot| self.place(&BiasPattern::Slot(*slot), Sort::Other));
                }
            }
        }
    }

    /// `pattern` stands where things of `sort` stand.
    fn place(&mut self, pattern: &BiasPattern, sort: Sort) {
        match (pattern, sort) {
            (BiasPattern::Wild, _) => {}
            (BiasPattern::Slot(slot), _) => match self.sorts[slot.index()] {
                Some(have) => self.blind &= have == sort,
                None => self.sorts[slot.index()] = Some(sort),
            },
            (BiasPattern::Value(BiasValue::Int(number)), Sort::Var) => self.blind &= *number < self.context.fixed,
            (BiasPattern::Value(BiasValue::Compound(functor, items)), Sort::Tuple)
                if *functor == self.context.tuple =>
            {
                let head = |item: &BiasValue| !matches!(item, BiasValue::Int(number) if *number >= self.context.fixed);
                self.blind &= items.iter().all(head);
            }
            (BiasPattern::Compound(functor, items), Sort::Tuple) if *functor == self.context.tuple => {
                items.iter().for_each(|item| self.place(item, Sort::Var));
            }
            (BiasPattern::Value(_), _) => {}
            (BiasPattern::Compound(_, items), _) => items.iter().for_each(|item| self.place(item, Sort::Other)),
            (BiasPattern::Arithmetic(_, operands), _) => {
                self.blind &= sort == Sort::Other;
                operands.iter().for_each(|operand| self.place(operand, Sort::Other));
            }
        }
    }

    fn sort(&self, pattern: &BiasPattern) -> Option<Sort> {
        match pattern {
            BiasPattern::Slot(slot) => self.sorts[slot.index()],
            _ => None,
        }
    }

    fn equate(&mut self, left: &BiasPattern, right: &BiasPattern, last: bool) {
        match (self.sort(left), self.sort(right)) {
            (Some(sort), _) => self.place(right, sort),
            (None, Some(sort)) => self.place(left, sort),
            // Terms that hold slots of known sorts, compared with each other: only equal shapes are harmless.
            (None, None) => self.blind &= !last || !(self.sees(left) || self.sees(right)),
        }
    }

    /// Whether the term holds variables or tuples of them.
    fn sees(&self, pattern: &BiasPattern) -> bool {
        match pattern {
            BiasPattern::Wild | BiasPattern::Value(_) => false,
            BiasPattern::Slot(slot) => matches!(self.sorts[slot.index()], Some(Sort::Var | Sort::Tuple)),
            BiasPattern::Compound(_, items) => items.iter().any(|item| self.sees(item)),
            BiasPattern::Arithmetic(_, operands) => operands.iter().any(|operand| self.sees(operand)),
        }
    }
}

fn argument_sorts(origin: Origin, arity: usize) -> Vec<Sort> {
    use Sort::{Other, Tuple, Var};
    match origin {
        Origin::View(HypothesisView::HeadLiteral | HypothesisView::BodyLiteral) => vec![Other, Other, Other, Tuple],
        Origin::View(HypothesisView::HeadVar | HypothesisView::BodyVar | HypothesisView::ClauseVar) => vec![Other, Var],
        Origin::View(HypothesisView::VarType) => vec![Other, Var, Other],
        Origin::View(HypothesisView::VarInLiteral) => vec![Other, Other, Tuple, Var],
        Origin::Domain(TupleRelation::Vars) => vec![Other, Tuple],
        Origin::Domain(TupleRelation::VarPos) => vec![Var, Tuple, Other],
        Origin::Domain(TupleRelation::VarMember) => vec![Var, Tuple],
        // A helper fact that is given a variable names its number: the sorts clash, the constraint counts as seeing.
        Origin::Given | Origin::Derived | Origin::View(_) => vec![Other; arity],
    }
}

/// Which rules the steps speak of: one rule if every look at the hypothesis goes through the same clause number.
fn reach(steps: &[BiasStep], context: RelationContext<'_>) -> ConstraintReach {
    let mut clauses: Vec<&BiasPattern> = Vec::new();
    let mut positive = false;
    if !clause_arguments(steps, context, &mut clauses) {
        return ConstraintReach::Whole;
    }
    for step in steps {
        if let BiasStep::Scan(relation, _) = step {
            positive |= view(&context.origins[relation.index()]).is_some();
        }
    }
    match clauses.split_first() {
        None => ConstraintReach::Whole,
        Some((BiasPattern::Slot(slot), rest))
            if positive && rest.iter().all(|other| **other == BiasPattern::Slot(*slot)) =>
        {
            ConstraintReach::EachRule
        }
        Some((BiasPattern::Wild, [])) if positive => ConstraintReach::EachRule,
        Some((BiasPattern::Value(BiasValue::Int(number)), rest)) if rest.iter().all(|other| *other == clauses[0]) => {
            ConstraintReach::Clause(*number)
        }
        _ => ConstraintReach::Whole,
    }
}

/// Collect the clause arguments; `false` if a step looks at the hypothesis in another way.
fn clause_arguments<'s>(steps: &'s [BiasStep], context: RelationContext<'_>, out: &mut Vec<&'s BiasPattern>) -> bool {
    steps.iter().all(|step| match step {
        BiasStep::Scan(relation, args) | BiasStep::Absent(relation, args) => match context.origins[relation.index()] {
            Origin::Given | Origin::Domain(_) => true,
            Origin::Derived => false,
            Origin::View(
                HypothesisView::Recursive
                | HypothesisView::Invented
                | HypothesisView::HeadAux
                | HypothesisView::BodyAux
                | HypothesisView::Lower,
            ) => false,
            Origin::View(_) => {
                out.push(&args[0]);
                true
            }
        },
        BiasStep::Compare(..) | BiasStep::Match(..) => true,
        BiasStep::Count(count) => count.elements.iter().all(|(_, condition)| clause_arguments(condition, context, out)),
    })
}

/// The steps with each part replaced by one that literals can only help: `None` if that is not possible.
///
/// `#count{...} != k` becomes `> k`: too many never become fewer, too few may still become enough.
fn monotone(steps: &[BiasStep], context: RelationContext<'_>) -> Option<Vec<BiasStep>> {
    steps
        .iter()
        .map(|step| match step {
            BiasStep::Scan(relation, _) => match context.origins[relation.index()] {
                Origin::View(HypothesisView::BodySize | HypothesisView::BaseClause) | Origin::Derived => None,
                _ => Some(step.clone()),
            },
            BiasStep::Absent(relation, _) => match context.origins[relation.index()] {
                Origin::Given | Origin::Domain(_) => Some(step.clone()),
                Origin::View(_) | Origin::Derived => None,
            },
            BiasStep::Compare(..) | BiasStep::Match(..) => Some(step.clone()),
            BiasStep::Count(count) => {
                let elements: Option<Vec<_>> = count
                    .elements
                    .iter()
                    .map(|(tuple, condition)| Some((tuple.clone(), monotone(condition, context)?)))
                    .collect();
                let guards: Option<Vec<_>> = count
                    .guards
                    .iter()
                    .map(|(comparison, guard)| match comparison {
                        BiasComparison::Greater | BiasComparison::GreaterOrEqual => Some((*comparison, guard.clone())),
                        BiasComparison::Unequal => Some((BiasComparison::Greater, guard.clone())),
                        _ => None,
                    })
                    .collect();
                let free: Option<BodySlot> = count.result;
                let usable = !count.negated && free.is_none();
                let replaced = Count { elements: elements?, guards: guards?, negated: false, result: None };
                usable.then(|| BiasStep::Count(Box::new(replaced)))
            }
        })
        .collect()
}
