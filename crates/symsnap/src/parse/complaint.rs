//! What the Prolog reader says when a clause is wrong: what was found, what was expected, and the likely cause.

use super::prolog::{MAX_ARITY, MAX_DEPTH, Reader};
use super::{Span, TokenKind};
use crate::error::Diagnostic;

impl Reader<'_, '_> {
    fn complain(&self, span: Span, message: String, help: Option<String>) -> Box<Diagnostic> {
        let mut finding = self.lexer.source().error(span, message);
        finding.help = help;
        finding
    }

    /// Something that is not the end of the clause follows a complete term.
    pub(super) fn expected_end(&self) -> Box<Diagnostic> {
        let found = self.token.kind.describe();
        match &self.token.kind {
            TokenKind::Eof => self.unfinished("`.`", Some("add a `.` at the end of the clause".to_owned())),
            TokenKind::Close | TokenKind::CloseList | TokenKind::CloseBrace => {
                let help = Some("remove it, or add the opening bracket that it belongs to".to_owned());
                self.complain(self.token.span, format!("unmatched {found}"), help)
            }
            _ => {
                let message = format!("expected an operator or `.`, found {found}");
                self.complain(self.token.span, message, self.guess())
            }
        }
    }

    /// Something else than what can stand between brackets, whose opening one is at `open`.
    pub(super) fn expected_close(&self, expected: &str, open: u32, close: char) -> Box<Diagnostic> {
        let at_end = matches!(self.token.kind, TokenKind::End | TokenKind::Eof);
        let help = match self.guess() {
            Some(help) if !at_end => Some(help),
            _ => {
                let place = self.lexer.source().location(open);
                Some(format!("the bracket opened at line {}, column {} needs a `{close}`", place.line, place.column))
            }
        };
        if self.token.kind == TokenKind::Eof {
            return self.unfinished(expected, help);
        }
        let message = format!("expected {expected}, found {}", self.token.kind.describe());
        self.complain(self.token.span, message, help)
    }

    /// Something that cannot begin a term where one must stand.
    pub(super) fn expected_operand(&self) -> Box<Diagnostic> {
        let before = self.before();
        let help = match self.token.kind {
            TokenKind::Eof => return self.unfinished("a term", None),
            TokenKind::Comma | TokenKind::Bar if before.ends_with([',', '(', '[', '|']) => {
                Some("remove it or add what is missing before it; an atom of that name must be quoted".to_owned())
            }
            _ if before.ends_with(',') => Some("remove the `,` before it, or add what is missing".to_owned()),
            TokenKind::End if self.token.span.start == self.start => Some("remove this `.`".to_owned()),
            _ => None,
        };
        self.complain(self.token.span, format!("expected a term, found {}", self.token.kind.describe()), help)
    }

    /// The text is over in the middle of a clause: the place to look at is where the text ends.
    fn unfinished(&self, expected: &str, help: Option<String>) -> Box<Diagnostic> {
        let place = self.lexer.source().location(self.start);
        let span = Span { start: self.previous.saturating_sub(1), end: self.previous };
        let message = format!(
            "the text ends in the middle of the clause that begins at line {}: expected {expected}",
            place.line
        );
        self.complain(span, message, help)
    }

    /// The likely cause of an unexpected token after a term.
    fn guess(&self) -> Option<String> {
        let source = self.lexer.source();
        let gap = &source.text[self.previous as usize..self.token.span.start as usize];
        match &self.token.kind {
            TokenKind::Symbol(".") => Some("a `.` ends a clause only before a blank or a line end".to_owned()),
            TokenKind::Symbol(name) if name.ends_with('.') => {
                Some(format!("`{name}` is read as one symbol: put a blank before the final `.`"))
            }
            TokenKind::OpenBrace if !self.token.layout_before => Some("dicts are not supported".to_owned()),
            _ if self.before().ends_with('.') && gap.contains('\n') => {
                Some("the `.` before it belongs to a symbol: put a blank before a `.` that ends a clause".to_owned())
            }
            TokenKind::Open if self.token.layout_before => {
                Some("remove the blank before `(` if these are arguments".to_owned())
            }
            TokenKind::Name(_) | TokenKind::Quoted(_) | TokenKind::Var(_) | TokenKind::Symbol(":-")
                if gap.contains('\n') =>
            {
                Some("a `.` or `,` may be missing at the end of the line before".to_owned())
            }
            TokenKind::Name(_) | TokenKind::Var(_) if self.before().ends_with('\'') => {
                Some("write '' or \\' for a quote inside quotes".to_owned())
            }
            TokenKind::Name(_)
            | TokenKind::Quoted(_)
            | TokenKind::Var(_)
            | TokenKind::Int(_)
            | TokenKind::Big(_)
            | TokenKind::Float(_) => Some("a `,` or an operator may be missing before it".to_owned()),
            _ => None,
        }
    }

    /// The text of the clause before the token, without the layout between them.
    fn before(&self) -> &str {
        let end = (self.previous as usize).max(self.start as usize);
        &self.lexer.source().text[self.start as usize..end]
    }

    pub(super) fn applied_variable(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let mut lower = name.trim_start_matches('_').to_owned();
        if let Some(first) = lower.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        let message = format!("variable `{name}` cannot have arguments");
        let help = match lower.as_str() {
            "" => "a predicate begins with a lower-case letter".to_owned(),
            lower => format!("a predicate begins with a lower-case letter: `{lower}(`; or quote it: `'{name}'(`"),
        };
        self.complain(span, message, Some(help))
    }

    pub(super) fn no_arguments(&self, name: &str, span: Span) -> Box<Diagnostic> {
        self.complain(span, format!("`{name}()` has no arguments"), Some(format!("write `{name}`")))
    }

    pub(super) fn too_many_arguments(&self, name: &str, start: u32) -> Box<Diagnostic> {
        let span = Span { start, end: start + 1 };
        self.complain(span, format!("`{name}` has more than {MAX_ARITY} arguments"), None)
    }

    pub(super) fn too_deep(&self) -> Box<Diagnostic> {
        self.complain(self.token.span, format!("terms are nested more than {MAX_DEPTH} levels deep"), None)
    }

    pub(super) fn clash(&self, name: &str, span: Span, priority: u16, other: u16) -> Box<Diagnostic> {
        let message = format!("operator `{name}` (priority {priority}) does not combine with one of priority {other}");
        self.complain(span, message, Some("put parentheses around the part that belongs together".to_owned()))
    }
}
