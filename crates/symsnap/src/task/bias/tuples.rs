//! Statements that give each argument of a predicate something: `type(p,(a,b))`, `direction(p,(in,out))`.

use super::Direction;
use super::compile::Finding;
use super::declared::Declaration;
use super::findings::BiasFindings;
use super::value::BiasValue;
use crate::logic::{Pred, Symbol, Terms};

/// Directions, or what is wrong with them.
pub(super) fn ways(items: &[BiasValue], terms: &Terms) -> Result<Box<[Direction]>, String> {
    let way = |item: &BiasValue| match item {
        BiasValue::Name(name) if terms.name(*name) == "in" => Ok(Direction::In),
        BiasValue::Name(name) if terms.name(*name) == "out" => Ok(Direction::Out),
        other => Err(format!("`{}` is not a direction", other.show(terms))),
    };
    items.iter().map(way).collect()
}

/// The predicate and the items of `type(p,(a,b))` or `direction(p,(in,out))`, where `tuple` is the functor of tuples.
pub(super) fn tuple_for<'v>(
    given: Declaration<'v>,
    tuple: Symbol,
    preds: &[Pred],
    terms: &Terms,
    findings: &mut BiasFindings,
) -> Option<(Pred, &'v [BiasValue])> {
    let Declaration { name: declaration, row, span } = given;
    let [BiasValue::Name(name), items] = row else {
        findings.error(Finding::new(span, format!("`{declaration}` takes a predicate's name and a tuple")));
        return None;
    };
    let items: &[BiasValue] = match items {
        BiasValue::Compound(functor, items) if *functor == tuple => items,
        BiasValue::Name(empty) if *empty == tuple => &[],
        other => {
            let message = format!("`{declaration}` takes a tuple, not `{}`", other.show(terms));
            let help = format!("a tuple of one is written with a comma: `({},)`", other.show(terms));
            findings.error(Finding::new(span, message).help(help));
            return None;
        }
    };
    let named: Vec<&Pred> = preds.iter().filter(|pred| pred.name == *name).collect();
    if let Some(&&pred) = named.iter().find(|pred| pred.arity as usize == items.len()) {
        return Some((pred, items));
    }
    match named.first() {
        Some(pred) => {
            let (shown, count) = (pred.show(terms), items.len());
            findings.error(
                Finding::new(span, format!("a `{declaration}` of {count} for {shown}"))
                    .help(format!("the tuple must have as many items as the predicate has arguments, {}", pred.arity)),
            );
        }
        None => {
            let name = terms.name(*name);
            let message = format!("a `{declaration}` for `{name}`, which is not declared as a predicate");
            findings.warning(Finding::new(span, message));
        }
    }
    None
}
