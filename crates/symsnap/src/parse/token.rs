//! The words of both languages.

use super::Span;
use crate::logic::BigInt;
use std::borrow::Cow;
use std::fmt::Write as _;

/// A word, its place, and whether layout (blanks or comments) stands before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Token<'s> {
    /// What it is.
    pub kind: TokenKind<'s>,
    /// Where it stands; without the layout before it.
    pub span: Span,
    /// Whether blanks or comments stand before it.
    pub layout_before: bool,
    /// Whether an opening parenthesis follows at once: `f(` applies `f`, `f (` does not.
    pub applied: bool,
}

/// The kinds of word.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind<'s> {
    /// A variable; `_` is anonymous.
    Var(&'s str),
    /// A bare name: `abc`.
    Name(&'s str),
    /// A quoted atom, escapes resolved.
    Quoted(Cow<'s, str>),
    /// A string `"..."`, escapes resolved.
    Str(Cow<'s, str>),
    /// A text in back quotes, escapes resolved.
    BackQuoted(Cow<'s, str>),
    /// An integer; the sign is a word of its own.
    Int(i64),
    /// An integer above `i64::MAX`. With a minus before it, it may fit in 64 bits.
    Big(Box<BigInt>),
    /// A float.
    Float(f64),
    /// Symbol characters: `:-`, `=..`, `+`; also `!` and `;`.
    Symbol(&'s str),
    /// A keyword of the answer-set language with its `#`: `#count`.
    Keyword(&'s str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenList,
    /// `]`
    CloseList,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `,`
    Comma,
    /// `|`
    Bar,
    /// The `.` that ends a clause or statement.
    End,
    /// The end of the text.
    Eof,
}

impl TokenKind<'_> {
    /// The word as a message names it.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        match self {
            TokenKind::Var(name) => write!(text, "variable `{}`", shorten(name)),
            TokenKind::Name(name) | TokenKind::Symbol(name) | TokenKind::Keyword(name) => {
                write!(text, "`{}`", shorten(name))
            }
            TokenKind::Quoted(name) => write!(text, "`'{}'`", shorten(name)),
            TokenKind::Str(content) => write!(text, "string \"{}\"", shorten(content)),
            TokenKind::BackQuoted(content) => write!(text, "back-quoted `{}`", shorten(content)),
            TokenKind::Int(value) => write!(text, "number {value}"),
            TokenKind::Big(value) => write!(text, "number {}", shorten(&value.to_string())),
            TokenKind::Float(value) => write!(text, "number {value:?}"),
            TokenKind::Open => write!(text, "`(`"),
            TokenKind::Close => write!(text, "`)`"),
            TokenKind::OpenList => write!(text, "`[`"),
            TokenKind::CloseList => write!(text, "`]`"),
            TokenKind::OpenBrace => write!(text, "`{{`"),
            TokenKind::CloseBrace => write!(text, "`}}`"),
            TokenKind::Comma => write!(text, "`,`"),
            TokenKind::Bar => write!(text, "`|`"),
            TokenKind::End => write!(text, "the end of the clause (`.`)"),
            TokenKind::Eof => write!(text, "the end of the text"),
        }
        .expect("writing to a string");
        text
    }
}

/// A name cut to what a message can bear, control characters replaced.
fn shorten(name: &str) -> String {
    const LIMIT: usize = 40;
    let mut short: String = name.chars().take(LIMIT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if name.chars().nth(LIMIT).is_some() {
        short.push_str("...");
    }
    short
}
