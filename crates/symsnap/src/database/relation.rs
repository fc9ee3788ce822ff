//! A ground relation in columns of `u32`, with the row numbers of each value of each column.
//!
//! Rows are distinct and in the order of the program text. Column indexes are built when first asked for; joins on
//! several columns go through [`Index`](super::Index), which this is not for.

use super::tuples::Tuples;
use crate::index::{index_type, narrow};
use std::sync::OnceLock;

index_type! {
    /// A predicate's place in its [`Database`](super::Database).
    pub struct PredIx;
}

/// Rows of ground terms, by [`TermId`](crate::logic::TermId) index.
#[derive(Debug)]
pub struct Relation {
    columns: Vec<Vec<u32>>,
    rows: Tuples,
    by_value: Vec<OnceLock<ByValue>>,
}

/// The rows of each value of one column, in compressed form: `rows[starts[g]..starts[g + 1]]`.
#[derive(Debug)]
struct ByValue {
    lookup: ValueLookup,
    starts: Vec<u32>,
    rows: Vec<u32>,
}

/// From value to group: an array where the values lie close together, a hash table where they do not.
#[derive(Debug)]
enum ValueLookup {
    Dense { least: u32, groups: Vec<u32> },
    Hash(Tuples),
}

const ABSENT: u32 = u32::MAX;

impl Relation {
    /// The relation with these distinct rows.
    pub fn new(rows: Tuples) -> Self {
        let width = rows.width();
        let mut columns = vec![Vec::with_capacity(rows.len()); width];
        for at in 0..rows.len() {
            for (column, &value) in columns.iter_mut().zip(rows.row(at)) {
                column.push(value);
            }
        }
        Relation { columns, rows, by_value: (0..width).map(|_| OnceLock::new()).collect() }
    }

    /// How many columns there are.
    pub fn arity(&self) -> usize {
        self.columns.len()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// One column, a value per row.
    pub fn column(&self, column: usize) -> &[u32] {
        &self.columns[column]
    }

    /// One row.
    pub fn row(&self, at: usize) -> &[u32] {
        self.rows.row(at)
    }

    /// The rows that have `value` in `column`, ascending.
    pub fn rows(&self, column: usize, value: u32) -> &[u32] {
        let index = self.by_value(column);
        let group = match &index.lookup {
            ValueLookup::Dense { least, groups } => {
                let at = value.wrapping_sub(*least) as usize;
                groups.get(at).copied().filter(|&group| group != ABSENT)
            }
            ValueLookup::Hash(values) => values.get(&[value]),
        };
        match group {
            Some(group) => {
                let group = group as usize;
                &index.rows[index.starts[group] as usize..index.starts[group + 1] as usize]
            }
            None => &[],
        }
    }

    /// How many different values `column` has.
    pub fn distinct(&self, column: usize) -> usize {
        self.by_value(column).starts.len() - 1
    }

    /// Whether the relation has this row.
    pub fn contains(&self, row: &[u32]) -> bool {
        self.rows.get(row).is_some()
    }

    /// About how many bytes it takes, column indexes included once they are built.
    pub fn bytes(&self) -> usize {
        let built = self.by_value.iter().filter_map(OnceLock::get);
        let indexes: usize = built.map(|index| (index.starts.len() * 2 + index.rows.len()) * 4).sum();
        self.rows.bytes() + self.columns.iter().map(|column| column.len() * 4).sum::<usize>() + indexes
    }

    fn by_value(&self, column: usize) -> &ByValue {
        self.by_value[column].get_or_init(|| ByValue::new(&self.columns[column]))
    }
}

impl ByValue {
    fn new(column: &[u32]) -> Self {
        let least = column.iter().copied().min().unwrap_or(0);
        let range = column.iter().copied().max().map_or(0, |most| (most - least) as usize + 1);
        let mut counts: Vec<u32> = Vec::new();
        let mut group_of: Vec<u32> = Vec::with_capacity(column.len());
        let mut count = |group: u32| {
            if group as usize == counts.len() {
                counts.push(0);
            }
            counts[group as usize] += 1;
            group_of.push(group);
        };
        let lookup = if range <= column.len() * 8 + 1024 {
            let mut groups = vec![ABSENT; range];
            let mut next = 0;
            for &value in column {
                let group = &mut groups[(value - least) as usize];
                if *group == ABSENT {
                    *group = next;
                    next += 1;
                }
                count(*group);
            }
            ValueLookup::Dense { least, groups }
        } else {
            let mut values = Tuples::new(1);
            column.iter().for_each(|&value| count(values.insert(&[value]).0));
            ValueLookup::Hash(values)
        };
        let (starts, order) = bucket(&counts, &group_of);
        ByValue { lookup, starts, rows: order }
    }
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
    use super::*;
    use proptest::prelude::*;

    fn relation(rows: &[Vec<u32>], width: usize) -> Relation {
        let mut tuples = Tuples::new(width);
        rows.iter().for_each(|row| {
            tuples.insert(row);
        });
        Relation::new(tuples)
    }

    proptest! {
        #[test]
        fn rows_by_value_equal_a_scan_of_the_column(
            rows in prop::collection::vec(prop::collection::vec(0u32..9, 2), 0..60),
            spread in prop::sample::select(vec![1u32, 1_000_000]),
        ) {
            let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.iter().map(|v| v * spread).collect()).collect();
            let relation = relation(&rows, 2);
            for column in 0..2 {
                for value in 0..10 {
                    let value = value * spread;
                    let scanned: Vec<u32> = (0..relation.len() as u32)
                        .filter(|&row| relation.column(column)[row as usize] == value)
                        .collect();
                    prop_assert_eq!(relation.rows(column, value), &scanned[..]);
                }
            }
            prop_assert!(rows.iter().all(|row| relation.contains(row)));
            prop_assert!(!relation.contains(&[9 * spread, 0]));
        }
    }

    #[test]
    fn an_empty_relation_answers_everything_with_nothing() {
        let relation = relation(&[], 2);
        assert_eq!((relation.len(), relation.arity(), relation.distinct(1)), (0, 2, 0));
        assert!(relation.rows(0, 7).is_empty());
    }
}
