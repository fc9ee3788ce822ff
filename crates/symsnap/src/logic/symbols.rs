//! Names as numbers.

use super::key_table::{Key, KeyTable};
use crate::index::narrow;

/// An interned name: of an atom, a functor, a predicate, a type. [`Terms::name`](super::Terms::name) has its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The position of the name in its [`Symbols`].
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a task. Symbols are handed out in the order of first use, so the same input gives the same numbers.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    /// The names, one behind the other.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    numbers: KeyTable,
}

impl Symbols {
    /// The symbol of `name`, new if need be.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.intern_by(Key::of_name(name), name)
    }

    /// The symbol of `name`, whose key is known, new if need be.
    #[inline]
    pub(super) fn intern_by(&mut self, (key, alone): (Key, bool), name: &str) -> Symbol {
        match self.find((key, alone), name) {
            Some(symbol) => symbol,
            None => self.add(key, name),
        }
    }

    /// The symbol of `name`, if it has one.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.find(Key::of_name(name), name)
    }

    /// The name of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        let at = symbol.index();
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    /// Something of where `key` is looked up; see [`KeyTable::touch`].
    #[inline]
    pub(super) fn touch(&self, key: Key) -> u64 {
        self.numbers.touch(key)
    }

    #[inline]
    fn find(&self, (key, alone): (Key, bool), name: &str) -> Option<Symbol> {
        self.numbers.get(key, |number| alone || self.name(Symbol(number)) == name).map(Symbol)
    }

    fn add(&mut self, key: Key, name: &str) -> Symbol {
        let number = narrow(self.ends.len());
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.numbers.insert(key, number);
        Symbol(number)
    }
}
