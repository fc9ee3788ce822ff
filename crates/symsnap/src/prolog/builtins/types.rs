//! Unification, comparison and the tests of what a term is.

use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::store::View;
use std::cmp::Ordering;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("true" | "otherwise", 0) => |_| Ok(true),
        ("fail" | "false", 0) => |_| Ok(false),
        ("=", 2) => |m| Ok(m.store.unify(m.args[0], m.args[1])),
        ("\\=", 2) => |m| Ok(!m.store.can_unify(m.args[0], m.args[1])),
        ("unify_with_occurs_check", 2) => |m| Ok(m.store.unify_with_occurs_check(m.args[0], m.args[1])),
        ("==", 2) => |m| Ok(order(m).is_eq()),
        ("\\==", 2) => |m| Ok(order(m).is_ne()),
        ("@<", 2) => |m| Ok(order(m).is_lt()),
        ("@>", 2) => |m| Ok(order(m).is_gt()),
        ("@=<", 2) => |m| Ok(order(m).is_le()),
        ("@>=", 2) => |m| Ok(order(m).is_ge()),
        ("compare", 3) => compare,
        ("=@=", 2) => |m| Ok(m.store.is_variant(m.args[0], m.args[1])),
        ("\\=@=", 2) => |m| Ok(!m.store.is_variant(m.args[0], m.args[1])),
        ("subsumes_term", 2) => |m| Ok(m.store.subsumes(m.args[0], m.args[1])),
        ("?=", 2) => |m| Ok(order(m).is_eq() || !m.store.can_unify(m.args[0], m.args[1])),
        ("var", 1) => |m| Ok(matches!(view(m), View::Var(_))),
        ("nonvar", 1) => |m| Ok(!matches!(view(m), View::Var(_))),
        ("integer", 1) => |m| Ok(matches!(view(m), View::Int(_) | View::Big(_))),
        ("rational", 1) => |m| Ok(matches!(view(m), View::Int(_) | View::Big(_))),
        ("float", 1) => |m| Ok(matches!(view(m), View::Float(_))),
        ("number", 1) => |m| Ok(matches!(view(m), View::Int(_) | View::Big(_) | View::Float(_))),
        ("atom", 1) => |m| Ok(matches!(view(m), View::Atom(_))),
        ("string", 1) => |m| Ok(matches!(view(m), View::Str(_))),
        ("atomic", 1) => |m| Ok(!matches!(view(m), View::Var(_) | View::Compound(..))),
        ("compound", 1) => |m| Ok(matches!(view(m), View::Compound(..))),
        ("callable", 1) => |m| Ok(matches!(view(m), View::Atom(_) | View::Compound(..))),
        ("is_list", 1) => |m| {
            let (_, end) = m.store.items(m.args[0]);
            Ok(m.store.is_nil(end))
        },
        ("is_assoc" | "is_dict" | "is_stream" | "attvar" | "blob", 1) => |_| Ok(false),
        ("ground", 1) => |m| Ok(m.store.is_ground(m.args[0])),
        _ => return None,
    };
    Some(det)
}

fn view(m: &Machine) -> View {
    m.store.view(m.args[0])
}

fn order(m: &mut Machine) -> Ordering {
    m.store.compare(m.args[0], m.args[1])
}

fn compare(m: &mut Machine) -> Result<bool, super::Raised> {
    match m.store.view(m.args[0]) {
        View::Var(_) => {}
        View::Atom(name) if matches!(m.store.terms.name(name), "<" | "=" | ">") => {}
        View::Atom(_) | View::Nil => return Err(m.domain_error("order", m.args[0])),
        _ => return Err(m.type_error("atom", m.args[0])),
    }
    let symbol = match m.store.compare(m.args[1], m.args[2]) {
        Ordering::Less => "<",
        Ordering::Equal => "=",
        Ordering::Greater => ">",
    };
    let symbol = m.store.atom(symbol);
    Ok(m.store.unify(m.args[0], symbol))
}
