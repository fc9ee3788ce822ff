//! Text to trees: Prolog clauses and the answer-set subset of bias files, with positions. Knows nothing of ILP.
//!
//! One [`Lexer`] cuts both languages into [`Token`]s; [`Source`] turns their byte spans into places and excerpts.

mod lexer;
mod number;
mod quoted;
mod source;
mod term;
mod token;

pub use lexer::{Dialect, Lexed, Lexer};
pub use source::{Places, Source};
pub use term::{Ast, Kind, Span};
pub use token::{Token, TokenKind};
