//! Plain facts, read without tokens and trees: most clauses of most tasks are a name and, as arguments, names and numbers.
//!
//! [`Reader::fact`] takes such a clause or leaves it, untouched, to [`Reader::read`], which means the same by it.

use super::prolog::MAX_ARITY;
use super::term::offset;
use super::{Reader, Span, Token, TokenKind};
use crate::logic::Constant;

/// A clause `name(a,1).`, or `wrapper(name(a,1)).`
#[derive(Debug, Clone, Default)]
pub struct Fact<'s> {
    /// The name around the fact, empty if none was asked for.
    pub wrapper: &'s str,
    /// The predicate.
    pub name: &'s str,
    /// Its arguments.
    pub arguments: Vec<Constant<'s>>,
    /// The first byte.
    pub start: u32,
}

impl<'s> Reader<'_, 's> {
    /// Read the next clause into `fact` if it is a plain one, with a wrapper or without; otherwise read nothing.
    pub fn fact(&mut self, wrapped: bool, fact: &mut Fact<'s>) -> bool {
        let text = self.lexer.source().text;
        if u32::try_from(text.len()).is_err() {
            return false;
        }
        let mut scan = Scan { text, at: self.lexer.at };
        scan.skip(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        fact.start = offset(scan.at);
        if scan.fact(wrapped, fact).is_none() {
            return false;
        }
        let span = Span::new(scan.at - 1, scan.at);
        self.lexer.at = scan.at;
        self.start = fact.start;
        self.previous = span.start;
        self.token = Token { kind: TokenKind::End, span, layout_before: false, applied: false };
        true
    }

    /// Go back to where `fact`, the clause that was read last, begins.
    pub fn unread(&mut self, fact: &Fact<'s>) {
        self.lexer.at = fact.start as usize;
    }
}

/// A place in a text. What cannot be read is `None`.
struct Scan<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Scan<'s> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found.then_some(())
    }

    #[inline]
    fn fact(&mut self, wrapped: bool, fact: &mut Fact<'s>) -> Option<()> {
        fact.arguments.clear();
        fact.wrapper = "";
        if wrapped {
            fact.wrapper = self.name()?;
            self.expect(b'(')?;
            self.skip(|byte| byte == b' ');
        }
        fact.name = self.name()?;
        self.expect(b'(')?;
        loop {
            self.skip(|byte| byte == b' ');
            fact.arguments.push(self.constant()?);
            self.skip(|byte| byte == b' ');
            if self.expect(b')').is_some() {
                break;
            }
            self.expect(b',')?;
            if fact.arguments.len() == MAX_ARITY {
                return None;
            }
        }
        if wrapped {
            self.skip(|byte| byte == b' ');
            self.expect(b')')?;
        }
        self.expect(b'.')?;
        matches!(self.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n')).then_some(())
    }

    #[inline]
    fn name(&mut self) -> Option<&'s str> {
        let start = self.at;
        self.peek().filter(u8::is_ascii_lowercase)?;
        self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        // A letter beyond ASCII would go on with the name.
        self.peek().is_none_or(|byte| byte.is_ascii()).then(|| &self.text[start..self.at])
    }

    fn constant(&mut self) -> Option<Constant<'s>> {
        let start = self.at;
        if self.peek()?.is_ascii_lowercase() {
            return self.name().map(Constant::Atom);
        }
        self.at += usize::from(self.peek() == Some(b'-'));
        let digits = self.at;
        self.skip(|byte| byte.is_ascii_digit());
        // What is longer may not fit, and `0'a`, `1_000`, `1.5` and `0x1f` are numbers too.
        let plain = matches!(self.at - digits, 1..=18) && matches!(self.peek(), Some(b',' | b')' | b' '));
        plain.then(|| self.text[start..self.at].parse().ok().map(Constant::Int)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Text, Tree};
    use super::*;
    use proptest::prelude::*;

    /// What [`Reader::read`] makes of the next clause, if that could be a plain fact.
    fn slow<'s>(reader: &mut Reader<'_, 's>, wrapped: bool) -> Option<(String, String, Vec<String>)> {
        let mut tree = Tree::default();
        reader.read(&mut tree)?.ok()?;
        let show = |node| match tree.form(node) {
            Form::Atom(name) => Some(name.to_owned()),
            Form::Int(value) => Some(value.to_string()),
            _ => None,
        };
        let (wrapper, atom) = match tree.form(tree.root()) {
            Form::Compound(wrapper, &[atom]) if wrapped => (wrapper.to_owned(), atom),
            _ if wrapped => return None,
            _ => (String::new(), tree.root()),
        };
        let Form::Compound(name, arguments) = tree.form(atom) else { return None };
        Some((wrapper, name.to_owned(), arguments.iter().map(|&argument| show(argument)).collect::<Option<_>>()?))
    }

    fn fast<'s>(reader: &mut Reader<'_, 's>, wrapped: bool) -> Option<(String, String, Vec<String>)> {
        let mut fact = Fact::default();
        let show = |argument: &Constant<'_>| match argument {
            Constant::Atom(name) => (*name).to_owned(),
            Constant::Int(value) => value.to_string(),
        };
        let read = reader.fact(wrapped, &mut fact);
        read.then(|| (fact.wrapper.to_owned(), fact.name.to_owned(), fact.arguments.iter().map(show).collect()))
    }

    fn reads(text: &str, wrapped: bool) -> bool {
        fast(&mut Reader::new(&Text::new("t", text)), wrapped).is_some()
    }

    #[test]
    fn plain_facts_are_read_at_once() {
        for text in ["p(a).", " \n p( a , 12,-3 ).", "dynamic(mod, is).", "p(007)."] {
            assert!(reads(text, false), "{text}");
        }
        assert!(reads("pos(f(a, 1)).", true) && reads("neg( f(a) ).\n", true));
    }

    #[test]
    fn everything_else_is_left_alone() {
        let others = [
            "",
            "p.",
            "p(A).",
            "p(a",
            "p(a)",
            "p(a).q",
            "p(a,).",
            "p(a b).",
            "p(0'a).",
            "p(1.5).",
            "p(0x1f).",
            "p(1_000).",
            "p('a').",
            "p([]).",
            "p(f(a)).",
            "p(a) :- q.",
            "p(é).",
            "pé(a).",
            "p(aé).",
            "p (a).",
            "% c\np(a).",
            "p(- 1).",
            "p(9223372036854775808).",
            ":- p(a).",
            "p(a).%",
        ];
        for text in others {
            assert!(!reads(text, false), "{text}");
        }
    }

    proptest! {
        #[test]
        fn both_ways_of_reading_agree(text in "( |[a-c(),.]|-|1|0'|é|pos\\(|p\\(a|\\)\\. ){0,12}", wrapped: bool) {
            let source = Text::new("t", &text);
            let (mut one, mut other) = (Reader::new(&source), Reader::new(&source));
            let read = fast(&mut one, wrapped);
            if read.is_some() {
                prop_assert_eq!(&read, &slow(&mut other, wrapped));
                prop_assert_eq!(one.end(), other.end());
            }
            // Whatever follows is read the same.
            let mut rest = (Tree::default(), Tree::default());
            let next = one.read(&mut rest.0).map(|found| found.map_err(|finding| finding.to_string()));
            let same = other.read(&mut rest.1).map(|found| found.map_err(|finding| finding.to_string()));
            prop_assert_eq!(next, same);
        }
    }
}
