//! One lexer for both languages: Prolog text and the answer-set subset of bias files.
//!
//! Names, variables, numbers, quotes and punctuation are the same in both; the [`Dialect`] decides where they differ:
//! how symbols are cut (`X=-1` is one symbol `=-` in Prolog, two in answer-set programs), what a `.` must be followed
//! by to end a clause, how comments look, and whether `#count` is a keyword. One lexer keeps messages and limits the
//! same; a generator would bring neither the layout flag nor the recovery.
//!
//! Every call moves forward, an error too, so a caller that goes on after errors comes to the end.

use super::{Span, Text, Token, TokenKind};
use crate::error::Diagnostic;

/// Which language's words to cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Prolog, as SWI-Prolog reads it.
    Prolog,
    /// Answer-set programs, as clingo reads them.
    AnswerSet,
}

/// A result of the lexer. Errors are boxed: they are rare and big.
pub type Lexed<T> = Result<T, Box<Diagnostic>>;

/// Cuts a source into tokens.
#[derive(Debug, Clone)]
pub struct Lexer<'a, 's> {
    pub(super) source: &'a Text<'s>,
    pub(super) bytes: &'s [u8],
    pub(super) at: usize,
    dialect: Dialect,
    /// Whether errors are passed over, and not worth the scan that finds their line.
    pub(super) quiet: bool,
}

impl<'a, 's> Lexer<'a, 's> {
    /// At the beginning of `source`.
    pub fn new(source: &'a Text<'s>, dialect: Dialect) -> Self {
        Lexer { source, bytes: source.text.as_bytes(), at: source.bom_len(), dialect, quiet: false }
    }

    /// The source.
    pub fn source(&self) -> &'a Text<'s> {
        self.source
    }

    /// The next token; [`TokenKind::Eof`] again and again at the end.
    ///
    /// # Errors
    /// If no token can be cut here. The next call goes on behind the place of the error.
    pub fn next_token(&mut self) -> Lexed<Token<'s>> {
        if u32::try_from(self.bytes.len()).is_err() {
            self.bytes = &[];
            return Err(Box::new(Diagnostic::error(format!("{} is larger than 4 GiB", self.source.name))));
        }
        let layout_before = self.skip_layout()?;
        let start = self.at;
        let kind = self.cut()?;
        Ok(Token { kind, span: self.span_from(start), layout_before, applied: self.peek(0) == Some(b'(') })
    }

    /// Skip to behind the next end of a clause, or to the end of the text: the way on after an error.
    pub fn skip_clause(&mut self) {
        self.quiet = true;
        while !matches!(self.next_token(), Ok(Token { kind: TokenKind::End | TokenKind::Eof, .. })) {}
        self.quiet = false;
    }

    /// An error about `span`.
    pub(super) fn error(&self, span: Span, message: &str, help: &str) -> Box<Diagnostic> {
        if self.quiet {
            return Box::new(Diagnostic::error(message));
        }
        let mut finding = self.source.error(span, message);
        finding.help = Some(help.to_owned());
        finding
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// The character here. The lexer stops at character boundaries only.
    pub(super) fn peek_char(&self) -> Option<char> {
        match self.peek(0) {
            Some(byte) if byte.is_ascii() => Some(char::from(byte)),
            Some(_) => self.source.text[self.at..].chars().next(),
            None => None,
        }
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    fn slice(&self, start: usize) -> &'s str {
        &self.source.text[start..self.at]
    }

    pub(super) fn skip_layout(&mut self) -> Lexed<bool> {
        let start = self.at;
        loop {
            match self.peek(0) {
                Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c) => self.at += 1,
                Some(b'%') if self.dialect == Dialect::AnswerSet && self.peek(1) == Some(b'*') => {
                    self.block_comment("*%")?;
                }
                Some(b'%') => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                Some(b'/') if self.dialect == Dialect::Prolog && self.peek(1) == Some(b'*') => {
                    self.block_comment("*/")?;
                }
                Some(byte) if !byte.is_ascii() => match self.peek_char() {
                    Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(self.at > start)
    }

    fn block_comment(&mut self, close: &str) -> Lexed<()> {
        let start = self.at;
        match self.source.text[start + 2..].find(close) {
            Some(length) => {
                self.at = start + 2 + length + 2;
                Ok(())
            }
            None => {
                self.at = self.bytes.len();
                let span = Span::new(start, start + 2);
                let help = format!("add `{close}` where the comment ends");
                Err(self.error(span, "this block comment is never closed", &help))
            }
        }
    }

    fn cut(&mut self) -> Lexed<TokenKind<'s>> {
        let start = self.at;
        let Some(byte) = self.peek(0) else { return Ok(TokenKind::Eof) };
        match byte {
            b'a'..=b'z' => {
                self.skip_name();
                Ok(TokenKind::Name(self.slice(start)))
            }
            b'A'..=b'Z' => {
                self.skip_name();
                Ok(TokenKind::Var(self.slice(start)))
            }
            b'_' => {
                self.skip_name();
                let name = self.slice(start);
                // Answer-set names may begin with underscores; in Prolog those are variables.
                let first = name.trim_start_matches('_').chars().next();
                let is_name = self.dialect == Dialect::AnswerSet && first.is_some_and(|c| c.is_ascii_lowercase());
                Ok(if is_name { TokenKind::Name(name) } else { TokenKind::Var(name) })
            }
            b'0'..=b'9' => self.number(self.dialect),
            b'\'' => Ok(TokenKind::Quoted(self.quoted('\'')?)),
            b'"' => Ok(TokenKind::Str(self.quoted('"')?)),
            b'`' => Ok(TokenKind::BackQuoted(self.quoted('`')?)),
            b'(' => Ok(self.solo(TokenKind::Open)),
            b')' => Ok(self.solo(TokenKind::Close)),
            b'[' => Ok(self.solo(TokenKind::OpenList)),
            b']' => Ok(self.solo(TokenKind::CloseList)),
            b'{' => Ok(self.solo(TokenKind::OpenBrace)),
            b'}' => Ok(self.solo(TokenKind::CloseBrace)),
            b',' => Ok(self.solo(TokenKind::Comma)),
            b'|' => Ok(self.solo(TokenKind::Bar)),
            b';' => Ok(self.solo(TokenKind::Symbol(";"))),
            _ if self.dialect == Dialect::AnswerSet && byte.is_ascii() => self.answer_set_symbol(),
            b'!' => Ok(self.solo(TokenKind::Symbol("!"))),
            b'.' if self.ends_clause() => Ok(self.solo(TokenKind::End)),
            _ if is_symbol(byte) => Ok(self.symbol()),
            _ => self.other(),
        }
    }

    fn solo(&mut self, kind: TokenKind<'s>) -> TokenKind<'s> {
        self.at += 1;
        kind
    }

    fn ends_clause(&self) -> bool {
        match self.peek(1) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | b'%') => true,
            Some(byte) if byte.is_ascii() => false,
            Some(_) => self.source.text[self.at + 1..].chars().next().is_some_and(char::is_whitespace),
        }
    }

    /// Behind the name that begins here.
    pub(super) fn skip_name(&mut self) {
        loop {
            match self.peek(0) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') => self.at += 1,
                Some(b'\'') if self.dialect == Dialect::AnswerSet => self.at += 1,
                Some(byte) if !byte.is_ascii() => match self.peek_char() {
                    Some(c) if c.is_alphanumeric() => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn symbol(&mut self) -> TokenKind<'s> {
        let start = self.at;
        while let Some(c) = self.peek_char() {
            let joins = if c.is_ascii() { is_symbol(c as u8) } else { is_unicode_symbol(c) };
            if !joins {
                break;
            }
            self.at += c.len_utf8();
        }
        TokenKind::Symbol(self.slice(start))
    }

    fn answer_set_symbol(&mut self) -> Lexed<TokenKind<'s>> {
        const PAIRS: [&[u8; 2]; 8] = [b":-", b":~", b"!=", b"<=", b">=", b"==", b"..", b"**"];
        let start = self.at;
        if PAIRS.iter().any(|pair| self.bytes[start..].starts_with(*pair)) {
            self.at += 2;
            return Ok(TokenKind::Symbol(self.slice(start)));
        }
        match self.bytes[start] {
            b'.' => Ok(self.solo(TokenKind::End)),
            b'#' if self.peek(1).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.at += 1;
                self.skip_name();
                Ok(TokenKind::Keyword(self.slice(start)))
            }
            byte if is_symbol(byte) || byte == b'!' => {
                self.at += 1;
                Ok(TokenKind::Symbol(self.slice(start)))
            }
            _ => self.other(),
        }
    }

    /// What is left: letters and symbols beyond ASCII, and characters that belong nowhere.
    fn other(&mut self) -> Lexed<TokenKind<'s>> {
        let start = self.at;
        let c = self.peek_char().expect("there is a byte, so there is a character");
        if c.is_alphabetic() {
            self.skip_name();
            let name = self.slice(start);
            return Ok(if c.is_uppercase() { TokenKind::Var(name) } else { TokenKind::Name(name) });
        }
        if is_unicode_symbol(c) {
            return Ok(self.symbol());
        }
        self.at += c.len_utf8();
        let span = self.span_from(start);
        Err(if is_typographic_quote(c) {
            self.error(span, &format!("`{c}` is not a quote that Prolog knows"), "use the plain quotes ' and \"")
        } else {
            let message = format!("unexpected character U+{:04X}", u32::from(c));
            let binary = "the file seems to be binary; a text file is expected";
            self.error(span, &message, if c.is_control() { binary } else { "quote it if it is part of a name" })
        })
    }
}

fn is_symbol(byte: u8) -> bool {
    matches!(
        byte,
        b'#' | b'$'
            | b'&'
            | b'*'
            | b'+'
            | b'-'
            | b'.'
            | b'/'
            | b':'
            | b'<'
            | b'='
            | b'>'
            | b'?'
            | b'@'
            | b'^'
            | b'~'
            | b'\\'
    )
}

fn is_typographic_quote(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201f}' | '«' | '»' | '´')
}

/// Arrows, mathematical signs and the like join symbol atoms, as in SWI-Prolog.
fn is_unicode_symbol(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control() && !is_typographic_quote(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, dialect: Dialect) -> Vec<TokenKind<'_>> {
        let source = Text::new("t", text);
        let mut lexer = Lexer::new(&source, dialect);
        let mut kinds = Vec::new();
        loop {
            match lexer.next_token().unwrap().kind {
                TokenKind::Eof => return kinds,
                kind => kinds.push(kind),
            }
        }
    }

    fn prolog(text: &str) -> Vec<TokenKind<'_>> {
        kinds(text, Dialect::Prolog)
    }

    #[test]
    fn a_clause_is_cut_into_words() {
        use TokenKind::*;
        assert_eq!(
            prolog("\u{feff}p(X,_, _Y1):-q([X|é]),!;'B c'. % end\r\n/* no. */ x=..\"s\"."),
            [
                Name("p"),
                Open,
                Var("X"),
                Comma,
                Var("_"),
                Comma,
                Var("_Y1"),
                Close,
                Symbol(":-"),
                Name("q"),
                Open,
                OpenList,
                Var("X"),
                Bar,
                Name("é"),
                CloseList,
                Close,
                Comma,
                Symbol("!"),
                Symbol(";"),
                Quoted("B c".into()),
                End,
                Name("x"),
                Symbol("=.."),
                Str("s".into()),
                End
            ]
        );
    }

    #[test]
    fn a_full_stop_ends_a_clause_only_before_layout() {
        use TokenKind::*;
        assert_eq!(prolog("a.b"), [Name("a"), Symbol("."), Name("b")]);
        assert_eq!(prolog("a.%b"), [Name("a"), End]);
        assert_eq!(prolog("a.\u{a0}b."), [Name("a"), End, Name("b"), End]);
        assert_eq!(kinds("a.b.", Dialect::AnswerSet), [Name("a"), End, Name("b"), End]);
    }

    #[test]
    fn symbols_join_in_prolog_and_are_cut_in_answer_sets() {
        use TokenKind::*;
        assert_eq!(prolog("X=-1"), [Var("X"), Symbol("=-"), Int(1)]);
        assert_eq!(kinds("X=-1", Dialect::AnswerSet), [Var("X"), Symbol("="), Symbol("-"), Int(1)]);
        assert_eq!(
            kinds("1 != #count{V:p(_a,V')}%* c. *%.", Dialect::AnswerSet),
            [
                Int(1),
                Symbol("!="),
                Keyword("#count"),
                OpenBrace,
                Var("V"),
                Symbol(":"),
                Name("p"),
                Open,
                Name("_a"),
                Comma,
                Var("V'"),
                Close,
                CloseBrace,
                End
            ]
        );
    }

    #[test]
    fn layout_and_application_are_noted() {
        let source = Text::new("t", "f(a) /**/ g (b)");
        let mut lexer = Lexer::new(&source, Dialect::Prolog);
        let mut flags = Vec::new();
        for _ in 0..8 {
            let token = lexer.next_token().unwrap();
            flags.push((token.layout_before, token.applied));
        }
        let no = (false, false);
        assert_eq!(flags, [(false, true), no, no, no, (true, false), (true, false), no, no]);
    }

    #[test]
    fn an_open_comment_is_reported_where_it_begins() {
        let source = Text::new("t", "a.\n /* b.\n c.");
        let mut lexer = Lexer::new(&source, Dialect::Prolog);
        lexer.skip_clause();
        let finding = lexer.next_token().unwrap_err();
        assert_eq!(finding.location.unwrap().to_string(), "t:2:2");
        assert_eq!(lexer.next_token().unwrap().kind, TokenKind::Eof);
    }

    #[test]
    fn characters_that_belong_nowhere_are_errors_and_the_lexer_goes_on() {
        let source = Text::new("t", "\u{0} a \u{201c}");
        let mut lexer = Lexer::new(&source, Dialect::Prolog);
        assert_eq!(lexer.next_token().unwrap_err().message, "unexpected character U+0000");
        assert_eq!(lexer.next_token().unwrap().kind, TokenKind::Name("a"));
        assert_eq!(lexer.next_token().unwrap_err().message, "`\u{201c}` is not a quote that Prolog knows");
        assert_eq!(lexer.next_token().unwrap().kind, TokenKind::Eof);
    }
}
