//! The list predicates that are worth Rust: those with one answer that rules call most, and `length/2`.

use crate::logic::Pred;
use crate::prolog::limits::Fault;
use crate::prolog::machine::{Alternative, Flow, Machine};
use crate::prolog::number::Num;
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};
use num_bigint::Sign;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("memberchk", 2) => memberchk,
        ("$must_be", 2) => must_be,
        ("$rule", 4..) => rule,
        ("$no_aggregate", 1) => no_aggregate,
        ("numlist", 3) => numlist,
        _ => return None,
    };
    Some(det)
}

pub(super) fn find_steer(name: &str, arity: u32) -> Option<Steer> {
    match (name, arity) {
        ("length", 2) => Some(length),
        _ => None,
    }
}

fn memberchk(m: &mut Machine) -> Result<bool, Raised> {
    let (item, mut list) = (m.args[0], m.args[1]);
    loop {
        match m.store.uncons(list) {
            Some((head, tail)) => {
                if m.store.try_unify(item, head) {
                    return Ok(true);
                }
                list = tail;
            }
            None => {
                // An open list is extended, as in SWI-Prolog.
                let at = match m.store.view(list) {
                    View::Var(at) => at,
                    View::Nil => return Ok(false),
                    _ => return Err(m.type_error("list", list)),
                };
                let tail = m.store.fresh();
                let cell = m.store.cons(item, tail);
                m.store.bind(at, cell);
                return Ok(true);
            }
        }
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
    }
}

fn numlist(m: &mut Machine) -> Result<bool, Raised> {
    let (low, high) = (m.any_integer(m.args[0])?, m.any_integer(m.args[1])?);
    if low > high {
        return Ok(false);
    }
    let count = usize::try_from(&high - &low).unwrap_or(usize::MAX).saturating_add(1);
    m.store.room(count.saturating_mul(3))?;
    m.store.fuel -= i64::try_from(count).unwrap_or(i64::MAX);
    let items: Vec<Cell> = match (i64::try_from(&low), i64::try_from(&high)) {
        (Ok(low), Ok(high)) => (low..=high).map(Cell::Int).collect(),
        _ => (0..count).map(|n| Num::integer(&low + n).cell(&mut m.store)).collect(),
    };
    let list = m.store.list(&items);
    Ok(m.store.unify(m.args[2], list))
}

fn length(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let (list, length) = (m.args[0], m.args[1]);
    let wanted = match m.store.view(length) {
        View::Var(_) => None,
        View::Int(wanted) if wanted >= 0 => Some(wanted),
        View::Big(id) if m.store.big(id).sign() == Sign::Plus => Some(i64::MAX),
        View::Int(_) | View::Big(_) => return Err(m.domain_error("not_less_than_zero", length)),
        _ => return Err(m.type_error("integer", length)),
    };
    let mut known = 0;
    let mut end = list;
    while let Some((_, tail)) = m.store.uncons(end) {
        known += 1;
        end = tail;
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
    }
    match (m.store.view(end), wanted) {
        (View::Nil, _) => Ok(if m.store.unify(length, Cell::Int(known)) { Flow::Proceed(next) } else { Flow::Fail }),
        (View::Var(_), Some(wanted)) if wanted < known => Ok(Flow::Fail),
        (View::Var(_), Some(wanted)) => {
            let rest = m.open_list(wanted - known)?;
            Ok(if m.store.unify(end, rest) { Flow::Proceed(next) } else { Flow::Fail })
        }
        (View::Var(tail), None) => {
            if m.store.deref(length) == Cell::Ref(tail) {
                return Ok(Flow::Fail);
            }
            m.lengthen(end, length, known, 0, next)
        }
        _ => Err(m.type_error("list", list)),
    }
}

/// `'$rule'(List, Module, Name, Args...)`: goes on if `List` is a list cell or `[]`. The clauses of the library that
/// SWI-Prolog chooses by matching raise an error otherwise, which has the call in it.
fn rule(m: &mut Machine) -> Result<bool, Raised> {
    match m.store.view(m.args[0]) {
        View::Nil => return Ok(true),
        View::Compound(name, 2, _) if name == m.store.terms.cons() => return Ok(true),
        _ => {}
    }
    let View::Atom(name) = m.store.view(m.args[2]) else { unreachable!("the library has names there") };
    let args = m.args[3..].to_vec();
    let call = m.store.structure(name, &args);
    let call = m.store.structure(m.store.names.colon, &[m.args[1], call]);
    let culprit = m.store.culprit(call);
    Err(Raise::new(What::Missing("matching_rule", culprit)))
}

/// A template that `aggregate_all/3` does not know. SWI-Prolog has compounds of templates.
fn no_aggregate(m: &mut Machine) -> Result<bool, Raised> {
    Err(match m.store.view(m.args[0]) {
        View::Compound(..) => {
            let pred = Pred::new(m.store.terms.intern("aggregate_all"), 3);
            Fault::Unsupported { pred, name: "aggregate_all/3 with a template of templates".to_string() }.into()
        }
        View::Atom(_) => m.domain_error("aggregate_template", m.args[0]),
        _ => m.type_error("aggregate_template", m.args[0]),
    })
}

/// `'$must_be'(Type, Term)` for the types that the library asks for.
fn must_be(m: &mut Machine) -> Result<bool, Raised> {
    let View::Atom(name) = m.store.view(m.args[0]) else { unreachable!("the library has names there") };
    let term = m.args[1];
    let sign = match m.store.number(term) {
        Some(number) if number.to_big().is_some() => Some(number.is_negative()),
        _ => None,
    };
    let (expected, holds) = match m.store.terms.name(name) {
        "integer" => ("integer", sign.is_some()),
        "nonneg" => ("nonneg", sign == Some(false)),
        "positive_integer" => ("positive_integer", sign == Some(false) && m.store.deref(term) != Cell::Int(0)),
        "callable" => ("callable", matches!(m.store.view(term), View::Atom(_) | View::Compound(..))),
        "int64" if matches!(m.store.deref(term), Cell::Int(_)) => return Ok(true),
        "int64" => return Err(Raise::new(What::Representation("int64_t"))),
        "list" => return m.proper_list(term).map(|_| true),
        other => unreachable!("the library does not ask for {other}"),
    };
    if holds { Ok(true) } else { Err(m.type_error(expected, term)) }
}

impl Machine {
    /// A list of `length` new variables.
    fn open_list(&mut self, length: i64) -> Result<Cell, Raised> {
        let count = usize::try_from(length).map_err(|_| Fault::Memory)?;
        self.store.room(count.saturating_mul(4))?;
        self.store.fuel -= length;
        let items: Vec<Cell> = (0..count).map(|_| self.store.fresh()).collect();
        Ok(self.store.list(&items))
    }

    /// Lists of `extra`, `extra + 1`, ... new variables behind `known` items.
    pub fn lengthen(&mut self, tail: Cell, length: Cell, known: i64, extra: i64, next: u32) -> Result<Flow, Raised> {
        self.choose(Alternative::Lengthen { tail, length, known, next: extra + 1 }, next);
        let rest = self.open_list(extra)?;
        let done = self.store.unify(tail, rest) && self.store.unify(length, Cell::Int(known + extra));
        Ok(if done { Flow::Proceed(next) } else { Flow::Fail })
    }
}
