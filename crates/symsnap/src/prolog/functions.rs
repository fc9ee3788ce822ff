//! The functions of arithmetic.
//!
//! Integers have any size up to a limit. Floats never become infinite or undefined unnoticed: that is an evaluation
//! error, as in SWI-Prolog. There are no rational numbers; what would give one is refused by name. Nothing here asks for
//! the time or for chance.

use super::hyperbolic;
use super::limits::Fault;
use super::number::Num;
use super::number::Num::{Big, Float, Int};
use super::raise::{Culprit, Raise, Raised, What};
use crate::index::integer;
use crate::logic::BigInt;
use crate::logic::integers::{self, MAX_BITS};
use num_bigint::Sign;
use std::cmp::Ordering;

type Result<T = Num> = std::result::Result<T, Raised>;

/// An evaluable function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    Constant(f64),
    One(fn(Num) -> Result),
    Two(fn(Num, Num) -> Result),
    /// As `Two`, for what takes many divisions of its operands.
    Slow(fn(Num, Num) -> Result),
    /// Of these the third is the modulus of a power.
    Three(fn(&Num, &Num, &Num) -> Result),
    /// SWI-Prolog has it; it asks for time or chance.
    Forbidden,
    /// SWI-Prolog has it; this evaluator does not.
    Unsupported,
}

/// The function `name/arity`.
pub(super) fn find(name: &str, arity: u32) -> Option<Op> {
    Some(match (name, arity) {
        ("pi", 0) => Op::Constant(std::f64::consts::PI),
        ("e", 0) => Op::Constant(std::f64::consts::E),
        ("inf", 0) => Op::Constant(f64::INFINITY),
        ("nan", 0) => Op::Constant(f64::NAN),
        ("epsilon", 0) => Op::Constant(f64::EPSILON),
        ("cputime" | "random_float", 0) | ("random", 1) => Op::Forbidden,
        ("erf" | "erfc" | "lgamma", 1) | ("roundtoward", 2) => Op::Unsupported,
        ("+" | "eval", 1) => Op::One(Ok),
        ("-", 1) => Op::One(negative),
        ("abs", 1) => Op::One(|a| if a.is_negative() { negative(a) } else { Ok(a) }),
        ("sign", 1) => Op::One(sign),
        ("\\", 1) => Op::One(|a| whole_map(a, |a| !a, |a| !a)),
        ("msb", 1) => Op::One(msb),
        ("lsb", 1) => Op::One(lsb),
        ("popcount", 1) => Op::One(popcount),
        ("sqrt", 1) => Op::One(|a| real(f64::sqrt, &a)),
        ("exp", 1) => Op::One(|a| real(f64::exp, &a)),
        ("log", 1) => Op::One(|a| real(f64::ln, &a)),
        ("log10", 1) => Op::One(|a| real(f64::log10, &a)),
        ("sin", 1) => Op::One(|a| real(f64::sin, &a)),
        ("cos", 1) => Op::One(|a| real(f64::cos, &a)),
        ("tan", 1) => Op::One(|a| real(f64::tan, &a)),
        ("asin", 1) => Op::One(|a| real(f64::asin, &a)),
        ("acos", 1) => Op::One(|a| real(f64::acos, &a)),
        ("atan", 1) => Op::One(|a| real(f64::atan, &a)),
        ("sinh", 1) => Op::One(|a| real(f64::sinh, &a)),
        ("cosh", 1) => Op::One(|a| real(f64::cosh, &a)),
        ("tanh", 1) => Op::One(|a| real(f64::tanh, &a)),
        ("asinh", 1) => Op::One(|a| real(hyperbolic::asinh, &a)),
        ("acosh", 1) => Op::One(|a| real(hyperbolic::acosh, &a)),
        ("atanh", 1) => Op::One(|a| real(hyperbolic::atanh, &a)),
        ("float", 1) => Op::One(|a| real(|x| x, &a)),
        ("integer" | "round", 1) => Op::One(|a| Ok(rounded(f64::round, a))),
        ("truncate", 1) => Op::One(|a| Ok(rounded(f64::trunc, a))),
        ("ceiling" | "ceil", 1) => Op::One(|a| Ok(rounded(f64::ceil, a))),
        ("floor", 1) => Op::One(|a| Ok(rounded(f64::floor, a))),
        ("float_integer_part", 1) => Op::One(|a| if let Float(x) = a { checked(x.trunc()) } else { Ok(a) }),
        ("float_fractional_part", 1) => Op::One(|a| if let Float(x) = a { fraction(x) } else { Ok(Int(0)) }),
        ("rational", 1) => Op::One(|a| rational(a, "rational/1")),
        ("rationalize", 1) => Op::One(|a| rational(a, "rationalize/1")),
        ("numerator", 1) => Op::One(|a| exact(&a).map(|()| a)),
        ("denominator", 1) => Op::One(|a| exact(&a).map(|()| Int(1))),
        ("+", 2) => Op::Two(add),
        ("-", 2) => Op::Two(subtract),
        ("*", 2) => Op::Two(multiply),
        ("/", 2) => Op::Two(divide),
        ("//", 2) => Op::Two(|a, b| divided(&a, &b, i64::checked_div, |a, b| a / b)),
        ("div", 2) => Op::Two(|a, b| divided(&a, &b, floor_div, |a, b| floor_div_rem(&a, &b).0)),
        ("mod", 2) => Op::Two(|a, b| divided(&a, &b, |a, b| Some(modulo(a, b)), |a, b| floor_div_rem(&a, &b).1)),
        ("rem", 2) => Op::Two(|a, b| divided(&a, &b, |a, b| Some(a.wrapping_rem(b)), |a, b| a % b)),
        ("rdiv", 2) => Op::Two(rdiv),
        ("min", 2) => Op::Two(|a, b| extreme(a, b, Ordering::Less)),
        ("max", 2) => Op::Two(|a, b| extreme(a, b, Ordering::Greater)),
        ("gcd", 2) => Op::Slow(|a, b| gcd(&a, &b)),
        ("lcm", 2) => Op::Slow(lcm),
        (">>", 2) => Op::Two(|a, b| shift(a, &b, true)),
        ("<<", 2) => Op::Two(|a, b| shift(a, &b, false)),
        ("/\\", 2) => Op::Two(|a, b| whole_two(&a, &b, |a, b| a & b, |a, b| a & b)),
        ("\\/", 2) => Op::Two(|a, b| whole_two(&a, &b, |a, b| a | b, |a, b| a | b)),
        ("xor", 2) => Op::Two(|a, b| whole_two(&a, &b, |a, b| a ^ b, |a, b| a ^ b)),
        ("getbit", 2) => Op::Two(|a, b| getbit(&a, &b)),
        ("**" | "^", 2) => Op::Two(power),
        ("atan2" | "atan", 2) => Op::Two(|a, b| checked(finite(&a)?.atan2(finite(&b)?))),
        ("copysign", 2) => Op::Two(copysign),
        ("nexttoward", 2) => Op::Two(|a, b| Ok(Float(next_toward(finite(&a)?, finite(&b)?)))),
        ("powm", 3) => Op::Three(powm),
        _ => return None,
    })
}

/// A float that is a result.
fn checked(value: f64) -> Result {
    if value.is_nan() {
        Err(Raise::evaluation("undefined"))
    } else if value.is_infinite() {
        Err(Raise::evaluation("float_overflow"))
    } else {
        Ok(Float(value))
    }
}

/// A number as an operand of a function on floats.
fn finite(a: &Num) -> Result<f64> {
    let value = a.float();
    checked(value).map(|_| value)
}

/// A number as an operand of a sum or product with a float: infinite floats are told by what comes out.
fn operand(a: &Num) -> Result<f64> {
    if let Float(value) = a { Ok(*value) } else { finite(a) }
}

fn real(function: fn(f64) -> f64, a: &Num) -> Result {
    checked(function(finite(a)?))
}

fn not_integer(a: Num) -> Raised {
    match &a {
        Float(value) if value.is_nan() => Raise::evaluation("undefined"),
        Float(value) if value.is_infinite() => Raise::evaluation("float_overflow"),
        _ => Raise::new(What::Type("integer", Culprit::Number(a))),
    }
}

fn big(a: &Num) -> Result<BigInt> {
    a.to_big().ok_or_else(|| not_integer(a.clone()))
}

fn zero_divisor() -> Raised {
    Raise::evaluation("zero_divisor")
}

fn domain(what: &'static str, a: Num) -> Raised {
    Raise::new(What::Domain(what, Culprit::Number(a)))
}

fn whole_map(a: Num, small: fn(i64) -> i64, large: fn(BigInt) -> BigInt) -> Result {
    match a {
        Int(a) => Ok(Int(small(a))),
        Big(a) => Ok(Num::integer(large(*a))),
        Float(_) => Err(not_integer(a)),
    }
}

/// A function of two integers that is closed on 64 bits.
fn whole_two(a: &Num, b: &Num, small: fn(i64, i64) -> i64, large: fn(BigInt, BigInt) -> BigInt) -> Result {
    match (a, b) {
        (Int(a), Int(b)) => Ok(Int(small(*a, *b))),
        _ => Ok(Num::integer(large(big(a)?, big(b)?))),
    }
}

/// A division of integers; `small` has no result where 64 bits are not enough.
fn divided(a: &Num, b: &Num, small: fn(i64, i64) -> Option<i64>, large: fn(BigInt, BigInt) -> BigInt) -> Result {
    if let (Int(a), Int(b)) = (a, b)
        && *b != 0
        && let Some(value) = small(*a, *b)
    {
        return Ok(Int(value));
    }
    // Wrong types are found from the left, a zero after them.
    let (a, b) = (big(a)?, big(b)?);
    if b.sign() == Sign::NoSign { Err(zero_divisor()) } else { Ok(Num::integer(large(a, b))) }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn modulo(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// Quotient, rounded down, and rest, with the sign of the divisor.
pub(super) fn floor_div_rem(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (a / b, a % b);
    if rest.sign() != Sign::NoSign && rest.sign() != b.sign() { (quotient - 1, rest + b) } else { (quotient, rest) }
}

fn negative(a: Num) -> Result {
    Ok(match a {
        Int(value) => value.checked_neg().map_or_else(|| Num::integer(-BigInt::from(value)), Int),
        Big(value) => Num::integer(-*value),
        Float(value) => Float(-value),
    })
}

/// What is behind the point: of an infinity nothing.
fn fraction(x: f64) -> Result {
    if x.is_infinite() { Ok(Float(0f64.copysign(x))) } else { checked(x.fract().copysign(x)) }
}

fn sign(a: Num) -> Result {
    Ok(match a {
        Int(value) => Int(value.signum()),
        Big(value) => Int(if value.sign() == Sign::Minus { -1 } else { 1 }),
        Float(0.0) => Float(0.0),
        Float(value) if value.is_nan() => a,
        Float(value) => Float(value.signum()),
    })
}

/// An infinite or undefined float stays what it is.
fn rounded(function: fn(f64) -> f64, a: Num) -> Num {
    match a {
        Float(value) if value.is_finite() => {
            let value = function(value);
            integer(value).map_or_else(|| Num::integer(integers::from_whole_float(value)), Int)
        }
        other => other,
    }
}

fn is_rational(goal: &'static str) -> Raised {
    Fault::Rational { goal }.into()
}

fn rational(a: Num, goal: &'static str) -> Result {
    match a {
        Float(value) if value.is_nan() => Err(Raise::evaluation("undefined")),
        Float(value) if value.is_infinite() => Err(Raise::evaluation("rational_overflow")),
        Float(value) if value.fract() != 0.0 => Err(is_rational(goal)),
        whole => Ok(rounded(f64::trunc, whole)),
    }
}

fn exact(a: &Num) -> Result<()> {
    match a {
        Float(_) => Err(Raise::new(What::Type("rational", Culprit::Number(a.clone())))),
        _ => Ok(()),
    }
}

fn rdiv(a: Num, b: Num) -> Result {
    exact(&a)?;
    exact(&b)?;
    match divide(a, b)? {
        Float(_) => Err(is_rational("rdiv/2")),
        whole => Ok(whole),
    }
}

fn add(a: Num, b: Num) -> Result {
    match (&a, &b) {
        (Int(x), Int(y)) => Ok(x.checked_add(*y).map_or_else(|| Num::wide(i128::from(*x) + i128::from(*y)), Int)),
        (Float(_), _) | (_, Float(_)) => checked(operand(&a)? + operand(&b)?),
        _ => Ok(Num::integer(big(&a)? + big(&b)?)),
    }
}

fn subtract(a: Num, b: Num) -> Result {
    match (&a, &b) {
        (Int(x), Int(y)) => Ok(x.checked_sub(*y).map_or_else(|| Num::wide(i128::from(*x) - i128::from(*y)), Int)),
        (Float(_), _) | (_, Float(_)) => checked(operand(&a)? - operand(&b)?),
        _ => Ok(Num::integer(big(&a)? - big(&b)?)),
    }
}

fn multiply(a: Num, b: Num) -> Result {
    match (&a, &b) {
        (Int(x), Int(y)) => Ok(x.checked_mul(*y).map_or_else(|| Num::wide(i128::from(*x) * i128::from(*y)), Int)),
        (Float(_), _) | (_, Float(_)) => checked(operand(&a)? * operand(&b)?),
        _ => Ok(Num::integer(big(&a)? * big(&b)?)),
    }
}

fn divide(a: Num, b: Num) -> Result {
    if let (Float(_), _) | (_, Float(_)) = (&a, &b) {
        return match (a.float(), b.float()) {
            (a, 0.0) if a != 0.0 && a.is_finite() => Err(zero_divisor()),
            (a, b) => checked(a / b),
        };
    }
    if b == Int(0) {
        return Err(zero_divisor());
    }
    match (&a, &b) {
        (Int(x), Int(y)) if x.wrapping_rem(*y) != 0 => checked(*x as f64 / *y as f64),
        _ => {
            let (x, y) = (big(&a)?, big(&b)?);
            let rest = &x % &y;
            if rest.sign() == Sign::NoSign { Ok(Num::integer(x / y)) } else { checked(finite(&a)? / finite(&b)?) }
        }
    }
}

/// The lesser or greater; a float beside an equal integer; what is not a number gives way.
fn extreme(a: Num, b: Num, wanted: Ordering) -> Result {
    Ok(match a.compare(&b) {
        Some(Ordering::Equal) => match (&a, &b) {
            // As SWI-Prolog has it, of two infinities that are equal neither is chosen.
            (Float(x), Float(y)) if x == y && x.is_infinite() => return checked(*x),
            // The zero below zero is less than the integer.
            (Int(_), Float(y)) if *y == 0.0 && y.is_sign_negative() && wanted == Ordering::Greater => a,
            (Float(x), Int(_)) if *x == 0.0 && x.is_sign_negative() && wanted == Ordering::Greater => b,
            (Int(_) | Big(_), Float(_)) => b,
            (Float(x), Float(y)) if x.total_cmp(y) != wanted => b,
            _ => a,
        },
        Some(order) if order == wanted => a,
        Some(_) => b,
        None if a.float().is_nan() => b,
        None => a,
    })
}

fn gcd(a: &Num, b: &Num) -> Result {
    if let (Int(a), Int(b)) = (a, b) {
        let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return Ok(Num::wide(i128::from(a)));
    }
    let (mut a, mut b) = (big(a)?, big(b)?);
    while b.sign() != Sign::NoSign {
        (a, b) = (b.clone(), a % b);
    }
    Ok(if a.sign() == Sign::Minus { Num::integer(-a) } else { Num::integer(a) })
}

fn lcm(a: Num, b: Num) -> Result {
    match gcd(&a, &b)? {
        Int(0) => Ok(Int(0)),
        common => {
            let product = big(&a)? * big(&b)? / big(&common)?;
            Ok(Num::integer(if product.sign() == Sign::Minus { -product } else { product }))
        }
    }
}

fn shift(a: Num, by: &Num, right: bool) -> Result {
    let (value, by) = (big(&a)?, big(by)?);
    let by = if right { -by } else { by };
    let Ok(by) = i64::try_from(&by) else {
        return match by.sign() {
            Sign::Minus => Ok(Int(if value.sign() == Sign::Minus { -1 } else { 0 })),
            _ => Err(Fault::Memory.into()),
        };
    };
    if by <= 0 {
        return Ok(match a {
            Int(value) => Int(value >> by.unsigned_abs().min(63)),
            _ => Num::integer(value >> by.unsigned_abs()),
        });
    }
    let wide = u32::try_from(by).ok().filter(|&by| by < 64);
    match (a, wide) {
        (Int(0), _) => Ok(Int(0)),
        (Int(value), Some(by)) => Ok(Num::wide(i128::from(value) << by)),
        _ if value.bits().saturating_add(by.unsigned_abs()) > MAX_BITS => Err(Fault::Memory.into()),
        _ => Ok(Num::integer(value << by)),
    }
}

fn msb(a: Num) -> Result {
    let value = big(&a)?;
    if value.sign() == Sign::Plus { Ok(count(value.bits() - 1)) } else { Err(domain("not_less_than_one", a)) }
}

fn lsb(a: Num) -> Result {
    let value = big(&a)?;
    match value.trailing_zeros() {
        Some(zeros) if value.sign() == Sign::Plus => Ok(count(zeros)),
        _ => Err(domain("not_less_than_one", a)),
    }
}

fn popcount(a: Num) -> Result {
    let value = big(&a)?;
    if value.sign() == Sign::Minus {
        Err(domain("not_less_than_zero", a))
    } else {
        Ok(count(value.magnitude().count_ones()))
    }
}

fn count(value: u64) -> Num {
    Num::wide(i128::from(value))
}

fn getbit(a: &Num, at: &Num) -> Result {
    let (value, place) = (big(a)?, big(at)?);
    if place.sign() == Sign::Minus {
        return Err(domain("not_less_than_zero", at.clone()));
    }
    // No number has a bit beyond 64-bit places, and SWI-Prolog says so before it looks at the number's sign.
    let Some(place) = i64::try_from(&place).ok().and_then(|place| u64::try_from(place).ok()) else { return Ok(Int(0)) };
    if value.sign() == Sign::Minus {
        return Err(domain("not_less_than_zero", a.clone()));
    }
    Ok(Int(i64::from(value.bit(place))))
}

fn powm(a: &Num, b: &Num, c: &Num) -> Result {
    let (base, exponent, modulus) = (big(a)?, big(b)?, big(c)?);
    if exponent.sign() == Sign::Minus {
        return Err(domain("not_less_than_zero", b.clone()));
    }
    if modulus.sign() != Sign::Plus {
        return Err(domain("not_less_than_one", c.clone()));
    }
    Ok(Num::integer(base.modpow(&exponent, &modulus)))
}

fn copysign(a: Num, b: Num) -> Result {
    let wanted = match &b {
        Float(b) => b.is_sign_negative(),
        _ => b.is_negative(),
    };
    match a {
        Float(value) => Ok(Float(value.copysign(if wanted { -1.0 } else { 1.0 }))),
        _ if a.is_negative() != wanted => negative(a),
        _ => Ok(a),
    }
}

fn next_toward(from: f64, to: f64) -> f64 {
    match from.partial_cmp(&to) {
        Some(Ordering::Less) => from.next_up(),
        Some(Ordering::Greater) => from.next_down(),
        _ => from,
    }
}

/// `**` and `^`: integers stay integers where they can; a negative exponent gives a float unless the base is 1 or -1.
fn power(a: Num, b: Num) -> Result {
    if b.float() == 0.0 || a == Int(1) {
        return Ok(Int(1));
    }
    if a.float() == 0.0 && b.is_negative() {
        return Err(zero_divisor());
    }
    match (&a, &b) {
        (Int(0), _) => Ok(Int(0)),
        (Int(-1), Int(_) | Big(_)) => Ok(Int(if big(&b)?.bit(0) { -1 } else { 1 })),
        (Int(_) | Big(_), Int(_) | Big(_)) if !b.is_negative() => whole_power(&a, &b),
        _ => checked(finite(&a)?.powf(finite(&b)?)),
    }
}

fn whole_power(a: &Num, b: &Num) -> Result {
    if let (Int(base), Int(exponent)) = (a, b)
        && let Ok(exponent) = u32::try_from(*exponent)
        && let Some(value) = base.checked_pow(exponent)
    {
        return Ok(Int(value));
    }
    let base = big(a)?;
    // A lower bound on the bits of the result.
    let bits = |exponent: u32| (base.bits() - 1).saturating_mul(u64::from(exponent));
    match big(b).map(u32::try_from)? {
        Ok(exponent) if bits(exponent) < MAX_BITS => Ok(Num::integer(base.pow(exponent))),
        _ => Err(Fault::Memory.into()),
    }
}
