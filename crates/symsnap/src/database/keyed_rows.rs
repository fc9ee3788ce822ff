//! The rows of a relation brought together by the values of some columns, which is how an index is made.

use super::distinct::{Partition, bucket, partition, repetitions};
use super::tuples::Tuples;
use crate::index::narrow;

/// The rows of different projections, brought together by their keys.
pub(super) struct KeyedRows {
    /// The keys in the order of their first rows.
    pub keys: FlatKeys,
    /// Where the rows of each key start.
    pub starts: Vec<u32>,
    /// Rows of the relation, one for each projection, key by key.
    pub order: Vec<u32>,
}

/// Different keys, one behind the other.
pub(super) struct FlatKeys {
    pub width: usize,
    pub len: usize,
    flat: Vec<u32>,
}

impl KeyedRows {
    /// The rows of a relation of `len` rows by these columns. `whole` says that no two rows agree in all of them.
    pub fn new(keys: &[&[u32]], values: &[&[u32]], whole: bool, len: usize) -> Self {
        KeyedRows::grouped(keys, values, whole, len).unwrap_or_else(|| KeyedRows::hashed(keys, values, len))
    }

    /// By [partitions](super::distinct); `None` if values lie too far apart for that, or there are no keys.
    fn grouped(keys: &[&[u32]], values: &[&[u32]], whole: bool, len: usize) -> Option<Self> {
        let all: Vec<&[u32]> = keys.iter().chain(values).copied().collect();
        let repeated = if whole { Vec::new() } else { repetitions(&all)? };
        let Partition { mut group_of, groups } = partition(keys)?;
        let mut firsts = vec![u32::MAX; groups];
        for (row, &group) in group_of.iter().enumerate().rev() {
            firsts[group as usize] = narrow(row);
        }
        // What repeats an earlier row has the number of a group that is dropped at the end.
        repeated.iter().for_each(|&row| group_of[row as usize] = narrow(groups));
        let mut counts = vec![0u32; groups + usize::from(!repeated.is_empty())];
        group_of.iter().for_each(|&group| counts[group as usize] += 1);
        let (mut starts, mut order) = bucket(&counts, &group_of);
        starts.truncate(groups + 1);
        order.truncate(len - repeated.len());
        let mut flat = Vec::with_capacity(groups * keys.len());
        firsts.iter().for_each(|&row| flat.extend(keys.iter().map(|column| column[row as usize])));
        Some(KeyedRows { keys: FlatKeys { width: keys.len(), len: groups, flat }, starts, order })
    }

    fn hashed(keys: &[&[u32]], values: &[&[u32]], len: usize) -> Self {
        let mut pairs = Tuples::new(keys.len() + values.len());
        let mut groups = Tuples::new(keys.len());
        let mut row = Vec::with_capacity(pairs.width());
        let (mut group_of, mut counts, mut rows) = (Vec::new(), Vec::new(), Vec::<u32>::new());
        for at in 0..len {
            row.clear();
            row.extend(keys.iter().chain(values).map(|column| column[at]));
            if !pairs.insert(&row).1 {
                continue;
            }
            let (group, new) = groups.insert(&row[..keys.len()]);
            if new {
                counts.push(0);
            }
            counts[group as usize] += 1;
            group_of.push(group);
            rows.push(narrow(at));
        }
        let (starts, mut order) = bucket(&counts, &group_of);
        order.iter_mut().for_each(|at| *at = rows[*at as usize]);
        let flat = (0..groups.len()).flat_map(|at| groups.row(at)).copied().collect();
        KeyedRows { keys: FlatKeys { width: keys.len(), len: groups.len(), flat }, starts, order }
    }
}

impl FlatKeys {
    pub fn row(&self, at: usize) -> &[u32] {
        &self.flat[at * self.width..(at + 1) * self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn grouping_gives_what_hashing_gives(
            rows in prop::collection::vec(prop::collection::vec(0u32..4, 4), 1..60),
            (keys, values) in (1usize..4, 0usize..3),
            base in 0u32..1000,
        ) {
            let column = |at: usize| rows.iter().map(|row| base + row[at % 4]).collect::<Vec<u32>>();
            let columns: Vec<Vec<u32>> = (0..keys + values).map(column).collect();
            let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
            let (keys, values) = slices.split_at(keys);
            let fast = KeyedRows::grouped(keys, values, false, rows.len()).expect("the values lie close together");
            let slow = KeyedRows::hashed(keys, values, rows.len());
            prop_assert_eq!((fast.keys.len, fast.keys.flat, fast.starts, fast.order), (slow.keys.len, slow.keys.flat, slow.starts, slow.order));
        }
    }
}
