//! `#=`, `#<` and their kin on integers, without constraints: a comparison whose sides are known is decided, an
//! equation with one unknown that occurs once is solved for it, and anything else is an instantiation fault. A real
//! constraint solver would go on with the unknowns; the background programs that use these only calculate.

use crate::prolog::arithmetic::Num;
use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("#=", 2) => equal,
        ("#\\=", 2) => |m| Ok(order(m)?.is_ne()),
        ("#<", 2) => |m| Ok(order(m)?.is_lt()),
        ("#>", 2) => |m| Ok(order(m)?.is_gt()),
        ("#=<", 2) => |m| Ok(order(m)?.is_le()),
        ("#>=", 2) => |m| Ok(order(m)?.is_ge()),
        _ => return None,
    };
    Some(det)
}

fn value(m: &mut Machine, cell: Cell) -> Result<i64, Fault> {
    match m.eval(cell) {
        Ok(Num::Int(value)) => Ok(value),
        Ok(Num::Float(_)) | Err(Fault::Type { .. }) => Err(Fault::domain("an integer expression", m.store.show(cell))),
        Err(fault) => Err(fault),
    }
}

fn order(m: &mut Machine) -> Result<Ordering, Fault> {
    let (a, b) = (m.args[0], m.args[1]);
    Ok(value(m, a)?.cmp(&value(m, b)?))
}

fn equal(m: &mut Machine) -> Result<bool, Fault> {
    let (a, b) = (m.args[0], m.args[1]);
    match (m.store.is_ground(a), m.store.is_ground(b)) {
        (true, true) => Ok(value(m, a)? == value(m, b)?),
        (true, false) => {
            let wanted = value(m, a)?;
            solve(m, b, wanted)
        }
        (false, true) => {
            let wanted = value(m, b)?;
            solve(m, a, wanted)
        }
        // X #= X holds, and X #= Y makes them one.
        (false, false) => match (m.store.view(a), m.store.view(b)) {
            (View::Var(_), View::Var(_)) => Ok(m.store.unify(a, b)),
            _ => Err(Fault::instantiation()),
        },
    }
}

/// Give the one unknown in `cell` the value that makes the whole `wanted`.
fn solve(m: &mut Machine, mut cell: Cell, mut wanted: i64) -> Result<bool, Fault> {
    let beyond = || Fault::evaluation("an integer beyond 64 bits");
    loop {
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps);
        }
        match m.store.view(cell) {
            View::Var(_) => return Ok(m.store.unify(cell, Cell::Int(wanted))),
            View::Compound(name, 1, args) if m.store.terms.name(name) == "-" => {
                wanted = wanted.checked_neg().ok_or_else(beyond)?;
                cell = m.store.arg(args, 0);
            }
            View::Compound(name, 2, args) => {
                let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
                let left_known = m.store.is_ground(left);
                if !left_known && !m.store.is_ground(right) {
                    return Err(Fault::instantiation());
                }
                let (known, unknown) = if left_known { (left, right) } else { (right, left) };
                let known = value(m, known)?;
                let next = match (m.store.terms.name(name), left_known) {
                    ("+", _) => wanted.checked_sub(known),
                    ("-", true) => known.checked_sub(wanted),
                    ("-", false) => wanted.checked_add(known),
                    ("*", _) if known == 0 && wanted == 0 => return Err(Fault::instantiation()),
                    ("*", _) if known == 0 || wanted.wrapping_rem(known) != 0 => return Ok(false),
                    ("*", _) => wanted.checked_div(known),
                    _ => return Err(Fault::instantiation()),
                };
                wanted = next.ok_or_else(beyond)?;
                cell = unknown;
            }
            _ => return Err(Fault::domain("an integer expression", m.store.show(cell))),
        }
    }
}
