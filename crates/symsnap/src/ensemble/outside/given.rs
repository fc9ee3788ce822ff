//! Hypotheses that are known to be good, because we wrote them: records of benchmarks, and tests. Here a hypothesis that cannot
//! be read is an error.

use crate::cost::Cost;
use crate::coverage::{CoverCache, Evaluator};
use crate::database::Database;
use crate::ensemble::members::{declare_bodies, read_hypothesis};
use crate::error::Result;
use crate::learn::{Candidate, Source};
use crate::logic::Hypothesis;
use crate::task::Task;
use std::time::Duration;

/// A hypothesis as text, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideHypothesis {
    /// Its rules, one a line.
    pub rules: String,
    /// The line of its first rule, from 1.
    pub line: usize,
}

/// What hypotheses do with the examples of `task`, as candidates in their order.
///
/// # Errors
/// If rules do not parse, are for other predicates than the task's, or are not flat.
pub fn evaluate(file: &str, found: &[OutsideHypothesis], task: &mut Task, cost: Cost) -> Result<Vec<Candidate>> {
    let mut hypotheses: Vec<Hypothesis> = Vec::with_capacity(found.len());
    for found in found {
        let name = format!("{file}, hypothesis at line {}", found.line);
        hypotheses.push(read_hypothesis(&name, &found.rules, task)?);
    }
    declare_bodies(&hypotheses, task);
    let database = Database::new(task);
    let (mut cache, mut evaluator) = (CoverCache::default(), Evaluator::new(&database, &task.examples));
    let candidates = hypotheses.into_iter().enumerate().map(|(at, hypothesis)| {
        let confusion = task.examples.confusion(&cache.hypothesis(&mut evaluator, &hypothesis).cover);
        let size = hypothesis.size();
        let value = cost.value(&confusion, size + task.bias.price(&hypothesis.rules));
        let source = Source::OUTSIDE;
        Candidate { hypothesis, value, confusion, size, elapsed: Duration::ZERO, ticks: at as u64, source }
    });
    Ok(candidates.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hypothesis_for_another_predicate_is_an_error_at_its_place() {
        let mut task =
            Task::from_texts("p(a). p(b). q(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).").unwrap();
        let [good, bad] =
            ["f(A) :- q(A).", "g(A) :- p(A)."].map(|rules| OutsideHypothesis { rules: rules.to_owned(), line: 7 });
        assert_eq!(evaluate("log", &[good], &mut task, Cost::Mdl).unwrap()[0].value.0, [2]);
        let error = evaluate("log", &[bad], &mut task, Cost::Mdl).unwrap_err().to_string();
        assert!(error.starts_with("log, hypothesis at line 7:1:1: error: a rule for g/1"), "{error}");
    }
}
