//! Mining parts: connected pieces of bodies, each with the examples it covers.
//!
//! Two literals belong to the same part if a chain of shared local variables (those not in the head) links them. A
//! rule covers an example iff each of its parts does, so a part is evaluated once and then only its bits are used
//! ([`conjoin`](super::conjoin)).
//!
//! A part is a [`Skeleton`], whose literals introduce its variables one after the other, and a set of tests. Skeletons
//! grow by joins; there are few of them. Sets of tests are conjunctions of row sets; there are many of them, and each
//! costs a few words. Every part has an order of its literals in which each touches a local variable of an earlier one
//! (head variables only for the first), so taking those that introduce something as skeleton finds every part.
//!
//! With directions, a part can be run in some order; the skeleton is then grown in such an order, each literal with its
//! inputs bound, and a literal may hang on head variables alone at any time. Until tests link what was begun apart, it
//! is no part.
//!
//! What is left out, and why nothing is lost:
//! - A literal that leaves too few positives, or is outdone or falls short ([`bounds`](super::bounds)), stays so in
//!   every extension, and is not tried there again.
//! - A test that every row satisfies: with it or without it, the part covers the same and so does every extension; the
//!   one without is in the space too (spaces that are not closed under subsets switch this off).
//! - A set of tests with the rows of a set seen before that has no more tests and no more variables. Among the smallest
//!   sets with given rows (by number of tests, then variables, then order) take the first; each of its prefixes is
//!   first among its equals, or replacing it would give a smaller or earlier set with the same rows. Sets are visited
//!   by number of tests and in order, so that one is never passed over.

mod skeleton;

use super::bindings::Table;
use super::context::Context;
use super::feature::Part;
use crate::coverage::Evaluator;
use crate::covering::Guide;
use crate::database::Want;
use crate::index::{index_type, narrow};
use crate::language::{FRESH, Lit, Taint, key};
use crate::logic::Rule;
use crate::sets::Cover;
use rustc_hash::{FxHashMap, FxHashSet};
use skeleton::{Grown, Legacy, Seed, Skeleton, Test, candidates, digest, grow, lay};
use std::sync::Arc;

index_type! {
    /// A test of a skeleton, by its place in [`Skeleton::tests`].
    struct TestIx;
}

impl TestIx {
    fn of(self, skeleton: &Skeleton) -> &Test {
        &skeleton.tests[self.index()]
    }
}

/// A set of tests of a skeleton.
#[derive(Debug)]
struct Node {
    tests: Box<[TestIx]>,
    fresh: u8,
}

impl Node {
    /// The rows that satisfy all tests. Made anew when needed: kept, they would take most of the memory.
    fn rows(&self, skeleton: &Skeleton) -> Vec<u64> {
        let (&first, others) = self.tests.split_first().expect("a node has a test");
        let mut rows = first.of(skeleton).rows.to_vec();
        for other in others {
            rows.iter_mut().zip(&*other.of(skeleton).rows).for_each(|(row, other)| *row &= other);
        }
        rows
    }
}

/// Sets of tests of one skeleton, all of one size, to be extended.
#[derive(Debug)]
struct Brood {
    skeleton: Arc<Skeleton>,
    nodes: Vec<Node>,
    /// Row sets seen, with the fewest fresh variables.
    seen: FxHashMap<u128, u8>,
}

/// What is to be done at a level.
#[derive(Debug)]
enum Work {
    Seeds(Vec<Seed>),
    Brood(Brood),
}

/// What came of it.
#[derive(Default)]
struct Yield {
    parts: Vec<Part>,
    seeds: Vec<(u128, Seed)>,
    broods: Vec<Brood>,
    tables: Tables,
    tests: u64,
}

/// So many skeletons with the same bindings are remembered.
const ALIASES: usize = 3;

/// Seeds that are grown by one thread in a row, sharing the tables of common ancestors.
const SEEDS: usize = 16;

/// The miner: the work of one level, and of the next.
#[derive(Debug)]
pub struct TableMiner {
    work: Vec<Work>,
    cursor: usize,
    next_seeds: Vec<Seed>,
    next_broods: Vec<Brood>,
    known: FxHashSet<u128>,
    /// The tables of the level's skeletons, with the least rank of those that have them.
    tables: Tables,
}

/// Digests of tables, with the rank of a skeleton that has them.
type Tables = FxHashMap<(u128, u8), u64>;

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
            pos: Cover::full(context.sides).pos().words().into(),
            aliases: Vec::new(),
            legacy: Arc::new(Legacy::default()),
        };
        TableMiner {
            work: vec![Work::Seeds(vec![root])],
            cursor: 0,
            next_seeds: Vec::new(),
            next_broods: Vec::new(),
            known: FxHashSet::default(),
            tables: Tables::default(),
        }
    }

    /// Whether all work of the level is done.
    pub fn level_done(&self) -> bool {
        self.cursor == self.work.len()
    }

    /// Go on to the next level.
    pub fn next_level(&mut self) {
        // What is cheap comes first: sets of tests, then skeletons by the size their table may have.
        self.work = std::mem::take(&mut self.next_broods).into_iter().map(Work::Brood).collect();
        let mut seeds = std::mem::take(&mut self.next_seeds);
        seeds.sort_by_key(|seed| seed.rows.max(1).ilog2() / 3);
        self.work.extend(seeds.chunks(SEEDS).map(|chunk| Work::Seeds(chunk.to_vec())));
        self.cursor = 0;
        self.tables.clear();
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let node = |node: &Node| size_of::<Node>() + node.tests.len() * size_of::<TestIx>();
        let tests = |skeleton: &Skeleton| skeleton.tests.iter().map(|test| test.rows.len() * 8).sum::<usize>();
        let brood = |brood: &Brood| {
            tests(&brood.skeleton) + brood.nodes.iter().map(node).sum::<usize>() + brood.seen.capacity() * 40
        };
        let seed = |seed: &Seed| size_of::<Seed>() + seed.body.len() * size_of::<Lit>();
        let work = |work: &Work| match work {
            Work::Seeds(seeds) => seeds.iter().map(seed).sum(),
            Work::Brood(one) => brood(one),
        };
        self.work.iter().map(work).sum::<usize>()
            + self.next_seeds.iter().map(seed).sum::<usize>()
            + self.next_broods.iter().map(brood).sum::<usize>()
            + self.known.capacity() * 17
    }

    /// Do the next `batch` pieces of work; what is found is returned in an order that depends on neither threads nor
    /// time. Also returns the number of tests.
    pub fn step(&mut self, context: &Context<'_>, guide: &Guide, batch: usize) -> (Vec<Part>, u64) {
        let end = (self.cursor + batch).min(self.work.len());
        let sprout_or_extend = |work: &Work| match work {
            Work::Seeds(seeds) => sprout(seeds, &self.tables, context, guide),
            Work::Brood(brood) => extend(brood, context, guide),
        };
        let results = context.in_parallel(&self.work[self.cursor..end], sprout_or_extend, |result| result.tests);
        let (mut parts, mut tests) = (Vec::new(), 0);
        for result in results {
            tests += result.tests;
            parts.extend(result.parts);
            self.next_broods.extend(result.broods);
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
            *done = Work::Seeds(Vec::new());
        }
        self.cursor = end;
        (parts, tests)
    }
}

/// Grow seeds one after the other, keeping the tables on the path to the last one.
///
/// A skeleton with the table of another that has been grown, of as many literals, is passed over: whatever extends the
/// one extends the other alike. It must not have smaller predicates, though: a part that is left to another skeleton
/// ([`grow`]) is left to one with smaller predicates, and no two skeletons may leave a part to each other.
fn sprout(seeds: &[Seed], tables: &Tables, context: &Context<'_>, guide: &Guide) -> Yield {
    let mut out = Yield::default();
    let mut path: Vec<(Lit, Table)> = Vec::new();
    let root = Table::empty(context.ground());
    for seed in seeds {
        if context.stopped() || context.spent(out.tests) {
            break;
        }
        // What has been found since it was met may have made it needless.
        if !seed.body.is_empty() && !context.needed(&seed.pos, seed.body.len() as u64 + 2, guide) {
            continue;
        }
        if seed.loose {
            resolve(seed, context, guide, &mut out);
            continue;
        }
        let before = &seed.body[..seed.body.len().saturating_sub(1)];
        let shared = path.iter().zip(before).take_while(|((known, _), lit)| known == *lit).count();
        path.truncate(shared);
        let mut vars = context.language.head_arity()
            + before[..shared].iter().fold(0u64, |mask, lit| mask | lit.mask() & !context.head_mask()).count_ones()
                as usize;
        let mut fits = true;
        for lit in &before[shared..] {
            let total = lit.args().iter().map(|&arg| arg as usize + 1).max().unwrap_or(0).max(vars);
            let last = path.last().map_or(&root, |(_, table)| table);
            let step = lit.placeholders(narrow(total), narrow(total - vars));
            match last.join(&step, context.ground(), context.row_cap) {
                Some((table, _)) => path.push((*lit, table)),
                None => {
                    fits = false;
                    break;
                }
            }
            vars = total;
        }
        let parent = path.last().map_or(&root, |(_, table)| table);
        match if fits { lay(seed, parent, context) } else { None } {
            Some((table, parents)) => {
                if context.mergeable() {
                    let digest = table.digest(&context.language.kinds(&seed.body, seed.vars as usize));
                    let (print, rank) = ((digest, seed.vars), rank(&seed.body));
                    let known = |tables: &Tables| tables.get(&print).is_some_and(|&least| least <= rank);
                    if known(tables) || known(&out.tables) {
                        continue;
                    }
                    out.tables.insert(print, rank);
                }
                let grown = grow(seed, &table, &parents, out.tests, context, guide);
                harvest(seed, grown, context, guide, &mut out);
                if let Some(last) = seed.body.last() {
                    path.push((*last, table));
                }
            }
            None => resolve(seed, context, guide, &mut out),
        }
    }
    out
}

/// Larger where predicates are.
fn rank(body: &[Lit]) -> u64 {
    body.iter().map(|lit| lit.pred.index() as u64).sum()
}

/// Turn what growing a skeleton found into parts of one more literal and work for the next level.
fn harvest(seed: &Seed, grown: Grown, context: &Context<'_>, guide: &Guide, out: &mut Yield) {
    out.tests += grown.tried;
    let size = seed.body.len() as u64 + 2;
    for step in &grown.steps {
        let body = extended(&seed.body, step.lit.named(seed.vars as usize));
        let vars = seed.vars + narrow::<_, u8>(step.lit.fresh());
        let least = size + 1;
        let extendable = vars as usize > context.language.head_arity()
            && least <= context.max_body as u64 + 1
            && body.len() + context.links_needed(&body) <= context.max_body
            && context.worth_growing(&step.cover, least, guide, &body);
        let binds = step.lit.fresh() == 0 || context.language.callable(&step.lit, Want::All);
        if extendable && !binds {
            // Without the answers there is no table of bindings from which to go on.
            context.taint(Taint::Unbound { pred: context.language.body_pred(step.lit.pred).pred });
        }
        if extendable && binds {
            let head = context.language.head_arity();
            let (fresh, legacy) = (narrow(step.lit.fresh()), Arc::clone(&grown.legacy));
            let others = |body: &[Lit]| extended(body, step.lit.named(seed.vars as usize));
            let aliases = step.aliases.iter().map(|lit| extended(&seed.body, lit.named(seed.vars as usize)));
            let aliases = aliases.chain(seed.aliases.iter().map(|body| others(body))).take(ALIASES).collect();
            let next = Seed {
                body: body.clone(),
                vars,
                fresh,
                new_head: step.new_head,
                loose: false,
                rows: grown.skeleton.table.rows() as u64 * context.language.fan_out(&step.lit),
                pos: context.sides.split(&step.cover).0.into(),
                aliases,
                legacy,
            };
            out.seeds.push((key(&body, head, vars as usize), next));
        }
        if step.new_head && context.is_part(&body) {
            out.parts.push(Part {
                body,
                vars,
                cover: Cover::from_words(context.sides, step.cover.as_slice()),
                twins: Vec::new(),
            });
        }
    }
    let skeleton = &grown.skeleton;
    let firsts = if skeleton.must_use_newest { skeleton.newest } else { skeleton.tests.len() };
    let mut brood = Brood { skeleton: Arc::clone(skeleton), nodes: Vec::new(), seen: FxHashMap::default() };
    for (at, cover) in grown.covers.into_iter().enumerate().take(firsts) {
        let test = &skeleton.tests[at];
        let node = Node { tests: [TestIx::new(at)].into(), fresh: narrow(test.lit.fresh()) };
        offer(node, &test.rows, &cover, &mut brood, context, guide, &mut out.parts);
    }
    if !brood.nodes.is_empty() {
        out.broods.push(brood);
    }
}

/// Register a set of tests as a part and, if it may grow, as a node of the next brood.
fn offer(
    node: Node,
    rows: &[u64],
    cover: &[u64],
    brood: &mut Brood,
    context: &Context<'_>,
    guide: &Guide,
    parts: &mut Vec<Part>,
) {
    let skeleton = &brood.skeleton;
    let literals = skeleton.body.len() + node.tests.len();
    let body = assemble(skeleton, &node.tests, None);
    let (twins, vars) = (twins(skeleton, &node.tests), skeleton.vars + node.fresh);
    if literals < context.max_body && context.worth_growing(cover, literals as u64 + 2, guide, &body) {
        brood.seen.insert(digest(rows), node.fresh);
        brood.nodes.push(node);
    }
    if !context.directed || context.is_part(&body) {
        parts.push(Part { body, vars, cover: Cover::from_words(context.sides, cover), twins });
    }
}

/// The same part with one test exchanged for an alias.
fn twins(skeleton: &Skeleton, tests: &[TestIx]) -> Vec<Box<[Lit]>> {
    let exchanged = (0..tests.len()).flat_map(|place| {
        let aliases = tests[place].of(skeleton).aliases.iter();
        aliases.map(move |alias| assemble(skeleton, tests, Some((place, *alias))))
    });
    let whole = skeleton.aliases.iter().map(|body| assemble_on(body, skeleton, tests, None));
    exchanged.chain(whole).collect()
}

/// The literals of a part, each test's fresh variables numbered apart; `exchange` replaces one test.
fn assemble(skeleton: &Skeleton, tests: &[TestIx], exchange: Option<(usize, Lit)>) -> Box<[Lit]> {
    assemble_on(&skeleton.body, skeleton, tests, exchange)
}

/// The same on other literals with the skeleton's bindings.
fn assemble_on(body: &[Lit], skeleton: &Skeleton, tests: &[TestIx], exchange: Option<(usize, Lit)>) -> Box<[Lit]> {
    let mut body = body.to_vec();
    let mut vars = skeleton.vars as usize;
    for (place, at) in tests.iter().enumerate() {
        let lit = match exchange {
            Some((there, alias)) if there == place => alias,
            _ => at.of(skeleton).lit,
        };
        body.push(lit.named(vars));
        vars += lit.fresh();
    }
    body.into()
}

/// Add one test to each node of a brood.
fn extend(brood: &Brood, context: &Context<'_>, guide: &Guide) -> Yield {
    let mut out = Yield::default();
    let skeleton = &brood.skeleton;
    let by_rows = skeleton.runs && context.membership.subset_closed && context.membership.by_parts;
    let size = skeleton.body.len() as u64 + brood.nodes.first().map_or(0, |node| node.tests.len() as u64) + 2;
    let mut next = Brood { skeleton: Arc::clone(skeleton), nodes: Vec::new(), seen: brood.seen.clone() };
    let worth = |cover: &[u64]| context.worth(cover, size, guide);
    // Where every optimum is sought, only sets with fewer tests stand for others.
    let all = context.bounds.seeks_all();
    let (mut rows, mut cover) = (Vec::new(), vec![0u64; context.sides.words()]);
    let clean = context.clean_only(narrow(size - 1), guide);
    for node in &brood.nodes {
        if context.stopped() {
            break;
        }
        let (last, node_rows) = (node.tests.last().expect("a node has a test").index(), node.rows(skeleton));
        for (at, test) in skeleton.tests.iter().enumerate().skip(last + 1) {
            let fresh = node.fresh + narrow::<_, u8>(test.lit.fresh());
            if (skeleton.vars + fresh) as usize > context.max_vars {
                continue;
            }
            rows.clear();
            rows.extend(node_rows.iter().zip(&*test.rows).map(|(a, b)| a & b));
            let stands = |known: &Brood| known.seen.get(&digest(&rows)).is_some_and(|&seen| seen <= fresh);
            if by_rows && (rows == node_rows || stands(if all { brood } else { &next })) {
                continue;
            }
            if context.spent(out.tests) {
                return out;
            }
            let tests: Box<[TestIx]> = node.tests.iter().copied().chain([TestIx::new(at)]).collect();
            if context.membership.forbids(&assemble(skeleton, &tests, None), &context.language) {
                continue;
            }
            out.tests += 1;
            cover.fill(0);
            if skeleton.table.cover(&rows, context.sides, clean, &mut cover, worth) {
                offer(Node { tests, fresh }, &rows, &cover, &mut next, context, guide, &mut out.parts);
            }
        }
    }
    if !next.nodes.is_empty() {
        out.broods.push(next);
    }
    out
}

/// Where a table would be too large: test every literal that may extend the seed by an existence join that remembers
/// nothing, and let each that is worth it be a seed of its own.
fn resolve(seed: &Seed, context: &Context<'_>, guide: &Guide, out: &mut Yield) {
    let mut evaluator = Evaluator::new(context.database, context.examples).with_budget(context.budget.clone());
    let head = context.language.head_arity();
    let size = seed.body.len() as u64 + 2;
    let legacy = Arc::new(Legacy::default());
    // Without a parent's verdicts every literal that touches any variable is tried.
    let types = context.language.types(&seed.body, seed.vars as usize);
    let mut all = candidates(seed, context);
    let locals = ((1u64 << seed.vars) - 1) & !context.head_mask();
    context.language.literals(&types, locals, &mut all);
    let mut known = FxHashSet::default();
    all.retain(|lit| known.insert(*lit) && !seed.body.contains(lit));
    let clean = context.clean_only(seed.body.len() + 1, guide);
    let negatives = vec![0; context.sides.words() - seed.pos.len()];
    let within = Cover::from_words(context.sides, [&*seed.pos, &negatives].concat());
    for lit in all {
        let vars = seed.vars + narrow::<_, u8>(lit.fresh());
        let body = extended(&seed.body, lit.named(seed.vars as usize));
        if context.stopped() || context.spent(out.tests) || vars as usize > context.max_vars {
            continue;
        }
        if context.membership.forbids(&body, &context.language) {
            continue;
        }
        out.tests += 1;
        let rule = context.ordered(&body);
        // Negatives only if the positives, of those the seed covers, are worth it.
        let mut cover = evaluator.rule_within(&rule, &within);
        let needed = context.needed(cover.pos().words(), size, guide);
        let inconsistent = needed && !add_negatives(&rule, &mut evaluator, clean, &mut cover);
        if let Some(taint) = Taint::of(evaluator.notes()) {
            context.taint(taint);
        }
        if !needed || inconsistent {
            continue;
        }
        if body.len() < context.max_body && context.worth_growing(cover.words(), size + 1, guide, &body) {
            let next = Seed {
                body: body.clone(),
                vars,
                fresh: narrow(lit.fresh()),
                new_head: true,
                loose: true,
                rows: u64::MAX,
                pos: cover.pos().words().into(),
                aliases: Vec::new(),
                legacy: Arc::clone(&legacy),
            };
            out.seeds.push((key(&body, head, vars as usize), next));
        }
        out.parts.push(Part { body, vars, cover, twins: Vec::new() });
    }
}

/// Add to `cover` the negatives that a rule covers. If only `clean` rules are sought, it ends with the first few of them,
/// and says `false`.
fn add_negatives(rule: &Rule, evaluator: &mut Evaluator<'_>, clean: bool, cover: &mut Cover) -> bool {
    let sides = cover.sides();
    if !clean {
        cover.union_with(&evaluator.rule_within(rule, &Cover::full(sides).negatives_only()));
        return true;
    }
    (0..sides.negatives()).step_by(AT_ONCE).all(|from| {
        let mut within = Cover::empty(sides);
        (from..sides.negatives().min(from + AT_ONCE)).for_each(|at| within.insert_negative(at));
        evaluator.rule_within(rule, &within).is_empty()
    })
}

/// Negatives tested at once where one is enough to end it.
const AT_ONCE: usize = 8;

fn extended(body: &[Lit], lit: Lit) -> Box<[Lit]> {
    debug_assert!(lit.args().iter().all(|&arg| arg < FRESH), "the literal's variables have numbers");
    body.iter().copied().chain([lit]).collect()
}
