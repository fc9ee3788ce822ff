//! Skeletons: the literals of a part that introduce its variables, with the part's bindings; and the tests, literals
//! over variables that are there already, each as the set of bindings that satisfy it.

use super::constants::{Choice, choices};
use super::found_tests::{FoundTests, Test};
use crate::database::Want;
use crate::index::narrow;
use crate::language::{FRESH, Lit};
use crate::mine::bindings::{BindingTable, JointTests};
use crate::mine::context::Context;
use crate::mine::look::Look;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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
    pub table: BindingTable,
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
pub struct SkeletonStep {
    /// The literal, fresh variables as placeholders.
    pub lit: Lit,
    /// The examples that the skeleton with it covers.
    pub cover: Vec<u64>,
    /// Whether it introduces a head variable; if not, the same literal is a test of the skeleton.
    pub new_head: bool,
    /// The rows that satisfy it, if it introduces none.
    pub rows: Vec<u64>,
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
    pub steps: Vec<SkeletonStep>,
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
    // With directions literals may hang on head variables alone, if others can link them to the rest.
    let apart = context.directed && context.may_link;
    let locals = !context.head_mask();
    let anchored = |lit: &Lit| seed.body.is_empty() || lit.mask() & locals != 0 || apart;
    // Of thousands of columns each is a literal that was alive at the parent, so they are not even copied.
    all.extend(seed.legacy.steps.iter().filter(|lit| anchored(lit)));
    all.retain(|lit| anchored(lit) && vars + lit.fresh() <= context.max_vars && !seed.body.contains(lit));
    let mut known = FxHashSet::default();
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
pub fn lay(seed: &Seed, parent: &BindingTable, context: &Context<'_>) -> Option<(BindingTable, Vec<u32>)> {
    match seed.body.split_last() {
        None => Some((parent.clone(), Vec::new())),
        Some((last, _)) => parent.join(&last.placeholders(seed.vars, seed.fresh), context.ground(), context.row_cap),
    }
}

/// Test everything that may extend `seed`, given what [`lay`] made of it and how many tests were made before.
pub fn grow(seed: &Seed, table: &BindingTable, parents: &[u32], before: u64, look: Look<'_>) -> Grown {
    let mut growth = SkeletonGrowth::new(seed, table, parents, before, look);
    for lit in candidates(seed, look.cx) {
        // Large tables take long; what is cut short here is never used.
        if look.cx.stopped() || growth.is_over() {
            break;
        }
        growth.try_literal(lit);
        growth.try_constants(&lit);
    }
    growth.try_multiples();
    let context = look.cx;
    let compares = context.language.may_compare();
    if compares && seed.body.is_empty() {
        growth.cut_heads();
    } else if compares {
        growth.cut_columns(growth.newest & !context.head_mask());
    }
    let newest = growth.found.tests.len();
    for test in &seed.legacy.tests {
        if growth.is_over() {
            break;
        }
        growth.inherit_test(test);
    }
    if compares && !growth.last {
        growth.cut_columns(!growth.newest & !context.head_mask());
    }
    growth.finish(newest)
}

/// A skeleton while it is grown.
pub struct SkeletonGrowth<'g> {
    pub(super) seed: &'g Seed,
    pub(super) table: &'g BindingTable,
    joint: JointTests<'g>,
    /// The row of the parent's table that each row extends.
    parents: &'g [u32],
    /// Tests made before.
    before: u64,
    pub(super) look: Look<'g>,
    /// The variables that the last literal introduced.
    pub(super) newest: u64,
    /// Head variables that the skeleton does not mention.
    unknown_heads: u64,
    /// Whether the skeleton can be run by itself.
    runs: bool,
    /// Whether tests that all rows satisfy may be left out. Where the skeleton cannot be run by itself, a test may be what
    /// makes a part runnable, whatever it covers.
    pub(super) closed: bool,
    /// Whether parts must have a test that mentions the newest variables.
    must_use_newest: bool,
    /// Whether there is room for one literal more only.
    last: bool,
    /// Whether there is room for two literals more, as the space and the best hypothesis have it.
    extendable: bool,
    /// Whether only consistent parts are wanted.
    pub(super) consistent: bool,
    /// All rows.
    pub(super) full: Vec<u64>,
    pub(super) found: FoundTests,
    pub(super) steps: Vec<SkeletonStep>,
    /// Literals that lack inputs.
    unready: Vec<Lit>,
    pub(super) tried: u64,
}

impl<'g> SkeletonGrowth<'g> {
    fn new(seed: &'g Seed, table: &'g BindingTable, parents: &'g [u32], before: u64, look: Look<'g>) -> Self {
        let context = look.cx;
        let mask = seed.body.iter().fold(0, |mask, lit| mask | lit.mask());
        let runs = context.language.executable(&seed.body, 0);
        // A test may be what uses the result of a computation, whatever it covers.
        let closed = context.membership.subset_closed && runs && !context.language.wastes(&seed.body);
        let must_use_newest = seed.fresh > 0 && !seed.new_head;
        SkeletonGrowth {
            seed,
            table,
            joint: JointTests::new(table, context.ground()),
            parents,
            before,
            look,
            newest: newest(seed, context),
            unknown_heads: context.head_mask() & !mask,
            runs,
            closed,
            must_use_newest,
            last: must_use_newest && seed.body.len() + 1 >= context.max_body,
            extendable: seed.body.len() + 2 <= context.max_body
                && seed.body.len() as u64 + 3 <= look.prune.limits().largest(),
            consistent: look.only_consistent(seed.body.len() + 1),
            full: full(table.rows()),
            found: FoundTests::new(closed && context.membership.by_parts && !context.all_optima),
            steps: Vec::new(),
            unready: Vec::new(),
            tried: 0,
        }
    }

    /// Whether no more tests may be made.
    pub(super) fn is_over(&self) -> bool {
        self.look.cx.spent(self.before + self.tried)
    }

    /// Whether the space may have rules with the skeleton and this literal.
    pub(super) fn is_allowed(&self, lit: &Lit) -> bool {
        let body = || extended(&self.seed.body, lit.named(self.seed.vars as usize));
        !self.look.cx.forbids(body)
    }

    /// Whether parts of one literal more that cover a subset of these examples can be needed.
    pub(super) fn worth(&self) -> impl Fn(&[u64]) -> bool + use<'g> {
        let (look, size) = (self.look, self.seed.body.len() as u64 + 2);
        move |cover| look.worth(cover, size)
    }

    /// A literal that was alive at the parent or mentions the newest variables: it may be a step, a test, or both.
    pub(super) fn try_literal(&mut self, lit: Lit) {
        let (context, seed) = (self.look.cx, self.seed);
        let known = lit.mask() & self.newest == 0 && !seed.body.is_empty();
        // With room for one literal, only one that uses the newest variable makes a part.
        if known && self.last {
            return;
        }
        if !context.language.callable(&lit, Want::One) {
            self.unready.push(lit);
            return;
        }
        // A result must be used by yet another literal.
        let only_step = lit.fresh() > 0 && context.language.computes(&lit);
        if only_step && !self.extendable || !self.is_allowed(&lit) {
            return;
        }
        self.tried += 1;
        let mut cover = vec![0u64; context.sides.words()];
        if lit.mask() & self.unknown_heads != 0 {
            if self.joint.try_finer(&lit, self.consistent, &mut cover, self.worth()) {
                self.steps.push(SkeletonStep { lit, cover, new_head: true, rows: Vec::new(), aliases: Vec::new() });
            }
            return;
        }
        let local = self.is_local(&lit);
        let rows = match seed.legacy.rows(&lit) {
            Some(rows) if known => inherit(rows, self.parents),
            None if known && local && seed.legacy.closed => self.full.clone(),
            _ => self.joint.test(&lit),
        };
        self.try_rows(lit, rows, known);
    }

    /// Whether a literal touches a local variable.
    fn is_local(&self, lit: &Lit) -> bool {
        lit.mask() & !self.look.cx.head_mask() != 0
    }

    /// A literal that these rows satisfy; `known` if it was alive at the parent.
    fn try_rows(&mut self, lit: Lit, rows: Vec<u64>, known: bool) {
        let (context, seed, table) = (self.look.cx, self.seed, self.table);
        let mut cover = vec![0u64; context.sides.words()];
        if !table.cover(&rows, context.sides, self.consistent, &mut cover, self.worth()) {
            return;
        }
        // Some calls can tell whether there is an answer, but not all of them: those bind nothing for others.
        if lit.fresh() > 0 && context.language.callable(&lit, Want::All) {
            let (cover, rows) = (cover.clone(), rows.clone());
            self.steps.push(SkeletonStep { lit, cover, new_head: false, rows, aliases: Vec::new() });
        }
        if !self.is_local(&lit) && !seed.body.is_empty() {
            // It begins elsewhere: a part of its own, unless later literals link it.
            return;
        }
        // Literals that were alive at the parent are among its tests, which follow. What every row satisfies adds nothing
        // to a body, but by itself it is one.
        let wasted = lit.fresh() > 0 && context.language.computes(&lit);
        let useless = known || wasted || self.closed && rows == self.full && !seed.body.is_empty();
        if !(useless || lit.fresh() == 0 && outranked(&lit, seed, context)) {
            self.found.add((lit, context.language.resources(&[lit])), rows.into(), cover);
        }
    }

    /// A literal that is called may have a constant in an argument. One that was alive at the parent has had them there.
    fn try_constants(&mut self, lit: &Lit) {
        if lit.mask() & self.newest == 0 && !self.seed.body.is_empty() {
            return;
        }
        for Choice { lit, rows } in choices(lit, self.table, self.unknown_heads, self.look.cx) {
            if self.is_over() {
                return;
            }
            match rows {
                None => self.try_literal(lit),
                Some(rows) if self.is_allowed(&lit) => {
                    self.tried += 1;
                    self.try_rows(lit, rows, false);
                }
                Some(_) => {}
            }
        }
    }

    /// A test of the parent is one of its extensions, too.
    fn inherit_test(&mut self, test: &Test) {
        let context = self.look.cx;
        let fits = self.seed.vars as usize + test.lit.fresh() <= context.max_vars;
        if self.last || !self.is_allowed(&test.lit) || !fits {
            return;
        }
        let rows = inherit(&test.rows, self.parents);
        let mut cover = vec![0u64; context.sides.words()];
        self.tried += 1;
        let covers = self.table.cover(&rows, context.sides, self.consistent, &mut cover, self.worth());
        if covers && !(self.closed && rows == self.full) {
            self.found.add((test.lit, context.language.resources(&[test.lit])), rows.into(), cover);
        }
    }

    /// The skeleton, whose first tests, this many, mention its newest variables, and what it leaves to those that extend it.
    fn finish(self, newest: usize) -> Grown {
        let (context, seed) = (self.look.cx, self.seed);
        debug_assert!(self.newest != 0 || seed.body.is_empty(), "every step introduces a variable");
        let mut steps = self.steps;
        if context.mergeable() && seed.body.len() + 2 <= context.max_body {
            steps = merge(steps, self.table, context);
        }
        // Comparisons of head variables are parts by themselves, and of others they are tests.
        let steps_left = steps.iter().map(|step| step.lit).filter(|lit| !context.language.is_cut(lit));
        let steps_left = steps_left.chain(self.unready).collect();
        let inherited = self.found.tests.iter().filter(|test| !context.language.is_cut(&test.lit)).cloned();
        let legacy = Legacy { tests: inherited.collect(), steps: steps_left, closed: self.closed };
        let skeleton = Skeleton {
            body: seed.body.clone(),
            vars: seed.vars,
            table: self.table.without_columns(),
            tests: self.found.tests,
            newest,
            must_use_newest: self.must_use_newest,
            runs: self.runs,
            aliases: seed.aliases.clone(),
        };
        let (covers, tried) = (self.found.covers, self.tried);
        Grown { skeleton: Arc::new(skeleton), covers, steps, legacy: Arc::new(legacy), tried }
    }
}

/// Of steps that extend each row to the same values one stands for all: whatever extends one of the skeletons they make
/// extends the others alike, as they use as much of what is rationed. It is the one with the smallest predicate: a part that is left to another skeleton
/// ([`outranked`]) is left to one with a smaller predicate too, so that no two skeletons leave a part to each other.
fn merge(mut steps: Vec<SkeletonStep>, table: &BindingTable, context: &Context<'_>) -> Vec<SkeletonStep> {
    steps.sort_by_key(|step| step.lit.pred);
    let mut kept: Vec<SkeletonStep> = Vec::with_capacity(steps.len());
    let mut known = FxHashMap::default();
    for step in steps {
        if step.new_head {
            kept.push(step);
            continue;
        }
        let extension = table.extension(&step.lit, &step.rows, context.ground());
        let language = &context.language;
        let kind = (extension, language.fresh_types(&step.lit), language.resources(&[step.lit]));
        let slot = *known.entry(kind).or_insert(kept.len());
        match kept.get_mut(slot) {
            Some(first) => first.aliases.push(step.lit),
            None => kept.push(step),
        }
    }
    kept
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

/// A body with one literal more.
pub fn extended(body: &[Lit], lit: Lit) -> Box<[Lit]> {
    debug_assert!(lit.args().iter().all(|&arg| arg < FRESH), "the literal's variables have numbers");
    body.iter().copied().chain([lit]).collect()
}
