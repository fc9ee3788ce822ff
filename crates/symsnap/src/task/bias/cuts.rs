//! The statements about comparisons with learned numbers: NumSynth's `numerical_pred`, `bounds` and `max_numeric`, and
//! our `numeric(T)`, which is short for both comparisons on variables of type T.

use super::compile::Finding;
use super::constants::{has_type, kind_of, unknown_type};
use super::declared::{Declaration, DeclaredBias, given_limit};
use super::findings::BiasFindings;
use super::value::BiasValue;
use super::{Bias, Bounds, CutType, Cuts, Direction, Multiples, arithmetic, summaries};
use crate::error::nearest;
use crate::logic::{Comparison, Computation, Pred, Symbol, Terms};
use crate::parse::Span;

/// The numeric relations of NumSynth.
const RELATIONS: [(&str, u32); 4] = [("geq", 2), ("leq", 2), ("add", 3), ("mult", 3)];
/// The argument of a comparison that is the constant.
const CONSTANT: usize = 1;
/// NumSynth's limit on numeric literals in a rule where the file gives none.
const MAX_NUMERIC: usize = 2;
/// Ours where rules may compute: enough for an interval on a line.
const MAX_COMPUTING: usize = 4;
/// Types whose constants NumSynth takes from the integers.
const WHOLE: [&str; 3] = ["int", "integer", "element"];
/// Up to here all integers are floats.
const EXACT: u64 = 1 << 53;

/// The numeric relations that the file declares. They are no body predicates: no background is asked for them.
pub(super) fn numerical(declared: &DeclaredBias<'_>, terms: &mut Terms, findings: &mut BiasFindings) -> Vec<Pred> {
    let mut preds = Vec::new();
    for Declaration { row, span, .. } in declared.rows("numerical_pred", 2) {
        let [name, arity] = row else { continue };
        let shown = name.show(terms);
        match (RELATIONS.iter().find(|(relation, _)| *relation == shown), arity) {
            (Some((relation, takes)), BiasValue::Int(given)) if i64::from(*takes) == *given => {
                preds.push(Pred::new(terms.intern(relation), *takes));
            }
            (Some((relation, takes)), _) => {
                let message = format!("the numeric relation `{relation}` takes {takes} arguments");
                findings
                    .error(Finding::new(span, message).help(format!("as in `numerical_pred({relation},{takes}).`")));
            }
            (None, _) => {
                findings.error(no_relation(&shown, &format!("`{shown}` is not a numeric relation"), span));
            }
        }
    }
    preds
}

fn no_relation(name: &str, message: &str, span: Span) -> Finding {
    match nearest(name, RELATIONS.iter().map(|(relation, _)| *relation)) {
        Some(near) => Finding::new(span, message).help(format!("did you mean `{near}`?")),
        None => Finding::new(span, message).help("the numeric relations are `geq`, `leq`, `add` and `mult`"),
    }
}

/// The comparisons that the statements allow; the `type` and `direction` lines of numeric relations leave the bias.
pub(super) fn read(
    declared: &DeclaredBias<'_>,
    numerical: &[Pred],
    bias: &mut Bias,
    terms: &mut Terms,
    findings: &mut BiasFindings,
) -> Cuts {
    for pred in numerical.iter().filter(|pred| !bias.body.contains(pred)) {
        bias.types.remove(pred);
        bias.directions.remove(pred);
    }
    let [at_least, at_most, _, factor] = bounds(declared, terms, findings);
    let mut cuts = Cuts::default();
    for pred in numerical.iter().filter(|pred| !is_typed(declared, **pred)) {
        let name = terms.name(pred.name);
        let types = vec!["t"; pred.arity as usize].join(",");
        let help = format!("`type({name},({types})).` lets it take variables of type t");
        findings.error(Finding::new(place_of(declared, pred.name), format!("`{name}` has no type")).help(help));
    }
    for pred in numerical.iter().filter(|pred| pred.arity == 2) {
        let is_least = terms.name(pred.name) == "geq";
        for Declaration { row, span, .. } in declared.rows("type", 2) {
            let [BiasValue::Name(name), BiasValue::Compound(tuple, items)] = row else { continue };
            if *name != pred.name || *tuple != declared.tuple || items.len() != 2 {
                continue;
            }
            let kind = kind_of(&items[0], terms);
            if !has_type(bias, kind) {
                findings.error(unknown_type(bias, terms.name(pred.name), kind, span, terms));
                continue;
            }
            let cut = cut(&mut cuts, kind, terms);
            match is_least {
                true => cut.at_least = Some(at_least.unwrap_or(Bounds::ALL)),
                false => cut.at_most = Some(at_most.unwrap_or(Bounds::ALL)),
            }
        }
    }
    let counts = summaries::read(declared, bias, terms, findings);
    if !counts.is_empty() {
        let kind = terms.intern(summaries::COUNT);
        let cut = cut(&mut cuts, kind, terms);
        cut.whole = true;
        cut.at_least = Some(at_least.unwrap_or(Bounds::ALL));
        cut.at_most = Some(at_most.unwrap_or(Bounds::ALL));
    }
    let (computations, computed) = arithmetic::read(declared, numerical, bias, terms, findings);
    cuts.computations = [counts, computations].concat();
    let multiples = arithmetic::multiples(declared, numerical, bias, terms, findings);
    if !multiples.is_empty() {
        let product = Computation::Product.pred(terms);
        let (factor, kinds) = (factor.unwrap_or(Bounds::ALL), multiples.clone());
        cuts.multiples = Some(Multiples { product, factor, kinds });
        cuts.computations.push(product);
        let typed = |kind: Symbol| -> Box<[Symbol]> { [kind; 3].into() };
        bias.types.insert(product, multiples.iter().map(|kind| typed(*kind)).collect());
        bias.directions.insert(product, vec![[Direction::In, Direction::In, Direction::Out].into()]);
    }
    let mut compared = computed;
    for Declaration { row, span, .. } in declared.unread_rows("numeric", 1) {
        let kind = kind_of(&row[0], terms);
        if !has_type(bias, kind) {
            findings.error(unknown_type(bias, "numeric", kind, span, terms));
            continue;
        }
        compared.push(kind);
    }
    for kind in compared {
        let cut = cut(&mut cuts, kind, terms);
        cut.at_least = Some(at_least.unwrap_or(Bounds::ALL));
        cut.at_most = Some(at_most.unwrap_or(Bounds::ALL));
    }
    let given = given_limit(declared, "max_numeric", 0, MAX_NUMERIC, findings);
    if let (Some(Declaration { span, .. }), true, true) =
        (declared.rows("max_numeric", 1).first(), cuts.types.is_empty(), numerical.is_empty())
    {
        let finding = Finding::new(*span, "`max_numeric` has no effect: no comparisons are allowed");
        findings.warning(finding.help("`numeric(t).` allows comparisons of variables of type t with numbers"));
    }
    let default = (!numerical.is_empty()).then_some(MAX_NUMERIC);
    cuts.most = given.or(default).or((!cuts.computations.is_empty()).then_some(MAX_COMPUTING));
    cuts.exact_multiples = cuts.multiples.is_none() && numerical.iter().any(|pred| terms.name(pred.name) == "mult");
    if !cuts.types.is_empty() {
        let sign = |comparison: Comparison| Pred::new(terms.intern(comparison.sign()), 2);
        cuts.signs = Some([Comparison::AtMost, Comparison::AtLeast].map(sign));
    }
    cuts
}

/// Whether a numeric relation has a `type` line of its arity.
fn is_typed(declared: &DeclaredBias<'_>, pred: Pred) -> bool {
    declared.rows("type", 2).iter().any(|given| match given.row {
        [BiasValue::Name(name), BiasValue::Compound(tuple, items)] => {
            *name == pred.name && *tuple == declared.tuple && items.len() == pred.arity as usize
        }
        _ => false,
    })
}

/// What is allowed of variables of type `kind`, to be completed.
fn cut<'c>(cuts: &'c mut Cuts, kind: Symbol, terms: &Terms) -> &'c mut CutType {
    let at = cuts.types.iter().position(|cut| cut.kind == kind).unwrap_or_else(|| {
        let whole = WHOLE.contains(&terms.name(kind));
        cuts.types.push(CutType { kind, whole, at_most: None, at_least: None });
        cuts.types.len() - 1
    });
    &mut cuts.types[at]
}

fn place_of(declared: &DeclaredBias<'_>, relation: Symbol) -> Span {
    let rows = declared.rows("numerical_pred", 2);
    let given = rows.iter().find(|given| given.row[0] == BiasValue::Name(relation));
    given.map_or(Span { start: 0, end: 0 }, |given| given.span)
}

/// The bounds of `geq`, `leq`, `add` and `mult`. Those of `add` mean nothing: it has no constant.
fn bounds(declared: &DeclaredBias<'_>, terms: &Terms, findings: &mut BiasFindings) -> [Option<Bounds>; 4] {
    let mut found = [None; 4];
    for Declaration { row, span, .. } in declared.unread_rows("bounds", 3) {
        let (relation, bounds) = match bound(row, span, declared.tuple, terms) {
            Ok(Some(read)) => read,
            Ok(None) => {
                let message = "these `bounds` have no effect: argument 0 of a comparison is a variable";
                findings.warning(Finding::new(span, message).help("arguments count from 0; the number is argument 1"));
                continue;
            }
            Err(finding) => {
                findings.error(finding);
                continue;
            }
        };
        let Some(slot) = found.get_mut(relation) else { continue };
        match slot {
            Some(other) if *other != bounds => {
                let (name, Bounds { low, high }) = (RELATIONS[relation].0, bounds);
                let message = format!("`bounds` of `{name}` are ({low},{high}) here and others elsewhere");
                findings.error(Finding::new(span, message));
            }
            _ => *slot = Some(bounds),
        }
    }
    found
}

/// The relation, by its place in [`RELATIONS`], and the range that one statement gives it; none for the variable of a
/// comparison.
fn bound(row: &[BiasValue], span: Span, tuple: Symbol, terms: &Terms) -> Result<Option<(usize, Bounds)>, Finding> {
    let [name, argument, range] = row else { return Ok(None) };
    let shown = name.show(terms);
    let Some(relation) = RELATIONS.iter().position(|(relation, _)| *relation == shown) else {
        let message = format!("`bounds` for `{shown}`, which is not a numeric relation");
        return Err(no_relation(&shown, &message, span));
    };
    let arity = RELATIONS[relation].1 as usize;
    let argument = match argument {
        BiasValue::Int(argument) => usize::try_from(*argument).ok().filter(|argument| *argument < arity),
        _ => None,
    };
    let Some(argument) = argument else {
        let message = format!("`bounds` for argument {} of `{shown}`, which has {arity} arguments", row[1].show(terms));
        return Err(Finding::new(span, message).help("arguments count from 0; the number is argument 1"));
    };
    let pair = match range {
        BiasValue::Compound(functor, items) if *functor == tuple && items.len() == 2 => [&items[0], &items[1]],
        other => {
            let message = format!("`bounds` takes two numbers, not `{}`", other.show(terms));
            return Err(Finding::new(span, message).help(format!("as in `bounds({shown},1,(0,10)).`")));
        }
    };
    let [low, high] = pair.map(|end| number(end, span, terms));
    let bounds = Bounds { low: low?, high: high? };
    if bounds.low > bounds.high {
        let message = format!("there is no number between {} and {}", bounds.low, bounds.high);
        return Err(Finding::new(span, message).help("the lower bound comes first"));
    }
    Ok((arity == 3 || argument == CONSTANT).then_some((relation, bounds)))
}

fn number(value: &BiasValue, span: Span, terms: &Terms) -> Result<f64, Finding> {
    match value {
        BiasValue::Int(number) if number.unsigned_abs() <= EXACT =>
        {
            #[expect(clippy::cast_precision_loss, reason = "integers up to 2^53 are floats")]
            Ok(*number as f64)
        }
        BiasValue::Int(number) => Err(Finding::new(span, format!("the bound {number} is beyond 2^53"))
            .help("a bound that no value reaches can be left out, with its statement")),
        BiasValue::Float(bits) if f64::from_bits(*bits).is_finite() => Ok(f64::from_bits(*bits)),
        other => Err(Finding::new(span, format!("the bound `{}` is not a finite number", other.show(terms)))
            .help("without `bounds`, constants are not limited")),
    }
}
