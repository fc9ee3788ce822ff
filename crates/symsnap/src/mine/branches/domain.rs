//! The values that local variables of one type can take, numbered.

use crate::index::index_type;
use crate::logic::Symbol;

/// A piece of a set of values. Types have few values as a rule, and there are many sets: short words waste little.
pub type ValueWord = u16;

/// Types with more values are left to tables.
pub const MOST_VALUES: usize = 1024;

index_type! {
    /// A type that local variables can be of, by number.
    pub struct DomainIx;
}

/// A type with its values.
#[derive(Debug)]
pub struct Domain {
    /// The type; `None` where the bias declares none.
    pub name: Option<Symbol>,
    values: Vec<u32>,
    places: Vec<u16>,
}

impl Domain {
    /// The domain of these values, which are distinct, ascending and at most [`MOST_VALUES`].
    pub fn new(name: Option<Symbol>, values: Vec<u32>) -> Self {
        let mut places = vec![u16::MAX; values.last().map_or(0, |&last| last as usize + 1)];
        (0..).zip(&values).for_each(|(place, &value)| places[value as usize] = place);
        Domain { name, values, places }
    }

    /// How many words a set of values takes.
    #[inline]
    pub fn width(&self) -> usize {
        self.values.len().div_ceil(ValueWord::BITS as usize)
    }

    /// The values, ascending.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The number of a value.
    #[inline]
    pub fn place(&self, value: u32) -> u16 {
        self.places[value as usize]
    }
}
