//! Skeletons: the literals of a part that introduce its variables, with the part's bindings; and the tests, literals
//! over variables that are there already, each as the set of bindings that satisfy it.

use crate::covering::Guide;
use crate::database::Want;
use crate::index::narrow;
use crate::language::{FRESH, Lit};
use crate::mine::bindings::Table;
use crate::mine::context::Context;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A literal over the variables of a skeleton, and the rows of its table that satisfy it.
#[derive(Debug, Clone)]
pub struct Test {
    /// The literal; a fresh variable stands for any value and is used nowhere else.
    pub lit: Lit,
    /// The rows, shared with skeletons and legacies that have the same test of the same table.
    pub rows: Arc<[u64]>,
    /// Other literals that the same rows satisfy, with as many fresh variables.
    pub aliases: Vec<Lit>,
}

/// What a skeleton leaves to those that extend it.
#[derive(Debug, Default)]
pub struct Legacy {
    tests: Vec<Test>,
    steps: Vec<Lit>,
    /// Whether tests that all rows satisfy were left out.
    closed: bool,
}

impl Legacy {
    /// The rows of the parent that satisfy a literal that touches a local variable and was alive there; `None` if all
    /// do or that is not known.
    fn rows(&self, lit: &Lit) -> Option<&[u64]> {
        let test = self.tests.iter().find(|test| test.lit == *lit || test.aliases.contains(lit))?;
        Some(&test.rows)
    }
}

/// A skeleton to be grown: literals, and what is known from growing its parent.
#[derive(Debug, Clone)]
pub struct Seed {
    /// The literals, in the order they were added.
    pub body: Box<[Lit]>,
    /// Variables, head included.
    pub vars: u8,
    /// How many of the last variables the last literal introduced.
    pub fresh: u8,
    /// Whether it introduced a head variable.
    pub new_head: bool,
    /// Whether its table is too large, so that nothing is known from its parent.
    pub loose: bool,
    /// About how many rows its table has.
    pub rows: u64,
    /// The positives it covers.
    pub pos: Box<[u64]>,
    /// Literals with the same bindings.
    pub aliases: Vec<Box<[Lit]>>,
    /// What the parent left.
    pub legacy: Arc<Legacy>,
}

/// A grown skeleton.
#[derive(Debug)]
pub struct Skeleton {
    /// The literals.
    pub body: Box<[Lit]>,
    /// Variables, head included.
    pub vars: u8,
    /// From rows to examples.
    pub table: Table,
    /// The tests, those that mention its newest variables first.
    pub tests: Vec<Test>,
    /// How many of the tests mention its newest variables.
    pub newest: usize,
    /// Whether a set of tests must have one of those: otherwise the last literal introduces a variable for nothing,
    /// and the same part is found at the parent, where that literal is a test.
    pub must_use_newest: bool,
    /// Whether its literals can be run in some order: then those of every part of it can.
    pub runs: bool,
    /// Other literals with the same bindings.
    pub aliases: Vec<Box<[Lit]>>,
}

/// A literal that extends a skeleton, and what the extension covers.
pub struct Step {
    /// The literal, fresh variables as placeholders.
    pub lit: Lit,
    /// The examples that the skeleton with it covers.
    pub cover: Vec<u64>,
    /// Whether it introduces a head variable; if not, the same literal is a test of the skeleton.
    pub new_head: bool,
    /// Other literals that extend the skeleton's bindings to the same.
    pub aliases: Vec<Lit>,
}

/// A skeleton with all that growing it found out.
pub struct Grown {
    /// The skeleton.
    pub skeleton: Arc<Skeleton>,
    /// What each test alone covers.
    pub covers: Vec<Vec<u64>>,
    /// What extends it.
    pub steps: Vec<Step>,
    /// What it leaves.
    pub legacy: Arc<Legacy>,
    /// How many literals were tested.
    pub tried: u64,
}

/// The literals that may extend `seed`, each once: those alive at its parent, and those that mention its newest
/// variables.
pub fn candidates(seed: &Seed, context: &Context<'_>) -> Vec<Lit> {
    let language = &context.language;
    let vars = seed.vars as usize;
    let types = language.types(&seed.body, vars);
    let mut all = Vec::new();
    language.literals(&types, newest(seed, context), &mut all);
    if seed.body.is_empty() {
        all.extend_from_slice(&context.free);
    }
    all.extend_from_slice(&seed.legacy.steps);
    let locals = !context.head_mask();
    let anchored = |lit: &Lit| seed.body.is_empty() || lit.mask() & locals != 0 || context.directed;
    all.retain(|lit| anchored(lit) && vars + lit.fresh() <= context.max_vars && !seed.body.contains(lit));
    let mut known = rustc_hash::FxHashSet::default();
    all.retain(|lit| known.insert(*lit));
    all
}

/// The variables that the last literal of `seed` introduced.
fn newest(seed: &Seed, context: &Context<'_>) -> u64 {
    if seed.body.is_empty() {
        return context.head_mask();
    }
    let (last, before) = seed.body.split_last().expect("it is not empty");
    let known = before.iter().fold(0, |mask, lit| mask | lit.mask());
    last.mask() & !known
}

/// The table of `seed`, joined to its parent's, and the row of the parent's that each row extends. `None` if the table is
/// too large.
pub fn lay(seed: &Seed, parent: &Table, context: &Context<'_>) -> Option<(Table, Vec<u32>)> {
    match seed.body.split_last() {
        None => Some((parent.clone(), Vec::new())),
        Some((last, _)) => parent.join(&last.placeholders(seed.vars, seed.fresh), context.ground(), context.row_cap),
    }
}

/// Test everything that may extend `seed`, given what [`lay`] made of it and how many tests were made before.
pub fn grow(seed: &Seed, table: &Table, parents: &[u32], before: u64, context: &Context<'_>, guide: &Guide) -> Grown {
    let ground = context.ground();
    let newest = newest(seed, context);
    let mask = seed.body.iter().fold(0, |mask, lit| mask | lit.mask());
    let unknown_heads = context.head_mask() & !mask;
    // Where the skeleton cannot be run by itself, a test may be what makes a part runnable, whatever it covers.
    let runs = context.language.executable(&seed.body, 0);
    let closed = context.membership.subset_closed && runs;
    let mut found = Found {
        merge: closed && context.membership.by_parts && !context.bounds.seeks_all(),
        tests: Vec::new(),
        covers: Vec::new(),
        by_rows: FxHashMap::default(),
    };
    let (mut steps, mut tried) = (Vec::new(), 0);
    let size = seed.body.len() as u64 + 2;
    let worth = |cover: &[u64]| context.worth(cover, size, guide);
    let full = full(table.rows());
    let mut body = seed.body.to_vec();
    let mut allowed = |lit: &Lit| {
        body.push(lit.named(seed.vars as usize));
        let forbidden = context.membership.forbids(&body, &context.language);
        body.pop();
        !forbidden
    };
    let mut unready = Vec::new();
    let must_use_newest = seed.fresh > 0 && !seed.new_head;
    // With room for one literal, only one that uses the newest variable makes a part.
    let last = must_use_newest && seed.body.len() + 1 >= context.max_body;
    let clean = context.clean_only(seed.body.len() + 1, guide);
    for lit in candidates(seed, context) {
        // Large tables take long; what is cut short here is never used.
        if context.stopped() || context.spent(before + tried) {
            break;
        }
        let known = lit.mask() & newest == 0 && !seed.body.is_empty();
        if known && last {
            continue;
        }
        if !context.language.callable(&lit, Want::One) {
            unready.push(lit);
            continue;
        }
        // Some calls can tell whether there is an answer, but not all of them: those bind nothing for others.
        let binds = lit.fresh() > 0 && context.language.callable(&lit, Want::All);
        if !allowed(&lit) {
            continue;
        }
        tried += 1;
        let mut cover = vec![0u64; context.sides.words()];
        if lit.mask() & unknown_heads != 0 {
            if table.try_finer(&lit, ground, clean, &mut cover, worth) {
                steps.push(Step { lit, cover, new_head: true, aliases: Vec::new() });
            }
            continue;
        }
        let local = lit.mask() & !context.head_mask() != 0;
        let rows = match seed.legacy.rows(&lit) {
            Some(rows) if known => inherit(rows, parents),
            None if known && local && seed.legacy.closed => full.clone(),
            _ => table.test(&lit, ground),
        };
        if !table.cover(&rows, context.sides, clean, &mut cover, worth) {
            continue;
        }
        if binds {
            steps.push(Step { lit, cover: cover.clone(), new_head: false, aliases: Vec::new() });
        }
        if !local && !seed.body.is_empty() {
            // It begins elsewhere: a part of its own, unless later literals link it.
            continue;
        }
        // Literals that were alive at the parent are among its tests, which follow. What every row satisfies adds nothing
        // to a body, but by itself it is one.
        let useless = known || closed && rows == full && !seed.body.is_empty();
        if !(useless || lit.fresh() == 0 && outranked(&lit, seed, context)) {
            found.add(lit, rows.into(), cover);
        }
    }
    let newest_tests = found.tests.len();
    for test in &seed.legacy.tests {
        if context.spent(before + tried) {
            break;
        }
        if last || !allowed(&test.lit) || seed.vars as usize + test.lit.fresh() > context.max_vars {
            continue;
        }
        let rows = inherit(&test.rows, parents);
        let mut cover = vec![0u64; context.sides.words()];
        tried += 1;
        if table.cover(&rows, context.sides, clean, &mut cover, worth) && !(closed && rows == full) {
            found.add(test.lit, rows.into(), cover);
        }
    }
    debug_assert!(newest != 0 || seed.body.is_empty(), "every step introduces a variable");
    if context.mergeable() && seed.body.len() + 2 <= context.max_body {
        steps = merge(steps, table, context);
    }
    let steps_left = steps.iter().map(|step| step.lit).chain(unready).collect();
    let legacy = Legacy { tests: found.tests.clone(), steps: steps_left, closed };
    let skeleton = Skeleton {
        body: seed.body.clone(),
        vars: seed.vars,
        table: table.without_columns(),
        tests: found.tests,
        newest: newest_tests,
        must_use_newest,
        runs,
        aliases: seed.aliases.clone(),
    };
    Grown { skeleton: Arc::new(skeleton), covers: found.covers, steps, legacy: Arc::new(legacy), tried }
}

/// Of steps that extend each row to the same values one stands for all: whatever extends one of the skeletons they make
/// extends the others alike. It is the one with the smallest predicate: a part that is left to another skeleton
/// ([`outranked`]) is left to one with a smaller predicate too, so that no two skeletons leave a part to each other.
fn merge(mut steps: Vec<Step>, table: &Table, context: &Context<'_>) -> Vec<Step> {
    steps.sort_by_key(|step| step.lit.pred);
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    let mut known = FxHashMap::default();
    for step in steps {
        if step.new_head {
            kept.push(step);
            continue;
        }
        let extension = table.extension(&step.lit, context.ground());
        let slot = *known.entry((extension, context.language.fresh_types(&step.lit))).or_insert(kept.len());
        match kept.get_mut(slot) {
            Some(first) => first.aliases.push(step.lit),
            None => kept.push(step),
        }
    }
    kept
}

/// Tests found, those with equal rows once.
struct Found {
    /// Whether tests with equal rows may stand for each other.
    merge: bool,
    tests: Vec<Test>,
    covers: Vec<Vec<u64>>,
    by_rows: FxHashMap<(u128, usize), usize>,
}

/// So many aliases of a test are remembered.
const ALIASES: usize = 4;

impl Found {
    fn add(&mut self, lit: Lit, rows: Arc<[u64]>, cover: Vec<u64>) {
        if !self.merge {
            self.tests.push(Test { lit, rows, aliases: Vec::new() });
            self.covers.push(cover);
            return;
        }
        match self.by_rows.entry((digest(&rows), lit.fresh())) {
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

/// Whether the parts with the test `lit` are found from another skeleton, in which `lit` introduces the newest variable
/// and the literal that does so here is the test. Of the two the one with the smaller predicate introduces it: of all
/// ways to see a part as skeleton and tests, one with the smallest predicates in the skeleton is never ruled out.
fn outranked(lit: &Lit, seed: &Seed, context: &Context<'_>) -> bool {
    let Some((last, before)) = seed.body.split_last() else { return false };
    let newest = newest(seed, context);
    if lit.pred >= last.pred || newest.count_ones() != 1 || lit.mask() & newest == 0 {
        return false;
    }
    if before.is_empty() {
        // The first literal hangs on head variables alone, all of which it introduces itself.
        return false;
    }
    let locals = !context.head_mask() & !newest;
    let first_local = narrow(context.language.head_arity());
    let introduces: Vec<u8> =
        lit.args().iter().map(|&arg| if newest >> arg & 1 == 1 && arg >= first_local { FRESH } else { arg }).collect();
    let hangs = |lit: &Lit| lit.mask() & if context.directed { !newest } else { locals } != 0;
    hangs(lit) && hangs(last) && context.language.callable(&Lit::new(lit.pred, &introduces), Want::All)
}

fn inherit(rows: &[u64], parents: &[u32]) -> Vec<u64> {
    let mut bits = vec![0u64; parents.len().div_ceil(64)];
    for (row, &parent) in parents.iter().enumerate() {
        bits[row / 64] |= (rows[parent as usize / 64] >> (parent % 64) & 1) << (row % 64);
    }
    bits
}

fn full(rows: usize) -> Vec<u64> {
    let mut bits = vec![u64::MAX; rows.div_ceil(64)];
    if !rows.is_multiple_of(64)
        && let Some(last) = bits.last_mut()
    {
        *last = (1 << (rows % 64)) - 1;
    }
    bits
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
