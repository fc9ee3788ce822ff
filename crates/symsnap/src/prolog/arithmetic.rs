//! Arithmetic: the functions of `is/2` and the comparisons.
//!
//! Integers are 64 bits wide and a result beyond that is a [`Fault`]; SWI-Prolog would go on with big integers. Floats
//! never become infinite or undefined unnoticed: that is an evaluation fault, as in SWI-Prolog. Nothing here asks for
//! the time or for chance.

use super::limits::Fault;
use super::machine::Machine;
use super::store::{Cell, View};
use crate::logic::Pred;
use std::cmp::Ordering;

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Num {
    Int(i64),
    Float(f64),
}

use Num::{Float, Int};

impl Num {
    pub fn cell(self) -> Cell {
        match self {
            Int(value) => Cell::Int(value),
            Float(value) => Cell::Float(value),
        }
    }

    pub fn float(self) -> f64 {
        match self {
            Int(value) => value as f64,
            Float(value) => value,
        }
    }

    /// By value, an integer beside a float as a float; `None` if one is not a number.
    pub fn compare(self, other: Num) -> Option<Ordering> {
        match (self, other) {
            (Int(a), Int(b)) => Some(a.cmp(&b)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }
}

type Result<T = Num> = std::result::Result<T, Fault>;

/// An evaluable function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    Constant(f64),
    Integer(i64),
    One(fn(Num) -> Result),
    Two(fn(Num, Num) -> Result),
}

/// What is left to do in an expression.
enum Work {
    Visit(Cell),
    One(fn(Num) -> Result),
    Two(fn(Num, Num) -> Result),
}

impl Machine {
    /// The value of an expression.
    pub fn eval(&mut self, cell: Cell) -> Result {
        match self.store.deref(cell) {
            Cell::Int(value) => return Ok(Int(value)),
            Cell::Float(value) => return Ok(Float(value)),
            _ => {}
        }
        let mut todo = vec![Work::Visit(cell)];
        let mut values: Vec<Num> = Vec::new();
        while let Some(work) = todo.pop() {
            self.store.fuel -= 1;
            if self.store.fuel < 0 {
                return Err(Fault::Steps);
            }
            let value = match work {
                Work::One(op) => {
                    let a = values.pop().expect("its operand was visited");
                    op(a)?
                }
                Work::Two(op) => {
                    let b = values.pop().expect("its operand was visited");
                    let a = values.pop().expect("its operand was visited");
                    op(a, b)?
                }
                Work::Visit(cell) => match self.visit(cell, &mut todo)? {
                    Some(value) => value,
                    None => continue,
                },
            };
            values.push(value);
        }
        Ok(values.pop().expect("the expression has a value"))
    }

    fn visit(&mut self, cell: Cell, todo: &mut Vec<Work>) -> Result<Option<Num>> {
        match self.store.view(cell) {
            View::Var(_) => Err(Fault::instantiation()),
            View::Int(value) => Ok(Some(Int(value))),
            View::Float(value) => Ok(Some(Float(value))),
            View::Str(text) => {
                let mut chars = self.store.terms.name(text).chars();
                match (chars.next(), chars.next()) {
                    (Some(only), None) => Ok(Some(Int(i64::from(u32::from(only))))),
                    _ => Err(Fault::wrong_type("a character", self.store.show(cell))),
                }
            }
            View::Nil => Err(Fault::wrong_type("an evaluable term", "[]".to_string())),
            View::Atom(name) => match self.op(Pred::new(name, 0))? {
                Op::Constant(value) => Ok(Some(Float(value))),
                Op::Integer(value) => Ok(Some(Int(value))),
                _ => unreachable!("a function of no arguments is a constant"),
            },
            View::Compound(name, arity, args) => {
                if arity == 2 && name == self.store.terms.cons() {
                    return self.visit_singleton(cell, todo);
                }
                match self.op(Pred::new(name, arity))? {
                    Op::One(op) => todo.extend([Work::One(op), Work::Visit(self.store.arg(args, 0))]),
                    Op::Two(op) => {
                        let (a, b) = (self.store.arg(args, 0), self.store.arg(args, 1));
                        todo.extend([Work::Two(op), Work::Visit(b), Work::Visit(a)]);
                    }
                    _ => unreachable!("a constant has no arguments"),
                }
                Ok(None)
            }
        }
    }

    /// `[X]` is `X`, or the code of the character `X`.
    fn visit_singleton(&mut self, cell: Cell, todo: &mut Vec<Work>) -> Result<Option<Num>> {
        let (head, tail) = self.store.uncons(cell).expect("the caller saw a list cell");
        if !self.store.is_nil(tail) {
            return Err(Fault::wrong_type("an evaluable term", self.store.show(cell)));
        }
        if let View::Atom(name) = self.store.view(head) {
            let mut chars = self.store.terms.name(name).chars();
            if let (Some(only), None) = (chars.next(), chars.next()) {
                return Ok(Some(Int(i64::from(u32::from(only)))));
            }
        }
        todo.push(Work::Visit(head));
        Ok(None)
    }

    fn op(&mut self, pred: Pred) -> Result<Op> {
        if let Some(&op) = self.evaluables.get(&pred) {
            return Ok(op);
        }
        let Some(op) = find(self.store.terms.name(pred.name), pred.arity) else {
            return Err(Fault::wrong_type("an evaluable term", pred.show(&self.store.terms)));
        };
        self.evaluables.insert(pred, op);
        Ok(op)
    }
}

fn find(name: &str, arity: u32) -> Option<Op> {
    Some(match (name, arity) {
        ("pi", 0) => Op::Constant(std::f64::consts::PI),
        ("e", 0) => Op::Constant(std::f64::consts::E),
        ("inf" | "infinite", 0) => Op::Constant(f64::INFINITY),
        ("nan", 0) => Op::Constant(f64::NAN),
        ("epsilon", 0) => Op::Constant(f64::EPSILON),
        ("max_integer" | "max_tagged_integer", 0) => Op::Integer(i64::MAX),
        ("min_integer" | "min_tagged_integer", 0) => Op::Integer(i64::MIN),
        ("+", 1) => Op::One(Ok),
        ("-", 1) => Op::One(negative),
        ("abs", 1) => Op::One(absolute),
        ("sign", 1) => Op::One(sign),
        ("\\", 1) => Op::One(|a| Ok(Int(!whole(a)?))),
        ("msb", 1) => Op::One(msb),
        ("sqrt", 1) => Op::One(|a| real(f64::sqrt, a)),
        ("exp", 1) => Op::One(|a| real(f64::exp, a)),
        ("log", 1) => Op::One(|a| real(f64::ln, a)),
        ("log2", 1) => Op::One(|a| real(f64::log2, a)),
        ("sin", 1) => Op::One(|a| real(f64::sin, a)),
        ("cos", 1) => Op::One(|a| real(f64::cos, a)),
        ("tan", 1) => Op::One(|a| real(f64::tan, a)),
        ("asin", 1) => Op::One(|a| real(f64::asin, a)),
        ("acos", 1) => Op::One(|a| real(f64::acos, a)),
        ("atan", 1) => Op::One(|a| real(f64::atan, a)),
        ("sinh", 1) => Op::One(|a| real(f64::sinh, a)),
        ("cosh", 1) => Op::One(|a| real(f64::cosh, a)),
        ("tanh", 1) => Op::One(|a| real(f64::tanh, a)),
        ("asinh", 1) => Op::One(|a| real(f64::asinh, a)),
        ("acosh", 1) => Op::One(|a| real(f64::acosh, a)),
        ("atanh", 1) => Op::One(|a| real(f64::atanh, a)),
        ("cot", 1) => Op::One(|a| real(|x| 1.0 / x.tan(), a)),
        ("acot", 1) => Op::One(|a| real(|x| (1.0 / x).atan(), a)),
        ("float", 1) => Op::One(|a| Ok(Float(a.float()))),
        ("integer" | "round", 1) => Op::One(|a| rounded(f64::round, a)),
        ("truncate" | "trunc", 1) => Op::One(|a| rounded(f64::trunc, a)),
        ("ceiling", 1) => Op::One(|a| rounded(f64::ceil, a)),
        ("floor", 1) => Op::One(|a| rounded(f64::floor, a)),
        ("float_integer_part", 1) => Op::One(|a| if let Float(x) = a { Ok(Float(x.trunc())) } else { Ok(a) }),
        ("float_fractional_part", 1) => Op::One(|a| Ok(if let Float(x) = a { Float(x.fract()) } else { Int(0) })),
        ("succ", 1) => Op::One(|a| add(Int(whole(a)?), Int(1))),
        ("+" | "plus", 2) => Op::Two(add),
        ("-", 2) => Op::Two(subtract),
        ("*", 2) => Op::Two(multiply),
        ("/", 2) => Op::Two(divide),
        ("//", 2) => Op::Two(|a, b| integers(a, b, |a, b| nonzero(b)?.checked_div_of(a))),
        ("div", 2) => Op::Two(|a, b| integers(a, b, floor_div)),
        ("mod", 2) => Op::Two(|a, b| integers(a, b, |a, b| Ok(modulo(a, nonzero(b)?.0)))),
        ("rem", 2) => Op::Two(|a, b| integers(a, b, |a, b| Ok(a.wrapping_rem(nonzero(b)?.0)))),
        ("min", 2) => Op::Two(|a, b| Ok(extreme(a, b, Ordering::Less))),
        ("max", 2) => Op::Two(|a, b| Ok(extreme(a, b, Ordering::Greater))),
        ("gcd", 2) => Op::Two(|a, b| integers(a, b, gcd)),
        (">>", 2) => Op::Two(|a, b| integers(a, b, |a, b| shift(a, b.checked_neg().ok_or_else(overflow)?))),
        ("<<", 2) => Op::Two(|a, b| integers(a, b, shift)),
        ("/\\", 2) => Op::Two(|a, b| integers(a, b, |a, b| Ok(a & b))),
        ("\\/", 2) => Op::Two(|a, b| integers(a, b, |a, b| Ok(a | b))),
        ("xor", 2) => Op::Two(|a, b| integers(a, b, |a, b| Ok(a ^ b))),
        ("**" | "^", 2) => Op::Two(power),
        ("atan2" | "atan", 2) => Op::Two(|a, b| checked(a.float().atan2(b.float()))),
        ("copysign", 2) => Op::Two(|a, b| Ok(Float(a.float().copysign(b.float())))),
        ("log", 2) => Op::Two(|a, b| checked(b.float().ln() / a.float().ln())),
        _ => return None,
    })
}

fn overflow() -> Fault {
    Fault::evaluation("an integer beyond 64 bits (big integers are not supported)")
}

fn checked(value: f64) -> Result {
    if value.is_nan() {
        Err(Fault::evaluation("the result is undefined"))
    } else if value.is_infinite() {
        Err(Fault::evaluation("the result is too large for a float"))
    } else {
        Ok(Float(value))
    }
}

fn real(function: fn(f64) -> f64, a: Num) -> Result {
    checked(function(a.float()))
}

fn whole(a: Num) -> Result<i64> {
    match a {
        Int(value) => Ok(value),
        Float(value) => Err(Fault::wrong_type("an integer", format!("{value:?}"))),
    }
}

fn integers(a: Num, b: Num, function: fn(i64, i64) -> Result<i64>) -> Result {
    Ok(Int(function(whole(a)?, whole(b)?)?))
}

/// A divisor.
struct Divisor(i64);

fn nonzero(b: i64) -> Result<Divisor> {
    if b == 0 { Err(Fault::evaluation("division by zero")) } else { Ok(Divisor(b)) }
}

impl Divisor {
    fn checked_div_of(self, a: i64) -> Result<i64> {
        a.checked_div(self.0).ok_or_else(overflow)
    }
}

fn modulo(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

fn floor_div(a: i64, b: i64) -> Result<i64> {
    let quotient = nonzero(b)?.checked_div_of(a)?;
    Ok(if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn gcd(a: i64, b: i64) -> Result<i64> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).map_err(|_| overflow())
}

fn shift(a: i64, by: i64) -> Result<i64> {
    if by <= 0 {
        return Ok(a >> by.unsigned_abs().min(63));
    }
    let wide =
        if a == 0 { Some(0) } else { u32::try_from(by).ok().filter(|&by| by < 64).map(|by| i128::from(a) << by) };
    wide.and_then(|wide| i64::try_from(wide).ok()).ok_or_else(overflow)
}

fn msb(a: Num) -> Result {
    match whole(a)? {
        a if a > 0 => Ok(Int(i64::from(a.ilog2()))),
        a => Err(Fault::domain("a positive integer", a.to_string())),
    }
}

fn negative(a: Num) -> Result {
    match a {
        Int(a) => a.checked_neg().map(Int).ok_or_else(overflow),
        Float(a) => Ok(Float(-a)),
    }
}

fn absolute(a: Num) -> Result {
    match a {
        Int(a) => a.checked_abs().map(Int).ok_or_else(overflow),
        Float(a) => Ok(Float(a.abs())),
    }
}

fn sign(a: Num) -> Result {
    Ok(match a {
        Int(a) => Int(a.signum()),
        Float(a) if a == 0.0 || a.is_nan() => Float(if a.is_nan() { a } else { 0.0 }),
        Float(a) => Float(a.signum()),
    })
}

fn rounded(function: fn(f64) -> f64, a: Num) -> Result {
    match a {
        Int(_) => Ok(a),
        Float(value) if !value.is_finite() => Err(Fault::evaluation("the result is undefined")),
        Float(value) => {
            let value = function(value);
            // 2^63 is the first float beyond.
            if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
                Ok(Int(value as i64))
            } else {
                Err(overflow())
            }
        }
    }
}

fn add(a: Num, b: Num) -> Result {
    match (a, b) {
        (Int(a), Int(b)) => a.checked_add(b).map(Int).ok_or_else(overflow),
        _ => checked(a.float() + b.float()),
    }
}

fn subtract(a: Num, b: Num) -> Result {
    match (a, b) {
        (Int(a), Int(b)) => a.checked_sub(b).map(Int).ok_or_else(overflow),
        _ => checked(a.float() - b.float()),
    }
}

fn multiply(a: Num, b: Num) -> Result {
    match (a, b) {
        (Int(a), Int(b)) => a.checked_mul(b).map(Int).ok_or_else(overflow),
        _ => checked(a.float() * b.float()),
    }
}

fn divide(a: Num, b: Num) -> Result {
    match (a, b) {
        (Int(a), Int(b)) => {
            let b = nonzero(b)?.0;
            if a.wrapping_rem(b) == 0 {
                a.checked_div(b).map(Int).ok_or_else(overflow)
            } else {
                checked(a as f64 / b as f64)
            }
        }
        _ if b.float() == 0.0 && a.float() != 0.0 => Err(Fault::evaluation("division by zero")),
        _ => checked(a.float() / b.float()),
    }
}

fn extreme(a: Num, b: Num, wanted: Ordering) -> Num {
    match a.compare(b) {
        Some(Ordering::Equal) => match (a, b) {
            (Int(_), Float(_)) => b,
            (Float(x), Float(y)) if (x.total_cmp(&y) == wanted) != (wanted == Ordering::Equal) => a,
            (Float(_), Float(_)) => b,
            _ => a,
        },
        Some(order) if order == wanted => a,
        Some(_) => b,
        None if a.float().is_nan() => a,
        None => b,
    }
}

/// `**` and `^`: integers stay integers where they can; a negative exponent gives a float unless the base is 1 or -1.
fn power(a: Num, b: Num) -> Result {
    match (a, b) {
        (_, Int(0)) => Ok(Int(1)),
        (Int(1), Int(_)) => Ok(Int(1)),
        (Int(-1), Int(n)) => Ok(Int(if n % 2 == 0 { 1 } else { -1 })),
        (Int(0), Int(n)) => {
            if n < 0 {
                Err(Fault::evaluation("division by zero"))
            } else {
                Ok(Int(0))
            }
        }
        (Int(base), Int(n)) if n > 0 => {
            u32::try_from(n).ok().and_then(|n| base.checked_pow(n)).map(Int).ok_or_else(overflow)
        }
        _ if a.float() == 0.0 && b.float() < 0.0 => Err(Fault::evaluation("division by zero")),
        _ => checked(a.float().powf(b.float())),
    }
}
