//! Text to trees: Prolog clauses and the answer-set subset of bias files, with positions. Knows nothing of ILP.

mod term;

pub use term::{Ast, Kind, Span};
