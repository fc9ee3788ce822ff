//! Predicates on numbers.

use crate::prolog::arithmetic::Num;
use crate::prolog::limits::Fault;
use crate::prolog::machine::{Alternative, Flow, Machine};
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("is", 2) => |m| {
            let value = m.eval(m.args[1])?.cell();
            Ok(m.store.unify(m.args[0], value))
        },
        ("=:=", 2) => |m| Ok(compare(m)?.is_some_and(Ordering::is_eq)),
        ("=\\=", 2) => |m| Ok(!compare(m)?.is_some_and(Ordering::is_eq)),
        ("<", 2) => |m| Ok(compare(m)?.is_some_and(Ordering::is_lt)),
        (">", 2) => |m| Ok(compare(m)?.is_some_and(Ordering::is_gt)),
        ("=<", 2) => |m| Ok(compare(m)?.is_some_and(Ordering::is_le)),
        (">=", 2) => |m| Ok(compare(m)?.is_some_and(Ordering::is_ge)),
        ("succ", 2) => succ,
        ("plus", 3) => plus,
        ("divmod", 4) => divmod,
        _ => return None,
    };
    Some(det)
}

pub(super) fn find_steer(name: &str, arity: u32) -> Option<Steer> {
    match (name, arity) {
        ("between", 3) => Some(between),
        _ => None,
    }
}

fn compare(m: &mut Machine) -> Result<Option<Ordering>, Fault> {
    let a = m.eval(m.args[0])?;
    let b = m.eval(m.args[1])?;
    Ok(a.compare(b))
}

fn natural(m: &mut Machine, cell: Cell) -> Result<Option<i64>, Fault> {
    match m.optional_integer(cell)? {
        Some(value) if value < 0 => Err(Fault::domain("a number not below zero", value.to_string())),
        value => Ok(value),
    }
}

fn succ(m: &mut Machine) -> Result<bool, Fault> {
    let (a, b) = (natural(m, m.args[0])?, natural(m, m.args[1])?);
    match (a, b) {
        (Some(a), _) => {
            let next = a.checked_add(1).ok_or(Fault::evaluation("an integer beyond 64 bits"))?;
            Ok(m.store.unify(m.args[1], Cell::Int(next)))
        }
        (None, Some(0)) => Ok(false),
        (None, Some(b)) => Ok(m.store.unify(m.args[0], Cell::Int(b - 1))),
        (None, None) => Err(Fault::instantiation()),
    }
}

fn plus(m: &mut Machine) -> Result<bool, Fault> {
    let [a, b, c] = [m.args[0], m.args[1], m.args[2]];
    let beyond = || Fault::evaluation("an integer beyond 64 bits");
    let values = [m.optional_integer(a)?, m.optional_integer(b)?, m.optional_integer(c)?];
    let (cell, value) = match values {
        [Some(a), Some(b), _] => (c, a.checked_add(b).ok_or_else(beyond)?),
        [Some(a), None, Some(c)] => (b, c.checked_sub(a).ok_or_else(beyond)?),
        [None, Some(b), Some(c)] => (a, c.checked_sub(b).ok_or_else(beyond)?),
        _ => return Err(Fault::instantiation()),
    };
    Ok(m.store.unify(cell, Cell::Int(value)))
}

fn divmod(m: &mut Machine) -> Result<bool, Fault> {
    let (a, b) = (m.integer(m.args[0])?, m.integer(m.args[1])?);
    if b == 0 {
        return Err(Fault::evaluation("division by zero"));
    }
    let rest = a.wrapping_rem(b);
    let rest = if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest };
    let quotient = i64::try_from((i128::from(a) - i128::from(rest)) / i128::from(b))
        .map_err(|_| Fault::evaluation("an integer beyond 64 bits"))?;
    Ok(m.store.unify(m.args[2], Cell::Int(quotient)) && m.store.unify(m.args[3], Cell::Int(rest)))
}

fn between(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let low = m.integer(m.args[0])?;
    let high = match m.store.view(m.args[1]) {
        View::Atom(name) if matches!(m.store.terms.name(name), "inf" | "infinite") => i64::MAX,
        View::Float(value) if value == f64::INFINITY => i64::MAX,
        _ => m.integer(m.args[1])?,
    };
    let var = m.args[2];
    match m.optional_integer(var)? {
        Some(value) => Ok(if low <= value && value <= high { Flow::Proceed(next) } else { Flow::Fail }),
        None => Ok(m.between(var, low, high, next)),
    }
}

impl Machine {
    /// Bind `var` to each integer from `value` to `last`.
    pub fn between(&mut self, var: Cell, value: i64, last: i64, next: u32) -> Flow {
        if value > last {
            return Flow::Fail;
        }
        if value < last {
            self.choose(Alternative::Between { var, next: value + 1, last }, next);
        }
        if self.store.unify(var, Num::Int(value).cell()) { Flow::Proceed(next) } else { Flow::Fail }
    }
}
