//! Which bodies are rules of the space, in the terms of the search.

use super::literal::Lit;
use super::vocabulary::Vocabulary;
use crate::logic::Rule;
use crate::task::Task;

/// The requirements of a space that the way parts are grown does not meet by itself.
pub struct Membership<'t> {
    /// Head variables that every body must mention.
    pub required: u64,
    /// Head variables that the body must bind.
    pub outputs: u64,
    /// Whether a rule without one of its literals or parts satisfies all constraints that the rule does.
    pub subset_closed: bool,
    /// Whether parts that cover the same examples may stand for each other.
    pub interchangeable: bool,
    /// Whether a conjunction of parts is in the space if it mentions the required variables and each part could be.
    pub by_parts: bool,
    _task: &'t Task,
}

impl<'t> Membership<'t> {
    /// The requirements of the space of `task`.
    pub fn new(task: &'t Task, vocabulary: &Vocabulary<'_>) -> Self {
        let head = (1u64 << task.bias.head.arity) - 1;
        let outputs = if task.bias.non_datalog { 0 } else { vocabulary.head_outputs() };
        Membership {
            required: if task.bias.non_datalog { 0 } else { head },
            outputs,
            subset_closed: true,
            interchangeable: true,
            by_parts: outputs == 0,
            _task: task,
        }
    }

    /// Whether no rule of the space has all these literals.
    pub fn forbids(&self, _body: &[Lit], _vocabulary: &Vocabulary<'_>) -> bool {
        false
    }

    /// Whether the constraints of the bias are satisfied.
    pub fn admits(&self, _body: &[Lit], _vocabulary: &Vocabulary<'_>) -> bool {
        true
    }

    /// The rule with its literals in an order in which it can be run.
    pub fn ordered(&self, rule: Rule) -> Rule {
        rule
    }
}
