//! Parts of texts, with all their answers on backtracking.

use super::text::{Kind, MAX_TEXT};
use crate::prolog::limits::Fault;
use crate::prolog::machine::{Flow, Machine};
use crate::prolog::procedure::Steer;
use crate::prolog::store::{Cell, View};

pub(super) fn find(name: &str, arity: u32) -> Option<Steer> {
    let steer: Steer = match (name, arity) {
        ("sub_atom", 5) => |m, next| sub_text(m, Kind::Atom, next),
        ("sub_string", 5) => |m, next| sub_text(m, Kind::Str, next),
        ("atom_concat", 3) => |m, next| concat(m, Kind::Atom, next),
        ("string_concat", 3) => |m, next| concat(m, Kind::Str, next),
        _ => return None,
    };
    Some(steer)
}

/// All answers as one list, to go through on backtracking.
fn answers(m: &mut Machine, pattern: &[Cell], rows: &[Vec<Cell>], next: u32) -> Result<Flow, Fault> {
    m.store.room(rows.len().saturating_mul(pattern.len() + 4))?;
    let name = m.store.names.minus;
    let items: Vec<Cell> = rows.iter().map(|row| m.store.structure(name, row)).collect();
    let list = m.store.list(&items);
    let pattern = m.store.structure(name, pattern);
    Ok(m.each(pattern, list, next))
}

fn sub_text(m: &mut Machine, kind: Kind, next: u32) -> Result<Flow, Fault> {
    let text: Vec<char> = m.atomic_text(m.args[0])?.chars().collect();
    let [before, length, after] = [m.args[1], m.args[2], m.args[3]];
    let fixed = [m.optional_integer(before)?, m.optional_integer(length)?, m.optional_integer(after)?];
    let part = match m.store.view(m.args[4]) {
        View::Var(_) => None,
        _ => Some(m.atomic_text(m.args[4])?.chars().collect::<Vec<char>>()),
    };
    let size = text.len() as i64;
    let pattern = [before, length, after, m.args[4]];
    let mut rows = Vec::new();
    let lengths = match (&part, fixed) {
        (Some(part), _) => part.len() as i64..=part.len() as i64,
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
                return Err(Fault::Steps);
            }
            let rest = size.checked_sub(start).and_then(|rest| rest.checked_sub(length));
            let Some(rest) = rest.filter(|&rest| rest >= 0 && start >= 0 && length >= 0) else { continue };
            if fixed[1].is_some_and(|wanted| wanted != length) || fixed[2].is_some_and(|wanted| wanted != rest) {
                continue;
            }
            let found = &text[start as usize..(start + length) as usize];
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

fn concat(m: &mut Machine, kind: Kind, next: u32) -> Result<Flow, Fault> {
    let [a, b, c] = [m.args[0], m.args[1], m.args[2]];
    let unknown = |m: &Machine, cell| matches!(m.store.view(cell), View::Var(_));
    if !unknown(m, a) && !unknown(m, b) {
        let text = m.atomic_text(a)? + &m.atomic_text(b)?;
        if text.len() > MAX_TEXT {
            return Err(Fault::Memory);
        }
        if !unknown(m, c) {
            let whole = m.atomic_text(c)?;
            return Ok(if whole == text { Flow::Proceed(next) } else { Flow::Fail });
        }
        return Ok(if m.unify_text(2, kind, &text)? { Flow::Proceed(next) } else { Flow::Fail });
    }
    let whole = m.atomic_text(c)?;
    if !unknown(m, a) {
        let start = m.atomic_text(a)?;
        let rest = whole.strip_prefix(start.as_str()).map(str::to_string);
        return finish(m, 1, kind, rest, next);
    }
    if !unknown(m, b) {
        let end = m.atomic_text(b)?;
        let rest = whole.strip_suffix(end.as_str()).map(str::to_string);
        return finish(m, 0, kind, rest, next);
    }
    let cuts: Vec<usize> = whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect();
    let mut rows = Vec::with_capacity(cuts.len());
    for at in cuts {
        rows.push(vec![m.make_text(kind, &whole[..at])?, m.make_text(kind, &whole[at..])?]);
    }
    answers(m, &[a, b], &rows, next)
}

fn finish(m: &mut Machine, arg: usize, kind: Kind, text: Option<String>, next: u32) -> Result<Flow, Fault> {
    match text {
        Some(text) if m.unify_text(arg, kind, &text)? => Ok(Flow::Proceed(next)),
        _ => Ok(Flow::Fail),
    }
}
