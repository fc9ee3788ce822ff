//! Sorting by the standard order of terms.

use crate::logic::Pred;
use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("msort", 2) => |m| {
            let mut items = m.proper_list(m.args[0])?;
            items.sort_by(|&a, &b| m.store.compare(a, b));
            result(m, 1, &items)
        },
        ("sort" | "list_to_ord_set", 2) => |m| {
            let items = m.proper_list(m.args[0])?;
            let items = m.sort_unique(items);
            result(m, 1, &items)
        },
        ("sort", 4) => sort,
        ("keysort", 2) => keysort,
        _ => return None,
    };
    Some(det)
}

fn result(m: &mut Machine, arg: usize, items: &[Cell]) -> Result<bool, Raised> {
    m.store.room(3 * items.len())?;
    let list = m.store.list(items);
    Ok(m.store.unify(m.args[arg], list))
}

fn sort(m: &mut Machine) -> Result<bool, Raised> {
    let key = sort_key(m)?;
    let order = match m.store.view(m.args[1]) {
        View::Atom(name) => m.store.terms.name(name),
        View::Nil => "[]",
        _ => return Err(m.type_error("atom", m.args[1])),
    };
    let (descending, unique) = match order {
        "@<" | "<" => (false, true),
        "@=<" | "=<" => (false, false),
        "@>" | ">" => (true, true),
        "@>=" | ">=" => (true, false),
        _ => return Err(m.domain_error("order", m.args[1])),
    };
    let items = m.proper_list(m.args[2])?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((key_of(m, item, key)?, item));
    }
    keyed.sort_by(|a, b| {
        let order = m.store.compare(a.0, b.0);
        if descending { order.reverse() } else { order }
    });
    if unique {
        keyed.dedup_by(|a, b| m.store.compare(a.0, b.0) == Ordering::Equal);
    }
    let items: Vec<Cell> = keyed.into_iter().map(|(_, item)| item).collect();
    result(m, 3, &items)
}

/// The number of the argument to sort by. SWI-Prolog also has keys of dicts and paths of keys.
fn sort_key(m: &mut Machine) -> Result<u64, Raised> {
    match m.store.view(m.args[0]) {
        View::Int(key) if key < 0 => Err(m.domain_error("not_less_than_one", m.args[0])),
        View::Int(key) if i32::try_from(key).is_err() => Err(other_key(m)),
        View::Int(key) => Ok(key.unsigned_abs()),
        View::Compound(name, 2, _) if name == m.store.terms.cons() => Err(other_key(m)),
        View::Big(_) | View::Atom(_) | View::Nil => Err(other_key(m)),
        _ => Err(m.type_error("sort_key", m.args[0])),
    }
}

fn other_key(m: &mut Machine) -> Raised {
    let pred = Pred::new(m.store.terms.intern("sort"), 4);
    Fault::Unsupported { pred, name: "sort/4 with a key that is not the number of an argument".to_string() }.into()
}

/// The argument that a term is sorted by; 0 is the term itself.
fn key_of(m: &mut Machine, item: Cell, key: u64) -> Result<Cell, Raised> {
    if key == 0 {
        return Ok(item);
    }
    match m.store.view(item) {
        View::Compound(_, arity, args) => match u32::try_from(key) {
            Ok(at) if at <= arity => Ok(m.store.arg(args, at - 1)),
            _ => {
                let culprit = m.store.culprit(item);
                Err(Raise::new(What::NoArgument(key, culprit)))
            }
        },
        _ => Err(m.type_error("compound", item)),
    }
}

fn keysort(m: &mut Machine) -> Result<bool, Raised> {
    let items = m.proper_list(m.args[0])?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        match m.store.view(item) {
            View::Compound(name, 2, args) if name == m.store.names.minus => keyed.push((m.store.arg(args, 0), item)),
            _ => return Err(m.type_error("pair", item)),
        }
    }
    keyed.sort_by(|a, b| m.store.compare(a.0, b.0));
    let items: Vec<Cell> = keyed.into_iter().map(|(_, item)| item).collect();
    result(m, 1, &items)
}
