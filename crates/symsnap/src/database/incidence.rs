//! Which of many projections of relations have a value, or a pair of values: one look-up for all of them.
//!
//! Asking one [`Index`](super::Index) after the other takes a look-up each, which mostly waits for memory and mostly finds
//! nothing. Here the numbers of all projections that have a key lie together, so that what a key costs grows with those it is
//! in, not with those there are: in the graph of 237 relations of bench/graphs a thing is in 26 of 474 columns in the mean.
//!
//! Rejected: a word of bits for each key (one look-up too, but a cell for every pair and projection; and then the bits have to
//! be transposed), sets of values for each projection (small, but still one question for each).

use super::index::Columns;
use super::relation::Relation;
use crate::index::narrow;

/// Some columns of a relation, one or two of them.
#[derive(Debug, Clone, Copy)]
pub struct Projection<'d> {
    /// The relation.
    pub relation: &'d Relation,
    /// Its columns, whose values are a key, ascending.
    pub columns: Columns,
}

/// For each key the projections that have it, by number.
#[derive(Debug)]
pub struct Incidence {
    keys: IncidenceKeys,
    members: Vec<u32>,
    projections: usize,
}

#[derive(Debug)]
enum IncidenceKeys {
    /// The members of a key of one value are at `starts[key - least]..starts[key - least + 1]`.
    Line {
        least: u32,
        starts: Vec<u32>,
    },
    Hash(SlotTable),
}

/// Open addressing by [`hash`], at most half full; a slot without members is free.
#[derive(Debug)]
struct SlotTable {
    slots: Vec<Slot>,
    /// A bit for each key, at its hash. Most keys that are asked for are not there, and all slots are too large for a cache of
    /// the second level where these bits, sixteen for each key, are not: with 86,000 pairs 4 MB and 0.25 MB.
    filter: Vec<u64>,
}

/// A key, of one value or of two, and where its members are.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    start: u32,
    end: u32,
}

impl Incidence {
    /// The incidence of these projections, all of one column or all of two, numbered as they come.
    pub fn new(projections: &[Projection<'_>]) -> Self {
        let single = projections.iter().all(|projection| projection.columns.len() == 1);
        let (keys, members) = if single { Incidence::singles(projections) } else { Incidence::hashed(projections) };
        Incidence { keys, members, projections: projections.len() }
    }

    /// How many projections there are.
    pub fn projections(&self) -> usize {
        self.projections
    }

    /// The projections that have this value, ascending.
    #[inline]
    pub fn of_value(&self, value: u32) -> &[u32] {
        match &self.keys {
            IncidenceKeys::Line { least, starts } => {
                let at = value.wrapping_sub(*least) as usize;
                match starts.get(at..at.saturating_add(2)) {
                    Some(ends) => &self.members[ends[0] as usize..ends[1] as usize],
                    None => &[],
                }
            }
            IncidenceKeys::Hash(table) => self.among(table.get(u64::from(value))),
        }
    }

    /// The projections that have this pair of values, ascending.
    #[inline]
    pub fn of_pair(&self, first: u32, second: u32) -> &[u32] {
        match &self.keys {
            IncidenceKeys::Line { .. } => &[],
            IncidenceKeys::Hash(table) => self.among(table.get(pair(first, second))),
        }
    }

    #[inline]
    fn among(&self, slot: Slot) -> &[u32] {
        &self.members[slot.start as usize..slot.end as usize]
    }

    fn singles(projections: &[Projection<'_>]) -> (IncidenceKeys, Vec<u32>) {
        let columns = || projections.iter().map(only_column);
        let entries: usize = columns().map(<[u32]>::len).sum();
        let least = columns().flatten().min().copied().unwrap_or(0);
        let range = columns().flatten().max().map_or(0, |most| (most - least) as usize + 1);
        // As for an index: at most 16 cells for each entry, and a few more for small relations.
        if range > entries * 16 + 4096 {
            return Incidence::hashed(projections);
        }
        let mut starts = vec![0u32; range + 1];
        each_once(columns(), least, range, |_, at| starts[at + 1] += 1);
        (0..range).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        let mut members = vec![0u32; starts[range] as usize];
        each_once(columns(), least, range, |member, at| {
            members[next[at] as usize] = member;
            next[at] += 1;
        });
        (IncidenceKeys::Line { least, starts }, members)
    }

    fn hashed(projections: &[Projection<'_>]) -> (IncidenceKeys, Vec<u32>) {
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for (member, projection) in (0u32..).zip(projections) {
            let mut columns = projection.columns.iter().map(|column| projection.relation.column(column));
            match (columns.next(), columns.next()) {
                (Some(first), Some(second)) => {
                    entries.extend(first.iter().zip(second).map(|(&a, &b)| (pair(a, b), member)));
                }
                (Some(only), None) => entries.extend(only.iter().map(|&value| (u64::from(value), member))),
                _ => unreachable!("a projection has one column or two"),
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let keys = || entries.chunk_by(|a, b| a.0 == b.0);
        let mut table = SlotTable::new(keys().count());
        let mut start = 0;
        for members in keys() {
            let end = start + narrow::<_, u32>(members.len());
            table.insert(Slot { key: members[0].0, start, end });
            start = end;
        }
        (IncidenceKeys::Hash(table), entries.into_iter().map(|(_, member)| member).collect())
    }
}

impl SlotTable {
    fn new(keys: usize) -> Self {
        let slots = vec![Slot::default(); (keys * 2).next_power_of_two()];
        SlotTable { slots, filter: vec![0; (keys * 16).next_power_of_two().div_ceil(64)] }
    }

    /// The slot of a key, an empty one if it has none.
    #[inline]
    fn get(&self, key: u64) -> Slot {
        let hash = hash(key);
        let (word, bit) = self.filter_place(hash);
        if self.filter[word] & bit == 0 { Slot::default() } else { self.slots[self.place(key, hash)] }
    }

    fn insert(&mut self, slot: Slot) {
        let hash = hash(slot.key);
        let (at, (word, bit)) = (self.place(slot.key, hash), self.filter_place(hash));
        self.slots[at] = slot;
        self.filter[word] |= bit;
    }

    #[inline]
    fn filter_place(&self, hash: usize) -> (usize, u64) {
        ((hash / 64) & (self.filter.len() - 1), 1 << (hash % 64))
    }

    /// The slot of a key, or the free one where it would be.
    #[inline]
    fn place(&self, key: u64, hash: usize) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash & mask;
        while self.slots[at].start != self.slots[at].end && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }
}

fn only_column<'d>(projection: &Projection<'d>) -> &'d [u32] {
    let column = projection.columns.iter().next().expect("a projection has one column or two");
    projection.relation.column(column)
}

/// Call `visit` once for each column, by number, and value in it, as its distance from `least`; column by column.
fn each_once<'d>(
    columns: impl Iterator<Item = &'d [u32]>,
    least: u32,
    range: usize,
    mut visit: impl FnMut(u32, usize),
) {
    let mut last = vec![u32::MAX; range];
    for (member, column) in (0u32..).zip(columns) {
        for &value in column {
            let at = (value - least) as usize;
            if last[at] != member {
                last[at] = member;
                visit(member, at);
            }
        }
    }
}

#[inline]
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// As for [`Tuples`](super::Tuples): multiply and rotate, then the high bits folded down, which are the mixed ones.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low bits of a hash are as good as all")]
fn hash(key: u64) -> usize {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
    let (first, second) = (key >> 32, key & u64::from(u32::MAX));
    let hash = (first.wrapping_mul(FACTOR).rotate_left(26) ^ second).wrapping_mul(FACTOR);
    (hash ^ hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::super::tuples::Tuples;
    use super::*;
    use proptest::prelude::*;

    fn relation(rows: &[Vec<u32>], width: usize, spread: u32) -> Relation {
        let mut tuples = Tuples::new(width);
        for row in rows {
            tuples.insert(&row[..width].iter().map(|value| 7 + value * spread).collect::<Vec<_>>());
        }
        Relation::new(tuples)
    }

    proptest! {
        #[test]
        fn an_incidence_says_of_each_key_what_a_scan_says(
            all in prop::collection::vec(prop::collection::vec(prop::collection::vec(0u32..5, 3), 0..20), 1..6),
            widths in prop::collection::vec(1usize..4, 6),
            pairs in any::<bool>(),
            spread in prop::sample::select(vec![1u32, 300, 100_000_000]),
        ) {
            let relations: Vec<Relation> =
                all.iter().zip(&widths).map(|(rows, &width)| relation(rows, width, spread)).collect();
            let mut projections = Vec::new();
            for relation in &relations {
                for first in 0..relation.arity() {
                    let columns = Columns::default().with(first);
                    if pairs {
                        (first + 1..relation.arity()).for_each(|second| projections.push(Projection { relation, columns: columns.with(second) }));
                    } else {
                        projections.push(Projection { relation, columns });
                    }
                }
            }
            prop_assume!(!projections.is_empty());
            let incidence = Incidence::new(&projections);
            let values: Vec<u32> = (0..5).map(|value| 7 + value * spread).chain([0, 8, u32::MAX]).collect();
            for &a in &values {
                for &b in if pairs { &values[..] } else { &values[..1] } {
                    let key = if pairs { vec![a, b] } else { vec![a] };
                    let scanned: Vec<u32> = (0u32..)
                        .zip(&projections)
                        .filter(|(_, Projection { relation, columns })| {
                            (0..relation.len()).any(|row| {
                                columns.iter().zip(&key).all(|(column, &value)| relation.column(column)[row] == value)
                            })
                        })
                        .map(|(member, _)| member)
                        .collect();
                    let found = if pairs { incidence.of_pair(a, b) } else { incidence.of_value(a) };
                    prop_assert_eq!(found, &scanned[..]);
                }
            }
        }
    }
}
