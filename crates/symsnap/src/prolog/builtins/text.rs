//! Atoms, strings, characters and codes, where there is one answer.

use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::store::{Cell, View};
use std::fmt::Write as _;

/// No text longer than this is made.
pub(super) const MAX_TEXT: usize = 16 << 20;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("atom_length" | "string_length", 2) => atom_length,
        ("atom_codes", 2) => |m| convert(m, Kind::Codes, Kind::Atom),
        ("atom_chars", 2) => |m| convert(m, Kind::Chars, Kind::Atom),
        ("name", 2) => |m| convert(m, Kind::Codes, Kind::Name),
        ("number_codes", 2) => |m| convert(m, Kind::Codes, Kind::Number),
        ("number_chars", 2) => |m| convert(m, Kind::Chars, Kind::Number),
        ("string_codes", 2) => |m| convert(m, Kind::Codes, Kind::Str),
        ("string_chars", 2) => |m| convert(m, Kind::Chars, Kind::Str),
        ("atom_string", 2) => |m| convert(m, Kind::Str, Kind::Atom),
        ("number_string", 2) => |m| reverse_convert(m, Kind::Number),
        ("string_to_atom", 2) => |m| convert(m, Kind::Atom, Kind::Str),
        ("term_string" | "term_to_atom", 2) => term_to_text,
        ("text_to_string", 2) => |m| {
            let text = m.text(m.args[0])?;
            m.unify_text(1, Kind::Str, &text)
        },
        ("char_code", 2) => char_code,
        ("atom_number", 2) => atom_number,
        ("upcase_atom", 2) => |m| map_text(m, str::to_uppercase, Kind::Atom),
        ("downcase_atom", 2) => |m| map_text(m, str::to_lowercase, Kind::Atom),
        ("string_upper", 2) => |m| map_text(m, str::to_uppercase, Kind::Str),
        ("string_lower", 2) => |m| map_text(m, str::to_lowercase, Kind::Str),
        ("atomic_list_concat", 2) => |m| {
            let items = m.proper_list(m.args[0])?;
            let text = join(m, &items, "")?;
            m.unify_text(1, Kind::Atom, &text)
        },
        ("atomic_list_concat", 3) => atomic_list_concat,
        ("split_string", 4) => split_string,
        ("string_code", 3) => string_code,
        _ => return None,
    };
    Some(det)
}

/// What a text becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Atom,
    Str,
    Codes,
    Chars,
    /// A number, or a fault.
    Number,
    /// A number if it reads as one, else an atom.
    Name,
}

impl Machine {
    /// The text of an atomic term.
    pub(super) fn atomic_text(&mut self, cell: Cell) -> Result<String, Fault> {
        match self.store.view(cell) {
            View::Atom(name) | View::Str(name) => Ok(self.store.terms.name(name).to_string()),
            View::Int(value) => Ok(value.to_string()),
            View::Float(value) => Ok(float_text(value)),
            _ => Err(self.type_fault("text", cell)),
        }
    }

    /// The text of an atomic term or of a list of codes or characters.
    pub(super) fn text(&mut self, cell: Cell) -> Result<String, Fault> {
        match self.store.view(cell) {
            View::Nil => Ok(String::new()),
            View::Compound(..) => {
                let items = self.proper_list(cell)?;
                let mut text = String::with_capacity(items.len());
                for item in items {
                    match self.store.view(item) {
                        View::Int(code) => match u32::try_from(code).ok().and_then(char::from_u32) {
                            Some(c) => text.push(c),
                            None => return Err(Fault::wrong_type("a character code", code.to_string())),
                        },
                        View::Atom(name) if self.store.terms.name(name).chars().count() == 1 => {
                            text.push_str(self.store.terms.name(name));
                        }
                        _ => return Err(self.type_fault("a character", item)),
                    }
                }
                Ok(text)
            }
            _ => self.atomic_text(cell),
        }
    }

    pub(super) fn make_text(&mut self, kind: Kind, text: &str) -> Result<Cell, Fault> {
        if text.len() > MAX_TEXT {
            return Err(Fault::Memory);
        }
        self.store.fuel -= text.len() as i64 / 8;
        Ok(match kind {
            Kind::Atom => self.store.atom(text),
            Kind::Str => Cell::Ground(self.store.terms.string(text)),
            Kind::Number => match read_number(text.trim_start()) {
                Some(number) => number,
                None => return Err(Fault::domain("the text of a number", format!("{text:?}"))),
            },
            Kind::Name => match read_number(text) {
                Some(number) => number,
                None => self.store.atom(text),
            },
            Kind::Codes => {
                let items: Vec<Cell> = text.chars().map(|c| Cell::Int(i64::from(u32::from(c)))).collect();
                self.store.room(3 * items.len())?;
                self.store.list(&items)
            }
            Kind::Chars => {
                let items: Vec<Cell> = text.chars().map(|c| self.store.atom(c.encode_utf8(&mut [0; 4]))).collect();
                self.store.room(3 * items.len())?;
                self.store.list(&items)
            }
        })
    }

    /// Unify an argument with a text.
    pub(super) fn unify_text(&mut self, arg: usize, kind: Kind, text: &str) -> Result<bool, Fault> {
        let made = self.make_text(kind, text)?;
        Ok(self.store.unify(self.args[arg], made))
    }
}

/// Between a term and its spelling: argument 0 if it is bound, else argument 1.
fn convert(m: &mut Machine, spelling: Kind, term: Kind) -> Result<bool, Fault> {
    match m.store.view(m.args[0]) {
        View::Var(_) => {
            let text = m.text(m.args[1])?;
            m.unify_text(0, term, &text)
        }
        view => {
            if term == Kind::Number && !matches!(view, View::Int(_) | View::Float(_)) {
                return Err(m.type_fault("a number", m.args[0]));
            }
            let text = if matches!(term, Kind::Str) { m.text(m.args[0])? } else { m.atomic_text(m.args[0])? };
            // Texts are compared as texts: `atom_string(a, a)` holds.
            if spelling == Kind::Str
                && !matches!(m.store.view(m.args[1]), View::Var(_))
                && let Ok(other) = m.text(m.args[1])
            {
                return Ok(text == other);
            }
            m.unify_text(1, spelling, &text)
        }
    }
}

fn reverse_convert(m: &mut Machine, term: Kind) -> Result<bool, Fault> {
    match m.store.view(m.args[1]) {
        View::Var(_) => {
            let text = m.atomic_text(m.args[0])?;
            m.unify_text(1, Kind::Str, &text)
        }
        _ => {
            let text = m.text(m.args[1])?;
            if read_number(text.trim_start()).is_none() {
                return Ok(false);
            }
            m.unify_text(0, term, &text)
        }
    }
}

fn term_to_text(m: &mut Machine) -> Result<bool, Fault> {
    let Some(id) = m.store.intern(m.args[0]) else { return Err(Fault::instantiation()) };
    let text = m.store.terms.show(id);
    m.unify_text(1, Kind::Atom, &text)
}

fn atom_length(m: &mut Machine) -> Result<bool, Fault> {
    let length = m.atomic_text(m.args[0])?.chars().count();
    m.optional_integer(m.args[1])?;
    Ok(m.store.unify(m.args[1], Cell::Int(length as i64)))
}

fn char_code(m: &mut Machine) -> Result<bool, Fault> {
    match m.store.view(m.args[0]) {
        View::Var(_) => {
            let code = m.integer(m.args[1])?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => m.unify_text(0, Kind::Atom, c.encode_utf8(&mut [0; 4])),
                None => Err(Fault::domain("a character code", code.to_string())),
            }
        }
        View::Atom(name) => {
            let mut chars = m.store.terms.name(name).chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Ok(m.store.unify(m.args[1], Cell::Int(i64::from(u32::from(c))))),
                _ => Err(m.type_fault("a character", m.args[0])),
            }
        }
        _ => Err(m.type_fault("a character", m.args[0])),
    }
}

fn atom_number(m: &mut Machine) -> Result<bool, Fault> {
    match m.store.view(m.args[0]) {
        View::Var(_) => {
            if !matches!(m.store.view(m.args[1]), View::Int(_) | View::Float(_)) {
                return Err(m.type_fault("a number", m.args[1]));
            }
            let text = m.atomic_text(m.args[1])?;
            m.unify_text(0, Kind::Atom, &text)
        }
        _ => {
            let text = m.atomic_text(m.args[0])?;
            match read_number(&text) {
                Some(number) => Ok(m.store.unify(m.args[1], number)),
                None => Ok(false),
            }
        }
    }
}

fn map_text(m: &mut Machine, map: fn(&str) -> String, kind: Kind) -> Result<bool, Fault> {
    let text = map(&m.text(m.args[0])?);
    m.unify_text(1, kind, &text)
}

fn join(m: &mut Machine, items: &[Cell], separator: &str) -> Result<String, Fault> {
    let mut text = String::new();
    for (at, &item) in items.iter().enumerate() {
        if at > 0 {
            text.push_str(separator);
        }
        text.push_str(&m.atomic_text(item)?);
        if text.len() > MAX_TEXT {
            return Err(Fault::Memory);
        }
    }
    Ok(text)
}

/// Join, or split where the list is not fully known.
fn atomic_list_concat(m: &mut Machine) -> Result<bool, Fault> {
    let separator = m.atomic_text(m.args[1])?;
    let (items, end) = m.store.items(m.args[0]);
    let known = m.store.is_nil(end) && items.iter().all(|&item| !matches!(m.store.view(item), View::Var(_)));
    if known {
        let text = join(m, &items, &separator)?;
        return m.unify_text(2, Kind::Atom, &text);
    }
    let whole = m.atomic_text(m.args[2])?;
    if separator.is_empty() {
        return Err(Fault::domain("a separator that is not empty", "''".to_string()));
    }
    let parts: Vec<Cell> = whole.split(separator.as_str()).map(|part| m.store.atom(part)).collect();
    m.store.room(3 * parts.len())?;
    let list = m.store.list(&parts);
    Ok(m.store.unify(m.args[0], list))
}

fn split_string(m: &mut Machine) -> Result<bool, Fault> {
    let (text, separators, pad) = (m.text(m.args[0])?, m.text(m.args[1])?, m.text(m.args[2])?);
    let trim = |part: &str| part.trim_matches(|c| pad.contains(c)).to_string();
    let parts: Vec<String> = if separators.is_empty() {
        vec![trim(&text)]
    } else {
        text.split(|c| separators.contains(c)).map(trim).collect()
    };
    let mut items = Vec::with_capacity(parts.len());
    for part in parts {
        items.push(m.make_text(Kind::Str, &part)?);
    }
    m.store.room(3 * items.len())?;
    let list = m.store.list(&items);
    Ok(m.store.unify(m.args[3], list))
}

fn string_code(m: &mut Machine) -> Result<bool, Fault> {
    let at = m.integer(m.args[0])?;
    let text = m.text(m.args[1])?;
    match usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).and_then(|at| text.chars().nth(at)) {
        Some(c) => Ok(m.store.unify(m.args[2], Cell::Int(i64::from(u32::from(c))))),
        None => Ok(false),
    }
}

/// A float as SWI-Prolog writes it: shortest digits, always with a point, an exponent from 1e15 and below 1e-4.
pub(super) fn float_text(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    if value.is_nan() {
        return "nan".to_string();
    }
    let size = value.abs();
    if value == 0.0 || (1e-4..1e15).contains(&size) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').expect("that is the format");
    let mut out = digits.to_string();
    if !digits.contains('.') {
        out.push_str(".0");
    }
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    write!(out, "e{sign}{exponent}").expect("writing to a string");
    out
}

/// The number that a text spells, sign included, with nothing around it.
pub(super) fn read_number(text: &str) -> Option<Cell> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if !digits.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            let value = rest.chars().all(|c| c.is_digit(radix)).then(|| i64::from_str_radix(rest, radix).ok())??;
            return Some(Cell::Int(if negative { -value } else { value }));
        }
    }
    if let Some(rest) = digits.strip_prefix("0'") {
        let mut chars = rest.chars();
        return match (chars.next(), chars.next()) {
            (Some(c), None) => Some(Cell::Int(i64::from(u32::from(c)) * if negative { -1 } else { 1 })),
            _ => None,
        };
    }
    if digits.bytes().all(|c| c.is_ascii_digit()) {
        let value: i128 = digits.parse().ok()?;
        return i64::try_from(if negative { -value } else { value }).ok().map(Cell::Int);
    }
    if digits == "inf" || digits == "1.0Inf" {
        return Some(Cell::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    // digits [. digits] [e [sign] digits], with a fraction or an exponent
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (digits, None),
    };
    let whole = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    let fits = mantissa.split_once('.').map_or(whole(mantissa), |(a, b)| whole(a) && whole(b));
    if !fits || exponent.is_some_and(|exponent| !whole(exponent)) {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some(Cell::Float(if negative { -value } else { value }))
}
