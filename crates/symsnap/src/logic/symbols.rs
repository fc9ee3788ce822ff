//! Names as numbers.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name: of an atom, a functor, a predicate, a type. [`Terms::name`](super::Terms::name) has its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The position of the name in its [`Symbols`].
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a task. Symbols are handed out in the order of first use, so the same input gives the same numbers.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Symbol>,
}

impl Symbols {
    /// The symbol of `name`, new if need be.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(name) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 names fit in memory"));
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.index.insert(name, symbol);
        symbol
    }

    /// The symbol of `name`, if it has one.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }

    /// The name of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }
}
