//! Atoms, strings, characters and codes, where there is one answer.
//!
//! Which terms count as text differs from predicate to predicate, and so does what is raised for those that do not. The
//! rules are those of SWI-Prolog 9: [`Machine::text`], [`Machine::spelled`] and [`Machine::atomic_text`] are the three
//! ways in which it reads an argument.

use super::spelling::{float_text, is_rational, one_char, read_number};
use crate::index::narrow;
use crate::logic::Pred;
use crate::prolog::limits::Fault;
use crate::prolog::machine::Machine;
use crate::prolog::procedure::Det;
use crate::prolog::raise::{Raise, Raised, What};
use crate::prolog::store::{Cell, View};

/// The most bytes of a text that a built-in makes.
pub(super) const MAX_TEXT: usize = 16 << 20;

pub(super) fn find(name: &str, arity: u32) -> Option<Det> {
    let det: Det = match (name, arity) {
        ("atom_length" | "string_length", 2) => atom_length,
        ("atom_codes", 2) => |m| spell(m, TextKind::Atom, TextKind::Codes, "atom"),
        ("atom_chars", 2) => |m| spell(m, TextKind::Atom, TextKind::Chars, "atom"),
        ("name", 2) => |m| spell(m, TextKind::Name, TextKind::Codes, "atomic"),
        ("number_codes", 2) => |m| spell_number(m, TextKind::Codes),
        ("number_chars", 2) => |m| spell_number(m, TextKind::Chars),
        ("string_codes", 2) => |m| spell_string(m, TextKind::Codes),
        ("string_chars", 2) => |m| spell_string(m, TextKind::Chars),
        ("atom_string", 2) => |m| convert(m, (0, TextKind::Atom, "atom"), (1, TextKind::Str, "string")),
        ("string_to_atom", 2) => |m| convert(m, (1, TextKind::Atom, "atom"), (0, TextKind::Str, "string")),
        ("number_string", 2) => number_string,
        ("text_to_string", 2) => |m| {
            let text = m.text(m.args[0], SpelledNumbers::Refused, "text")?;
            if let View::Str(_) = m.store.view(m.args[0]) {
                return Ok(m.store.unify(m.args[0], m.args[1]));
            }
            unify_as_text(m, 1, TextKind::Str, &text)
        },
        ("char_code", 2) => char_code,
        ("atom_number", 2) => atom_number,
        ("upcase_atom", 2) => |m| map_text(m, str::to_uppercase, TextKind::Atom, "atom"),
        ("downcase_atom", 2) => |m| map_text(m, str::to_lowercase, TextKind::Atom, "atom"),
        ("string_upper", 2) => |m| map_text(m, str::to_uppercase, TextKind::Str, "string"),
        ("string_lower", 2) => |m| map_text(m, str::to_lowercase, TextKind::Str, "string"),
        ("split_string", 4) => split_string,
        _ => return None,
    };
    Some(det)
}

/// What a text becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    Atom,
    Str,
    Codes,
    Chars,
    /// A number if it reads as one, else an atom.
    Name,
}

/// Whether a number is read as the text that spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpelledNumbers {
    Read,
    Refused,
}

/// Why a list is no text.
#[derive(Debug, Clone, Copy)]
enum Flaw {
    /// Its end or an element is not known.
    Unknown,
    /// An element is not what the first says that all are: `character_code` or `character`.
    Element(&'static str, Cell),
    /// It does not end in `[]`, or is no list.
    NoList,
}

impl Machine {
    /// The text of an atom, a string or a number; `None` for anything else.
    pub(super) fn plain_text(&self, cell: Cell) -> Option<String> {
        match self.store.view(cell) {
            View::Atom(name) | View::Str(name) => Some(self.store.terms.name(name).to_string()),
            View::Int(value) => Some(value.to_string()),
            View::Big(id) => Some(self.store.big(id).to_string()),
            View::Float(value) => Some(float_text(value)),
            View::Var(_) | View::Nil | View::Compound(..) => None,
        }
    }

    /// The text of an atom, a string or a number, where nothing else will do.
    pub(super) fn atomic_text(&mut self, cell: Cell, expected: &'static str) -> Result<String, Raised> {
        self.pay_for_digits(cell)?;
        match self.plain_text(cell) {
            Some(text) => Ok(text),
            None => Err(self.type_error(expected, cell)),
        }
    }

    /// As [`Machine::atomic_text`] where SWI-Prolog says `atom` of `[]` and `atomic` of compounds.
    pub(super) fn constant_text(&mut self, cell: Cell) -> Result<String, Raised> {
        let expected = if self.store.is_nil(cell) { "atom" } else { "atomic" };
        self.atomic_text(cell, expected)
    }

    /// The text of an atomic term or of a list of codes or characters.
    pub(super) fn text(
        &mut self,
        cell: Cell,
        numbers: SpelledNumbers,
        expected: &'static str,
    ) -> Result<String, Raised> {
        match self.store.view(cell) {
            View::Int(_) | View::Big(_) | View::Float(_) if numbers == SpelledNumbers::Refused => {
                Err(self.type_error(expected, cell))
            }
            View::Nil | View::Compound(..) => match self.list_text(cell)? {
                Ok(text) => Ok(text),
                Err(flaw) => Err(self.flawed(flaw, cell, expected)),
            },
            _ => self.atomic_text(cell, expected),
        }
    }

    /// The text of a string or of a list of codes or characters.
    fn spelled(&mut self, cell: Cell) -> Result<Result<String, Flaw>, Raised> {
        match self.store.view(cell) {
            View::Str(text) => Ok(Ok(self.store.terms.name(text).to_string())),
            View::Var(_) => Ok(Err(Flaw::Unknown)),
            View::Nil | View::Compound(..) => self.list_text(cell),
            _ => Ok(Err(Flaw::NoList)),
        }
    }

    /// The text that a list spells. Its first element says whether it is of codes or of characters.
    fn list_text(&mut self, cell: Cell) -> Result<Result<String, Flaw>, Raised> {
        let (items, end) = self.store.items(cell);
        if self.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        let mut text = String::with_capacity(items.len());
        let mut codes = true;
        for (at, &item) in items.iter().enumerate() {
            let found = match self.store.view(item) {
                View::Var(_) => return Ok(Err(Flaw::Unknown)),
                View::Int(code) if codes => code_of(code),
                View::Atom(name) if at == 0 || !codes => {
                    let only = one_char(self.store.terms.name(name));
                    codes &= only.is_none();
                    only
                }
                _ => None,
            };
            match found {
                Some(c) => text.push(c),
                None => return Ok(Err(Flaw::Element(if codes { "character_code" } else { "character" }, item))),
            }
        }
        Ok(match self.store.view(end) {
            View::Nil => Ok(text),
            View::Var(_) => Err(Flaw::Unknown),
            _ => Err(Flaw::NoList),
        })
    }

    fn flawed(&mut self, flaw: Flaw, cell: Cell, expected: &'static str) -> Raised {
        match flaw {
            Flaw::Unknown => Raise::instantiation(),
            Flaw::Element(kind, item) => self.type_error(kind, item),
            Flaw::NoList => self.type_error(expected, cell),
        }
    }

    /// Writing a large integer takes time in the square of its length.
    fn pay_for_digits(&mut self, cell: Cell) -> Result<(), Raised> {
        if let View::Big(id) = self.store.view(cell) {
            let words = self.store.big(id).bits() / 64;
            self.store.fuel -= i64::try_from(words * words / 64).unwrap_or(i64::MAX);
            if self.store.fuel < 0 {
                return Err(Fault::Steps.into());
            }
        }
        Ok(())
    }

    pub(super) fn make_text(&mut self, kind: TextKind, text: &str) -> Result<Cell, Raised> {
        if text.len() > MAX_TEXT {
            return Err(Fault::Memory.into());
        }
        self.store.fuel -= narrow::<_, i64>(text.len()) / 8;
        Ok(match kind {
            TextKind::Atom => self.store.atom(text),
            TextKind::Str => Cell::Ground(self.store.terms.string(text)),
            TextKind::Name => match self.read_number(text)? {
                Some(number) => number,
                None => self.store.atom(text),
            },
            TextKind::Codes => {
                let items: Vec<Cell> = text.chars().map(|c| Cell::Int(i64::from(u32::from(c)))).collect();
                self.store.room(3 * items.len())?;
                self.store.list(&items)
            }
            TextKind::Chars => {
                let items: Vec<Cell> = text.chars().map(|c| self.store.atom(c.encode_utf8(&mut [0; 4]))).collect();
                self.store.room(3 * items.len())?;
                self.store.list(&items)
            }
        })
    }

    /// The number that a text spells, if it does.
    fn read_number(&mut self, text: &str) -> Result<Option<Cell>, Raised> {
        // Reading a long number takes time in the square of its length.
        let words = narrow::<_, i64>(text.len()) / 19;
        self.store.fuel -= words * words / 64;
        if self.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        match read_number(text) {
            None if is_rational(text) => {
                let pred = Pred::new(self.store.terms.intern("rational"), 1);
                Err(Fault::Unsupported { pred, name: format!("the rational number {text}") }.into())
            }
            number => Ok(number.map(|number| number.cell(&mut self.store))),
        }
    }

    /// Unify an argument with a text.
    pub(super) fn unify_text(&mut self, arg: usize, kind: TextKind, text: &str) -> Result<bool, Raised> {
        let made = self.make_text(kind, text)?;
        Ok(self.store.unify(self.args[arg], made))
    }

    fn is_unbound(&self, arg: usize) -> bool {
        matches!(self.store.view(self.args[arg]), View::Var(_))
    }

    fn is_number(&self, arg: usize) -> bool {
        matches!(self.store.view(self.args[arg]), View::Int(_) | View::Big(_) | View::Float(_))
    }
}

/// The character with this code.
pub(super) fn code_of(code: i64) -> Option<char> {
    u32::try_from(code).ok().and_then(char::from_u32)
}

/// Unify an argument with a text; any term that spells the text will do.
fn unify_as_text(m: &mut Machine, arg: usize, kind: TextKind, text: &str) -> Result<bool, Raised> {
    if m.is_unbound(arg) {
        return m.unify_text(arg, kind, text);
    }
    Ok(m.text(m.args[arg], SpelledNumbers::Read, "text").is_ok_and(|other| other == text))
}

/// `atom_codes/2` and its kin.
fn spell(m: &mut Machine, term: TextKind, spelling: TextKind, expected: &'static str) -> Result<bool, Raised> {
    if m.is_unbound(0) {
        return from_spelling(m, term);
    }
    let text = m.atomic_text(m.args[0], expected)?;
    match m.spelled(m.args[1])? {
        // A spelling of another kind is read, as if the first argument were not known.
        Ok(other) => Ok(m.unify_text(1, spelling, &text)? || m.unify_text(0, term, &other)?),
        Err(Flaw::Unknown) => m.unify_text(1, spelling, &text),
        Err(flaw) => Err(m.flawed(flaw, m.args[1], "list")),
    }
}

/// Unify the first argument with what the second spells.
fn from_spelling(m: &mut Machine, term: TextKind) -> Result<bool, Raised> {
    match m.spelled(m.args[1])? {
        Ok(text) => m.unify_text(0, term, &text),
        Err(flaw) => Err(m.flawed(flaw, m.args[1], "list")),
    }
}

fn spell_string(m: &mut Machine, spelling: TextKind) -> Result<bool, Raised> {
    if m.is_unbound(0) {
        return from_spelling(m, TextKind::Str);
    }
    let text = match m.text(m.args[0], SpelledNumbers::Read, "text") {
        Ok(text) => text,
        Err(raised) if raised.is_instantiation() && !m.is_unbound(1) => return from_spelling(m, TextKind::Str),
        Err(raised) => return Err(raised),
    };
    match m.spelled(m.args[1])? {
        Err(Flaw::Unknown) => m.unify_text(1, spelling, &text),
        _ => unify_as_text(m, 1, spelling, &text),
    }
}

fn spell_number(m: &mut Machine, spelling: TextKind) -> Result<bool, Raised> {
    if !m.is_unbound(0) && !m.is_number(0) {
        return Err(m.type_error("number", m.args[0]));
    }
    match m.spelled(m.args[1])? {
        Ok(text) => match m.read_number(text.trim_start())? {
            Some(number) => Ok(m.store.unify(m.args[0], number)),
            None => {
                let culprit = m.store.culprit(m.args[1]);
                Err(Raise::new(What::Syntax("illegal_number", culprit)))
            }
        },
        Err(Flaw::Unknown) if !m.is_unbound(0) => {
            let text = m.atomic_text(m.args[0], "number")?;
            m.unify_text(1, spelling, &text)
        }
        Err(flaw) => Err(m.flawed(flaw, m.args[1], "list")),
    }
}

fn number_string(m: &mut Machine) -> Result<bool, Raised> {
    if !m.is_unbound(0) && !m.is_number(0) {
        return Err(m.type_error("number", m.args[0]));
    }
    match m.spelled(m.args[1])? {
        Ok(text) => match m.read_number(&text)? {
            Some(number) => Ok(m.store.unify(m.args[0], number)),
            None => Ok(false),
        },
        Err(Flaw::Unknown) if !m.is_unbound(0) => {
            let text = m.atomic_text(m.args[0], "number")?;
            m.unify_text(1, TextKind::Str, &text)
        }
        Err(flaw) => Err(m.flawed(flaw, m.args[1], "list")),
    }
}

/// Between two kinds of text, from the first that is one. Each comes with the argument it is and what it should be.
fn convert(
    m: &mut Machine,
    first: (usize, TextKind, &'static str),
    second: (usize, TextKind, &'static str),
) -> Result<bool, Raised> {
    let read = |m: &mut Machine, arg: usize| m.text(m.args[arg], SpelledNumbers::Read, "text").ok();
    if let Some(text) = read(m, first.0) {
        return unify_as_text(m, second.0, second.1, &text);
    }
    if let Some(text) = read(m, second.0) {
        return if m.is_unbound(first.0) { m.unify_text(first.0, first.1, &text) } else { Ok(false) };
    }
    // Of two arguments that are no text the string is to blame, if it is bound.
    let (blamed, _, expected) = if m.is_unbound(second.0) { first } else { second };
    Err(m.type_error(expected, m.args[blamed]))
}

fn atom_length(m: &mut Machine) -> Result<bool, Raised> {
    let length = m.text(m.args[0], SpelledNumbers::Read, "text")?.chars().count();
    match m.store.view(m.args[1]) {
        View::Var(_) | View::Int(_) | View::Big(_) => Ok(m.store.unify(m.args[1], Cell::Int(narrow(length)))),
        _ => Err(m.type_error("integer", m.args[1])),
    }
}

fn char_code(m: &mut Machine) -> Result<bool, Raised> {
    let known = match m.store.view(m.args[0]) {
        View::Var(_) => None,
        View::Atom(name) => match one_char(m.store.terms.name(name)) {
            Some(c) => Some(c),
            None => return Err(m.type_error("character", m.args[0])),
        },
        _ => return Err(m.type_error("character", m.args[0])),
    };
    let code = match (m.store.view(m.args[1]), known) {
        (View::Var(_), Some(_)) => None,
        (View::Int(code), _) => match code_of(code) {
            Some(c) => Some(c),
            None if i32::try_from(code).is_ok() => return Err(m.type_error("character_code", m.args[1])),
            None => return Err(Raise::new(What::Representation("int"))),
        },
        (View::Big(_), _) => return Err(Raise::new(What::Representation("int"))),
        _ => return Err(m.type_error("integer", m.args[1])),
    };
    match (known, code) {
        (Some(known), None) => Ok(m.store.unify(m.args[1], Cell::Int(i64::from(u32::from(known))))),
        (None, Some(code)) => m.unify_text(0, TextKind::Atom, code.encode_utf8(&mut [0; 4])),
        (known, code) => Ok(known == code),
    }
}

fn atom_number(m: &mut Machine) -> Result<bool, Raised> {
    if let View::Atom(name) | View::Str(name) = m.store.view(m.args[0]) {
        let text = m.store.terms.name(name).to_string();
        return match m.read_number(&text)? {
            Some(number) => Ok(m.store.unify(m.args[1], number)),
            None => Ok(false),
        };
    }
    match (m.is_number(1), m.is_unbound(1)) {
        (true, _) => {
            let text = m.atomic_text(m.args[1], "number")?;
            m.unify_text(0, TextKind::Atom, &text)
        }
        (_, true) => Err(m.type_error("atom", m.args[0])),
        _ => Err(m.type_error("number", m.args[1])),
    }
}

fn map_text(m: &mut Machine, map: fn(&str) -> String, kind: TextKind, expected: &'static str) -> Result<bool, Raised> {
    let text = map(&m.constant_text(m.args[0])?);
    match m.store.view(m.args[1]) {
        View::Var(_) => m.unify_text(1, kind, &text),
        View::Nil | View::Compound(..) => Err(m.type_error(expected, m.args[1])),
        _ => Ok(m.plain_text(m.args[1]).is_some_and(|other| other == text)),
    }
}

fn split_string(m: &mut Machine) -> Result<bool, Raised> {
    let [text, separators, pad] = [0, 1, 2].map(|arg| m.text(m.args[arg], SpelledNumbers::Refused, "text"));
    let (text, separators, pad) = (text?, separators?, pad?);
    let trim = |part: &str| part.trim_matches(|c| pad.contains(c)).to_string();
    let text = trim(&text);
    let parts: Vec<String> =
        if separators.is_empty() { vec![text] } else { text.split(|c| separators.contains(c)).map(trim).collect() };
    let mut items = Vec::with_capacity(parts.len());
    for part in parts {
        items.push(m.make_text(TextKind::Str, &part)?);
    }
    m.store.room(3 * items.len())?;
    let list = m.store.list(&items);
    match m.store.view(m.args[3]) {
        View::Var(_) | View::Nil => {}
        View::Compound(name, 2, _) if name == m.store.terms.cons() => {}
        _ => return Err(m.type_error("list", m.args[3])),
    }
    Ok(m.store.unify(m.args[3], list))
}
