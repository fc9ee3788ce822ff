//! The tree of a term in a bias statement: boxed and small. Prolog clauses have the flat [`Tree`](super::Tree).

use std::borrow::Cow;

/// A byte range of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From one byte to before another.
    pub(super) fn new(start: usize, end: usize) -> Self {
        Span { start: offset(start), end: offset(end) }
    }
}

/// The number of a byte. Files beyond 4 GiB are refused, so the last number that there is stands for none.
#[inline]
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A term as written, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Ast<'s> {
    /// What it is.
    pub kind: AstKind<'s>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of term.
#[derive(Debug, Clone, PartialEq)]
pub enum AstKind<'s> {
    /// A variable by its name; `_` is anonymous.
    Var(&'s str),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// An atom, escapes already resolved.
    Atom(Cow<'s, str>),
    /// A string, escapes already resolved.
    Str(Cow<'s, str>),
    /// A compound `f(A1,...,An)` or an operator applied to its operands.
    Compound(Cow<'s, str>, Vec<Ast<'s>>),
}
