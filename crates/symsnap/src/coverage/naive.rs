//! The obvious twin of the joins, for tests: nested loops over facts, literal by literal, as written.

use super::{example, matches_head};
use crate::logic::{Arg, Rule, TermId};
use crate::sets::Cover;
use crate::task::{Definition, Examples, Program};

/// What `rule` covers, all its predicates being facts.
pub(super) fn rule(program: &Program, examples: &Examples, rule: &Rule) -> Cover {
    let mut cover = Cover::full(examples.sides());
    cover.retain(|at| {
        let example = example(examples, at);
        let mut bindings = vec![None; rule.var_count()];
        for (arg, &value) in rule.head.args.iter().zip(example) {
            if let Arg::Var(var) = arg {
                bindings[var.index()] = Some(value);
            }
        }
        matches_head(rule, example, |_| None) && solve(program, rule, 0, &bindings)
    });
    cover
}

fn solve(program: &Program, rule: &Rule, at: usize, bindings: &[Option<TermId>]) -> bool {
    let Some(literal) = rule.body.get(at) else { return true };
    let Some(Definition::Facts(facts)) = program.get(literal.pred).map(|predicate| &predicate.definition) else {
        return false;
    };
    (0..facts.len()).any(|row| {
        let mut bindings = bindings.to_vec();
        literal.args.iter().zip(facts.row(row)).all(|(arg, value)| match arg {
            Arg::Const(id) => *id == value,
            Arg::Number(_) => panic!("what this compares with has no numbers"),
            Arg::Var(var) => *bindings[var.index()].get_or_insert(value) == value,
        }) && solve(program, rule, at + 1, &bindings)
    })
}
