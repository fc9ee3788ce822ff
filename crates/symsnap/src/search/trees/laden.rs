//! Knots with blocks on their variables, as rows of the knot's table.
//!
//! A block on a variable leaves some rows, blocks on several leave what is common, and those that are left say what a
//! branch covers and which values its root can have. Many choices of blocks leave the same rows, and so are the same
//! branch, which shows before any sets are made. Where a block knows of head variables that the knot does not mention,
//! rows do not tell, and the knot is asked as any other connector.

use super::connector::{Connector, contains, insert};
use super::kind::Kind;
use super::knot::Knot;
use super::sets::{Growing, Sets};
use super::stock::Block;
use crate::bitset::Bitset;
use crate::index::narrow;
use crate::search::bindings::Table;
use crate::search::guide::Witnesses;
use crate::search::{Context, Guide};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// A branch that is being made: the blocks of its children with their numbers, and how many literals and variables it has,
/// its root aside.
pub struct Making<'m> {
    /// The blocks.
    pub chosen: &'m [(usize, &'m Block)],
    /// How many literals.
    pub literals: usize,
    /// How many variables.
    pub locals: usize,
}

/// What is known of a branch before its sets are made.
pub enum Verdict {
    /// It is not needed.
    Needless,
    /// Nothing.
    Unknown,
    /// The rows it leaves.
    Left(Vec<u64>),
}

/// A knot with its table, and what is known of blocks on its variables: asked of each once, when it is first wanted.
pub struct Laden<'k> {
    knot: &'k Knot,
    /// The table.
    pub table: Arc<Table>,
    blocks: RefCell<FxHashMap<(usize, usize), Verdict>>,
}

impl<'k> Laden<'k> {
    /// A knot, if its table is not too large.
    pub fn new(knot: &'k Knot, context: &Context<'_>) -> Option<Self> {
        Some(Laden { knot, table: knot.table(context)?, blocks: RefCell::default() })
    }

    /// What is known of a branch. Where `others` that cover the same are wanted too, it is needless only if it is larger.
    pub fn judge(
        &self,
        connector: &Connector,
        making: &Making<'_>,
        others: bool,
        kinds: &[Kind],
        context: &Context<'_>,
        guide: &Guide,
    ) -> Verdict {
        let mut blocks = self.blocks.borrow_mut();
        let mut left = Some(Bitset::full(self.table.rows()).words().to_vec());
        for (child, &(at, block)) in connector.children.iter().zip(making.chosen) {
            let kind = &kinds[child.kind.index()];
            let place = (child.column, at);
            match blocks.entry(place).or_insert_with(|| self.bears(child.column, block, kind, context, guide)) {
                Verdict::Needless => return Verdict::Needless,
                Verdict::Unknown => left = None,
                Verdict::Left(rows) => {
                    left.iter_mut().for_each(|left| left.iter_mut().zip(&*rows).for_each(|(left, row)| *left &= row));
                }
            }
        }
        let Some(rows) = left else { return Verdict::Unknown };
        let is_new = || self.knot.is_new(connector.root, &rows, making.literals, making.locals, others);
        let needed = context.directed || is_new();
        if needed { Verdict::Left(rows) } else { Verdict::Needless }
    }

    /// Whether the knot with a block on one of its variables covers enough to be needed, and the rows that it leaves. Whatever
    /// else is put on the others, and whichever is the root, it covers no more.
    fn bears(&self, column: usize, block: &Block, kind: &Kind, context: &Context<'_>, guide: &Guide) -> Verdict {
        let size = (self.knot.literals() + block.literals as usize + 2) as u64;
        let values = self.table.column(column);
        let of = |mask: u64| context.heads.get(&context.layout, mask);
        let (of_knot, of_block) = (of(self.knot.mask()), of(block.sets.mask));
        let covers = |example: u32| {
            let set = block.sets.of(of_block.of_example(example));
            let mut rows = self.table.rows_of(of_knot.of_example(example));
            set.is_some_and(|set| rows.any(|row| contains(set, kind.place(values[row]))))
        };
        if block.sets.mask & !self.knot.mask() != 0 {
            let heads = of(self.knot.mask() | block.sets.mask);
            // Where a tuple of the knot is part of many, its rows would be read for each of them, which takes too long.
            if heads.with_positives() > 2 * of_knot.with_positives() {
                return Verdict::Unknown;
            }
            if guide.witnesses(size).lack(|example| !covers(example)) {
                return Verdict::Needless;
            }
            let mut cover = vec![0; context.layout.words()];
            for positives in (0..heads.with_positives()).map(|tuple| heads.positives(tuple)) {
                if covers(positives[0]) {
                    positives.iter().for_each(|&example| context.layout.set(&mut cover, example as usize));
                }
            }
            return if context.worth(&cover, size, guide) { Verdict::Unknown } else { Verdict::Needless };
        }
        let bound = self.knot.mask() != 0;
        if bound && guide.witnesses(size).lack(|example| !covers(example)) {
            return Verdict::Needless;
        }
        let mut left = vec![0u64; self.table.rows().div_ceil(64)];
        for (tuple, rows) in self.table.groups() {
            if let Some(set) = block.sets.of(of_knot.within(tuple, &of_block)) {
                rows.filter(|&row| contains(set, kind.place(values[row])))
                    .for_each(|row| left[row / 64] |= 1 << (row % 64));
            }
        }
        let some = left.iter().any(|&word| word != 0);
        let worth = || !bound || context.worth(&self.table.positives(&left, &context.layout), size, guide);
        if some && worth() { Verdict::Left(left) } else { Verdict::Needless }
    }

    /// The values that a root can have in some rows. `worth` is asked of the positives they cover; `None` if it said no, or if too many
    /// of the `witnesses` have no row.
    pub fn sets(
        &self,
        (column, kind): (usize, &Kind),
        rows: &[u64],
        context: &Context<'_>,
        witnesses: Witnesses<'_>,
        worth: impl Fn(&[u64]) -> bool,
    ) -> Option<Sets> {
        let heads = context.heads.get(&context.layout, self.knot.mask());
        let has = |row: usize| rows[row / 64] >> (row % 64) & 1 == 1;
        let misses = |example: u32| !self.table.rows_of(heads.of_example(example)).any(has);
        if witnesses.lack(misses) || self.knot.mask() != 0 && !worth(&self.table.positives(rows, &context.layout)) {
            return None;
        }
        let values = self.table.column(column);
        let mut out = Growing::new(self.knot.mask());
        let mut set = vec![0; kind.width()];
        for (tuple, range) in self.table.groups() {
            set.fill(0);
            range.filter(|&row| has(row)).for_each(|row| insert(&mut set, kind.place(values[row])));
            out.push(narrow(tuple), &set);
        }
        Some(out.finish(heads.len(), kind))
    }
}
