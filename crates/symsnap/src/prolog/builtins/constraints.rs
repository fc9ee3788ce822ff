//! `#=`, `#<` and their kin on integers. A comparison whose sides are known is decided, an equation with one unknown
//! that occurs once is solved for it. Anything else waits until more is known: it is looked at again with each further
//! constraint, before a choice is given up (at cuts, conditions and negations) and at the end of a proof, where a
//! constraint that still cannot be decided is an instantiation fault. A real constraint solver would propagate domains
//! and answer with what is left; the background programs that use these predicates only calculate, in either direction.

use crate::logic::BigInt;
use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::number::Num;
use crate::prolog::procedure::Det;
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

/// A constraint that waits.
#[derive(Debug, Clone, Copy)]
pub(in crate::prolog) struct Waiting {
    relation: IntegerRelation,
    left: Cell,
    right: Cell,
}

#[derive(Debug, Clone, Copy)]
enum IntegerRelation {
    Equal,
    Unequal,
    Less,
    Greater,
    AtMost,
    AtLeast,
}

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("#=", 2) => |m| post(m, IntegerRelation::Equal),
        ("#\\=", 2) => |m| post(m, IntegerRelation::Unequal),
        ("#<", 2) => |m| post(m, IntegerRelation::Less),
        ("#>", 2) => |m| post(m, IntegerRelation::Greater),
        ("#=<", 2) => |m| post(m, IntegerRelation::AtMost),
        ("#>=", 2) => |m| post(m, IntegerRelation::AtLeast),
        _ => return None,
    };
    Some(det)
}

fn post(m: &mut Machine, relation: IntegerRelation) -> Result<bool, Raised> {
    let constraint = Waiting { relation, left: m.args[0], right: m.args[1] };
    match decide(m, constraint) {
        Err(raised) if raised.is_instantiation() => {
            m.waiting.push(constraint);
            Ok(true)
        }
        Ok(true) if !m.waiting.is_empty() => Ok(m.wake()? != Some(false)),
        decided => decided,
    }
}

impl Machine {
    /// Look at the waiting constraints again: `Some` if all are decided, `None` if one still waits.
    pub fn wake(&mut self) -> Result<Option<bool>, Raised> {
        let mut undecided = usize::MAX;
        loop {
            let mut left = 0;
            for at in 0..self.waiting.len() {
                match decide(self, self.waiting[at]) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Some(false)),
                    Err(raised) if raised.is_instantiation() => left += 1,
                    Err(fault) => return Err(fault),
                }
            }
            if left == 0 {
                return Ok(Some(true));
            }
            // A solved equation may have made others decidable.
            if left == undecided {
                return Ok(None);
            }
            undecided = left;
        }
    }

    /// Whether the constraints allow the proof that has just been found.
    ///
    /// # Errors
    /// If that cannot be decided.
    pub fn constraints_hold(&mut self) -> Result<bool, Raised> {
        if self.waiting.is_empty() {
            return Ok(true);
        }
        Ok(self.wake()?.ok_or(Fault::Instantiation { goal: "a constraint (#=, #<, ...)".to_string() })?)
    }
}

fn decide(m: &mut Machine, constraint: Waiting) -> Result<bool, Raised> {
    let Waiting { relation, left, right } = constraint;
    if let IntegerRelation::Equal = relation {
        return equal(m, left, right);
    }
    let order = value(m, left)?.cmp(&value(m, right)?);
    Ok(match relation {
        IntegerRelation::Equal => order.is_eq(),
        IntegerRelation::Unequal => order.is_ne(),
        IntegerRelation::Less => order == Ordering::Less,
        IntegerRelation::Greater => order == Ordering::Greater,
        IntegerRelation::AtMost => order.is_le(),
        IntegerRelation::AtLeast => order.is_ge(),
    })
}

fn value(m: &mut Machine, cell: Cell) -> Result<BigInt, Raised> {
    match m.eval(cell).map(|value| value.to_big()) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(not_an_expression(m, cell)),
        Err(raised) if matches!(raised.what, What::Type(..)) => Err(not_an_expression(m, cell)),
        Err(raised) => Err(raised),
    }
}

fn not_an_expression(m: &mut Machine, cell: Cell) -> Raised {
    m.domain_error("clpfd_expression", cell)
}

fn equal(m: &mut Machine, a: Cell, b: Cell) -> Result<bool, Raised> {
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
            _ => Err(Raise::instantiation()),
        },
    }
}

/// Give the one unknown in `cell` the value that makes the whole `wanted`.
fn solve(m: &mut Machine, mut cell: Cell, mut wanted: BigInt) -> Result<bool, Raised> {
    loop {
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        match m.store.view(cell) {
            View::Var(_) => {
                let value = Num::integer(wanted).cell(&mut m.store);
                return Ok(m.store.unify(cell, value));
            }
            View::Compound(name, 1, args) if m.store.terms.name(name) == "-" => {
                wanted = -wanted;
                cell = m.store.arg(args, 0);
            }
            View::Compound(name, 2, args) => {
                let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
                let left_known = m.store.is_ground(left);
                if !left_known && !m.store.is_ground(right) {
                    return Err(Raise::instantiation());
                }
                let (known, unknown) = if left_known { (left, right) } else { (right, left) };
                let known = value(m, known)?;
                let zero = BigInt::ZERO;
                wanted = match (m.store.terms.name(name), left_known) {
                    ("+", _) => wanted - known,
                    ("-", true) => known - wanted,
                    ("-", false) => wanted + known,
                    ("*", _) if known == zero && wanted == zero => return Err(Raise::instantiation()),
                    ("*", _) if known == zero || &wanted % &known != zero => return Ok(false),
                    ("*", _) => wanted / known,
                    _ => return Err(Raise::instantiation()),
                };
                cell = unknown;
            }
            _ => return Err(not_an_expression(m, cell)),
        }
    }
}
