//! A model as a program for other systems: Prolog, and SQL for databases.
//!
//! What is written says the same about every atom as [`Predictor::predict`](super::Predictor::predict) does; tests run
//! the real engines and compare. Weights are written so that they read back bit for bit. Where a system cannot say what
//! the model says (recursion in the SQL that all databases share, background rules that compute), the export is
//! refused with the reason.

mod prolog;
mod sql;

pub use prolog::prolog;
pub use sql::{Sql, sql};

use crate::logic::{DistinctRules, Hypothesis, Rule};

/// The different rules of members, and for each member the numbers of its rules. Members that call themselves have
/// none here.
struct Shared {
    rules: DistinctRules,
    members: Vec<Vec<usize>>,
}

impl Shared {
    fn new(hypotheses: &[Hypothesis]) -> Self {
        let mut rules = DistinctRules::default();
        let members = hypotheses.iter().map(|hypothesis| {
            let own = hypothesis.rules.iter().filter(|_| !hypothesis.is_recursive());
            own.map(|rule| rules.number(rule)).collect()
        });
        let members = members.collect();
        Shared { rules, members }
    }

    fn rules(&self) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.rules().iter().enumerate()
    }
}
