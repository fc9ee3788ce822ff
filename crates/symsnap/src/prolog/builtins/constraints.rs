//! `#=`, `#<` and their kin on integers. A comparison whose sides are known is decided, an equation with one unknown
//! that occurs once is solved for it. Anything else waits until more is known: it is looked at again with each further
//! constraint, before a choice is given up (at cuts, conditions and negations) and at the end of a proof, where a
//! constraint that still cannot be decided is an instantiation fault. A real constraint solver would propagate domains
//! and answer with what is left; the background programs that use these predicates only calculate, in either direction.

use crate::prolog::arithmetic::Num;
use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::store::{Cell, View};
use std::cmp::Ordering;

/// A constraint that waits.
#[derive(Debug, Clone, Copy)]
pub(in crate::prolog) struct Waiting {
    relation: Relation,
    left: Cell,
    right: Cell,
}

#[derive(Debug, Clone, Copy)]
enum Relation {
    Equal,
    Unequal,
    Less,
    Greater,
    AtMost,
    AtLeast,
}

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("#=", 2) => |m| post(m, Relation::Equal),
        ("#\\=", 2) => |m| post(m, Relation::Unequal),
        ("#<", 2) => |m| post(m, Relation::Less),
        ("#>", 2) => |m| post(m, Relation::Greater),
        ("#=<", 2) => |m| post(m, Relation::AtMost),
        ("#>=", 2) => |m| post(m, Relation::AtLeast),
        _ => return None,
    };
    Some(det)
}

fn post(m: &mut Machine, relation: Relation) -> Result<bool, Fault> {
    let constraint = Waiting { relation, left: m.args[0], right: m.args[1] };
    match decide(m, constraint) {
        Err(Fault::Instantiation { .. }) => {
            m.waiting.push(constraint);
            Ok(true)
        }
        Ok(true) if !m.waiting.is_empty() => Ok(m.wake()? != Some(false)),
        decided => decided,
    }
}

impl Machine {
    /// Look at the waiting constraints again: `Some` if all are decided, `None` if one still waits.
    pub fn wake(&mut self) -> Result<Option<bool>, Fault> {
        let mut undecided = usize::MAX;
        loop {
            let mut left = 0;
            for at in 0..self.waiting.len() {
                match decide(self, self.waiting[at]) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Some(false)),
                    Err(Fault::Instantiation { .. }) => left += 1,
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
    pub fn constraints_hold(&mut self) -> Result<bool, Fault> {
        if self.waiting.is_empty() {
            return Ok(true);
        }
        self.wake()?.ok_or(Fault::Instantiation { goal: "a constraint (#=, #<, ...)".to_string() })
    }
}

fn decide(m: &mut Machine, constraint: Waiting) -> Result<bool, Fault> {
    let Waiting { relation, left, right } = constraint;
    if let Relation::Equal = relation {
        return equal(m, left, right);
    }
    let order = value(m, left)?.cmp(&value(m, right)?);
    Ok(match relation {
        Relation::Equal => order.is_eq(),
        Relation::Unequal => order.is_ne(),
        Relation::Less => order == Ordering::Less,
        Relation::Greater => order == Ordering::Greater,
        Relation::AtMost => order.is_le(),
        Relation::AtLeast => order.is_ge(),
    })
}

fn value(m: &mut Machine, cell: Cell) -> Result<i64, Fault> {
    match m.eval(cell) {
        Ok(Num::Int(value)) => Ok(value),
        Ok(Num::Float(_)) | Err(Fault::Type { .. }) => Err(Fault::domain("an integer expression", m.store.show(cell))),
        Err(fault) => Err(fault),
    }
}

fn equal(m: &mut Machine, a: Cell, b: Cell) -> Result<bool, Fault> {
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
