//! The values that local variables of one type can take, numbered.

use super::sets::Word;
use crate::logic::Symbol;

/// A type with its values.
#[derive(Debug)]
pub struct Kind {
    /// The type; `None` where the bias declares none.
    pub name: Option<Symbol>,
    values: Vec<u32>,
    places: Vec<u32>,
}

impl Kind {
    /// The kind of these values, which are distinct and ascending.
    pub fn new(name: Option<Symbol>, values: Vec<u32>) -> Self {
        let mut places = vec![u32::MAX; values.last().map_or(0, |&last| last as usize + 1)];
        values.iter().enumerate().for_each(|(at, &value)| places[value as usize] = at as u32);
        Kind { name, values, places }
    }

    /// How many words a set of values takes.
    #[inline]
    pub fn width(&self) -> usize {
        self.values.len().div_ceil(Word::BITS as usize)
    }

    /// The values, ascending.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The number of a value.
    #[inline]
    pub fn place(&self, value: u32) -> usize {
        self.places[value as usize] as usize
    }
}
