//! What rules may look like, as the bias file declares it.

use crate::logic::{Pred, Symbol};
use rustc_hash::FxHashMap;

/// Whether an argument must be bound before a literal is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// It must be bound.
    In,
    /// The literal binds it.
    Out,
}

/// The declarations of a bias file, derived ones included.
///
/// Several `type` or `direction` declarations for one predicate are alternatives: a literal is well typed (can be
/// evaluated) if it is under one of them.
#[derive(Debug, Clone)]
pub struct Bias {
    /// The predicate to learn.
    pub head: Pred,
    /// The predicates that bodies may use, in the order of declaration, each once.
    pub body: Vec<Pred>,
    /// Declared types; a predicate that is not in here is untyped.
    pub types: FxHashMap<Pred, Vec<Box<[Symbol]>>>,
    /// Declared directions; a predicate that is not in here has none.
    pub directions: FxHashMap<Pred, Vec<Box<[Direction]>>>,
    /// At most so many variables in a rule.
    pub max_vars: usize,
    /// At most so many body literals in a rule.
    pub max_body: usize,
    /// At most so many rules in a recursive hypothesis.
    pub max_clauses: usize,
    /// Whether the head's predicate may be called in bodies.
    pub recursion: bool,
    /// Whether predicates may be invented.
    pub invention: bool,
    /// Whether head variables may be missing from the body.
    pub non_datalog: bool,
}
