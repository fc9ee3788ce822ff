//! Mining parts: connected pieces of bodies, each with the examples it covers.
//!
//! Two literals belong to the same part if a chain of shared local variables (those not in the head) links them. A
//! rule covers an example iff each of its parts does, so a part is evaluated once and then only its bits are used
//! ([`conjoin`](super::conjoin)).
//!
//! A part is a [`skeleton`], whose literals introduce its variables one after the other, and a set of tests. Skeletons
//! grow by joins; there are few of them. Sets of tests are conjunctions of row sets; there are many of them, and each
//! costs a few words. Every part has an order of its literals in which each touches a local variable of an earlier one
//! (head variables only for the first), so taking those that introduce something as skeleton finds every part.
//!
//! With directions, a part can be run in some order; the skeleton is then grown in such an order, each literal with its
//! inputs bound, and a literal may hang on head variables alone at any time. Until tests link what was begun apart, it
//! is no part.
//!
//! What is left out, and why nothing is lost:
//! - A literal that leaves too few positives, or is dominated or falls short ([`theorems`](crate::covering::theorems)), stays so in
//!   every extension, and is not tried there again.
//! - A test that every row satisfies: with it or without it, the part covers the same and so does every extension; the
//!   one without is in the space too (spaces that are not closed under subsets switch this off).
//! - A set of tests with the rows of a set seen before that has no more tests and no more variables. Among the smallest
//!   sets with given rows (by number of tests, then variables, then order) take the first; each of its prefixes is
//!   first among its equals, or replacing it would give a smaller or earlier set with the same rows. Sets are visited
//!   by number of tests and in order, so that one is never passed over.

mod constants;
mod cuts;
mod found_tests;
mod numeric;
mod seeds;
mod segments;

mod skeleton;
mod slopes;
mod test_sets;

use super::context::Context;
use super::look::Look;
use super::miner::{Mined, Miner};
use crate::index::narrow;
use crate::language::Lit;
use rustc_hash::FxHashSet;
use seeds::{TableDigests, Yield, sprout};
use skeleton::{Legacy, Seed};
use std::sync::Arc;
use test_sets::TestSets;

/// What is to be done at a level.
#[derive(Debug)]
enum TableWork {
    Seeds(Vec<Seed>),
    TestSets(TestSets),
}

/// Skeletons that are grown by one thread in a row, sharing the tables of common ancestors.
const SEEDS: usize = 16;

/// The miner: the work of one level, and of the next.
#[derive(Debug)]
pub struct TableMiner {
    work: Vec<TableWork>,
    cursor: usize,
    next_seeds: Vec<Seed>,
    next_sets: Vec<TestSets>,
    known: FxHashSet<u128>,
    /// The tables of the level's skeletons, with the least rank of those that have them.
    tables: TableDigests,
}

impl TableMiner {
    /// A miner that has found nothing yet; its first level has parts of one literal.
    pub fn new(context: &Context<'_>) -> Self {
        let vars = narrow(context.language.head_arity());
        let root = Seed {
            body: Box::new([]),
            vars,
            fresh: 0,
            new_head: true,
            loose: false,
            rows: 1,
            pos: context.heads.positives(),
            aliases: Vec::new(),
            legacy: Arc::new(Legacy::default()),
        };
        TableMiner {
            work: vec![TableWork::Seeds(vec![root])],
            cursor: 0,
            next_seeds: Vec::new(),
            next_sets: Vec::new(),
            known: FxHashSet::default(),
            tables: TableDigests::default(),
        }
    }

    /// Add the positives that skeletons of the next level cover, which need not be parts.
    pub fn add_begun(&self, reached: &mut [u64]) {
        for seed in &self.next_seeds {
            reached.iter_mut().zip(&seed.pos).for_each(|(all, new)| *all |= new);
        }
    }
}

impl Miner for TableMiner {
    fn level_done(&self) -> bool {
        self.cursor == self.work.len()
    }

    fn next_level(&mut self, context: &Context<'_>) {
        // What is cheap comes first: sets of tests, then skeletons by the size their table may have. Of those that compute,
        // the ones with less left to be used come first: a line before products of products, of which there are many more.
        self.work = std::mem::take(&mut self.next_sets).into_iter().map(TableWork::TestSets).collect();
        let mut seeds = std::mem::take(&mut self.next_seeds);
        seeds.sort_by_cached_key(|seed| (seed.rows.max(1).ilog2() / 3, context.language.loose_ends(&seed.body)));
        self.work.extend(seeds.chunks(SEEDS).map(|chunk| TableWork::Seeds(chunk.to_vec())));
        self.cursor = 0;
        self.tables.clear();
    }

    fn bytes(&self) -> usize {
        let seed = |seed: &Seed| size_of::<Seed>() + seed.body.len() * size_of::<Lit>();
        let work = |work: &TableWork| match work {
            TableWork::Seeds(seeds) => seeds.iter().map(seed).sum(),
            TableWork::TestSets(sets) => sets.bytes(),
        };
        self.work.iter().map(work).sum::<usize>()
            + self.next_seeds.iter().map(seed).sum::<usize>()
            + self.next_sets.iter().map(TestSets::bytes).sum::<usize>()
            + self.known.capacity() * 17
    }

    fn step(&mut self, look: Look<'_>, batch: usize) -> Mined {
        let end = (self.cursor + batch).min(self.work.len());
        let work = |work: &TableWork| match work {
            TableWork::Seeds(seeds) => sprout(seeds, &self.tables, look),
            TableWork::TestSets(sets) => Yield::from(sets.extend(look)),
        };
        let results = look.cx.in_parallel(&self.work[self.cursor..end], work, |result| result.tests);
        let mut mined = Mined::default();
        for result in results {
            mined.tests += result.tests;
            mined.parts.extend(result.parts);
            self.next_sets.extend(result.test_sets);
            for (table, rank) in result.tables {
                let least = self.tables.entry(table).or_insert(rank);
                *least = rank.min(*least);
            }
            for (key, seed) in result.seeds {
                if self.known.insert(key) {
                    self.next_seeds.push(seed);
                }
            }
        }
        for done in &mut self.work[self.cursor..end] {
            *done = TableWork::Seeds(Vec::new());
        }
        self.cursor = end;
        mined
    }
}
