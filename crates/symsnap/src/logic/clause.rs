//! Clauses of a background program: terms that may hold variables.

use super::{Pred, Symbol, TermId, Terms};
use crate::error::Location;

/// A term that may hold variables. Ground parts are interned, so a clause over big constants stays small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// A variable of the clause, numbered from 0 in the order of first occurrence.
    Var(u32),
    /// A ground term.
    Ground(TermId),
    /// A compound with at least one variable inside; lists use [`Terms::cons`].
    Compound(Symbol, Box<[Open]>),
}

impl Open {
    /// The predicate that this term is a call or head of; `None` for variables, numbers, strings and lists.
    pub fn pred(&self, terms: &Terms) -> Option<Pred> {
        use super::Term;
        match self {
            Open::Var(_) => None,
            Open::Compound(functor, arguments) => {
                Some(Pred::new(*functor, u32::try_from(arguments.len()).expect("the parser limits arity")))
            }
            Open::Ground(id) => match terms.get(*id) {
                Term::Atom(name) => Some(Pred::new(name, 0)),
                Term::Compound(name, arguments) => {
                    Some(Pred::new(name, u32::try_from(arguments.len()).expect("the parser limits arity")))
                }
                _ => None,
            },
        }
    }

    /// The arguments of a compound, ground or not; empty for everything else.
    pub fn arguments(&self, terms: &Terms) -> Vec<Open> {
        use super::Term;
        match self {
            Open::Compound(_, arguments) => arguments.to_vec(),
            Open::Ground(id) => match terms.get(*id) {
                Term::Compound(_, arguments) => arguments.iter().map(|&id| Open::Ground(id)).collect(),
                _ => Vec::new(),
            },
            Open::Var(_) => Vec::new(),
        }
    }
}

/// A clause `head :- body`. Facts have the ground atom `true` as body.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The head: an atom or a compound.
    pub head: Open,
    /// The body: control constructs are compounds like all others.
    pub body: Open,
    /// The names of the variables; `_` for anonymous ones. Its length is the number of variables.
    pub variables: Vec<String>,
    /// Where it stands.
    pub location: Location,
}
