//! Texts from parts and parts of texts, with all their answers on backtracking.

use super::spelling::{one_char, quoted};
use super::text::{MAX_TEXT, SpelledNumbers, TextKind, code_of};
use crate::index::narrow;
use crate::logic::Pred;
use crate::prolog::limits::Fault;
use crate::prolog::machine::{Flow, Machine};
use crate::prolog::procedure::{Det, Steer};
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("atomic_list_concat", 2) => |m| {
            let text = join(m, m.args[0], "")?.ok_or_else(Raise::instantiation)?;
            m.unify_text(1, TextKind::Atom, &text)
        },
        ("atomic_list_concat", 3) => atomic_list_concat,
        ("term_to_atom", 2) => |m| write_term(m, TextKind::Atom),
        ("term_string", 2) => |m| write_term(m, TextKind::Str),
        _ => return None,
    };
    Some(det)
}

pub(super) fn find_steer(name: &str, arity: u32) -> Option<Steer> {
    let steer: Steer = match (name, arity) {
        ("sub_atom", 5) => |m, next| sub_text(m, TextKind::Atom, "atom", next),
        ("sub_string", 5) => |m, next| sub_text(m, TextKind::Str, "string", next),
        ("atom_concat", 3) => |m, next| concat(m, TextKind::Atom, next),
        ("string_concat", 3) => |m, next| concat(m, TextKind::Str, next),
        ("string_code", 3) => string_code,
        _ => return None,
    };
    Some(steer)
}

/// All answers as one list, to go through on backtracking.
fn answers(m: &mut Machine, pattern: &[Cell], rows: &[Vec<Cell>], next: u32) -> Result<Flow, Raised> {
    m.store.room(rows.len().saturating_mul(pattern.len() + 4))?;
    let name = m.store.names.minus;
    let items: Vec<Cell> = rows.iter().map(|row| m.store.structure(name, row)).collect();
    let list = m.store.list(&items);
    let pattern = m.store.structure(name, pattern);
    Ok(m.each(pattern, list, next))
}

/// A length or position that may be missing.
fn size(m: &mut Machine, arg: usize) -> Result<Option<i64>, Raised> {
    match m.store.view(m.args[arg]) {
        View::Var(_) => Ok(None),
        View::Int(value) if value >= 0 => Ok(Some(value)),
        View::Int(_) => Err(m.domain_error("not_less_than_zero", m.args[arg])),
        View::Big(id) if m.store.big(id).sign() == num_bigint::Sign::Minus => {
            Err(m.domain_error("not_less_than_zero", m.args[arg]))
        }
        View::Big(id) if m.store.big(id).bits() > 64 => Err(Raise::new(What::Representation("size_t"))),
        // Longer than any text.
        View::Big(_) => Ok(Some(i64::MAX)),
        _ => Err(m.type_error("integer", m.args[arg])),
    }
}

fn sub_text(m: &mut Machine, kind: TextKind, expected: &'static str, next: u32) -> Result<Flow, Raised> {
    let text: Vec<char> = m.atomic_text(m.args[0], expected)?.chars().collect();
    let fixed = [size(m, 1)?, size(m, 2)?, size(m, 3)?];
    let part = match m.store.view(m.args[4]) {
        View::Var(_) => None,
        _ => Some(m.atomic_text(m.args[4], expected)?.chars().collect::<Vec<char>>()),
    };
    let size = narrow(text.len());
    let pattern = [m.args[1], m.args[2], m.args[3], m.args[4]];
    let mut rows = Vec::new();
    let lengths = match (&part, fixed) {
        (Some(part), _) => narrow::<_, i64>(part.len())..=narrow(part.len()),
        (None, [_, Some(length), _]) => length..=length,
        _ => 0..=size,
    };
    let starts = match fixed {
        [Some(before), ..] => before..=before,
        _ => 0..=size,
    };
    for start in starts {
        for length in lengths.clone() {
            m.store.fuel -= 1;
            if m.store.fuel < 0 {
                return Err(Fault::Steps.into());
            }
            let rest = size.checked_sub(start).and_then(|rest| rest.checked_sub(length));
            let Some(rest) = rest.filter(|&rest| rest >= 0) else { continue };
            if fixed[1].is_some_and(|wanted| wanted != length) || fixed[2].is_some_and(|wanted| wanted != rest) {
                continue;
            }
            let found = &text[narrow::<_, usize>(start)..narrow(start + length)];
            let found = match &part {
                Some(part) if found != part.as_slice() => continue,
                Some(_) => m.args[4],
                None => m.make_text(kind, &found.iter().collect::<String>())?,
            };
            rows.push(vec![Cell::Int(start), Cell::Int(length), Cell::Int(rest), found]);
            m.store.room(8 * rows.len())?;
        }
    }
    answers(m, &pattern, &rows, next)
}

fn concat(m: &mut Machine, kind: TextKind, next: u32) -> Result<Flow, Raised> {
    let mut texts = [None, None, None];
    for (arg, text) in texts.iter_mut().enumerate() {
        if !matches!(m.store.view(m.args[arg]), View::Var(_)) {
            *text = Some(m.constant_text(m.args[arg])?);
        }
    }
    match texts {
        [Some(start), Some(end), whole] => {
            let text = start + &end;
            if text.len() > MAX_TEXT {
                return Err(Fault::Memory.into());
            }
            let holds = match whole {
                Some(whole) => whole == text,
                None => m.unify_text(2, kind, &text)?,
            };
            Ok(if holds { Flow::Proceed(next) } else { Flow::Fail })
        }
        [Some(start), None, Some(whole)] => finish(m, 1, kind, whole.strip_prefix(start.as_str()), next),
        [None, Some(end), Some(whole)] => finish(m, 0, kind, whole.strip_suffix(end.as_str()), next),
        [None, None, Some(whole)] => {
            let cuts: Vec<usize> = whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect();
            let mut rows = Vec::with_capacity(cuts.len());
            for at in cuts {
                rows.push(vec![m.make_text(kind, &whole[..at])?, m.make_text(kind, &whole[at..])?]);
            }
            answers(m, &[m.args[0], m.args[1]], &rows, next)
        }
        [_, _, None] => Err(Raise::instantiation()),
    }
}

fn finish(m: &mut Machine, arg: usize, kind: TextKind, text: Option<&str>, next: u32) -> Result<Flow, Raised> {
    match text {
        Some(text) if m.unify_text(arg, kind, text)? => Ok(Flow::Proceed(next)),
        _ => Ok(Flow::Fail),
    }
}

fn string_code(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let text = m.text(m.args[1], SpelledNumbers::Refused, "text")?;
    let code = |c: char| Cell::Int(i64::from(u32::from(c)));
    if let Some(at) = size(m, 0)? {
        let found = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).and_then(|at| text.chars().nth(at));
        let holds = found.is_some_and(|c| m.store.unify(m.args[2], code(c)));
        return Ok(if holds { Flow::Proceed(next) } else { Flow::Fail });
    }
    let wanted = match m.store.view(m.args[2]) {
        View::Var(_) => None,
        View::Int(value) => code_of(value),
        View::Atom(name) | View::Str(name) => one_char(m.store.terms.name(name)),
        View::Nil | View::Compound(..) => {
            m.text(m.args[2], SpelledNumbers::Refused, "character").ok().and_then(|text| one_char(&text))
        }
        View::Big(_) | View::Float(_) => None,
    };
    if wanted.is_none() && !matches!(m.store.view(m.args[2]), View::Var(_)) {
        return Err(m.type_error("character", m.args[2]));
    }
    let found = text.chars().enumerate().filter(|(_, c)| wanted.is_none_or(|wanted| wanted == *c));
    let value = |c: char| if wanted.is_some() { m.args[2] } else { code(c) };
    let rows: Vec<Vec<Cell>> = found.map(|(at, c)| vec![Cell::Int(narrow::<_, i64>(at) + 1), value(c)]).collect();
    answers(m, &[m.args[0], m.args[2]], &rows, next)
}

/// The texts of a list, joined; `None` if a part is not known.
fn join(m: &mut Machine, list: Cell, separator: &str) -> Result<Option<String>, Raised> {
    let (items, end) = m.store.items(list);
    if m.store.fuel < 0 {
        return Err(Fault::Steps.into());
    }
    let mut text = String::new();
    for (at, &item) in items.iter().enumerate() {
        if let View::Var(_) = m.store.view(item) {
            return Ok(None);
        }
        if at > 0 {
            text.push_str(separator);
        }
        text.push_str(&m.atomic_text(item, "text")?);
        if text.len() > MAX_TEXT {
            return Err(Fault::Memory.into());
        }
    }
    match m.store.view(end) {
        View::Nil => Ok(Some(text)),
        View::Var(_) => Ok(None),
        _ => Err(m.type_error("list", end)),
    }
}

/// Join, or split where the list is not fully known.
fn atomic_list_concat(m: &mut Machine) -> Result<bool, Raised> {
    let separator = m.atomic_text(m.args[1], "text")?;
    if let Some(text) = join(m, m.args[0], &separator)? {
        return m.unify_text(2, TextKind::Atom, &text);
    }
    if separator.is_empty() {
        return Err(m.domain_error("non_empty_atom", m.args[1]));
    }
    let whole = m.constant_text(m.args[2])?;
    let parts: Vec<Cell> = whole.split(separator.as_str()).map(|part| m.store.atom(part)).collect();
    m.store.room(3 * parts.len())?;
    let list = m.store.list(&parts);
    Ok(m.store.unify(m.args[0], list))
}

/// Write a term. Reading one, and writing variables and operators, is not supported.
fn write_term(m: &mut Machine, kind: TextKind) -> Result<bool, Raised> {
    let is_new = matches!(m.store.view(m.args[1]), View::Var(_));
    let written = m.store.intern(m.args[0]).filter(|_| is_new).and_then(|id| quoted(&m.store.terms, id));
    match written {
        Some(written) => m.unify_text(1, kind, &written),
        None => {
            let name = if kind == TextKind::Atom { "term_to_atom" } else { "term_string" };
            let pred = Pred::new(m.store.terms.intern(name), 2);
            let name = format!("{name}/2 (other than writing a term without variables and operators)");
            Err(Fault::Unsupported { pred, name }.into())
        }
    }
}
