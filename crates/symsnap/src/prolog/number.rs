//! Numbers outside of the heap: integers of 64 bits, integers beyond, floats.

use super::store::{Cell, Store, View};
use crate::logic::{BigInt, Term, integers};
use std::cmp::Ordering;

/// A number. An integer that fits in 64 bits is never [`Num::Big`].
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Num {
    Int(i64),
    Big(Box<BigInt>),
    Float(f64),
}

use Num::{Big, Float, Int};

impl Num {
    /// An integer, in the form that its size asks for.
    pub fn integer(value: BigInt) -> Num {
        i64::try_from(&value).map_or_else(|_| Big(Box::new(value)), Int)
    }

    /// An integer of 128 bits.
    pub fn wide(value: i128) -> Num {
        i64::try_from(value).map_or_else(|_| Big(Box::new(value.into())), Int)
    }

    #[inline]
    pub fn cell(self, store: &mut Store) -> Cell {
        match self {
            Int(value) => Cell::Int(value),
            Float(value) => Cell::Float(value),
            Big(value) => Cell::Ground(store.terms.integer(*value)),
        }
    }

    /// The nearest float; infinite if there is none.
    pub fn float(&self) -> f64 {
        match self {
            Int(value) => *value as f64,
            Big(value) => integers::to_float(value),
            Float(value) => *value,
        }
    }

    /// How many 64-bit words the number takes.
    pub fn words(&self) -> u64 {
        match self {
            Big(value) => value.bits() / 64 + 1,
            _ => 1,
        }
    }

    /// By value, an integer beside a float as a float; `None` if one is not a number.
    pub fn compare(&self, other: &Num) -> Option<Ordering> {
        match (self, other) {
            (Int(a), Int(b)) => Some(a.cmp(b)),
            (Big(a), Big(b)) => Some(a.cmp(b)),
            (Big(a), Int(_)) => Some(integers::sign_order(a)),
            (Int(_), Big(b)) => Some(integers::sign_order(b).reverse()),
            _ => self.float().partial_cmp(&other.float()),
        }
    }

    /// An integer as one of any size; `None` for a float.
    pub fn to_big(&self) -> Option<BigInt> {
        match self {
            Int(value) => Some((*value).into()),
            Big(value) => Some((**value).clone()),
            Float(_) => None,
        }
    }

    /// Whether the number is below zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Int(value) => *value < 0,
            Big(value) => integers::sign_order(value).is_lt(),
            Float(value) => *value < 0.0,
        }
    }
}

impl Store {
    /// The number that `cell` is, if it is one.
    pub fn number(&self, cell: Cell) -> Option<Num> {
        match self.view(cell) {
            View::Int(value) => Some(Int(value)),
            View::Float(value) => Some(Float(value)),
            View::Big(id) => Some(Big(Box::new(self.big(id).clone()))),
            _ => None,
        }
    }

    /// The integer behind a [`View::Big`].
    pub fn big(&self, id: crate::logic::TermId) -> &BigInt {
        match self.terms.get(id) {
            Term::Big(value) => value,
            _ => unreachable!("the view said so"),
        }
    }
}
