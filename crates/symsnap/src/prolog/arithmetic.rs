//! Arithmetic: the value of an expression. The functions themselves are in `functions`.
//!
//! Operands are evaluated from the right, and a function is looked up when its operands have values, so that of several
//! things wrong with an expression the one is raised that SWI-Prolog raises. Work on integers beyond 64 bits costs fuel
//! before it is done, and none may have more than [`MAX_BITS`].

use super::functions::{self, Op};
use super::limits::Fault;
use super::machine::Machine;
use super::number::Num;
use super::number::Num::{Float, Int};
use super::raise::{Culprit, Raise, Raised, What};
use super::store::{Cell, View};
use crate::logic::Pred;
use crate::logic::integers::MAX_BITS;

/// What is left to do in an expression.
enum ExpressionWork {
    Visit(Cell),
    Apply(Pred),
}

impl Machine {
    /// The value of an expression.
    pub fn eval(&mut self, cell: Cell) -> Result<Num, Raised> {
        match self.store.view(cell) {
            View::Int(value) => return Ok(Int(value)),
            View::Float(value) => return Ok(Float(value)),
            // Most expressions have one function, of small numbers.
            View::Compound(name, 2, args) => {
                let (a, b) = (self.store.arg(args, 0), self.store.arg(args, 1));
                if let (Cell::Int(a), Cell::Int(b)) = (self.store.deref(a), self.store.deref(b))
                    && let Some(&Op::Two(op)) = self.evaluables.get(&Pred::new(name, 2))
                {
                    self.store.fuel -= 3;
                    let value = op(Int(a), Int(b))?;
                    return if let Num::Big(_) = value { self.bounded(value) } else { Ok(value) };
                }
            }
            _ => {}
        }
        let mut todo = vec![ExpressionWork::Visit(cell)];
        let mut values: Vec<Num> = Vec::new();
        while let Some(work) = todo.pop() {
            self.store.fuel -= 1;
            if self.store.fuel < 0 {
                return Err(Fault::Steps.into());
            }
            let value = match work {
                ExpressionWork::Apply(pred) => {
                    let from = values.len() - pred.arity as usize;
                    let value = self.apply(pred, &values[from..])?;
                    values.truncate(from);
                    Some(value)
                }
                ExpressionWork::Visit(cell) => self.visit(cell, &mut todo)?,
            };
            values.extend(value);
        }
        Ok(values.pop().expect("the expression has a value"))
    }

    /// The value of a number or constant; a compound is put off until its arguments have values.
    fn visit(&mut self, cell: Cell, todo: &mut Vec<ExpressionWork>) -> Result<Option<Num>, Raised> {
        match self.store.view(cell) {
            View::Var(_) => Err(Raise::instantiation()),
            View::Int(value) => Ok(Some(Int(value))),
            View::Float(value) => Ok(Some(Float(value))),
            View::Big(_) => Ok(self.store.number(cell)),
            View::Str(text) => {
                let mut chars = self.store.terms.name(text).chars();
                match (chars.next(), chars.next()) {
                    (Some(only), None) => Ok(Some(Int(i64::from(u32::from(only))))),
                    _ => Err(self.type_error("[]", cell)),
                }
            }
            View::Nil => Err(self.type_error("evaluable", cell)),
            View::Atom(name) => self.apply(Pred::new(name, 0), &[]).map(Some),
            View::Compound(name, 2, _) if name == self.store.terms.cons() => self.singleton(cell).map(Some),
            // Its arguments need not be numbers: `roundtoward(1/3, to_positive)`.
            View::Compound(name, arity, _) if self.is_unsupported(Pred::new(name, arity)) => {
                let pred = Pred::new(name, arity);
                Err(Fault::Unsupported { pred, name: pred.show(&self.store.terms) }.into())
            }
            View::Compound(name, arity, args) => {
                todo.push(ExpressionWork::Apply(Pred::new(name, arity)));
                todo.extend((0..arity).map(|at| ExpressionWork::Visit(self.store.arg(args, at))));
                Ok(None)
            }
        }
    }

    /// `[X]`: the code of a character, given as either.
    fn singleton(&mut self, cell: Cell) -> Result<Num, Raised> {
        let (head, tail) = self.store.uncons(cell).expect("the caller saw a list cell");
        let value = match self.store.view(head) {
            View::Int(value) => u32::try_from(value).ok().and_then(char::from_u32).map(|_| value),
            View::Atom(name) => {
                let mut chars = self.store.terms.name(name).chars();
                chars.next().filter(|_| chars.next().is_none()).map(|only| i64::from(u32::from(only)))
            }
            _ => None,
        };
        match value {
            Some(value) if self.store.is_nil(tail) => Ok(Int(value)),
            Some(_) => Err(self.type_error("[]", cell)),
            None => Err(self.type_error("character", head)),
        }
    }

    fn function(&mut self, pred: Pred) -> Option<Op> {
        if let Some(&op) = self.evaluables.get(&pred) {
            return Some(op);
        }
        let op = functions::find(self.store.terms.name(pred.name), pred.arity)?;
        self.evaluables.insert(pred, op);
        Some(op)
    }

    fn is_unsupported(&mut self, pred: Pred) -> bool {
        matches!(self.function(pred), Some(Op::Unsupported))
    }

    /// The value of a function. The last argument's value is first in `values`.
    pub fn apply(&mut self, pred: Pred, values: &[Num]) -> Result<Num, Raised> {
        let Some(op) = self.function(pred) else {
            return Err(Raise::new(What::Type("evaluable", Culprit::Indicator(pred))));
        };
        if values.iter().any(|value| matches!(value, Num::Big(_))) {
            self.store.fuel -= cost(op, values);
            if self.store.fuel < 0 {
                return Err(Fault::Steps.into());
            }
        }
        let value = match (op, values) {
            (Op::Constant(value), []) => Float(value),
            (Op::One(op), [a]) => op(a.clone())?,
            (Op::Two(op) | Op::Slow(op), [b, a]) => op(a.clone(), b.clone())?,
            (Op::Three(op), [c, b, a]) => op(a, b, c)?,
            (Op::Forbidden, _) => return Err(Fault::Forbidden { pred, name: pred.show(&self.store.terms) }.into()),
            _ => return Err(Fault::Unsupported { pred, name: pred.show(&self.store.terms) }.into()),
        };
        if let Num::Big(_) = value { self.bounded(value) } else { Ok(value) }
    }

    /// An integer beyond 64 bits, if it is not larger than integers may be.
    fn bounded(&mut self, value: Num) -> Result<Num, Raised> {
        self.store.fuel -= i64::try_from(value.words()).unwrap_or(i64::MAX);
        if value.words() > MAX_BITS / 64 { Err(Fault::Memory.into()) } else { Ok(value) }
    }
}

/// The fuel for a function of which an operand has more than 64 bits: one for about 64 operations on words.
fn cost(op: Op, values: &[Num]) -> i64 {
    let product = |values: &[Num]| values.iter().fold(1u64, |all, value| all.saturating_mul(value.words()));
    let cost = match (op, values) {
        (Op::Slow(_), _) => product(values),
        (Op::Three(_), [modulus, exponent, _]) => product(&[modulus.clone(), modulus.clone(), exponent.clone()]),
        _ => product(values) / 64,
    };
    i64::try_from(cost).unwrap_or(i64::MAX)
}
