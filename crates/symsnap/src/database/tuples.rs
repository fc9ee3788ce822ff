//! Distinct rows of numbers, each with its place: the one hash table behind relations, indexes, groups and memos.
//!
//! Rows lie flat in one vector in the order of first occurrence, so nothing that iterates over them depends on hashes;
//! the table beside them holds row numbers only (open addressing, linear probing, at most half full). A
//! `HashMap<Box<[u32]>, u32>` does the same with an allocation and a pointer per row, and loads three times slower.

use crate::index::narrow;

/// Distinct rows of `width` numbers, numbered in the order of first insertion.
#[derive(Debug, Clone)]
pub struct Tuples {
    width: usize,
    len: usize,
    flat: Vec<u32>,
    /// Row number plus one; 0 is a free slot. Its length is a power of two.
    slots: Vec<u32>,
}

impl Tuples {
    /// No rows yet.
    pub fn new(width: usize) -> Self {
        Tuples { width, len: 0, flat: Vec::new(), slots: vec![0; 8] }
    }

    /// How many numbers a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row at `at`.
    #[inline]
    pub fn row(&self, at: usize) -> &[u32] {
        &self.flat[at * self.width..(at + 1) * self.width]
    }

    /// The place of `row`, if it is there.
    #[inline]
    pub fn get(&self, row: &[u32]) -> Option<u32> {
        debug_assert_eq!(row.len(), self.width, "a row has the width of its table");
        let mask = self.slots.len() - 1;
        let mut at = hash(row) & mask;
        loop {
            match self.slots[at] {
                0 => return None,
                found if same(self.row(found as usize - 1), row) => return Some(found - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The place of `row`, new if need be, and whether it is new.
    ///
    /// # Panics
    /// Beyond 2^32 - 2 rows.
    pub fn insert(&mut self, row: &[u32]) -> (u32, bool) {
        assert_eq!(row.len(), self.width, "a row has the width of its table");
        let mask = self.slots.len() - 1;
        let mut at = hash(row) & mask;
        loop {
            match self.slots[at] {
                0 => break,
                found if same(self.row(found as usize - 1), row) => return (found - 1, false),
                _ => at = (at + 1) & mask,
            }
        }
        let place = u32::try_from(self.len).expect("fewer than 2^32 rows fit in memory");
        self.slots[at] = place.checked_add(1).expect("fewer than 2^32 rows fit in memory");
        self.flat.extend_from_slice(row);
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            self.grow();
        }
        (place, true)
    }

    /// About how many bytes the rows take.
    pub fn bytes(&self) -> usize {
        (self.flat.capacity() + self.slots.capacity()) * 4
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let mut slots = vec![0u32; mask + 1];
        for place in 0..self.len {
            let mut at = hash(self.row(place)) & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = narrow(place + 1);
        }
        self.slots = slots;
    }
}

/// Whether two rows are equal. Rows are short: a loop takes less than the call that comparing slices makes.
#[inline]
fn same(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Multiply and rotate, as rustc's own hasher does, then the high bits folded down, which are the mixed ones.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low bits of a hash are as good as all")]
fn hash(row: &[u32]) -> usize {
    let mut hash = 0u64;
    for &value in row {
        hash = (hash.rotate_left(26) ^ u64::from(value)).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_numbered_in_the_order_of_first_insertion(
            rows in prop::collection::vec(prop::collection::vec(0u32..6, 3), 0..200),
        ) {
            let mut tuples = Tuples::new(3);
            let mut plain: Vec<Vec<u32>> = Vec::new();
            for row in &rows {
                let expected = plain.iter().position(|have| have == row);
                prop_assert_eq!(tuples.get(row), expected.map(|at| at as u32));
                let (place, new) = tuples.insert(row);
                prop_assert_eq!(new, expected.is_none());
                if new {
                    plain.push(row.clone());
                }
                prop_assert_eq!(tuples.row(place as usize), &row[..]);
            }
            prop_assert_eq!(tuples.len(), plain.len());
        }
    }

    #[test]
    fn there_is_one_row_of_width_zero() {
        let mut tuples = Tuples::new(0);
        assert_eq!(tuples.get(&[]), None);
        assert_eq!(tuples.insert(&[]), (0, true));
        assert_eq!(tuples.insert(&[]), (0, false));
        assert_eq!(tuples.len(), 1);
    }
}
