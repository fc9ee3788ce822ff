//! The statements that let rules compute with two variables: NumSynth's `add`, and our `arithmetic(T)`, which allows sums
//! and differences of variables of type T. A computation is a body predicate that needs no background
//! ([`Computation`]); what it gives can be compared like any other number.

use super::compile::Finding;
use super::constants::{has_type, kind_of, unknown_type};
use super::declared::{Declaration, DeclaredBias};
use super::findings::BiasFindings;
use super::value::BiasValue;
use super::{Bias, Direction};
use crate::logic::{Computation, Pred, Symbol, Terms};

/// Which way a computation goes.
const WAYS: [Direction; 3] = [Direction::In, Direction::In, Direction::Out];

/// Make the computations that the statements allow body predicates, and return them with the types that `arithmetic` lets
/// rules compute with.
pub(super) fn read(
    declared: &DeclaredBias<'_>,
    numerical: &[Pred],
    bias: &mut Bias,
    terms: &mut Terms,
    findings: &mut BiasFindings,
) -> (Vec<Pred>, Vec<Symbol>) {
    let mut allowed: Vec<(Computation, [Symbol; 3])> = Vec::new();
    let add = numerical.iter().find(|pred| terms.name(pred.name) == "add").copied();
    if let Some(pred) = add {
        for Declaration { row, span, .. } in declared.rows("type", 2) {
            let [BiasValue::Name(name), BiasValue::Compound(tuple, items)] = row else { continue };
            if *name != pred.name || *tuple != declared.tuple || items.len() != 3 {
                continue;
            }
            let kinds = [0, 1, 2].map(|at| kind_of(&items[at], terms));
            match kinds.iter().find(|kind| !has_type(bias, **kind)) {
                Some(kind) => findings.error(unknown_type(bias, "add", *kind, span, terms)),
                None => allowed.push((Computation::Sum, kinds)),
            }
        }
    }
    let mut types = Vec::new();
    for Declaration { row, span, .. } in declared.unread_rows("arithmetic", 1) {
        let kind = kind_of(&row[0], terms);
        if !has_type(bias, kind) {
            findings.error(unknown_type(bias, "arithmetic", kind, span, terms));
            continue;
        }
        types.push(kind);
        allowed.extend([Computation::Sum, Computation::Difference].map(|computation| (computation, [kind; 3])));
    }
    let mut preds = Vec::new();
    for (computation, kinds) in allowed {
        let pred = computation.pred(terms);
        if !preds.contains(&pred) {
            preds.push(pred);
            bias.body.push(pred);
            bias.directions.insert(pred, vec![WAYS.into()]);
        }
        let known = bias.types.entry(pred).or_default();
        if !known.iter().any(|types| **types == kinds) {
            known.push(kinds.into());
        }
    }
    (preds, types)
}

/// That products are not searched.
pub(super) fn unsearched(relation: &str, span: crate::parse::Span) -> Finding {
    let message = format!("`{relation}` is read but not searched yet");
    Finding::new(span, message)
        .help("rules compare variables and their sums with numbers; those that need multiples are not found")
}
