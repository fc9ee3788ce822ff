//! Growing skeletons: each literal that may extend one makes a part, a skeleton of the next level, or a test.

use super::skeleton::{Grown, Legacy, Seed, candidates, extended, grow, lay};
use super::test_sets::{ExtendedTestSets, TestSets};
use crate::coverage::Evaluator;
use crate::database::Want;
use crate::index::narrow;
use crate::language::{Lit, Resources, Taint, key};
use crate::logic::Rule;
use crate::mine::bindings::BindingTable;
use crate::mine::feature::Part;
use crate::mine::look::Look;
use crate::sets::Cover;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What came of growing skeletons.
#[derive(Default)]
pub struct Yield {
    /// Parts of one literal more.
    pub parts: Vec<Part>,
    /// Skeletons to grow at the next level, with their keys.
    pub seeds: Vec<(u128, Seed)>,
    /// Sets of one test to extend at the next level.
    pub test_sets: Vec<TestSets>,
    /// The tables of the skeletons grown.
    pub tables: TableDigests,
    /// How many literals were tested.
    pub tests: u64,
}

impl From<ExtendedTestSets> for Yield {
    fn from(extended: ExtendedTestSets) -> Self {
        let ExtendedTestSets { parts, next, tests } = extended;
        Yield { parts, test_sets: next.into_iter().collect(), tests, ..Yield::default() }
    }
}

/// Digests of tables with as many variables and what their skeletons use, with the rank of one that has them.
pub type TableDigests = FxHashMap<(u128, u8, Resources), u64>;

/// Bodies with the same bindings as a skeleton that are remembered besides it, to write rules in other ways.
const ALIASES: usize = 3;

/// Grow seeds one after the other, keeping the tables on the path to the last one.
///
/// A skeleton with the table of another that has been grown, of as many literals, which use as much of what is rationed, is
/// passed over: whatever extends the one extends the other alike. It must not have smaller predicates, though: a part that is left to another skeleton
/// ([`grow`]) is left to one with smaller predicates, and no two skeletons may leave a part to each other.
pub fn sprout(seeds: &[Seed], tables: &TableDigests, look: Look<'_>) -> Yield {
    let context = look.cx;
    let mut out = Yield::default();
    let mut path: Vec<(Lit, BindingTable)> = Vec::new();
    let root = BindingTable::empty(context.ground());
    for seed in seeds {
        if context.stopped() || context.spent(out.tests) {
            break;
        }
        // What has been found since it was met may have made it needless.
        if !seed.body.is_empty() && !look.needed(&seed.pos, seed.body.len() as u64 + 2) {
            continue;
        }
        if seed.loose {
            resolve(seed, look, &mut out);
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
                    let print = (digest, seed.vars, context.language.resources(&seed.body));
                    let rank = rank(&seed.body);
                    let known = |tables: &TableDigests| tables.get(&print).is_some_and(|&least| least <= rank);
                    if known(tables) || known(&out.tables) {
                        continue;
                    }
                    out.tables.insert(print, rank);
                }
                let grown = grow(seed, &table, &parents, out.tests, look);
                harvest(seed, grown, look, &mut out);
                if let Some(last) = seed.body.last() {
                    path.push((*last, table));
                }
            }
            None => resolve(seed, look, &mut out),
        }
    }
    out
}

/// Larger where predicates are.
fn rank(body: &[Lit]) -> u64 {
    body.iter().map(|lit| lit.pred.index() as u64).sum()
}

/// Turn what growing a skeleton found into parts of one more literal and work for the next level.
fn harvest(seed: &Seed, grown: Grown, look: Look<'_>, out: &mut Yield) {
    let context = look.cx;
    out.tests += grown.tried;
    let size = seed.body.len() as u64 + 2;
    for step in &grown.steps {
        let body = extended(&seed.body, step.lit.named(seed.vars as usize));
        let vars = seed.vars + narrow::<_, u8>(step.lit.fresh());
        let least = size + 1;
        let extendable = vars as usize > context.language.head_arity()
            && least <= context.max_body as u64 + 1
            && body.len() + context.links_needed(&body) <= context.max_body
            && look.worth_growing(&step.cover, least, &body);
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
    let singles = TestSets::singles(&grown.skeleton, grown.covers, look);
    out.parts.extend(singles.parts);
    out.test_sets.extend(singles.next);
}

/// Where a table would be too large: test every literal that may extend the seed by an existence join that remembers
/// nothing, and let each that is worth it be a seed of its own.
fn resolve(seed: &Seed, look: Look<'_>, out: &mut Yield) {
    let context = look.cx;
    if context.language.has_cuts() {
        // Without a table there are no rows from which to read where to cut.
        context.taint(Taint::Cuts);
    }
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
    let consistent = look.only_consistent(seed.body.len() + 1);
    let negatives = vec![0; context.sides.words() - seed.pos.len()];
    let within = Cover::from_words(context.sides, [&*seed.pos, &negatives].concat());
    for lit in all {
        let vars = seed.vars + narrow::<_, u8>(lit.fresh());
        let body = extended(&seed.body, lit.named(seed.vars as usize));
        if context.stopped() || context.spent(out.tests) || vars as usize > context.max_vars {
            continue;
        }
        if context.forbids(|| body.clone()) {
            continue;
        }
        out.tests += 1;
        let rule = context.ordered(&body);
        // Negatives only if the positives, of those the seed covers, are worth it.
        let mut cover = evaluator.rule_within(&rule, &within);
        let needed = look.needed(cover.pos().words(), size);
        let inconsistent = needed && !add_negatives(&rule, &mut evaluator, consistent, &mut cover);
        if let Some(taint) = Taint::of(evaluator.notes()) {
            context.taint(taint);
        }
        if evaluator.finished(()).is_none() {
            break;
        }
        if !needed || inconsistent {
            continue;
        }
        if body.len() < context.max_body && look.worth_growing(cover.words(), size + 1, &body) {
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

/// Add to `cover` the negatives that a rule covers. If only `consistent` rules are sought, it ends with the first few of them,
/// and says `false`.
fn add_negatives(rule: &Rule, evaluator: &mut Evaluator<'_>, consistent: bool, cover: &mut Cover) -> bool {
    let sides = cover.sides();
    if !consistent {
        cover.union_with(&evaluator.rule_within(rule, &Cover::full(sides).negatives_only()));
        return true;
    }
    (0..sides.negatives()).step_by(AT_ONCE).all(|from| {
        let mut within = Cover::empty(sides);
        (from..sides.negatives().min(from + AT_ONCE)).for_each(|at| within.insert_negative(at));
        evaluator.rule_within(rule, &within).is_empty()
    })
}

/// Negatives tested in one go where only rules without any can be used: the first that is covered ends the test, and a
/// go has some cost of its own.
const AT_ONCE: usize = 8;
