//! Predicates on numbers.

use crate::logic::{BigInt, Pred};
use crate::prolog::functions;
use crate::prolog::machine::{Alternative, Flow, Machine};
use crate::prolog::number::Num;
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::raise::{Raise, Raised};
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("is", 2) => |m| {
            let value = m.eval(m.args[1])?.cell(&mut m.store);
            Ok(m.store.unify(m.args[0], value))
        },
        // What rules with computations call, which are literals of three arguments.
        ("$sum", 3) => |m| compute(m, "+"),
        ("$difference", 3) => |m| compute(m, "-"),
        ("$product", 3) => |m| compute(m, "*"),
        ("$ratio", 3) => |m| compute(m, "/"),
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

/// `W is U+V` with the arguments in the order `U`, `V`, `W`.
fn compute(m: &mut Machine, sign: &str) -> Result<bool, Raised> {
    // `apply` takes the last operand first.
    let (left, right) = (m.eval(m.args[0])?, m.eval(m.args[1])?);
    let operands = [right, left];
    let function = Pred::new(m.store.terms.intern(sign), 2);
    let value = m.apply(function, &operands)?.cell(&mut m.store);
    Ok(m.store.unify(m.args[2], value))
}

fn compare(m: &mut Machine) -> Result<Option<Ordering>, Raised> {
    let a = m.eval(m.args[0])?;
    let b = m.eval(m.args[1])?;
    Ok(a.compare(&b))
}

/// An integer of any size that may be missing.
fn optional(m: &mut Machine, cell: Cell) -> Result<Option<Num>, Raised> {
    match m.store.number(cell) {
        Some(Num::Float(_)) => Err(m.type_error("integer", cell)),
        None if !matches!(m.store.view(cell), View::Var(_)) => Err(m.type_error("integer", cell)),
        value => Ok(value),
    }
}

fn needed(m: &mut Machine, cell: Cell) -> Result<Num, Raised> {
    optional(m, cell)?.ok_or_else(Raise::instantiation)
}

fn big(value: Num) -> BigInt {
    value.to_big().expect("`optional` lets only integers pass")
}

fn unify_integer(m: &mut Machine, cell: Cell, value: BigInt) -> bool {
    let value = Num::integer(value).cell(&mut m.store);
    m.store.unify(cell, value)
}

fn natural(m: &mut Machine, cell: Cell) -> Result<Option<Num>, Raised> {
    match optional(m, cell)? {
        Some(value) if value.is_negative() => Err(m.domain_error("not_less_than_zero", cell)),
        value => Ok(value),
    }
}

fn succ(m: &mut Machine) -> Result<bool, Raised> {
    let (a, b) = (natural(m, m.args[0])?, natural(m, m.args[1])?);
    match (a, b) {
        (Some(Num::Int(a)), _) if a < i64::MAX => Ok(m.store.unify(m.args[1], Cell::Int(a + 1))),
        (Some(a), _) => Ok(unify_integer(m, m.args[1], big(a) + 1)),
        (None, Some(Num::Int(0))) => Ok(false),
        (None, Some(b)) => Ok(unify_integer(m, m.args[0], big(b) - 1)),
        (None, None) => Err(Raise::instantiation()),
    }
}

fn plus(m: &mut Machine) -> Result<bool, Raised> {
    let [a, b, c] = [m.args[0], m.args[1], m.args[2]];
    match [optional(m, a)?, optional(m, b)?, optional(m, c)?] {
        [Some(x), Some(y), _] => Ok(unify_integer(m, c, big(x) + big(y))),
        [Some(x), None, Some(z)] => Ok(unify_integer(m, b, big(z) - big(x))),
        [None, Some(y), Some(z)] => Ok(unify_integer(m, a, big(z) - big(y))),
        _ => Err(Raise::instantiation()),
    }
}

fn divmod(m: &mut Machine) -> Result<bool, Raised> {
    let (a, b) = (big(needed(m, m.args[0])?), big(needed(m, m.args[1])?));
    if b == BigInt::ZERO {
        return Err(Raise::evaluation("zero_divisor"));
    }
    let (quotient, rest) = functions::floor_div_rem(&a, &b);
    Ok(unify_integer(m, m.args[2], quotient) && unify_integer(m, m.args[3], rest))
}

fn between(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let low = needed(m, m.args[0])?;
    let endless = match m.store.view(m.args[1]) {
        View::Atom(name) => matches!(m.store.terms.name(name), "inf" | "infinite"),
        _ => false,
    };
    let high = if endless { None } else { Some(needed(m, m.args[1])?) };
    let var = m.args[2];
    if let Some(value) = optional(m, var)? {
        let above = value.compare(&low).is_some_and(Ordering::is_ge);
        let below = high.is_none_or(|high| value.compare(&high).is_some_and(Ordering::is_le));
        return Ok(if above && below { Flow::Proceed(next) } else { Flow::Fail });
    }
    match (low, high) {
        (Num::Int(low), Some(Num::Int(high))) => Ok(m.between(var, low, high, next)),
        // Nobody counts that far.
        (Num::Int(low), high) if low < i64::MAX / 2 => match high {
            Some(high) if high.is_negative() => Ok(Flow::Fail),
            _ => Ok(m.between(var, low, i64::MAX, next)),
        },
        (low, Some(high)) if high.compare(&low).is_some_and(Ordering::is_lt) => Ok(Flow::Fail),
        _ => {
            let count = Pred::new(m.store.terms.intern("$between"), 3);
            let proc = m.resolve_in_library(count);
            m.call(proc, next)
        }
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
        if self.store.unify(var, Cell::Int(value)) { Flow::Proceed(next) } else { Flow::Fail }
    }
}
