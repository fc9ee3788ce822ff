//! The statements that let rules compute: NumSynth's `add` and `mult`, our `arithmetic(T)`, which allows sums and differences of
//! variables of type T, `lines(T)`, which allows multiples by learned numbers besides, and `ratios(T)`. A computation is a body predicate that needs no background
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
    let ours = ["arithmetic", "lines", "ratios"].into_iter().flat_map(|name| declared.unread_rows(name, 1));
    for Declaration { name, row, span } in ours {
        let kind = kind_of(&row[0], terms);
        if !has_type(bias, kind) {
            findings.error(unknown_type(bias, name, kind, span, terms));
            continue;
        }
        types.push(kind);
        let computations: &[Computation] = match name {
            "ratios" => &[Computation::Ratio],
            _ => &[Computation::Sum, Computation::Difference],
        };
        allowed.extend(computations.iter().map(|computation| (*computation, [kind; 3])));
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

/// The types whose variables rules may multiply by a learned number: those of NumSynth's `mult`, and of our `lines`.
pub(super) fn multiples(
    declared: &DeclaredBias<'_>,
    numerical: &[Pred],
    bias: &Bias,
    terms: &mut Terms,
    findings: &mut BiasFindings,
) -> Vec<Symbol> {
    let mut kinds = Vec::new();
    let mult = numerical.iter().find(|pred| terms.name(pred.name) == "mult").copied();
    if let Some(pred) = mult {
        let tuples = |statement| {
            declared.rows(statement, 2).into_iter().filter_map(move |Declaration { row, span, .. }| match row {
                [BiasValue::Name(name), BiasValue::Compound(tuple, items)]
                    if *name == pred.name && *tuple == declared.tuple && items.len() == 3 =>
                {
                    Some((items, span))
                }
                _ => None,
            })
        };
        // With its result bound it asks for a ratio that is exactly the number.
        let given = tuples("direction").find(|(items, _)| items[2].show(terms) == "in");
        if let Some((_, span)) = given {
            let message = "`mult` with its result as input is read but not searched";
            let help = "with `direction(mult,(in,out,out)).` rules may compute a multiple and compare it";
            findings.warning(Finding::new(span, message).help(help));
            return kinds;
        }
        for (items, span) in tuples("type") {
            let [from, to] = [0, 2].map(|at| kind_of(&items[at], terms));
            match [from, to].iter().find(|kind| !has_type(bias, **kind)) {
                Some(kind) => findings.error(unknown_type(bias, "mult", *kind, span, terms)),
                None if from == to => kinds.push(from),
                None => {
                    let message = "`mult` between two types is read but not searched";
                    findings.warning(Finding::new(span, message).help("multiples have the type of the variable"));
                }
            }
        }
    }
    // That of an unknown type is an error already.
    let lines = declared.unread_rows("lines", 1).into_iter().map(|given| kind_of(&given.row[0], terms));
    kinds.extend(lines.filter(|kind| has_type(bias, *kind)));
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
