//! Why a rule or hypothesis is not in the space.

use crate::logic::{Literal, Pred, Terms, Var};
use std::sync::Arc;

/// The first requirement that a rule or hypothesis fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// The head is not the predicate to learn.
    WrongHead(Pred),
    /// The arguments of the head are not different variables.
    HeadArguments,
    /// There is no body literal.
    EmptyBody,
    /// There are more body literals than `max_body`.
    TooManyLiterals {
        /// How many there are.
        found: usize,
        /// `max_body`.
        limit: usize,
    },
    /// A computation whose result no other literal uses.
    WastedResult(Literal),
    /// There are more comparisons with numbers than `max_numeric`.
    TooManyComparisons {
        /// How many there are.
        found: usize,
        /// `max_numeric`.
        limit: usize,
    },
    /// There are more constants than `max_magic`.
    TooManyConstants {
        /// How many there are.
        found: usize,
        /// `max_magic`.
        limit: usize,
    },
    /// There are more variables than `max_vars`.
    TooManyVariables {
        /// How many there are.
        found: usize,
        /// `max_vars`.
        limit: usize,
    },
    /// A body literal's predicate is not declared.
    UnknownPredicate(Pred),
    /// The head's predicate is called although recursion is not enabled.
    RecursionDisabled,
    /// A literal has an argument that is not a variable.
    Constant(Literal),
    /// A literal has a variable twice.
    RepeatedVariable(Literal),
    /// A literal stands twice in the body, or in head and body.
    RepeatedLiteral(Literal),
    /// A variable is not connected to the head.
    NotConnected(Var),
    /// A head variable does not occur in the body.
    HeadVariableMissing(Var),
    /// No choice of declared types gives every variable one type; the first literal that does not fit.
    Types(Literal),
    /// No order of evaluation binds every `in` argument; the first literal that cannot be evaluated.
    Directions(Literal),
    /// A constraint of the bias file.
    Constraint(Arc<str>),
    /// The constraints take too long to check.
    TooMuchWork,
    /// The hypothesis has no rule.
    NoRules,
    /// A recursive hypothesis has more rules than `max_clauses`.
    TooManyRules {
        /// How many there are.
        found: usize,
        /// `max_clauses`.
        limit: usize,
    },
    /// A rule stands twice.
    RepeatedRule,
    /// No rule defines the predicate without calling it.
    NoBaseRule(Pred),
    /// An invented predicate that no other rule calls.
    Uncalled(Pred),
    /// Invented predicates that call each other in a circle.
    Circular(Pred),
}

impl Violation {
    /// The requirement, for people.
    pub fn show(&self, terms: &Terms) -> String {
        match self {
            Violation::WrongHead(pred) => format!("{} is not the predicate to learn", pred.show(terms)),
            Violation::HeadArguments => "the arguments of the head are not different variables".to_owned(),
            Violation::EmptyBody => "the body is empty".to_owned(),
            Violation::TooManyLiterals { found, limit } => format!("{found} body literals, max_body is {limit}"),
            Violation::TooManyComparisons { found, limit } => {
                format!("{found} comparisons and computations, max_numeric is {limit}")
            }
            Violation::TooManyConstants { found, limit } => format!("{found} constants, max_magic is {limit}"),
            Violation::WastedResult(literal) => {
                format!("no other literal uses what `{}` gives", literal.show(terms))
            }
            Violation::TooManyVariables { found, limit } => format!("{found} variables, max_vars is {limit}"),
            Violation::UnknownPredicate(pred) => format!("{} is not declared as body_pred", pred.show(terms)),
            Violation::RecursionDisabled => "the head predicate is called without enable_recursion".to_owned(),
            Violation::Constant(literal) => format!("{} has an argument that is not a variable", literal.show(terms)),
            Violation::RepeatedVariable(literal) => format!("{} has a variable twice", literal.show(terms)),
            Violation::RepeatedLiteral(literal) => format!("{} stands twice", literal.show(terms)),
            Violation::NotConnected(var) => format!("V{} is not connected to the head", var.0),
            Violation::HeadVariableMissing(var) => format!("the head variable V{} is not in the body", var.0),
            Violation::Types(literal) => format!("the types of {} clash with the rest", literal.show(terms)),
            Violation::Directions(literal) => {
                format!("no order of the body binds the in-arguments of {}", literal.show(terms))
            }
            Violation::Constraint(text) => format!("the bias forbids it: {text}"),
            Violation::TooMuchWork => "its constraints take too long to check".to_owned(),
            Violation::NoRules => "there is no rule".to_owned(),
            Violation::TooManyRules { found, limit } => format!("{found} rules, max_clauses is {limit}"),
            Violation::RepeatedRule => "a rule stands twice".to_owned(),
            Violation::NoBaseRule(pred) => format!("every rule of {} calls it", pred.show(terms)),
            Violation::Uncalled(pred) => format!("the invented {} is not called by a rule above it", pred.show(terms)),
            Violation::Circular(pred) => format!("{} is defined in a circle of invented predicates", pred.show(terms)),
        }
    }
}
