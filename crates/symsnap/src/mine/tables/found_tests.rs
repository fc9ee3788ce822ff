//! Tests of a skeleton, and those found so far.

use crate::language::{Lit, Resources};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A literal over the variables of a skeleton, and the rows of its table that satisfy it.
#[derive(Debug, Clone)]
pub struct Test {
    /// The literal; a fresh variable stands for any value and is used nowhere else.
    pub lit: Lit,
    /// The rows, shared with skeletons and legacies that have the same test of the same table.
    pub rows: Arc<[u64]>,
    /// Other literals that the same rows satisfy, with as many fresh variables, which use as much of what is rationed.
    pub aliases: Vec<Lit>,
}

/// What tests have in common that stand for each other: their rows, how many variables they introduce, and what they use of what
/// is rationed.
type TestKind = (u128, usize, Resources);

/// Tests found, those with equal rows once, unless they use more of one thing and less of another.
#[derive(Default)]
pub struct FoundTests {
    /// Whether tests with equal rows may stand for each other.
    merge: bool,
    /// The tests.
    pub tests: Vec<Test>,
    /// What each of them alone covers.
    pub covers: Vec<Vec<u64>>,
    by_rows: FxHashMap<TestKind, usize>,
    /// The rows of comparisons.
    cut_rows: FxHashSet<u128>,
}

/// Literals with the rows of a test that are remembered besides it. No proof needs them: rules that are written with them
/// are offered because they may differ on new examples.
const ALIASES: usize = 4;

impl FoundTests {
    /// None; tests with equal rows may stand for each other if `merge`.
    pub fn new(merge: bool) -> Self {
        FoundTests { merge, ..FoundTests::default() }
    }

    /// A cut, which uses this. It stands for other cuts with its rows, but not for literals: those are inherited.
    pub fn add_cut(&mut self, (lit, uses): (Lit, Resources), rows: Arc<[u64]>, cover: Vec<u64>) {
        let rows_of = digest(&rows);
        let has_literal = || uses.below().any(|less| self.by_rows.contains_key(&(rows_of, 0, less)));
        if !self.merge || !has_literal() && self.cut_rows.insert(rows_of) {
            self.tests.push(Test { lit, rows, aliases: Vec::new() });
            self.covers.push(cover);
        }
    }

    /// A test, which uses this, which the rows satisfy and which alone covers `cover`.
    pub fn add(&mut self, (lit, uses): (Lit, Resources), rows: Arc<[u64]>, cover: Vec<u64>) {
        if !self.merge {
            self.tests.push(Test { lit, rows, aliases: Vec::new() });
            self.covers.push(cover);
            return;
        }
        let kind = (digest(&rows), lit.fresh(), uses);
        if uses.below().any(|less| less != uses && self.by_rows.contains_key(&(kind.0, kind.1, less))) {
            return;
        }
        match self.by_rows.entry(kind) {
            std::collections::hash_map::Entry::Occupied(known) => {
                let aliases = &mut self.tests[*known.get()].aliases;
                if aliases.len() < ALIASES {
                    aliases.push(lit);
                }
            }
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(self.tests.len());
                self.tests.push(Test { lit, rows, aliases: Vec::new() });
                self.covers.push(cover);
            }
        }
    }
}

/// A 128-bit digest of a set of rows: equal for different sets with negligible probability.
pub fn digest(rows: &[u64]) -> u128 {
    let (mut low, mut high) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    for &word in rows {
        low = (low ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        low ^= low >> 29;
        high = (high.rotate_left(23) ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        high ^= high >> 31;
    }
    u128::from(high) << 64 | u128::from(low)
}
