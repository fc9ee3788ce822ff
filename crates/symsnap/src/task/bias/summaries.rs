//! The statements that let bodies speak of all answers to a call at once ([`Summarised`]): `absence(P,A)` allows `\+ p(V,_)`,
//! and `counting(P,A)` allows `aggregate_all(count, p(V,_), N)`, where N can be compared with learned numbers. Which arguments
//! are variables of the rule is said as in a direction, `absence(p,(in,out))`. By number of arguments it is what a direction of
//! the predicate says, and without one the first argument.

use super::compile::Finding;
use super::declared::{Declaration, DeclaredBias};
use super::findings::BiasFindings;
use super::tuples::{tuple_for, ways};
use super::value::BiasValue;
use super::{Bias, Direction};
use crate::logic::{Pred, Summarised, Summary, Symbol, Terms};

/// The type of counts.
pub(super) const COUNT: &str = "count";

/// Make the summaries that the statements allow body predicates, and return those that count.
pub(super) fn read(
    declared: &DeclaredBias<'_>,
    bias: &mut Bias,
    terms: &mut Terms,
    findings: &mut BiasFindings,
) -> Vec<Pred> {
    let mut counts = Vec::new();
    for (statement, summary) in [("absence", Summary::Absence), ("counting", Summary::Count)] {
        for given in declared.unread_rows(statement, 2) {
            let Some((of, modes)) = modes(given, declared.tuple, bias, terms, findings) else { continue };
            if summary == Summary::Count && !bias.types.contains_key(&of) {
                let message = format!("`counting` of {}, which has no types", of.show(terms));
                let help = "what is compared with a number is told by its type: give `type` lines to all predicates";
                findings.error(Finding::new(given.span, message).help(help));
                continue;
            }
            for ways in modes {
                let bound: Box<[bool]> = ways.iter().map(|way| *way == Direction::In).collect();
                let summarised = Summarised { summary, of, bound };
                let pred = summarised.pred(terms);
                if !bias.summaries.contains(&summarised) {
                    declare(&summarised, pred, bias, terms);
                    counts.extend((summary == Summary::Count).then_some(pred));
                    bias.summaries.push(summarised);
                }
            }
        }
    }
    counts
}

/// The predicate that a statement names and, for each way to ask it, which arguments are bound.
fn modes(
    given: Declaration<'_>,
    tuple: Symbol,
    bias: &Bias,
    terms: &Terms,
    findings: &mut BiasFindings,
) -> Option<(Pred, Vec<Box<[Direction]>>)> {
    let Declaration { name: statement, row, span } = given;
    if let [BiasValue::Name(name), BiasValue::Int(arity)] = row {
        let of = bias.body.iter().find(|pred| pred.name == *name && i64::from(pred.arity) == *arity).copied();
        let Some(of) = of else {
            let message = format!("`{statement}` of {}/{arity}, which is not a body predicate", terms.name(*name));
            findings.error(
                Finding::new(span, message).help(format!("declare `body_pred({},{arity}).`", terms.name(*name))),
            );
            return None;
        };
        let first = || -> Box<[Direction]> {
            let first = (of.arity > 0).then_some(Direction::In).into_iter();
            first.chain(std::iter::repeat_n(Direction::Out, of.arity.saturating_sub(1) as usize)).collect()
        };
        let declared = bias.directions.get(&of).cloned();
        return Some((of, declared.unwrap_or_else(|| vec![first()])));
    }
    let (of, items) = tuple_for(given, tuple, &bias.body, terms, findings)?;
    match ways(items, terms) {
        Ok(ways) => Some((of, vec![ways])),
        Err(finding) => {
            findings.error(Finding::new(span, finding).help("directions are `in` and `out`"));
            None
        }
    }
}

fn declare(summarised: &Summarised, pred: Pred, bias: &mut Bias, terms: &mut Terms) {
    let is_count = summarised.summary == Summary::Count;
    let count = is_count.then(|| terms.intern(COUNT));
    let inputs = summarised.bound.iter().filter(|bound| **bound).map(|_| Direction::In);
    let ways = inputs.chain(is_count.then_some(Direction::Out)).collect();
    let typed = |types: &[Symbol]| -> Box<[Symbol]> {
        let inputs = types.iter().zip(&summarised.bound).filter(|(_, bound)| **bound).map(|(kind, _)| *kind);
        inputs.chain(count).collect()
    };
    let mut types: Vec<Box<[Symbol]>> =
        bias.types.get(&summarised.of).map_or_else(Vec::new, |all| all.iter().map(|types| typed(types)).collect());
    types.dedup();
    bias.body.push(pred);
    bias.directions.insert(pred, vec![ways]);
    if !types.is_empty() {
        bias.types.insert(pred, types);
    }
}
