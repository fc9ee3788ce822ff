//! The values that local variables of one type can take, numbered.

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
        self.values.len().div_ceil(64)
    }

    /// Add a value to a set.
    #[inline]
    pub fn insert(&self, set: &mut [u64], value: u32) {
        let place = self.places[value as usize];
        set[place as usize / 64] |= 1 << (place % 64);
    }

    /// Whether a value is in a set.
    #[inline]
    pub fn contains(&self, set: &[u64], value: u32) -> bool {
        let place = self.places[value as usize];
        set[place as usize / 64] >> (place % 64) & 1 == 1
    }

    /// Call `visit` with each value of a set.
    #[inline]
    pub fn each(&self, set: &[u64], mut visit: impl FnMut(u32)) {
        for (at, &word) in set.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(self.values[at * 64 + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
    }
}
