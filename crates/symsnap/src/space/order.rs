//! The order in which a body is evaluated: directions respected, cheap literals first.

use crate::logic::{Arg, Literal, Rule};
use crate::task::{Bias, Direction};

/// The body in an order in which every `in` argument is bound before it is needed. Among the literals that can be
/// evaluated next, those that bind nothing new go first, then those with most bound arguments, then by the body's
/// order. Greedy is complete: evaluating a literal never takes a binding away. Head variables in `constant` stand for constants.
///
/// # Errors
/// The first literal that can never be evaluated.
pub(super) fn order<'r>(bias: &Bias, rule: &'r Rule, constant: u64) -> Result<Vec<&'r Literal>, &'r Literal> {
    let mut bound = vec![false; rule.var_count()];
    // Without directions for the head all its arguments are given, as they are in every example. With several, a rule must run
    // whichever way it is called.
    let given = bias.bound_by_callers(rule.head.pred) | constant;
    for (place, arg) in rule.head.args.iter().enumerate() {
        if let Arg::Var(var) = arg {
            bound[var.index()] |= given.checked_shr(u32::try_from(place).unwrap_or(u32::MAX)).unwrap_or(0) & 1 == 1;
        }
    }
    schedule(bias, rule, bound)
}

fn schedule<'r>(bias: &Bias, rule: &'r Rule, mut bound: Vec<bool>) -> Result<Vec<&'r Literal>, &'r Literal> {
    let mut waiting: Vec<&Literal> = rule.body.iter().collect();
    let mut order = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let score = |literal: &Literal| {
            let free = literal.vars().filter(|var| !bound[var.index()]).count();
            let known = literal.args.len() - free;
            (free > 0, usize::MAX - known)
        };
        let ready = (0..waiting.len()).filter(|&at| can_evaluate(bias, waiting[at], &bound));
        let Some(best) = ready.min_by_key(|&at| score(waiting[at])) else { return Err(waiting[0]) };
        let literal = waiting.remove(best);
        literal.vars().for_each(|var| bound[var.index()] = true);
        order.push(literal);
    }
    Ok(order)
}

fn can_evaluate(bias: &Bias, literal: &Literal, bound: &[bool]) -> bool {
    if bias.cuts.comparison(literal.pred).is_some() {
        return literal.vars().all(|var| bound[var.index()]);
    }
    let Some(alternatives) = bias.directions.get(&literal.pred) else { return true };
    alternatives.iter().any(|ways| {
        let mut places = literal.args.iter().zip(ways);
        places.all(|(arg, way)| match arg {
            Arg::Var(var) => *way == Direction::Out || bound[var.index()],
            Arg::Const(_) | Arg::Number(_) => true,
        })
    })
}
