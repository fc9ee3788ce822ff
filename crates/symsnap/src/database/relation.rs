//! A ground relation in columns of `u32`, with the row numbers of each value of each column.
//!
//! Rows are distinct and in the order of the program text. Column indexes are built when first asked for; joins on
//! several columns go through [`Index`](super::Index), which this is not for.

use super::distinct::{bucket, repetitions};
use super::tuples::Tuples;
use crate::index::index_type;
use crate::task::Facts;
use std::sync::{Arc, OnceLock};

index_type! {
    /// A predicate's place in its [`Database`](super::Database).
    pub struct PredIx;
}

/// Rows of ground terms, by [`TermId`](crate::logic::TermId) index.
#[derive(Debug)]
pub struct Relation {
    columns: RelationColumns,
    len: usize,
    by_value: Vec<OnceLock<ByValue>>,
}

/// Where the columns are: those of facts that are all different need no copy.
#[derive(Debug)]
enum RelationColumns {
    Own(Vec<Vec<u32>>),
    Shared(Arc<Facts>),
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
        Relation::of(RelationColumns::Own(columns), rows.len())
    }

    /// The relation of facts, without repetitions.
    pub fn of_facts(facts: &Arc<Facts>) -> Self {
        let slices: Vec<&[u32]> = facts.columns().iter().map(Vec::as_slice).collect();
        match repetitions(&slices) {
            Some(repeated) if repeated.is_empty() => {
                Relation::of(RelationColumns::Shared(Arc::clone(facts)), facts.len())
            }
            Some(repeated) => {
                let len = facts.len() - repeated.len();
                let columns = slices.iter().map(|column| without(column, &repeated)).collect();
                Relation::of(RelationColumns::Own(columns), len)
            }
            None => {
                let mut rows = Tuples::new(slices.len());
                let mut row = Vec::with_capacity(slices.len());
                for at in 0..facts.len() {
                    row.clear();
                    row.extend(slices.iter().map(|column| column[at]));
                    rows.insert(&row);
                }
                Relation::new(rows)
            }
        }
    }

    /// The relation with some of the rows, told by a bit for each.
    #[must_use]
    pub fn keeping(&self, rows: &[bool]) -> Self {
        let kept =
            |column: &Vec<u32>| column.iter().zip(rows).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect();
        let columns = self.columns().iter().map(kept).collect();
        Relation::of(RelationColumns::Own(columns), rows.iter().filter(|kept| **kept).count())
    }

    fn of(columns: RelationColumns, len: usize) -> Self {
        let mut relation = Relation { columns, len, by_value: Vec::new() };
        relation.by_value = relation.columns().iter().map(|_| OnceLock::new()).collect();
        relation
    }

    fn columns(&self) -> &[Vec<u32>] {
        match &self.columns {
            RelationColumns::Own(columns) => columns,
            RelationColumns::Shared(facts) => facts.columns(),
        }
    }

    /// How many columns there are.
    pub fn arity(&self) -> usize {
        self.by_value.len()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One column, a value per row.
    pub fn column(&self, column: usize) -> &[u32] {
        &self.columns()[column]
    }

    /// One row.
    pub fn row(&self, at: usize) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.columns().iter().map(move |column| column[at])
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

    /// About how many bytes it takes, column indexes included once they are built.
    pub fn bytes(&self) -> usize {
        let built = self.by_value.iter().filter_map(OnceLock::get);
        let indexes: usize = built.map(|index| (index.starts.len() * 2 + index.rows.len()) * 4).sum();
        let own = matches!(self.columns, RelationColumns::Own(_));
        indexes + if own { self.len * self.arity() * 4 } else { 0 }
    }

    fn by_value(&self, column: usize) -> &ByValue {
        self.by_value[column].get_or_init(|| ByValue::new(self.column(column)))
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

/// A column without these rows, which ascend.
fn without(column: &[u32], rows: &[u32]) -> Vec<u32> {
    let mut kept = Vec::with_capacity(column.len() - rows.len());
    let mut from = 0;
    for &row in rows {
        kept.extend_from_slice(&column[from..row as usize]);
        from = row as usize + 1;
    }
    kept.extend_from_slice(&column[from..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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
            let different: BTreeSet<&Vec<u32>> = rows.iter().collect();
            let held: Vec<Vec<u32>> = (0..relation.len()).map(|at| relation.row(at).collect()).collect();
            prop_assert_eq!(held.len(), different.len());
            prop_assert!(rows.iter().all(|row| held.contains(row)));
        }
    }

    #[test]
    fn an_empty_relation_answers_everything_with_nothing() {
        let relation = relation(&[], 2);
        assert_eq!((relation.len(), relation.arity(), relation.distinct(1)), (0, 2, 0));
        assert!(relation.rows(0, 7).is_empty());
    }
}
