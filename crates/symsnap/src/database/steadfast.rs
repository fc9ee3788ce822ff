//! Which predicates answer alike whatever is bound when they are called.
//!
//! A relation has the same rows whether it is asked for them or tested with them. A Prolog predicate need not: with
//! `big(X) :- \+ small(X).` the goal `big(X)` has no answer while `big(9)` holds, and a cut that comes before its output
//! is compared makes `max(3,1,1)` true. The literature calls predicates that do not do so *steadfast* (O'Keefe, The Craft
//! of Prolog). Whether one is cannot be decided; that it uses nothing that can tell bound from unbound arguments can.

use crate::logic::{Open, Pred, Terms};
use crate::task::{Definition, Program};
use rustc_hash::FxHashSet;

/// Control constructs and predicates of the system whose outcome may change when an argument is bound later rather than sooner,
/// errors aside.
#[rustfmt::skip] // a group of words, not a line for each
const SENSITIVE: [&str; 96] = [
    // Control: they commit to what is true when they are called.
    "!", "\\+", "not", "->", "*->", "once", "ignore", "forall", "catch",
    // They look at what is bound.
    "var", "nonvar", "ground", "atom", "atomic", "number", "integer", "float", "rational", "compound", "callable",
    "is_list", "string", "proper_length", "flatten",
    // They compare terms as they are, unbound variables included, or sort them.
    "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "compare", "=@=", "\\=@=", "?=", "subsumes_term",
    "unify_with_occurs_check", "sort", "msort", "predsort", "keysort", "list_to_set", "list_to_ord_set", "is_set",
    "clumped", "group_pairs_by_key", "transpose_pairs", "max_member", "min_member", "ord_union", "ord_subtract",
    "ord_intersection", "ord_memberchk", "ord_add_element", "ord_del_element", "ord_subset", "ord_insert",
    // They take the first of several answers, or none.
    "memberchk", "selectchk", "exclude", "include", "partition", "delete", "subtract", "intersection", "union",
    "subset",
    // They copy terms, or look at all answers.
    "copy_term", "numbervars", "term_variables", ">>", "findall", "bagof", "setof", "aggregate_all",
    // They make text of one sort from text of another, which is not the same term.
    "term_to_atom", "term_string", "atom_concat", "atomic_list_concat", "concat_atom", "atom_chars", "atom_codes",
    "atom_number", "atom_string", "name", "number_codes", "number_chars", "number_string", "string_chars",
    "string_codes", "string_concat", "string_to_atom", "text_to_string", "split_string", "sub_atom", "sub_string",
];

/// `call/8` adds this number of arguments to a goal, and nothing adds more.
const MOST_ADDED: u32 = 7;

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
        // Any functor may be a goal: of `findall/3`, of a variable that is called or, with further arguments, of `maplist/3`.
        let mut parts: Vec<Open> = clauses.iter().map(|clause| clause.body.clone()).collect();
        while let Some(part) = parts.pop() {
            if let Some(called) = part.pred(terms) {
                let longer = (1..=MOST_ADDED).map(|more| Pred::new(called.name, called.arity + more));
                let defined = longer.filter(|pred| program.get(*pred).is_some());
                todo.extend(defined.chain([called]).filter(|pred| known.insert(*pred)));
            }
            parts.extend(part.arguments(terms));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    /// What the library defines and what answers alike whatever is bound, as relations do, errors aside.
    #[rustfmt::skip] // as above
    const STEADFAST: [&str; 37] = [
        "append", "member", "reverse", "nth0", "nth1", "last", "select", "nextto", "maplist", "foldl", "sum_list",
        "sumlist", "max_list", "min_list", "permutation", "same_length", "pairs_keys_values", "pairs_keys",
        "pairs_values", "map_list_to_pairs", "apply", "abs", "sign", "round", "floor", "ceiling", "sqrt", "log", "log10",
        "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    ];

    #[test]
    fn every_predicate_of_the_library_is_known_to_be_one_or_the_other() {
        let library = include_str!("../prolog/library.pl");
        let heads = library.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
        let names: FxHashSet<&str> =
            heads.filter_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()).collect();
        assert!(names.len() > 60, "{}", names.len());
        for name in names {
            let known = [&SENSITIVE[..], &STEADFAST[..]].map(|list| list.contains(&name));
            assert_ne!(known[0], known[1], "{name} is either steadfast or not");
        }
    }

    #[test]
    fn what_is_called_with_further_arguments_is_looked_into() {
        let bk = "bound(X) :- nonvar(X). all(L) :- maplist(bound, L). plus_one(X,Y) :- Y is X+1. more(L,M) :- maplist(plus_one, L, M).";
        let task =
            Task::from_texts(bk, "pos(f([1])).", "head_pred(f,1). body_pred(all,1). body_pred(more,2).").unwrap();
        let cause = |at: usize| sensitive(&task.program, task.bias.body[at], &task.terms);
        assert_eq!((cause(0), cause(1)), (Some("nonvar"), None));
    }
}
