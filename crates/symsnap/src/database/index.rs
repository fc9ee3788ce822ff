//! What a join step asks of a relation: given values for some columns, which distinct values do some others take?
//!
//! An [`Index`] answers for one choice of key columns and value columns, columns in neither being projected away. So a
//! variable that is used nowhere else costs nothing: its column is in neither set and rows that differ only there are
//! one. The answers to one key lie together, so a join reads memory in order and never follows row numbers. With no
//! value columns the index is an existence test; with all columns as keys, membership.
//!
//! Rejected: row-number lists per column, intersected or filtered. They are smaller (one per column serves all
//! patterns) but touch one cache line per candidate row and visit duplicates.

use super::keyed_rows::{FlatKeys, KeyedRows};
use super::relation::Relation;
use super::tuples::Tuples;
use crate::index::narrow;
use crate::random::{STEP, mix};
use std::sync::OnceLock;

/// A set of columns, bit `k` for column `k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Columns(pub u64);

impl Columns {
    /// The widest relation that can be indexed; wider ones are evaluated by resolution.
    pub const MAX: usize = 64;

    /// With `column` too.
    ///
    /// # Panics
    /// If it is not below [`Columns::MAX`].
    #[must_use]
    pub fn with(self, column: usize) -> Self {
        assert!(column < Columns::MAX, "wider relations are evaluated by resolution");
        Columns(self.0 | 1 << column)
    }

    /// The columns of a wider relation that has `column` besides, with it.
    #[must_use]
    pub fn with_inserted(self, column: usize) -> Self {
        let below = (1 << column) - 1;
        Columns(self.0 & below | (self.0 & !below) << 1).with(column)
    }

    /// How many come before `column`.
    pub fn count_below(self, column: usize) -> usize {
        (self.0 & ((1 << column) - 1)).count_ones() as usize
    }

    /// Whether `column` is one of them.
    pub fn contains(self, column: usize) -> bool {
        self.0 >> column & 1 == 1
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The columns, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Columns::MAX).filter(move |&column| self.contains(column))
    }
}

/// Distinct projections of a relation's rows, grouped by key.
#[derive(Debug)]
pub struct Index {
    lookup: KeyLookup,
    /// Row `starts[group]..starts[group + 1]` of `values` answer a key; empty if there are no value columns.
    starts: Vec<u32>,
    values: Vec<u32>,
    width: usize,
    /// Digests of the groups' answers, made when first asked for.
    digests: OnceLock<Vec<u64>>,
}

#[derive(Debug)]
enum KeyLookup {
    /// The group of a key of one number at `key - least`, [`ABSENT`] if it has none.
    Line {
        least: u32,
        groups: Vec<u32>,
    },
    /// The group of a key at `sum((key[i] - least[i]) * stride[i])`, [`ABSENT`] if it has none.
    Dense {
        axes: Vec<IndexAxis>,
        groups: Vec<u32>,
    },
    /// The group of a key at the sum of what each axis says, [`ABSENT`] if it has none.
    Ranked {
        axes: Vec<RankedAxis>,
        groups: Vec<u32>,
    },
    Hash(Tuples),
}

/// For each number of a key from `least` on its share of the cell, [`ABSENT`] if no key has it.
#[derive(Debug)]
struct RankedAxis {
    least: u32,
    shares: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct IndexAxis {
    least: u32,
    range: u32,
    stride: u32,
}

const ABSENT: u32 = u32::MAX;

impl Index {
    /// The index of `relation` from `keys` to `values`.
    pub fn new(relation: &Relation, keys: Columns, values: Columns) -> Self {
        let columns = |of: Columns| of.iter().map(|column| relation.column(column)).collect::<Vec<&[u32]>>();
        let (keys, values) = (columns(keys), columns(values));
        // Rows are different, so their projections are, unless a column is left out.
        let whole = keys.len() + values.len() == relation.arity();
        let mut rows = KeyedRows::new(&keys, &values, whole, relation.len());
        let mut flat = Vec::with_capacity(rows.order.len() * values.len());
        match &values[..] {
            [] => rows.starts = Vec::new(),
            [only] => flat.extend(rows.order.iter().map(|&row| only[row as usize])),
            _ => rows.order.iter().for_each(|&row| flat.extend(values.iter().map(|column| column[row as usize]))),
        }
        let lookup = KeyLookup::new(rows.keys);
        Index { lookup, starts: rows.starts, values: flat, width: values.len(), digests: OnceLock::new() }
    }

    /// How many value columns there are.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether some row has this key.
    #[inline]
    pub fn contains(&self, key: &[u32]) -> bool {
        self.lookup.group(key).is_some()
    }

    /// Where in [`Index::values`] the answers to `key` lie.
    #[inline]
    pub fn range(&self, key: &[u32]) -> std::ops::Range<usize> {
        match self.lookup.group(key) {
            Some(group) if self.width > 0 => {
                let (start, end) = (self.starts[group as usize] as usize, self.starts[group as usize + 1] as usize);
                start * self.width..end * self.width
            }
            _ => 0..0,
        }
    }

    /// A digest of the set of answers to `key`: 0 if there are none, else equal for equal sets, and different for
    /// different ones but for a negligible probability.
    #[inline]
    pub fn digest(&self, key: &[u32]) -> u64 {
        let digests = self.digests.get_or_init(|| {
            let groups = self.starts.windows(2);
            groups
                .map(|range| {
                    digest_of(&self.values[range[0] as usize * self.width..range[1] as usize * self.width], self.width)
                })
                .collect()
        });
        self.lookup.group(key).and_then(|group| digests.get(group as usize)).copied().unwrap_or(0)
    }

    /// All answers, key by key, [`Index::width`] numbers each.
    #[inline]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let lookup = match &self.lookup {
            KeyLookup::Line { groups, .. } | KeyLookup::Dense { groups, .. } => groups.len() * 4,
            KeyLookup::Ranked { axes, groups } => {
                axes.iter().map(|axis| axis.shares.len() * 4).sum::<usize>() + groups.len() * 4
            }
            KeyLookup::Hash(keys) => keys.bytes(),
        };
        lookup + (self.starts.len() + self.values.len()) * 4
    }
}

/// A digest of a set of tuples, whatever their order; 0 for none.
pub fn digest_of(values: &[u32], width: usize) -> u64 {
    let tuple = |values: &[u32]| values.iter().fold(STEP, |sum, &value| mix(sum.rotate_left(9) ^ u64::from(value)));
    values.chunks(width.max(1)).fold(0, |sum, values| sum.wrapping_add(tuple(values)))
}

impl KeyLookup {
    /// An array where the keys fill at least one cell in sixteen (or a small array), if need be after numbering the
    /// values of each column anew; else the table.
    fn new(keys: FlatKeys) -> Self {
        let mut axes = Vec::with_capacity(keys.width);
        let mut cells = 1u64;
        for column in 0..keys.width {
            let values = (0..keys.len).map(|at| keys.row(at)[column]);
            let least = values.clone().min().unwrap_or(0);
            let range = values.max().map_or(0, |most| most - least + 1);
            let Ok(stride) = u32::try_from(cells) else { return KeyLookup::ranked(keys) };
            axes.push(IndexAxis { least, range, stride });
            cells = cells.saturating_mul(u64::from(range));
        }
        if cells > most_cells(&keys) {
            return KeyLookup::ranked(keys);
        }
        let mut groups = vec![ABSENT; narrow(cells)];
        for at in 0..keys.len {
            let cell = cell(&axes, keys.row(at)).expect("a key lies within the ranges of all keys");
            groups[cell] = narrow(at);
        }
        match axes[..] {
            [IndexAxis { least, .. }] => KeyLookup::Line { least, groups },
            _ => KeyLookup::Dense { axes, groups },
        }
    }

    fn hashed(keys: &FlatKeys) -> Self {
        let mut known = Tuples::new(keys.width);
        (0..keys.len).for_each(|at| _ = known.insert(keys.row(at)));
        KeyLookup::Hash(known)
    }

    fn ranked(keys: FlatKeys) -> Self {
        let most = most_cells(&keys);
        let (mut axes, mut cells, mut shares_held) = (Vec::with_capacity(keys.width), 1u64, 0u64);
        for column in 0..keys.width {
            let mut values: Vec<u32> = (0..keys.len).map(|at| keys.row(at)[column]).collect();
            values.sort_unstable();
            values.dedup();
            let (least, range) = (values[0], values[values.len() - 1] - values[0] + 1);
            shares_held += u64::from(range);
            if cells.saturating_mul(values.len() as u64) > most || shares_held > most {
                return KeyLookup::hashed(&keys);
            }
            let mut shares = vec![ABSENT; range as usize];
            for (rank, value) in values.iter().enumerate() {
                shares[(value - least) as usize] = narrow(rank as u64 * cells);
            }
            axes.push(RankedAxis { least, shares });
            cells *= values.len() as u64;
        }
        let mut groups = vec![ABSENT; narrow(cells)];
        for at in 0..keys.len {
            let cell = ranked_cell(&axes, keys.row(at)).expect("every key has a cell");
            groups[cell] = narrow(at);
        }
        KeyLookup::Ranked { axes, groups }
    }

    #[inline]
    fn group(&self, key: &[u32]) -> Option<u32> {
        match self {
            KeyLookup::Line { least, groups } => {
                let group = *groups.get(key[0].wrapping_sub(*least) as usize)?;
                (group != ABSENT).then_some(group)
            }
            KeyLookup::Dense { axes, groups } => {
                let group = *groups.get(cell(axes, key)?)?;
                (group != ABSENT).then_some(group)
            }
            KeyLookup::Ranked { axes, groups } => {
                let group = groups[ranked_cell(axes, key)?];
                (group != ABSENT).then_some(group)
            }
            KeyLookup::Hash(keys) => keys.get(key),
        }
    }
}

/// The most cells of an array from keys to groups: 16 for each key, 64 bytes, and a few more for small relations. Keys that
/// lie further apart are hashed.
fn most_cells(keys: &FlatKeys) -> u64 {
    keys.len as u64 * 16 + 4096
}

#[inline]
fn ranked_cell(axes: &[RankedAxis], key: &[u32]) -> Option<usize> {
    let mut cell = 0;
    for (axis, &value) in axes.iter().zip(key) {
        let share = *axis.shares.get(value.wrapping_sub(axis.least) as usize)?;
        if share == ABSENT {
            return None;
        }
        cell += share as usize;
    }
    Some(cell)
}

#[inline]
fn cell(axes: &[IndexAxis], key: &[u32]) -> Option<usize> {
    let mut cell = 0;
    for (axis, &value) in axes.iter().zip(key) {
        let offset = value.wrapping_sub(axis.least);
        if offset >= axis.range {
            return None;
        }
        cell += offset as usize * axis.stride as usize;
    }
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn an_index_answers_as_a_scan_does(
            rows in prop::collection::vec(prop::collection::vec(0u32..4, 3), 0..40),
            roles in prop::collection::vec(0u8..3, 3),
            spread in prop::sample::select(vec![1u32, 300, 100_000]),
        ) {
            let mut tuples = Tuples::new(3);
            for row in &rows {
                tuples.insert(&row.iter().map(|v| v * spread).collect::<Vec<_>>());
            }
            let relation = Relation::new(tuples);
            let of = |role: u8| {
                (0..3).filter(|&k| roles[k] == role).fold(Columns::default(), |set, column| set.with(column))
            };
            let (keys, values) = (of(0), of(1));
            let index = Index::new(&relation, keys, values);
            let mut key = vec![0; keys.len()];
            for combination in 0..5usize.pow(keys.len() as u32) {
                let mut rest = combination;
                for part in &mut key {
                    *part = (rest % 5) as u32 * spread;
                    rest /= 5;
                }
                let matching: Vec<Vec<u32>> = (0..relation.len())
                    .map(|at| relation.row(at).collect::<Vec<u32>>())
                    .filter(|row| keys.iter().zip(&key).all(|(column, &value)| row[column] == value))
                    .collect();
                prop_assert_eq!(index.contains(&key), !matching.is_empty());
                if !values.is_empty() {
                    let scanned: BTreeSet<Vec<u32>> =
                        matching.iter().map(|row| values.iter().map(|column| row[column]).collect()).collect();
                    let found: Vec<Vec<u32>> =
                        index.values()[index.range(&key)].chunks(values.len()).map(<[u32]>::to_vec).collect();
                    prop_assert_eq!(found.len(), scanned.len(), "answers are distinct");
                    prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), scanned);
                }
            }
        }
    }
}
