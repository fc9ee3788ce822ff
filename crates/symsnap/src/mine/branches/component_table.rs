//! Components with branch sets on their variables, as rows of the component's table.
//!
//! A branch set on a variable leaves some rows, branch sets on several leave what is common, and those that are left say what a
//! branch covers and which values its root can have. Many choices of branch sets leave the same rows, and so are the same
//! branch, which shows before any sets are made. Where a branch set knows of head variables that the component does not mention,
//! rows do not tell, and the component is asked as any other edge.

use super::components::Component;
use super::domain::Domain;
use super::edges::{Edge, contains, insert};
use super::store::BranchSet;
use super::value_sets::{GrowingValueSets, ValueSets};
use crate::covering::Witnesses;
use crate::index::narrow;
use crate::mine::bindings::BindingTable;
use crate::mine::context::Context;
use crate::mine::look::Look;
use crate::sets::Bitset;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// A branch that is being made: the branch sets of its children with their numbers, and how many literals and variables it has,
/// its root aside.
pub struct Making<'m> {
    /// The branch sets.
    pub chosen: &'m [(usize, &'m BranchSet)],
    /// How many literals.
    pub literals: usize,
    /// How many variables.
    pub locals: usize,
}

/// What is known of a branch before its sets are made.
pub enum BranchVerdict {
    /// It is not needed.
    Needless,
    /// Nothing.
    Unknown,
    /// The rows it leaves.
    Left(Vec<u64>),
}

/// A component with its table, and what is known of branch sets on its variables: asked of each once, when it is first wanted.
pub struct ComponentTable<'k> {
    component: &'k Component,
    /// The table.
    pub table: Arc<BindingTable>,
    branch_sets: RefCell<FxHashMap<(usize, usize), BranchVerdict>>,
}

impl<'k> ComponentTable<'k> {
    /// A component, if its table is not too large.
    pub fn new(component: &'k Component, context: &Context<'_>) -> Option<Self> {
        Some(ComponentTable { component, table: component.table(context)?, branch_sets: RefCell::default() })
    }

    /// What is known of a branch. Where `others` that cover the same are wanted too, it is needless only if it is larger.
    pub fn judge(
        &self,
        edge: &Edge,
        making: &Making<'_>,
        others: bool,
        domains: &[Domain],
        look: Look<'_>,
    ) -> BranchVerdict {
        let context = look.cx;
        let mut branch_sets = self.branch_sets.borrow_mut();
        let mut left = Some(Bitset::full(self.table.rows()).words().to_vec());
        for (child, &(at, branch_set)) in edge.children.iter().zip(making.chosen) {
            let domain = &domains[child.domain.index()];
            let place = (child.column, at);
            match branch_sets.entry(place).or_insert_with(|| self.bears(child.column, branch_set, domain, look)) {
                BranchVerdict::Needless => return BranchVerdict::Needless,
                BranchVerdict::Unknown => left = None,
                BranchVerdict::Left(rows) => {
                    left.iter_mut().for_each(|left| left.iter_mut().zip(&*rows).for_each(|(left, row)| *left &= row));
                }
            }
        }
        let Some(rows) = left else { return BranchVerdict::Unknown };
        let is_new = || self.component.is_new(edge.root, &rows, making.literals, making.locals, others);
        let needed = context.directed || is_new();
        if needed { BranchVerdict::Left(rows) } else { BranchVerdict::Needless }
    }

    /// Whether the component with a branch set on one of its variables covers enough to be needed, and the rows that it leaves. Whatever
    /// else is put on the others, and whichever is the root, it covers no more.
    fn bears(&self, column: usize, branch_set: &BranchSet, domain: &Domain, look: Look<'_>) -> BranchVerdict {
        let context = look.cx;
        let size = (self.component.literals() + branch_set.literals as usize + 2) as u64;
        let values = self.table.column(column);
        let of = |mask: u64| context.heads.get(mask);
        let (of_component, of_block) = (of(self.component.mask()), of(branch_set.sets.mask));
        let covers = |example: u32| {
            let (Some(tuple), Some(group)) = (of_block.of_example(example), of_component.of_example(example)) else {
                return false;
            };
            let mut rows = self.table.rows_of(group);
            let set = branch_set.sets.of(tuple);
            set.is_some_and(|set| rows.any(|row| contains(set, domain.place(values[row]))))
        };
        if branch_set.sets.mask & !self.component.mask() != 0 {
            let heads = of(self.component.mask() | branch_set.sets.mask);
            // Where a tuple of the component is part of many, its rows would be read for each of them, which takes too long.
            if heads.with_positives() > 2 * of_component.with_positives() {
                return BranchVerdict::Unknown;
            }
            if look.prune.witnesses(size).lack(|example| !covers(example)) {
                return BranchVerdict::Needless;
            }
            let mut cover = vec![0; context.sides.words()];
            for positives in (0..heads.with_positives()).map(|tuple| heads.positives(tuple)) {
                if covers(positives[0]) {
                    positives.iter().for_each(|&example| context.sides.set(&mut cover, example as usize));
                }
            }
            return if look.worth(&cover, size) { BranchVerdict::Unknown } else { BranchVerdict::Needless };
        }
        let bound = self.component.mask() != 0;
        if bound && look.prune.witnesses(size).lack(|example| !covers(example)) {
            return BranchVerdict::Needless;
        }
        let mut left = vec![0u64; self.table.rows().div_ceil(64)];
        for (tuple, rows) in self.table.groups() {
            if let Some(set) = branch_set.sets.of(of_component.within(tuple, &of_block)) {
                rows.filter(|&row| contains(set, domain.place(values[row])))
                    .for_each(|row| left[row / 64] |= 1 << (row % 64));
            }
        }
        let some = left.iter().any(|&word| word != 0);
        let worth = || !bound || look.worth(&self.table.positives(&left, context.sides), size);
        if some && worth() { BranchVerdict::Left(left) } else { BranchVerdict::Needless }
    }

    /// The values that a root can have in some rows. `worth` is asked of the positives they cover; `None` if it said no, or if too many
    /// of the `witnesses` have no row.
    pub fn sets(
        &self,
        (column, domain): (usize, &Domain),
        rows: &[u64],
        context: &Context<'_>,
        witnesses: Witnesses<'_>,
        worth: impl Fn(&[u64]) -> bool,
    ) -> Option<ValueSets> {
        let heads = context.heads.get(self.component.mask());
        let has = |row: usize| rows[row / 64] >> (row % 64) & 1 == 1;
        let misses = |example: u32| !heads.of_example(example).is_some_and(|tuple| self.table.rows_of(tuple).any(has));
        if witnesses.lack(misses) || self.component.mask() != 0 && !worth(&self.table.positives(rows, context.sides)) {
            return None;
        }
        let values = self.table.column(column);
        let mut out = GrowingValueSets::new(self.component.mask());
        let mut set = vec![0; domain.width()];
        for (tuple, range) in self.table.groups() {
            set.fill(0);
            range.filter(|&row| has(row)).for_each(|row| insert(&mut set, domain.place(values[row])));
            out.push(narrow(tuple), &set);
        }
        Some(out.finish(heads.len(), domain))
    }
}
