//! Taking terms apart and putting them together.

use crate::index::{integer, narrow};
use crate::logic::Pred;
use crate::prolog::limits::Fault;
use crate::prolog::machine::{Flow, Machine};
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};
use num_bigint::Sign;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("functor", 3) => functor,
        ("=..", 2) => univ,
        ("copy_term", 2) => |m| {
            let copy = m.store.copy(m.args[0]);
            Ok(m.store.unify(m.args[1], copy))
        },
        ("numbervars", 1) => |m| {
            number_variables(m, 0);
            Ok(true)
        },
        ("numbervars", 3) => numbervars,
        ("term_variables", 2) => |m| {
            let mut vars = Vec::new();
            m.store.variables(m.args[0], &mut vars);
            let vars: Vec<Cell> = vars.into_iter().map(Cell::Ref).collect();
            let list = m.store.list(&vars);
            Ok(m.store.unify(m.args[1], list))
        },
        _ => return None,
    };
    Some(det)
}

pub(super) fn find_steer(name: &str, arity: u32) -> Option<Steer> {
    match (name, arity) {
        ("arg", 3) => Some(arg),
        _ => None,
    }
}

/// The most arguments of a term that a built-in makes.
const MAX_ARITY: i64 = 1 << 20;

fn functor(m: &mut Machine) -> Result<bool, Raised> {
    let (term, name, arity) = (m.args[0], m.args[1], m.args[2]);
    match m.store.view(term) {
        View::Var(_) => {
            match m.store.view(name) {
                View::Var(_) => return Err(Raise::instantiation()),
                View::Compound(..) => return Err(m.type_error("atomic", name)),
                _ => {}
            }
            let count = match m.store.view(arity) {
                View::Int(count) if count >= 0 => count,
                View::Int(_) => return Err(m.domain_error("not_less_than_zero", arity)),
                View::Big(id) if m.store.big(id).sign() == Sign::Minus => {
                    return Err(m.domain_error("not_less_than_zero", arity));
                }
                View::Big(_) => return Err(Raise::new(What::Representation("size_t"))),
                _ => return Err(m.type_error("integer", arity)),
            };
            let made = match m.store.view(name) {
                _ if count == 0 => name,
                View::Atom(symbol) => {
                    if count > MAX_ARITY {
                        return Err(Fault::Memory.into());
                    }
                    m.store.room(2 * narrow::<_, usize>(count))?;
                    let args: Vec<Cell> = (0..count).map(|_| m.store.fresh()).collect();
                    m.store.structure(symbol, &args)
                }
                View::Nil => return Err(named_nil(m, "functor", 3)),
                _ => return Err(m.type_error("atom", name)),
            };
            Ok(m.store.unify(term, made))
        }
        View::Compound(symbol, count, _) => {
            let symbol = Cell::Ground(m.store.terms.atom(symbol));
            Ok(m.store.unify(name, symbol) && m.store.unify(arity, Cell::Int(i64::from(count))))
        }
        _ => Ok(m.store.unify(name, term) && m.store.unify(arity, Cell::Int(0))),
    }
}

/// SWI-Prolog has compounds whose name is the empty list; here a name is an atom.
fn named_nil(m: &mut Machine, name: &str, arity: u32) -> Raised {
    let pred = Pred::new(m.store.terms.intern(name), arity);
    Fault::Unsupported { pred, name: format!("{name}/{arity} for a compound named []") }.into()
}

fn univ(m: &mut Machine) -> Result<bool, Raised> {
    let (term, list) = (m.args[0], m.args[1]);
    let items = match m.store.view(term) {
        View::Var(_) => return compose(m),
        View::Compound(symbol, count, args) => {
            let mut items = vec![Cell::Ground(m.store.terms.atom(symbol))];
            items.extend((0..count).map(|at| m.store.arg(args, at)));
            items
        }
        _ => vec![term],
    };
    // Item by item: one that does not fit fails before a wrong end of the list is noticed.
    let mut rest = list;
    for (at, &item) in items.iter().enumerate() {
        match m.store.view(rest) {
            View::Var(_) => {
                let made = m.store.list(&items[at..]);
                return Ok(m.store.unify(rest, made));
            }
            View::Nil => return Ok(false),
            _ => {}
        }
        let Some((head, tail)) = m.store.uncons(rest) else { return Err(m.type_error("list", rest)) };
        if !m.store.unify(head, item) {
            return Ok(false);
        }
        rest = tail;
    }
    match m.store.view(rest) {
        View::Var(_) | View::Nil => {
            let nil = Cell::Ground(m.store.names.nil);
            Ok(m.store.unify(rest, nil))
        }
        _ if m.store.uncons(rest).is_some() => Ok(false),
        _ => Err(m.type_error("list", rest)),
    }
}

/// `Term =.. List` where the term is not known.
fn compose(m: &mut Machine) -> Result<bool, Raised> {
    let (term, list) = (m.args[0], m.args[1]);
    let Some((name, rest)) = m.store.uncons(list) else {
        return Err(match m.store.view(list) {
            View::Nil => m.domain_error("non_empty_list", list),
            _ => m.type_error("list", list),
        });
    };
    let alone = m.store.is_nil(rest);
    let made = match m.store.view(name) {
        View::Var(_) => return Err(Raise::instantiation()),
        View::Compound(..) if alone => return Err(m.type_error("atomic", name)),
        _ if alone => name,
        View::Atom(symbol) => {
            let items = m.proper_list(list)?;
            m.store.structure(symbol, &items[1..])
        }
        View::Nil => return Err(named_nil(m, "=..", 2)),
        _ => return Err(m.type_error("atom", name)),
    };
    Ok(m.store.unify(term, made))
}

/// Bind the variables of the first argument to `'$VAR'(N)`, from `start` on; returns the number after the last.
fn number_variables(m: &mut Machine, start: i64) -> i64 {
    let mut vars = Vec::new();
    m.store.variables(m.args[0], &mut vars);
    let name = m.store.terms.intern("$VAR");
    let mut number = start;
    for at in vars {
        let value = m.store.structure(name, &[Cell::Int(number)]);
        m.store.bind(at, value);
        number = number.saturating_add(1);
    }
    number
}

fn numbervars(m: &mut Machine) -> Result<bool, Raised> {
    let start = match m.store.view(m.args[1]) {
        View::Int(start) => start,
        View::Big(_) => return Err(Raise::new(What::Representation("long"))),
        // SWI-Prolog takes a whole float for the integer.
        View::Float(float) => match integer(float) {
            Some(start) => start,
            None => return Err(m.type_error("integer", m.args[1])),
        },
        _ => return Err(m.type_error("integer", m.args[1])),
    };
    // SWI-Prolog keeps these numbers in 57 bits.
    if !(-(1 << 56)..1 << 56).contains(&start) {
        return Err(Raise::new(What::Representation("tagged_integer")));
    }
    let end = number_variables(m, start);
    Ok(m.store.unify(m.args[2], Cell::Int(end)))
}

fn arg(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let (number, term, value) = (m.args[0], m.args[1], m.args[2]);
    let View::Compound(_, count, args) = m.store.view(term) else {
        return Err(m.type_error("compound", term));
    };
    match m.store.view(number) {
        View::Int(at) if at >= 0 => match u32::try_from(at) {
            Ok(at) if (1..=count).contains(&at) => {
                let found = m.store.arg(args, at - 1);
                Ok(if m.store.unify(value, found) { Flow::Proceed(next) } else { Flow::Fail })
            }
            _ => Ok(Flow::Fail),
        },
        View::Big(id) if m.store.big(id).sign() == Sign::Plus => Ok(Flow::Fail),
        View::Int(_) | View::Big(_) => Err(m.domain_error("not_less_than_zero", number)),
        View::Var(_) => {
            let minus = m.store.names.minus;
            let pairs: Vec<Cell> = (0..count)
                .map(|at| {
                    let found = m.store.arg(args, at);
                    m.store.structure(minus, &[Cell::Int(i64::from(at) + 1), found])
                })
                .collect();
            let list = m.store.list(&pairs);
            let pattern = m.store.structure(minus, &[number, value]);
            Ok(m.each(pattern, list, next))
        }
        _ => Err(m.type_error("integer", number)),
    }
}
