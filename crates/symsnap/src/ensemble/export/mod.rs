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

use crate::logic::{Hypothesis, Rule, canonical_rule};
use rustc_hash::FxHashMap;

/// The different rules of members, and for each member the numbers of its rules. Members that call themselves have
/// none here.
struct Shared<'h> {
    rules: Vec<&'h Rule>,
    members: Vec<Vec<usize>>,
}

impl<'h> Shared<'h> {
    fn new(hypotheses: &'h [Hypothesis]) -> Self {
        let mut shared = Shared { rules: Vec::new(), members: Vec::new() };
        let mut known: FxHashMap<Rule, usize> = FxHashMap::default();
        for hypothesis in hypotheses {
            let rules = hypothesis.rules.iter().filter(|_| !hypothesis.is_recursive());
            let numbers = rules.map(|rule| {
                *known.entry(canonical_rule(rule)).or_insert_with(|| {
                    shared.rules.push(rule);
                    shared.rules.len() - 1
                })
            });
            let numbers = numbers.collect();
            shared.members.push(numbers);
        }
        shared
    }
}
