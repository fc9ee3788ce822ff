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
        ("unify_with_occurs_check", 2) => unify_with_occurs_check,
        ("==", 2) => |m| Ok(order(m).is_eq()),
        ("\\==", 2) => |m| Ok(order(m).is_ne()),
        ("@<", 2) => |m| Ok(order(m).is_lt()),
        ("@>", 2) => |m| Ok(order(m).is_gt()),
        ("@=<", 2) => |m| Ok(order(m).is_le()),
        ("@>=", 2) => |m| Ok(order(m).is_ge()),
        ("compare", 3) => compare,
        ("?=", 2) => |m| Ok(order(m).is_eq() || !m.store.can_unify(m.args[0], m.args[1])),
        ("var", 1) => |m| Ok(matches!(view(m), View::Var(_))),
        ("nonvar", 1) => |m| Ok(!matches!(view(m), View::Var(_))),
        ("integer", 1) => |m| Ok(matches!(view(m), View::Int(_))),
        ("rational", 1) => |m| Ok(matches!(view(m), View::Int(_))),
        ("float", 1) => |m| Ok(matches!(view(m), View::Float(_))),
        ("number", 1) => |m| Ok(matches!(view(m), View::Int(_) | View::Float(_))),
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

fn compare(m: &mut Machine) -> Result<bool, super::Fault> {
    match m.store.view(m.args[0]) {
        View::Var(_) => {}
        View::Atom(name) if matches!(m.store.terms.name(name), "<" | "=" | ">") => {}
        View::Atom(_) => return Err(super::Fault::domain("one of <, = and >", m.store.show(m.args[0]))),
        _ => return Err(m.type_fault("an atom", m.args[0])),
    }
    let symbol = match m.store.compare(m.args[1], m.args[2]) {
        Ordering::Less => "<",
        Ordering::Equal => "=",
        Ordering::Greater => ">",
    };
    let symbol = m.store.atom(symbol);
    Ok(m.store.unify(m.args[0], symbol))
}

fn unify_with_occurs_check(m: &mut Machine) -> Result<bool, super::Fault> {
    let height = m.store.trail.len();
    let mark = std::mem::replace(&mut m.store.mark, u32::MAX);
    let mut done = m.store.unify(m.args[0], m.args[1]);
    m.store.mark = mark;
    // Unification without the check, then a look at each variable that it bound: is it inside its own value?
    let bound: Vec<u32> = m.store.trail[height..].to_vec();
    for at in bound {
        let value = m.store.cells[at as usize];
        if done {
            m.store.cells[at as usize] = super::Cell::Ref(at);
            done = m.store.deref(value) == super::Cell::Ref(at) || !m.store.occurs(at, value);
            m.store.cells[at as usize] = value;
        }
    }
    Ok(done)
}
