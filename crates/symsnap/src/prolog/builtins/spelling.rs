//! How numbers and terms are written and read.

use crate::logic::{BigInt, Term, TermId, Terms, write_atom, write_float};
use crate::parse::Operators;
use crate::prolog::number::Num;
use num_bigint::Sign;
use std::fmt::Write as _;

/// A float as SWI-Prolog writes it: shortest digits, always with a point, an exponent from 1e15 and below 1e-4.
pub(super) fn float_text(value: f64) -> String {
    if !value.is_finite() {
        let mut out = String::new();
        write_float(&mut out, value);
        return out;
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
    let (minus, exponent) = exponent.strip_prefix('-').map_or(("", exponent), |exponent| ("-", exponent));
    write!(out, "e{sign}{minus}{exponent:0>2}").expect("writing to a string");
    out
}

/// Whether a text spells a rational number, such as `1r3`.
pub(super) fn is_rational(text: &str) -> bool {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    size.split_once('r').is_some_and(|(above, below)| whole(above, 10).is_some() && whole(below, 10).is_some())
}

/// The number that a text spells, sign included, with nothing around it.
pub(super) fn read_number(text: &str) -> Option<Num> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let size = read_size(digits)?;
    Some(match size {
        Num::Float(value) => Num::Float(if negative { -value } else { value }),
        integer => {
            let value = integer.to_big().expect("it is no float");
            Num::integer(if negative { -value } else { value })
        }
    })
}

fn read_size(text: &str) -> Option<Num> {
    text.as_bytes().first().filter(|first| first.is_ascii_digit())?;
    if let Some(rest) = text.strip_prefix("0'") {
        let c = if rest == "''" { '\'' } else { one_char(rest).filter(|&c| c != '\\')? };
        return Some(Num::Int(i64::from(u32::from(c))));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return whole(rest, radix).map(|(value, _)| value);
        }
    }
    if let Some((radix, rest)) = text.split_once('\'')
        && let Ok(radix @ 2..=36) = radix.parse()
    {
        return whole(rest, radix).map(|(value, _)| value);
    }
    if let Some((value, _)) = whole(text, 10) {
        return Some(value);
    }
    if let Some(special) = text.strip_suffix("Inf").or_else(|| text.strip_suffix("NaN")) {
        let value: f64 = special.parse().ok().filter(|_| plain_float(special))?;
        let infinite = text.ends_with("Inf") && value == 1.0;
        let undefined = text.ends_with("NaN") && value == 1.5;
        return match (infinite, undefined) {
            (true, _) => Some(Num::Float(f64::INFINITY)),
            (_, true) => Some(Num::Float(f64::NAN)),
            _ => None,
        };
    }
    // Groups may stand in the digits before the point, and then no exponent without a point.
    let split = text.find(['.', 'e', 'E'])?;
    let (before, after) = text.split_at(split);
    let (number, grouped) = whole(before, 10)?;
    if grouped && !after.starts_with('.') {
        return None;
    }
    let digits = match number {
        Num::Int(value) => format!("{value}{after}"),
        number => format!("{}{after}", number.to_big().expect("it is no float")),
    };
    let value: f64 = digits.parse().ok().filter(|_| plain_float(&digits))?;
    value.is_finite().then_some(Num::Float(value))
}

/// Whether a text is `digits [. digits] [e [sign] digits]`, with a fraction or an exponent.
fn plain_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction) && exponent.is_none_or(digits),
        None => digits(mantissa) && exponent.is_some_and(digits),
    }
}

/// An integer without sign, and whether its digits stand in groups.
fn whole(text: &str, radix: u32) -> Option<(Num, bool)> {
    let mut digits: Vec<u8> = Vec::with_capacity(text.len());
    let mut grouped = false;
    let mut separated = true;
    for c in text.chars() {
        match c.to_digit(radix) {
            Some(digit) => {
                digits.push(u8::try_from(digit).ok()?);
                separated = false;
            }
            None if !separated && (c == '_' || c == ' ' && radix <= 10) => {
                grouped = true;
                separated = true;
            }
            None => return None,
        }
    }
    if separated {
        return None;
    }
    Some((Num::integer(BigInt::from_radix_be(Sign::Plus, &digits, radix)?), grouped))
}

/// A ground term as SWI-Prolog's `writeq/1` writes it; `None` for operators, braces and control characters, which
/// follow rules that are not made here.
pub(super) fn quoted(terms: &Terms, id: TermId) -> Option<String> {
    enum SpellingPiece {
        Term(TermId),
        Tail(TermId),
        Text(&'static str),
    }
    let operators = Operators::default();
    let mut out = String::new();
    let mut todo = vec![SpellingPiece::Term(id)];
    while let Some(piece) = todo.pop() {
        match piece {
            SpellingPiece::Text(text) => out.push_str(text),
            SpellingPiece::Tail(id) => match terms.get(id) {
                Term::Nil => out.push(']'),
                Term::Compound(name, &[head, tail]) if name == terms.cons() => {
                    out.push(',');
                    todo.extend([SpellingPiece::Tail(tail), SpellingPiece::Term(head)]);
                }
                _ => {
                    out.push('|');
                    todo.extend([SpellingPiece::Text("]"), SpellingPiece::Term(id)]);
                }
            },
            SpellingPiece::Term(id) => match terms.get(id) {
                Term::Float(value) => out.push_str(&float_text(value)),
                Term::Compound(name, &[head, tail]) if name == terms.cons() => {
                    out.push('[');
                    todo.extend([SpellingPiece::Tail(tail), SpellingPiece::Term(head)]);
                }
                Term::Compound(name, args) => {
                    if is_operator(&operators, terms.name(name)) {
                        return None;
                    }
                    write_doubled(&mut out, terms.name(name))?;
                    out.push('(');
                    todo.push(SpellingPiece::Text(")"));
                    for (at, &arg) in args.iter().enumerate().rev() {
                        todo.push(SpellingPiece::Term(arg));
                        if at > 0 {
                            todo.push(SpellingPiece::Text(","));
                        }
                    }
                }
                Term::Atom(name) if is_operator(&operators, terms.name(name)) => return None,
                Term::Atom(name) => write_doubled(&mut out, terms.name(name))?,
                Term::Str(text) => in_quotes(&mut out, terms.name(text), '"')?,
                _ => out.push_str(&terms.show(id)),
            },
        }
    }
    Some(out)
}

/// The character that is the whole text.
pub(super) fn one_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Whether a name is not written like others.
fn is_operator(operators: &Operators, name: &str) -> bool {
    let symbolic = !name.is_empty() && name.bytes().all(|byte| b"#$&*+-./:<=>?@^~\\,;|{}!".contains(&byte));
    symbolic
        || name.chars().any(char::is_control)
        || name == "$VAR"
        || operators.prefix(name).is_some()
        || operators.infix(name).is_some()
}

/// An atom as `term_to_atom/2` writes it; `None` where that is not known.
fn write_doubled(out: &mut String, name: &str) -> Option<()> {
    let mut plain = String::new();
    write_atom(&mut plain, name);
    if plain.starts_with('\'') {
        return in_quotes(out, name, '\'');
    }
    out.push_str(&plain);
    Some(())
}

/// A text in quotes, with quotes inside doubled.
fn in_quotes(out: &mut String, text: &str, quote: char) -> Option<()> {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push(c),
            c if c.is_control() => return None,
            c if c == quote => out.extend([c, c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    Some(())
}
