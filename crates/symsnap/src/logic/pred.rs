//! Predicates.

use super::{Symbol, TermId, Terms, write_atom};
use std::fmt::Write as _;

/// A predicate: name and arity. The name is a number; [`Terms::name`] has its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pred {
    /// Its name.
    pub name: Symbol,
    /// How many arguments it takes.
    pub arity: u32,
}

impl Pred {
    /// The predicate `name/arity`.
    #[doc(hidden)]
    pub fn new(name: Symbol, arity: u32) -> Self {
        Pred { name, arity }
    }

    /// The atom of this predicate with these arguments, as Prolog writes it.
    pub(crate) fn show_atom(self, arguments: &[TermId], terms: &Terms) -> String {
        let mut text = String::new();
        write_atom(&mut text, terms.name(self.name));
        if !arguments.is_empty() {
            let shown: Vec<String> = arguments.iter().map(|&argument| terms.show(argument)).collect();
            write!(text, "({})", shown.join(",")).expect("writing to a string");
        }
        text
    }
}
