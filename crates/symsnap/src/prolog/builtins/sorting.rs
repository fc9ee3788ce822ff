//! Sorting by the standard order of terms.

use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
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

fn result(m: &mut Machine, arg: usize, items: &[Cell]) -> Result<bool, Fault> {
    m.store.room(3 * items.len())?;
    let list = m.store.list(items);
    Ok(m.store.unify(m.args[arg], list))
}

fn sort(m: &mut Machine) -> Result<bool, Fault> {
    let order = match m.store.view(m.args[1]) {
        View::Atom(name) => m.store.terms.name(name).to_string(),
        _ => return Err(m.type_fault("an atom", m.args[1])),
    };
    let (descending, unique) = match order.as_str() {
        "@<" => (false, true),
        "@=<" => (false, false),
        "@>" => (true, true),
        "@>=" => (true, false),
        _ => return Err(Fault::domain("one of @<, @=<, @> and @>=", order)),
    };
    let items = m.proper_list(m.args[2])?;
    let mut keyed = Vec::with_capacity(items.len());
    if !items.is_empty() {
        let key = m.integer(m.args[0])?;
        for item in items {
            keyed.push((key_of(m, item, key)?, item));
        }
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

/// The argument that a term is sorted by; 0 is the term itself.
fn key_of(m: &mut Machine, item: Cell, key: i64) -> Result<Cell, Fault> {
    if key == 0 {
        return Ok(item);
    }
    match m.store.view(item) {
        View::Compound(_, arity, args) if (1..=i64::from(arity)).contains(&key) => {
            Ok(m.store.arg(args, key as u32 - 1))
        }
        View::Compound(..) => Err(m.type_fault("a compound with that argument", item)),
        _ => Err(m.type_fault("a compound term", item)),
    }
}

fn keysort(m: &mut Machine) -> Result<bool, Fault> {
    let items = m.proper_list(m.args[0])?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        match m.store.view(item) {
            View::Compound(name, 2, args) if name == m.store.names.minus => keyed.push((m.store.arg(args, 0), item)),
            _ => return Err(m.type_fault("a pair Key-Value", item)),
        }
    }
    keyed.sort_by(|a, b| m.store.compare(a.0, b.0));
    let items: Vec<Cell> = keyed.into_iter().map(|(_, item)| item).collect();
    result(m, 1, &items)
}
