//! The vocabulary: interned symbols and ground terms, the clauses of background programs, and the rules and
//! hypotheses that are learned from them.
//!
//! Two kinds of clause live here on purpose. A [`Clause`] is any Prolog clause of a background file, with compound
//! terms and control constructs. A [`Rule`] is what the learner speaks of: a head with arguments and a flat set of
//! body literals over variables (and, in hand-written rules, constants).

mod canonical;
mod clause;
mod comparison;
mod computation;
mod distinct;
mod flat;
pub mod integers;
mod key_table;
mod number;
mod pred;
mod rule;
mod shown;
mod summary;
mod symbols;
mod terms;

pub use canonical::{canonical_hypothesis, canonical_rule};
pub use clause::{Clause, Open};
pub use comparison::Comparison;
pub use computation::Computation;
pub use distinct::DistinctRules;
pub use key_table::Key;
pub use num_bigint::BigInt;
pub use number::Number;
pub use pred::Pred;
pub use rule::{Arg, Hypothesis, Literal, Rule, Var};
pub use summary::{Summarised, Summary};
pub use symbols::{Symbol, Symbols};
pub use terms::{Constant, Term, TermId, Terms, compare_floats, compare_int_float, write_atom, write_float};
