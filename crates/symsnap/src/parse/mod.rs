//! Text to trees: Prolog clauses and the answer-set subset of bias files, with positions. Knows nothing of ILP.
//!
//! One [`Lexer`] cuts both languages into [`Token`]s; [`Text`] turns their byte spans into places and excerpts.
//! [`Reader`] reads Prolog, a clause at a time, into a flat [`Tree`], and plain facts without one.

mod asp;
mod complaint;
mod fact;
mod lexer;
mod number;
mod operators;
mod prolog;
mod quoted;
mod statement;
mod term;
mod text;
mod token;
mod tree;

pub use asp::read_answer_set;
pub use fact::Fact;
pub use lexer::{Dialect, Lexed, Lexer};
pub use operators::{Fixity, MAX_PRIORITY, Operators};
pub use prolog::{DoubleQuotes, MAX_ARITY, Notation, Reader};
pub use statement::{BiasComparison, CountElement, Element, Statement};
pub use term::{Ast, AstKind, Span};
pub use text::{Places, Text};
pub use token::{Token, TokenKind};
pub use tree::{CONS, Form, NodeId, Tree};
