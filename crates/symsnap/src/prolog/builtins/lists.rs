//! The list predicates that are worth Rust: those with one answer that rules call most, and `length/2`.

use crate::prolog::limits::Fault;
use crate::prolog::machine::{Alternative, Flow, Machine};
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::store::{Cell, View};

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("memberchk", 2) => memberchk,
        ("$list", 1) => |m| m.proper_list(m.args[0]).map(|_| true),
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

fn memberchk(m: &mut Machine) -> Result<bool, Fault> {
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
                let View::Var(at) = m.store.view(list) else { return Ok(false) };
                let tail = m.store.fresh();
                let cell = m.store.cons(item, tail);
                m.store.bind(at, cell);
                return Ok(true);
            }
        }
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps);
        }
    }
}

fn numlist(m: &mut Machine) -> Result<bool, Fault> {
    let (low, high) = (m.integer(m.args[0])?, m.integer(m.args[1])?);
    if low > high {
        return Ok(false);
    }
    let count = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX);
    m.store.room(count.saturating_mul(3))?;
    m.store.fuel -= count as i64;
    let items: Vec<Cell> = (low..=high).map(Cell::Int).collect();
    let list = m.store.list(&items);
    Ok(m.store.unify(m.args[2], list))
}

fn length(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let (list, length) = (m.args[0], m.args[1]);
    let wanted = m.optional_integer(length)?;
    if let Some(wanted) = wanted
        && wanted < 0
    {
        return Err(Fault::domain("a number not below zero", wanted.to_string()));
    }
    let mut known = 0;
    let mut end = list;
    while let Some((_, tail)) = m.store.uncons(end) {
        known += 1;
        end = tail;
        m.store.fuel -= 1;
        if m.store.fuel < 0 {
            return Err(Fault::Steps);
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
        _ => Err(Fault::wrong_type("a list", m.store.show(list))),
    }
}

impl Machine {
    /// A list of so many new variables.
    fn open_list(&mut self, length: i64) -> Result<Cell, Fault> {
        let count = usize::try_from(length).map_err(|_| Fault::Memory)?;
        self.store.room(count.saturating_mul(4))?;
        self.store.fuel -= length;
        let items: Vec<Cell> = (0..count).map(|_| self.store.fresh()).collect();
        Ok(self.store.list(&items))
    }

    /// Lists of `extra`, `extra + 1`, ... new variables behind `known` items.
    pub fn lengthen(&mut self, tail: Cell, length: Cell, known: i64, extra: i64, next: u32) -> Result<Flow, Fault> {
        self.choose(Alternative::Lengthen { tail, length, known, next: extra + 1 }, next);
        let rest = self.open_list(extra)?;
        let done = self.store.unify(tail, rest) && self.store.unify(length, Cell::Int(known + extra));
        Ok(if done { Flow::Proceed(next) } else { Flow::Fail })
    }
}
