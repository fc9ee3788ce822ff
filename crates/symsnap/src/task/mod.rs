//! A learning task: background program, examples and bias, from three files or from code, validated.

mod aleph;
mod background;
pub(crate) mod bias;
mod bk;
mod builder;
mod convert;
mod directive;
mod examples;
mod exs;
mod findings;
mod grouped;
mod load;
mod numbers;
mod price;
mod program;
mod queries;
mod rules;
mod split;
mod suggest;
mod term_set;
mod waiting;

pub use crate::random::Random;
pub use background::{Background, Value};
pub use bias::{Bias, Bounds, ConstantPrice, Constraints, Cuts, Direction, Factors};
pub use builder::TaskBuilder;
pub use examples::Examples;
pub use program::{Definition, Facts, Program};
pub use queries::{Batch, Queries};
pub use rules::GivenRule;

use crate::error::Diagnostic;
use crate::logic::Terms;

/// Everything a learner needs, validated: background, examples and bias. From a folder ([`Task::from_dir`]), texts, or code
/// ([`TaskBuilder`]).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Task {
    /// Names and ground terms that the rest refers to.
    pub terms: Terms,
    /// The background program.
    #[doc(hidden)]
    pub program: Program,
    /// The examples.
    pub examples: Examples,
    /// What rules may look like.
    pub bias: Bias,
    /// What the user should know about the input although it can be used.
    pub warnings: Vec<Diagnostic>,
}

impl Task {
    /// Whether evaluating a rule may raise an error: not if its predicates are facts and nothing is compared.
    pub(crate) fn may_raise(&self) -> bool {
        let is_facts = |pred| matches!(self.program.get(pred).map(|it| &it.definition), Some(Definition::Facts(_)));
        !self.bias.cuts.is_empty() || !self.bias.body.iter().all(|pred| is_facts(*pred))
    }
}
