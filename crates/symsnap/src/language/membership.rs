//! Which bodies are rules of the space, in terms of numbered literals.
//!
//! Most of a space's requirements are met by the way parts are grown (types, connection, limits) or cost a few bit
//! operations (head variables, directions). What is left goes to [`Space`], which is slow, so the questions that can be
//! answered once for the whole space are asked once.

use super::literal::Lit;
use super::predicates::Language;
use crate::logic::Rule;
use crate::space::Space;
use crate::task::Bias;

/// The requirements of a space that the way parts are grown does not meet by itself.
pub struct Membership<'t> {
    space: &'t Space,
    /// Head variables that every body must mention.
    pub required: u64,
    /// Head variables that the body must bind.
    pub outputs: u64,
    /// Head variables that are not bound from the start: a part may need another to bind them, whether or not the body
    /// must bind them all in the end.
    pub unbound: u64,
    /// Whether a rule without one of its literals or parts satisfies all constraints that the rule does.
    pub subset_closed: bool,
    /// Whether a conjunction of parts that are each in the space, head variables aside, is in the space if it mentions
    /// the required variables. If so, parts that cover the same examples may stand for each other.
    pub by_parts: bool,
    /// Whether the space has constraints.
    constrained: bool,
    /// Whether types can clash in ways that growing a part does not see.
    loosely_typed: bool,
}

impl<'t> Membership<'t> {
    /// The requirements of the space of `bias`.
    pub fn new(bias: &Bias, space: &'t Space, language: &Language<'_>) -> Self {
        let shape = space.shape(language.constant_heads());
        let several = |types: &Vec<_>| types.len() > 1;
        // The variable of an untyped argument has whatever type other literals give it, and they must agree.
        let preds = std::iter::once(&bias.head).chain(&bias.body);
        let untyped = preds.filter(|pred| pred.arity > 0).any(|pred| !bias.types.contains_key(pred));
        let loosely_typed = !bias.types.is_empty() && untyped || bias.types.values().any(several);
        let outputs = if bias.non_datalog { 0 } else { language.head_outputs() };
        Membership {
            space,
            required: shape.required,
            outputs,
            unbound: language.head_outputs(),
            subset_closed: shape.subset_closed,
            by_parts: shape.by_parts && language.head_outputs() == 0 && !loosely_typed,
            constrained: !bias.constraints.is_empty(),
            loosely_typed,
        }
    }

    /// Whether some sets of literals are forbidden.
    pub fn is_constrained(&self) -> bool {
        self.constrained
    }

    /// Whether no rule of the space has all these literals.
    pub fn forbids(&self, body: &[Lit], language: &Language<'_>) -> bool {
        self.constrained && self.space.violates_alone(&language.general_rule(body))
    }

    /// Whether a body that mentions all required head variables and can be run is in the space. If the space is closed
    /// under subsets, its literals were not forbidden, and types cannot clash unseen, it is.
    pub fn admits(&self, body: &[Lit], language: &Language<'_>) -> bool {
        let settled = self.subset_closed && self.by_parts;
        let contains = || self.space.contains_form(&language.general_rule(body), language.constant_heads()).is_ok();
        settled || !(self.constrained || self.loosely_typed) || contains()
    }

    /// Whether some rule was left out because it would have taken too long to find out if it is in the space.
    pub fn ran_out(&self) -> bool {
        self.space.ran_out()
    }

    /// The rule with its literals in an order in which it can be run.
    pub fn ordered(&self, rule: Rule) -> Rule {
        self.space.order(&rule).unwrap_or(rule)
    }
}
