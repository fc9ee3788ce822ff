//! Taking terms apart and putting them together.

use crate::prolog::limits::Fault;
use crate::prolog::machine::{Flow, Machine};
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::store::{Cell, View};

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("functor", 3) => functor,
        ("=..", 2) => univ,
        ("copy_term", 2) => |m| {
            let copy = m.store.copy(m.args[0]);
            Ok(m.store.unify(m.args[1], copy))
        },
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

/// Terms of more arguments than this are not made.
const MAX_ARITY: i64 = 1 << 20;

fn functor(m: &mut Machine) -> Result<bool, Fault> {
    let (term, name, arity) = (m.args[0], m.args[1], m.args[2]);
    match m.store.view(term) {
        View::Var(_) => {
            let count = m.integer(arity)?;
            if count < 0 {
                return Err(Fault::domain("a number not below zero", count.to_string()));
            }
            let made = match m.store.view(name) {
                View::Var(_) => return Err(Fault::instantiation()),
                View::Compound(..) => return Err(m.type_fault("an atomic term", name)),
                _ if count == 0 => name,
                View::Atom(symbol) => {
                    if count > MAX_ARITY {
                        return Err(Fault::Memory);
                    }
                    m.store.room(2 * count as usize)?;
                    let args: Vec<Cell> = (0..count).map(|_| m.store.fresh()).collect();
                    m.store.structure(symbol, &args)
                }
                _ => return Err(m.type_fault("an atom", name)),
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

fn univ(m: &mut Machine) -> Result<bool, Fault> {
    let (term, list) = (m.args[0], m.args[1]);
    match m.store.view(term) {
        View::Var(_) => {
            let items = m.proper_list(list)?;
            let Some((&name, args)) = items.split_first() else {
                return Err(Fault::domain("a list that is not empty", "[]".to_string()));
            };
            let made = match m.store.view(name) {
                View::Var(_) => return Err(Fault::instantiation()),
                View::Atom(symbol) => m.store.structure(symbol, args),
                View::Compound(..) if args.is_empty() => return Err(m.type_fault("an atomic term", name)),
                _ if args.is_empty() => name,
                _ => return Err(m.type_fault("an atom", name)),
            };
            Ok(m.store.unify(term, made))
        }
        View::Compound(symbol, count, args) => {
            let mut items = vec![Cell::Ground(m.store.terms.atom(symbol))];
            items.extend((0..count).map(|at| m.store.arg(args, at)));
            let made = m.store.list(&items);
            Ok(m.store.unify(list, made))
        }
        _ => {
            let made = m.store.list(&[term]);
            Ok(m.store.unify(list, made))
        }
    }
}

fn arg(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let (number, term, value) = (m.args[0], m.args[1], m.args[2]);
    let View::Compound(_, count, args) = m.store.view(term) else {
        return Err(m.type_fault("a compound term", term));
    };
    match m.optional_integer(number)? {
        Some(at) if at < 0 => Err(Fault::domain("a number not below zero", at.to_string())),
        Some(at) if at == 0 || at > i64::from(count) => Ok(Flow::Fail),
        Some(at) => {
            let found = m.store.arg(args, at as u32 - 1);
            Ok(if m.store.unify(value, found) { Flow::Proceed(next) } else { Flow::Fail })
        }
        None => {
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
    }
}
