//! Which predicates answer alike whatever is bound when they are called.
//!
//! A relation has the same rows whether it is asked for them or tested with them. A Prolog predicate need not: with
//! `big(X) :- \+ small(X).` the goal `big(X)` has no answer while `big(9)` holds, and a cut that comes before its output
//! is compared makes `max(3,1,1)` true. The literature calls predicates that do not do so *steadfast* (O'Keefe, The Craft
//! of Prolog). Whether one is cannot be decided; that it uses nothing that can tell bound from unbound arguments can.

use crate::logic::{Open, Pred, Terms};
use crate::task::{Definition, Program};
use rustc_hash::FxHashSet;

/// Control constructs and built-ins whose outcome may change when an argument is bound later rather than sooner, errors
/// aside.
const SENSITIVE: [&str; 41] = [
    "!",
    "\\+",
    "not",
    "->",
    "*->",
    "once",
    "ignore",
    "forall",
    "var",
    "nonvar",
    "ground",
    "atom",
    "atomic",
    "number",
    "integer",
    "float",
    "rational",
    "compound",
    "callable",
    "is_list",
    "string",
    "\\=",
    "==",
    "\\==",
    "@<",
    "@>",
    "@=<",
    "@>=",
    "compare",
    "=@=",
    "\\=@=",
    "subsumes_term",
    "unify_with_occurs_check",
    "copy_term",
    "findall",
    "bagof",
    "setof",
    "aggregate_all",
    "catch",
    "term_variables",
    "term_to_atom",
];

/// What `pred` uses, itself or through what it calls, that can tell bound from unbound arguments; `None` if nothing.
pub(super) fn sensitive(program: &Program, pred: Pred, terms: &Terms) -> Option<&'static str> {
    let named = |pred: Pred| SENSITIVE.into_iter().find(|name| *name == terms.name(pred.name));
    let mut known = FxHashSet::from_iter([pred]);
    let mut todo = vec![pred];
    while let Some(pred) = todo.pop() {
        let Some(predicate) = program.get(pred) else {
            match named(pred) {
                Some(name) => return Some(name),
                None => continue,
            }
        };
        let Definition::Clauses(clauses) = &predicate.definition else { continue };
        // Any functor may be a goal: of `findall/3`, of `maplist/2`, or of a variable that is called.
        let mut parts: Vec<Open> = clauses.iter().map(|clause| clause.body.clone()).collect();
        while let Some(part) = parts.pop() {
            if let Some(called) = part.pred(terms)
                && known.insert(called)
            {
                todo.push(called);
            }
            parts.extend(part.arguments(terms));
        }
    }
    None
}
