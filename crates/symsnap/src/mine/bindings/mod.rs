//! Binding tables: all ways to satisfy some literals, in columns of `u32`, by tuple of the head variables that the
//! literals mention ([`Heads`]).
//!
//! A literal that introduces a variable is joined to the table. One that does not is a *test*: a set of the table's
//! rows, as bits, so that conjunctions of tests are ANDs of bits. One that introduces a head variable is tried without
//! a join, on the distinct values of just the variables it mentions, up to a tuple's first hit.

mod joint_tests;

pub use joint_tests::JointTests;

use super::heads::{AllHeads, Heads};
use crate::covering::Witnesses;
use crate::index::narrow;
use crate::language::{Access, FRESH, Language, Lit, MAX_ARITY};
use crate::random::{STEP, mix};
use crate::sets::Sides;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// What tables are made of and tested with.
#[derive(Clone, Copy)]
pub struct TableGround<'c> {
    /// The predicates.
    pub language: &'c Language<'c>,
    /// The examples, by head variables.
    pub heads: &'c AllHeads,
}

impl TableGround<'_> {
    /// The head variables of a literal.
    fn head_mask(self, lit: &Lit) -> u64 {
        lit.mask() & ((1 << self.heads.arity()) - 1)
    }
}

/// Rows of local values by tuple of head values: those of slot `s` are `starts[s]..starts[s + 1]`.
#[derive(Debug, Clone)]
pub struct BindingTable {
    mask: u64,
    heads: Arc<Heads>,
    /// Which tuple each slot is of, ascending; tuples without rows have no slot.
    groups: Vec<u32>,
    starts: Vec<u32>,
    columns: Vec<Vec<u32>>,
}

/// Where a bound argument's value is.
#[derive(Clone, Copy)]
enum ValuePlace {
    Head(usize),
    Local(usize),
}

impl BindingTable {
    /// The bindings of no literals: one row for all examples.
    pub fn empty(ground: TableGround<'_>) -> Self {
        let heads = ground.heads.get(0);
        let groups = (0..narrow(heads.len())).collect();
        let starts = (0..=narrow(heads.len())).collect();
        BindingTable { mask: 0, heads, groups, starts, columns: Vec::new() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let numbers = self.groups.len() + self.starts.len() + self.columns.iter().map(Vec::len).sum::<usize>();
        size_of::<BindingTable>() + numbers * 4
    }

    /// The table with `lit` added (its fresh variables become new columns) and, for each row, the row of this table it
    /// extends; `None` if it would have more than `cap` rows.
    pub fn join(&self, lit: &Lit, ground: TableGround<'_>, cap: usize) -> Option<(BindingTable, Vec<u32>)> {
        let mask = self.mask | ground.head_mask(lit);
        let heads = self.finer(mask, ground);
        let access = ground.language.access(lit, true);
        let bound = self.bound(lit, &heads, ground.heads.arity());
        let fresh = lit.fresh();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.columns.len() + fresh];
        let (mut groups, mut starts, mut parents) = (Vec::new(), vec![0u32], Vec::new());
        let mut key = [0u32; MAX_ARITY];
        let mut found: Vec<u32> = Vec::new();
        self.each_group(&heads, 0..heads.len(), |group, slot| {
            let tuple = heads.tuple(group);
            let negatives = || !heads.negatives(group).is_empty();
            let start = parents.len();
            for row in self.starts[slot]..self.starts[slot + 1] {
                fill(&mut key, &bound, tuple, |column| self.columns[column][row as usize]);
                found.clear();
                let matches = access.matches(&key[..bound.len()], fresh, &mut found, negatives);
                parents.resize(parents.len() + matches, row);
                for (at, column) in columns[self.columns.len()..].iter_mut().enumerate() {
                    column.extend(found[at.min(found.len())..].iter().step_by(fresh).copied());
                }
            }
            if parents.len() > start {
                groups.push(narrow(group));
                starts.push(narrow(parents.len()));
            }
            parents.len() <= cap
        })
        .then_some(())?;
        for (from, to) in self.columns.iter().zip(&mut columns) {
            to.extend(parents.iter().map(|&row| from[row as usize]));
        }
        Some((BindingTable { mask, heads, groups, starts, columns }, parents))
    }

    /// The values that fresh argument `at` of a called literal takes where positive examples are, each with how many of them
    /// have it; in the order in which they are met.
    pub fn values_on_positives(&self, lit: &Lit, at: usize, ground: TableGround<'_>) -> Vec<(u32, usize)> {
        let heads = self.finer(self.mask | ground.head_mask(lit), ground);
        let bound = self.bound(lit, &heads, ground.heads.arity());
        let place = lit.args()[..at].iter().filter(|&&arg| arg >= FRESH).count();
        let (mut found, mut known): (Vec<(u32, usize)>, FxHashMap<u32, usize>) = Default::default();
        let (mut key, mut met) = ([0u32; MAX_ARITY], Vec::new());
        self.each_group(&heads, 0..heads.len(), |group, slot| {
            if group >= heads.with_positives() {
                return false;
            }
            met.clear();
            for row in self.starts[slot]..self.starts[slot + 1] {
                fill(&mut key, &bound, heads.tuple(group), |column| self.columns[column][row as usize]);
                let answers = ground.language.probe(lit, &key[..bound.len()]);
                met.extend(answers.values().chunks(answers.width().max(1)).filter_map(|row| row.get(place)));
            }
            met.sort_unstable();
            met.dedup();
            for &value in &met {
                let at = *known.entry(value).or_insert_with(|| {
                    found.push((value, 0));
                    found.len() - 1
                });
                found[at].1 += heads.positives(group).len();
            }
            true
        });
        found
    }

    /// For each of `wanted`, the rows for which fresh argument `at` of a called literal can have that value.
    pub fn rows_with(&self, lit: &Lit, at: usize, wanted: &[u32], ground: TableGround<'_>) -> Vec<Vec<u64>> {
        let bound = self.bound(lit, &self.heads, ground.heads.arity());
        let place = lit.args()[..at].iter().filter(|&&arg| arg >= FRESH).count();
        let slots: FxHashMap<u32, usize> = wanted.iter().enumerate().map(|(slot, &value)| (value, slot)).collect();
        let mut found = vec![vec![0u64; self.rows().div_ceil(64)]; wanted.len()];
        let mut key = [0u32; MAX_ARITY];
        for (group, rows) in self.groups() {
            for row in rows {
                fill(&mut key, &bound, self.heads.tuple(group), |column| self.columns[column][row]);
                let answers = ground.language.probe(lit, &key[..bound.len()]);
                let values = answers.values().chunks(answers.width().max(1)).filter_map(|row| row.get(place));
                for slot in values.filter_map(|value| slots.get(value)) {
                    found[*slot][row / 64] |= 1 << (row % 64);
                }
            }
        }
        found
    }

    /// The rows that satisfy `lit`, which mentions only head variables that the table knows; fresh variables count as
    /// satisfied by any value.
    pub fn test(&self, lit: &Lit, ground: TableGround<'_>) -> Vec<u64> {
        let access = ground.language.access(lit, false);
        let bound = self.bound(lit, &self.heads, ground.heads.arity());
        let mut bits = vec![0u64; self.rows().div_ceil(64)];
        let mut key = [0u32; MAX_ARITY];
        match (&access, bound.as_slice()) {
            (Access::Table(index), [ValuePlace::Local(only)]) => {
                for (row, value) in self.columns[*only].iter().enumerate() {
                    bits[row / 64] |= u64::from(index.contains(std::slice::from_ref(value))) << (row % 64);
                }
            }
            (Access::Table(index), [ValuePlace::Local(first), ValuePlace::Local(second)]) => {
                for (row, (&a, &b)) in self.columns[*first].iter().zip(&self.columns[*second]).enumerate() {
                    bits[row / 64] |= u64::from(index.contains(&[a, b])) << (row % 64);
                }
            }
            _ => {
                for (slot, &group) in self.groups.iter().enumerate() {
                    let tuple = self.heads.tuple(group as usize);
                    let negatives = || !self.heads.negatives(group as usize).is_empty();
                    for row in self.starts[slot] as usize..self.starts[slot + 1] as usize {
                        fill(&mut key, &bound, tuple, |column| self.columns[column][row]);
                        let exists = access.exists(&key[..bound.len()], negatives);
                        bits[row / 64] |= u64::from(exists) << (row % 64);
                    }
                }
            }
        }
        bits
    }

    /// Whether too many of the witnesses have no row that satisfies `lit`.
    pub fn lacks(&self, lit: &Lit, witnesses: Witnesses<'_>, ground: TableGround<'_>) -> bool {
        if witnesses.is_empty() {
            return false;
        }
        let heads = self.finer(self.mask | ground.head_mask(lit), ground);
        let access = ground.language.access(lit, false);
        let bound = self.bound(lit, &heads, ground.heads.arity());
        let mut key = [0u32; MAX_ARITY];
        witnesses.lack(|example| {
            let (Some(fine), Some(group)) = (heads.of_example(example), self.heads.of_example(example)) else {
                return true;
            };
            let tuple = heads.tuple(fine as usize);
            !self.rows_of(group).any(|row| {
                fill(&mut key, &bound, tuple, |column| self.columns[column][row]);
                access.exists(&key[..bound.len()], || false)
            })
        })
    }

    /// Set in `cover` what the table with `lit`, which mentions a head variable that the table does not know, covers.
    /// `worth` is asked once the positives are known; `false` if it said no, or if a negative is covered and `consistent` rules
    /// are sought.
    pub fn try_finer(
        &self,
        lit: &Lit,
        ground: TableGround<'_>,
        consistent: bool,
        cover: &mut [u64],
        worth: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let heads = self.finer(self.mask | ground.head_mask(lit), ground);
        let access = ground.language.access(lit, false);
        let bound = self.bound(lit, &heads, ground.heads.arity());
        // Only the values of the columns that the literal mentions matter, each combination once.
        let mentioned: Vec<usize> = bound
            .iter()
            .filter_map(|from| if let ValuePlace::Local(column) = from { Some(*column) } else { None })
            .collect();
        let (starts, columns) = self.distinct(&mentioned);
        let bound: Vec<ValuePlace> = {
            let mut next = 0;
            let local = |next: &mut usize| {
                *next += 1;
                ValuePlace::Local(*next - 1)
            };
            bound.iter().map(|from| if let ValuePlace::Local(_) = from { local(&mut next) } else { *from }).collect()
        };
        let mut key = [0u32; MAX_ARITY];
        let mut undecided = true;
        self.each_group(&heads, 0..heads.len(), |group, slot| {
            if undecided && group >= heads.with_positives() {
                undecided = false;
                if !worth(cover) {
                    return false;
                }
            }
            let tuple = heads.tuple(group);
            let negatives = || !heads.negatives(group).is_empty();
            let hit = (starts[slot]..starts[slot + 1]).any(|row| {
                fill(&mut key, &bound, tuple, |column| columns[column][row as usize]);
                access.exists(&key[..bound.len()], negatives)
            });
            if hit {
                if consistent && !heads.negatives(group).is_empty() {
                    return false;
                }
                heads.examples(group).iter().for_each(|&example| ground.heads.sides().set(cover, example as usize));
            }
            true
        }) && (!undecided || worth(cover))
    }

    /// Set in `cover` the examples that have one of the rows in `bits`. `worth` is asked once the positives are known;
    /// `false` if it said no, or if a negative is covered and `consistent` rules are sought.
    pub fn cover(
        &self,
        bits: &[u64],
        sides: Sides,
        consistent: bool,
        cover: &mut [u64],
        worth: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let border = self.groups.partition_point(|&group| (group as usize) < self.heads.with_positives());
        self.cover_slots(bits, 0..border, sides, consistent, cover)
            && worth(cover)
            && self.cover_slots(bits, border..self.groups.len(), sides, consistent, cover)
    }

    /// The positives that have one of the rows in `bits`.
    pub fn positives(&self, bits: &[u64], sides: Sides) -> Vec<u64> {
        let mut cover = vec![0; sides.words()];
        for (slot, &group) in self.groups.iter().enumerate() {
            if group as usize >= self.heads.with_positives() {
                break;
            }
            if any_in(bits, self.starts[slot] as usize, self.starts[slot + 1] as usize) {
                let positives = self.heads.positives(group as usize);
                positives.iter().for_each(|&example| sides.set(&mut cover, example as usize));
            }
        }
        cover
    }

    fn cover_slots(
        &self,
        bits: &[u64],
        slots: Range<usize>,
        sides: Sides,
        consistent: bool,
        cover: &mut [u64],
    ) -> bool {
        for slot in slots {
            if any_in(bits, self.starts[slot] as usize, self.starts[slot + 1] as usize) {
                let group = self.groups[slot] as usize;
                if consistent && !self.heads.negatives(group).is_empty() {
                    return false;
                }
                for &example in self.heads.examples(group) {
                    sides.set(cover, example as usize);
                }
            }
        }
        true
    }

    fn finer(&self, mask: u64, ground: TableGround<'_>) -> Arc<Heads> {
        if mask == self.mask { Arc::clone(&self.heads) } else { ground.heads.get(mask) }
    }

    /// Call `visit` with each tuple of `heads` that is `among` these and has rows here, and its slot, until it says `false`; whether it
    /// never did.
    fn each_group(&self, heads: &Arc<Heads>, among: Range<usize>, mut visit: impl FnMut(usize, usize) -> bool) -> bool {
        if Arc::ptr_eq(heads, &self.heads) {
            let slots = self.groups.iter().enumerate().filter(|(_, group)| among.contains(&(**group as usize)));
            return slots.map(|(slot, &group)| (slot, group)).all(|(slot, group)| visit(group as usize, slot));
        }
        let mut slots = vec![u32::MAX; self.heads.len()];
        self.groups.iter().enumerate().for_each(|(slot, &group)| slots[group as usize] = narrow(slot));
        among.into_iter().all(|group| match slots[heads.within(group, &self.heads) as usize] {
            u32::MAX => true,
            slot => visit(group, slot as usize),
        })
    }

    fn bound(&self, lit: &Lit, heads: &Heads, arity: usize) -> Vec<ValuePlace> {
        let head = narrow(arity);
        let known = lit.args().iter().filter(|&&arg| arg < FRESH);
        known
            .map(
                |&arg| {
                    if arg < head {
                        ValuePlace::Head(heads.place(arg))
                    } else {
                        ValuePlace::Local((arg - head) as usize)
                    }
                },
            )
            .collect()
    }

    /// The distinct combinations of some columns' values, slot by slot.
    fn distinct(&self, mentioned: &[usize]) -> (Vec<u32>, Vec<Vec<u32>>) {
        if mentioned.is_empty() {
            return ((0..=narrow(self.groups.len())).collect(), Vec::new());
        }
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); mentioned.len()];
        let mut starts = vec![0u32];
        let mut rows: Vec<u32> = Vec::new();
        for range in self.starts.windows(2) {
            rows.clear();
            rows.extend(range[0]..range[1]);
            let values = |row: u32| mentioned.iter().map(move |&column| self.columns[column][row as usize]);
            rows.sort_unstable_by(|&a, &b| values(a).cmp(values(b)));
            rows.dedup_by(|a, b| values(*a).eq(values(*b)));
            for (at, column) in columns.iter_mut().enumerate() {
                column.extend(rows.iter().map(|&row| self.columns[mentioned[at]][row as usize]));
            }
            starts.push(narrow(columns[0].len()));
        }
        (starts, columns)
    }

    /// A digest of how `lit`, which mentions only head variables that the table knows and has answers for the rows in `bits`,
    /// extends these: equal for literals that give each row the same values, and else different but for a negligible
    /// probability.
    pub fn extension(&self, lit: &Lit, bits: &[u64], ground: TableGround<'_>) -> u128 {
        let access = ground.language.access(lit, true);
        let bound = self.bound(lit, &self.heads, ground.heads.arity());
        let mut key = [0u32; MAX_ARITY];
        let (mut low, mut high) = (0u64, 0u64);
        for (group, rows) in self.groups() {
            let tuple = self.heads.tuple(group);
            let negatives = || !self.heads.negatives(group).is_empty();
            for row in rows.filter(|&row| is_in(bits, row)) {
                fill(&mut key, &bound, tuple, |column| self.columns[column][row]);
                let answers = access.digest(&key[..bound.len()], lit.fresh(), negatives);
                let sum = (answers ^ (row as u64).rotate_left(40)).wrapping_mul(STEP);
                low = low.wrapping_add(scatter(sum));
                high = high.wrapping_add(scatter(sum ^ 0x5851_f42d_4c95_7f2d));
            }
        }
        u128::from(high) << 64 | u128::from(low)
    }

    /// A digest of the set of rows that does not depend on the order of columns: equal for tables that are equal up to it
    /// (unless columns are alike), and for others with negligible probability. `kinds` are numbers for what columns hold.
    pub fn digest(&self, kinds: &[u64]) -> u128 {
        let rows = |slot: usize| self.starts[slot] as usize..self.starts[slot + 1] as usize;
        let mut columns: Vec<(u64, usize)> = Vec::with_capacity(self.columns.len());
        for (at, column) in self.columns.iter().enumerate() {
            let mut sum = scatter(kinds[at]);
            for (slot, &group) in self.groups.iter().enumerate() {
                let salt = u64::from(group) << 32;
                let values = column[rows(slot)].iter();
                sum = values.fold(sum, |sum, &value| sum.wrapping_add(scatter(salt | u64::from(value))));
            }
            columns.push((sum, at));
        }
        columns.sort_unstable();
        let (mut low, mut high) = (self.mask, columns.len() as u64);
        columns.iter().for_each(|(sum, _)| low = scatter(low ^ sum));
        let ordered: Vec<&[u32]> = columns.iter().map(|&(_, at)| &*self.columns[at]).collect();
        for (slot, &group) in self.groups.iter().enumerate() {
            for row in rows(slot) {
                let sum = ordered.iter().fold(u64::from(group), |sum, column| {
                    (sum.rotate_left(23) ^ u64::from(column[row])).wrapping_mul(STEP)
                });
                low = low.wrapping_add(scatter(sum));
                high = high.wrapping_add(scatter(sum ^ 0x5851_f42d_4c95_7f2d));
            }
        }
        u128::from(high) << 64 | u128::from(low)
    }

    /// The examples that have a row.
    pub fn covered(&self, sides: Sides) -> Vec<u64> {
        let mut cover = vec![0; sides.words()];
        for &group in &self.groups {
            self.heads.examples(group as usize).iter().for_each(|&example| sides.set(&mut cover, example as usize));
        }
        cover
    }

    /// The table with its columns in another order: `order` says where each comes from.
    pub fn reordered(mut self, order: &[usize]) -> BindingTable {
        self.columns = order.iter().map(|&at| std::mem::take(&mut self.columns[at])).collect();
        self
    }

    /// The table with only the rows in `bits`.
    pub fn kept(&self, bits: &[u64]) -> BindingTable {
        let (mut groups, mut starts, mut rows) = (Vec::new(), vec![0u32], Vec::new());
        for (slot, &group) in self.groups.iter().enumerate() {
            let before = rows.len();
            rows.extend((self.starts[slot] as usize..self.starts[slot + 1] as usize).filter(|&row| is_in(bits, row)));
            if rows.len() > before {
                groups.push(group);
                starts.push(narrow(rows.len()));
            }
        }
        let columns = self.columns.iter().map(|column| rows.iter().map(|&row| column[row]).collect()).collect();
        BindingTable { mask: self.mask, heads: Arc::clone(&self.heads), groups, starts, columns }
    }

    /// The rows of a tuple of the head variables that the table knows.
    pub fn rows_of(&self, tuple: u32) -> Range<usize> {
        match self.groups.binary_search(&tuple) {
            Ok(slot) => self.starts[slot] as usize..self.starts[slot + 1] as usize,
            Err(_) => 0..0,
        }
    }

    /// The tuples that have rows, and these.
    pub fn groups(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let rows = self.starts.windows(2).map(|range| range[0] as usize..range[1] as usize);
        self.groups.iter().map(|&group| group as usize).zip(rows)
    }

    /// The values of a local variable, row by row.
    pub fn column(&self, at: usize) -> &[u32] {
        &self.columns[at]
    }

    /// The values of a head variable, row by row, if the table knows it.
    pub fn head_column(&self, var: u8) -> Option<Vec<u32>> {
        if self.mask >> var & 1 == 0 {
            return None;
        }
        let mut column = Vec::with_capacity(self.rows());
        for (group, rows) in self.groups() {
            column.resize(rows.end, self.heads.tuple(group)[self.heads.place(var)]);
        }
        Some(column)
    }

    /// For each row, whether a positive and whether a negative example has it.
    pub fn signs(&self) -> Vec<(bool, bool)> {
        let mut signs = Vec::with_capacity(self.rows());
        for (group, rows) in self.groups() {
            let sign = (!self.heads.positives(group).is_empty(), !self.heads.negatives(group).is_empty());
            signs.resize(rows.end, sign);
        }
        signs
    }

    /// Whether the table knows all head variables that `lit` mentions.
    pub fn knows(&self, lit: &Lit, ground: TableGround<'_>) -> bool {
        ground.head_mask(lit) & !self.mask == 0
    }

    /// What is needed to go from rows to examples.
    pub fn without_columns(&self) -> BindingTable {
        BindingTable {
            mask: self.mask,
            heads: Arc::clone(&self.heads),
            groups: self.groups.clone(),
            starts: self.starts.clone(),
            columns: Vec::new(),
        }
    }
}

/// A hash of a number, 0 included.
#[inline]
fn scatter(value: u64) -> u64 {
    mix(value.wrapping_add(STEP))
}

#[inline]
fn fill(key: &mut [u32; MAX_ARITY], bound: &[ValuePlace], tuple: &[u32], local: impl Fn(usize) -> u32) {
    for (slot, from) in key.iter_mut().zip(bound) {
        *slot = match from {
            ValuePlace::Head(at) => tuple[*at],
            ValuePlace::Local(column) => local(*column),
        };
    }
}

#[inline]
fn is_in(bits: &[u64], row: usize) -> bool {
    bits[row / 64] >> (row % 64) & 1 == 1
}

/// Whether a bit in `from..to` is set; the range is not empty.
#[inline]
fn any_in(bits: &[u64], from: usize, to: usize) -> bool {
    let (first, last) = (from / 64, (to - 1) / 64);
    let low = u64::MAX << (from % 64);
    let high = u64::MAX >> (63 - (to - 1) % 64);
    if first == last {
        return bits[first] & low & high != 0;
    }
    bits[first] & low != 0 || bits[last] & high != 0 || bits[first + 1..last].iter().any(|&word| word != 0)
}
