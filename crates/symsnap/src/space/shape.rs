//! What a learner that grows rules literal by literal, or puts them together from parts, may rely on in a space.

use super::check::ConstraintVerdict;
use super::{Space, renumber};
use crate::index::variables;
use crate::logic::{Literal, Rule, Symbol};
use crate::task::bias::clauses::{BiasComparison, BiasPattern, BiasStep, HypothesisView, Origin, RelationId};
use crate::task::bias::eval::Fuel;
use crate::task::bias::value::BiasValue;
use crate::task::bias::view::Seen;

/// Properties that hold for the whole space. They err on the safe side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceShape {
    /// Head variables that every body mentions, by number.
    pub required: u64,
    /// A rule without some of its literals satisfies all constraints that the rule does.
    pub subset_closed: bool,
    /// If each of several bodies that share only head variables satisfies the constraints, all of them together do.
    pub by_parts: bool,
}

impl Space {
    /// The shape of the space, for rules without recursion in which constants stand for the head variables in `constant`.
    pub fn shape(&self, constant: u64) -> SpaceShape {
        let head = (1u64 << self.bias.head.arity) - 1;
        let required = if self.bias.non_datalog { 0 } else { head & !constant };
        let mut shape = SpaceShape { required, subset_closed: true, by_parts: true };
        for (at, constraint) in self.bias.constraints.list().iter().enumerate() {
            let steps = &constraint.body.steps;
            if let Some(var) = self.required_variable(steps) {
                shape.required |= 1 << var;
            } else if self.is_monotone(at) {
                shape.by_parts &= self.sees_one_literal(steps);
            } else if !self.forbids_more_of_a_type(at, steps) {
                shape.subset_closed = false;
                shape.by_parts = false;
            }
        }
        shape
    }

    fn view(&self, relation: RelationId) -> Option<HypothesisView> {
        match self.bias.constraints.origins()[relation.index()] {
            Origin::View(view) => Some(view),
            _ => None,
        }
    }

    /// `:- not body_var(_,k).` for a head variable `k`.
    fn required_variable(&self, steps: &[BiasStep]) -> Option<u32> {
        match steps {
            [BiasStep::Absent(relation, args)] if self.view(*relation) == Some(HypothesisView::BodyVar) => {
                match &**args {
                    [BiasPattern::Wild, BiasPattern::Value(BiasValue::Int(var))] => {
                        u32::try_from(*var).ok().filter(|var| *var < self.bias.head.arity)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether the steps look at the hypothesis through a single body literal.
    fn sees_one_literal(&self, steps: &[BiasStep]) -> bool {
        let mut literals = 0;
        let plain = steps.iter().all(|step| match step {
            BiasStep::Scan(relation, _) => match self.bias.constraints.origins()[relation.index()] {
                Origin::View(HypothesisView::BodyLiteral) => {
                    literals += 1;
                    true
                }
                Origin::View(HypothesisView::Clause) | Origin::Given | Origin::Domain(_) => true,
                Origin::View(_) | Origin::Derived => false,
            },
            BiasStep::Absent(relation, _) => {
                matches!(self.bias.constraints.origins()[relation.index()], Origin::Given | Origin::Domain(_))
            }
            BiasStep::Compare(..) | BiasStep::Match(..) => true,
            BiasStep::Count(_) => false,
        });
        plain && literals <= 1
    }

    /// `:- clause(C), k != #count{V : clause_var(C,V), var_type(C,V,t)}.` where the head alone has `k` such variables:
    /// then it forbids every other one, in whatever part it occurs.
    fn forbids_more_of_a_type(&self, at: usize, steps: &[BiasStep]) -> bool {
        let counts_types = |step: &BiasStep| match step {
            BiasStep::Scan(relation, _) => {
                matches!(self.view(*relation), Some(HypothesisView::ClauseVar | HypothesisView::VarType))
            }
            _ => false,
        };
        let mut counts = 0;
        let fits = steps.iter().all(|step| match step {
            BiasStep::Scan(relation, _) => self.view(*relation) == Some(HypothesisView::Clause),
            BiasStep::Count(count) => {
                counts += 1;
                let unequal = matches!(count.guards.as_slice(), [(BiasComparison::Unequal, _)]);
                unequal && count.elements.iter().all(|(_, condition)| condition.iter().all(counts_types))
            }
            _ => false,
        });
        fits && counts == 1 && matches!(self.violated_by_head(at), Ok(None))
    }

    /// Whether the constraint is violated by the head without a body.
    fn violated_by_head(&self, at: usize) -> ConstraintVerdict {
        let vars = variables(self.bias.head.arity);
        let bare = Rule { head: Literal::over(self.bias.head, &vars), body: Vec::new() };
        let rule = renumber(&bare);
        let none: Vec<Option<Symbol>> = vec![None; vars.len()];
        let typings = self.typings(&rule).map_or_else(|_| Vec::new(), |typings| typings.found);
        let types = typings.first().unwrap_or(&none);
        self.violated(&[at], &[Seen { clause: 0, rule: &rule, numbers: &vars, types }], &Fuel::new(super::check::FUEL))
    }
}
