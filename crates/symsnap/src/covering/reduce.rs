//! A smaller problem with the same optimum: what the exact solver works on.
//!
//! **Useless columns** go, of which the positives are not worth the size ([support](super::theorems::support)): some optimum
//! does without them.
//!
//! **Dominated columns** go, for which some kept column does as well ([dominance](super::theorems::dominance), where `d` is
//! defined): `d(r, r') <= 0` lets some optimum do without `r`, and `d(r, r') < 0` makes every optimum do without it.
//! `d` satisfies the triangle inequality (each of its terms does), so a column dominated by a removed one is
//! dominated by a kept one. Around a cycle of dominated columns all `d` sum to at most 0 while the sizes cancel, so
//! all differences weigh nothing: then the first in the order below is kept.
//!
//! **Equal rows.** Examples of one side that are covered by the same kept columns are right or wrong together:
//! they become one, with the sum of their weights. A negative that one column covers alone is part of that
//! column's price; an example that no column covers is a constant.
//!
//! Finding dominators: columns go by size, then most positives, then fewest negatives, which puts every dominator
//! before what it dominates. A dominator of `r` misses at most `k` of its positives, where `k` is what the largest
//! difference of sizes pays for, so it is in one of the kept-column lists of any `k + 1` positives of `r`: the
//! shortest lists are read, and weights are compared before bitsets. The pass may stop at any time and keep the rest,
//! which it does at a limit of work and memory.

use super::problem::{ColumnId, Problem};
use crate::budget::Budget;
use crate::index::narrow;
use crate::sets::ones;
use rustc_hash::FxHashMap;

/// Columns with equal coverage, of which the smallest stands for all.
#[derive(Debug, Clone)]
pub(super) struct ColumnClass {
    /// The first of the smallest.
    pub member: ColumnId,
    /// Its size, and the negatives that only it covers, as one number.
    pub price: i128,
}

/// Examples of one side that the same classes cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowClass {
    /// What getting the examples wrong costs, as one number.
    pub price: i128,
    /// The classes that cover them, ascending; positions in [`Reduced::classes`].
    pub classes: Vec<u32>,
    /// The examples, by their numbers among those of their side.
    pub examples: Vec<u32>,
}

/// A column that some optimum does without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Removed {
    pub column: ColumnId,
    /// A member of a class that does as well in its place; `None` if nothing does, its positives not being worth its size.
    pub by: Option<ColumnId>,
}

/// Where the price of a negative goes that one class alone covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnNegatives {
    /// Into the price of the class: fewer rows.
    InPrices,
    /// Into a row like any other, so that prices of classes are sizes and nothing else.
    InRows,
}

/// The reduced problem. The cost of a set of classes here is that of its columns in the problem, or less where examples
/// had to be left out for memory.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    pub classes: Vec<ColumnClass>,
    pub positives: Vec<RowClass>,
    pub negatives: Vec<RowClass>,
    /// The cost of the positives that no class covers.
    pub constant: i128,
    /// The columns that are members of no class and stand for none.
    pub removed: Vec<Removed>,
}

/// Words of bitset that the search for dominators may compare: about a second.
const DOMINANCE_WORDS: u64 = 1 << 30;

/// Entries that its lists may hold: 64 MB.
const DOMINANCE_ENTRIES: usize = 1 << 24;

/// Classes whose covers are read between two looks at the budget.
const CLASSES_PER_CHECK: usize = 1024;

/// Entries that the rows may hold; each costs the solver about 40 bytes.
const ROW_ENTRIES: usize = 1 << 23;

impl Reduced {
    /// Reduce `problem`. The budget may cut the search for dominators short; the result is sound all the same.
    pub fn new(problem: &Problem, budget: &Budget) -> Self {
        Reduced::with(problem, OwnNegatives::InPrices, budget)
    }

    /// The same, with negatives that one class alone covers where they are wanted.
    pub fn with(problem: &Problem, own: OwnNegatives, budget: &Budget) -> Self {
        let (classes, mut removed) = classes(problem);
        let classes = undominated(problem, classes, &mut removed, budget);
        let entries = budget
            .memory_allowance()
            .map_or(ROW_ENTRIES, |bytes| ROW_ENTRIES.min(usize::try_from(bytes / 80).unwrap_or(ROW_ENTRIES)));
        Reduced { removed, ..rows(problem, classes, (entries, own), budget) }
    }
}

/// A class with what its comparison with others needs.
struct ComparedClass {
    member: ColumnId,
    size: u32,
    tp: u64,
    fp: u64,
}

/// Group columns with equal covers and drop the useless: of each group the first of the smallest size is kept. What is not, and
/// the first of its group, if that is worth something.
fn classes(problem: &Problem) -> (Vec<ComparedClass>, Vec<Removed>) {
    // Equal covers meet by hash, which touches each once; should two covers share a hash, a class may come apart, and
    // dominance or the ties see to its parts.
    let mut order: Vec<(u64, u32, ColumnId)> =
        problem.ids().map(|id| (hash(problem.cover(id)), problem.size(id), id)).collect();
    order.sort_unstable();
    let order: Vec<ColumnId> = order.into_iter().map(|(_, _, id)| id).collect();
    let (mut entries, mut removed): (Vec<ComparedClass>, Vec<Removed>) = (Vec::new(), Vec::new());
    for group in order.chunk_by(|&a, &b| problem.cover(a) == problem.cover(b)) {
        let (first, size) = (group[0], problem.size(group[0]));
        let tp = problem.weights().pos.of(problem.pos(first));
        let relief = problem.objective().size * i128::from(size) - problem.objective().fn_ * i128::from(tp);
        if relief >= 0 {
            removed.extend(group.iter().map(|&column| Removed { column, by: None }));
            continue;
        }
        removed.extend(group[1..].iter().map(|&column| Removed { column, by: Some(first) }));
        let fp = problem.weights().neg.of(problem.neg(first));
        entries.push(ComparedClass { member: first, size, tp, fp });
    }
    (entries, removed)
}

/// The multiply-and-rotate hash of the Rust compiler, spelled out so that it is the same everywhere.
fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, &word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
}

/// The classes that no other makes superfluous. The others are removed, and what they stood for goes with them.
fn undominated(
    problem: &Problem,
    mut entries: Vec<ComparedClass>,
    removed: &mut Vec<Removed>,
    budget: &Budget,
) -> Vec<ComparedClass> {
    entries.sort_by(|a, b| (a.size, b.tp, a.fp, a.member).cmp(&(b.size, a.tp, b.fp, b.member)));
    let Some(smallest) = entries.first().map(|entry| entry.size) else { return entries };
    let objective = *problem.objective();
    let positives = problem.weights().pos.each();
    let lightest = positives.iter().filter(|&&weight| weight > 0).min().map_or(1, |&weight| i128::from(weight));
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); positives.len()];
    let (mut indexed, mut work) = (0, 0u64);
    let mut kept: Vec<ComparedClass> = Vec::new();
    let mut dominator: FxHashMap<ColumnId, ColumnId> = FxHashMap::default();
    for entry in entries {
        let over = work > DOMINANCE_WORDS || budget.check().is_some();
        let id = entry.member;
        let mut own: Vec<u32> = ones(problem.pos(id)).map(narrow).filter(|&at| positives[at as usize] > 0).collect();
        if !over {
            let paid = objective.size * i128::from(entry.size - smallest) / (objective.fn_ * lightest);
            let reads = usize::try_from(paid + 1).unwrap_or(usize::MAX).min(own.len());
            own.sort_by_key(|&at| lists[at as usize].len());
            let mut others = own[..reads].iter().flat_map(|&at| &lists[at as usize]);
            if let Some(&by) = others.find(|at| dominates(problem, &kept[**at as usize], &entry, &mut work)) {
                dominator.insert(id, kept[by as usize].member);
                continue;
            }
        }
        if !over && indexed + own.len() <= DOMINANCE_ENTRIES {
            indexed += own.len();
            own.iter().for_each(|&at| lists[at as usize].push(narrow(kept.len())));
        }
        kept.push(entry);
    }
    // `d` satisfies the triangle inequality, so what dominates the first of a group dominates the group.
    for removed in removed.iter_mut() {
        removed.by = removed.by.map(|first| dominator.get(&first).copied().unwrap_or(first));
    }
    removed.extend(dominator.into_iter().map(|(column, by)| Removed { column, by: Some(by) }));
    removed.sort_unstable_by_key(|removed| removed.column);
    kept
}

/// Whether `by` makes `entry` superfluous: `d(entry, by) <= 0`.
fn dominates(problem: &Problem, by: &ComparedClass, entry: &ComparedClass, work: &mut u64) -> bool {
    let objective = problem.objective();
    let saved = objective.size * (i128::from(entry.size) - i128::from(by.size));
    let price = |missed: u64, covered: u64| objective.fn_ * i128::from(missed) + objective.fp * i128::from(covered);
    *work += 1;
    if saved < 0 || price(entry.tp.saturating_sub(by.tp), by.fp.saturating_sub(entry.fp)) > saved {
        return false;
    }
    *work += problem.sides().words() as u64;
    let (id, by) = (entry.member, by.member);
    let missed = problem.weights().pos.of_and_not(problem.pos(id), problem.pos(by));
    if price(missed, 0) > saved {
        return false;
    }
    price(missed, problem.weights().neg.of_and_not(problem.neg(by), problem.neg(id))) <= saved
}

/// Turn what classes cover into rows, examples with the classes that cover them, of at most `limit` entries; rows that do not fit
/// are left out, which only lowers costs. Positives go first, without which there is no bound at all, then the negatives with the
/// shortest rows.
///
/// When the budget is over, all are left out.
fn rows(
    problem: &Problem,
    entries: Vec<ComparedClass>,
    (limit, own): (usize, OwnNegatives),
    budget: &Budget,
) -> Reduced {
    let objective = problem.objective();
    let mut classes: Vec<ColumnClass> = entries
        .into_iter()
        .map(|entry| ColumnClass { price: objective.size * i128::from(entry.size), member: entry.member })
        .collect();
    let covered = |class: &ColumnClass, positive: bool| {
        let id = class.member;
        ones(if positive { problem.pos(id) } else { problem.neg(id) }).map(narrow::<_, u32>)
    };
    let mut left = limit;
    let mut side = |classes: &[ColumnClass], weights: &[u32], unit: i128, positive: bool| -> Vec<RowClass> {
        let Some(blocks) = alike(classes, weights.len(), |class| covered(class, positive), budget) else {
            return Vec::new();
        };
        let mut rows: Vec<Option<Vec<u32>>> = vec![None; blocks.firsts.len()];
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&block| blocks.lengths[block]);
        for block in order {
            if blocks.lengths[block] <= left {
                left -= blocks.lengths[block];
                rows[block] = Some(Vec::with_capacity(blocks.lengths[block]));
            }
        }
        for (index, class) in classes.iter().enumerate() {
            if index % CLASSES_PER_CHECK == 0 && budget.check().is_some() {
                return Vec::new();
            }
            for at in covered(class, positive) {
                let block = blocks.of[at as usize] as usize;
                if blocks.firsts[block] == at {
                    rows[block].iter_mut().for_each(|row| row.push(narrow(index)));
                }
            }
        }
        let mut members = vec![(0, Vec::new()); rows.len()];
        for (at, (&block, &weight)) in blocks.of.iter().zip(weights).enumerate() {
            let (price, examples) = &mut members[block as usize];
            *price += unit * i128::from(weight);
            examples.push(narrow(at));
        }
        let priced = rows.into_iter().zip(members).filter(|(_, (price, _))| *price > 0);
        let row = |(classes, (price, examples)): (Option<_>, _)| Some(RowClass { price, classes: classes?, examples });
        let mut rows: Vec<RowClass> = priced.filter_map(row).collect();
        rows.sort_by(|a, b| a.classes.len().cmp(&b.classes.len()).then_with(|| a.classes.cmp(&b.classes)));
        rows
    };
    let mut positives = side(&classes, problem.weights().pos.each(), objective.fn_, true);
    let mut negatives = side(&classes, problem.weights().neg.each(), objective.fp, false);
    let constant = positives.iter().filter(|row| row.classes.is_empty()).map(|row| row.price).sum();
    positives.retain(|row| !row.classes.is_empty());
    negatives.retain(|row| match row.classes[..] {
        [] => false,
        [only] if own == OwnNegatives::InPrices => {
            classes[only as usize].price += row.price;
            false
        }
        _ => true,
    });
    Reduced { classes, positives, negatives, constant, removed: Vec::new() }
}

/// Examples of one side, in blocks of those that the same classes cover.
struct Blocks {
    /// The block of each example.
    of: Vec<u32>,
    /// The first example of each block.
    firsts: Vec<u32>,
    /// How many classes cover it.
    lengths: Vec<usize>,
}

/// Put examples that the same classes cover together: class after class splits every block in what it covers and the rest.
/// `None` if the budget is over.
fn alike<I: Iterator<Item = u32>>(
    classes: &[ColumnClass],
    examples: usize,
    covered: impl Fn(&ColumnClass) -> I,
    budget: &Budget,
) -> Option<Blocks> {
    let mut of = vec![0u32; examples];
    // How many classes cover a block; the class that split it last, and into what.
    let mut lengths = vec![0usize];
    let mut splits = vec![(u32::MAX, 0u32)];
    for (index, class) in classes.iter().enumerate() {
        if index % CLASSES_PER_CHECK == 0 && budget.check().is_some() {
            return None;
        }
        let index: u32 = narrow(index);
        for at in covered(class) {
            let block = of[at as usize] as usize;
            if splits[block].0 != index {
                splits[block] = (index, narrow(lengths.len()));
                lengths.push(lengths[block] + 1);
                splits.push((u32::MAX, 0));
            }
            of[at as usize] = splits[block].1;
        }
    }
    // Blocks that have become empty are left out.
    let mut names = vec![u32::MAX; lengths.len()];
    let (mut firsts, mut kept) = (Vec::new(), Vec::new());
    for (at, block) in of.iter_mut().enumerate() {
        if names[*block as usize] == u32::MAX {
            names[*block as usize] = narrow(firsts.len());
            firsts.push(narrow(at));
            kept.push(lengths[*block as usize]);
        }
        *block = names[*block as usize];
    }
    Some(Blocks { of, firsts, lengths: kept })
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{random_problem, rng};
    use super::*;
    use crate::cost::Cost;
    use std::collections::BTreeSet;

    /// `d(r, r')`, written down from the module's text, one example at a time.
    fn d(problem: &Problem, r: ColumnId, by: ColumnId) -> i128 {
        let bit = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1 == 1;
        let weigh = |weights: &[u32], a: &[u64], b: &[u64]| -> i128 {
            (0..weights.len()).filter(|&at| bit(a, at) && !bit(b, at)).map(|at| i128::from(weights[at])).sum()
        };
        let objective = problem.objective();
        objective.fn_ * weigh(problem.weights().pos.each(), problem.pos(r), problem.pos(by))
            + objective.fp * weigh(problem.weights().neg.each(), problem.neg(by), problem.neg(r))
            + objective.size * (i128::from(problem.size(by)) - i128::from(problem.size(r)))
    }

    #[test]
    fn what_is_kept_is_not_dominated_and_what_is_removed_is() {
        for seed in 0..600 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 60, 30);
            let reduced = Reduced::new(&problem, &Budget::unlimited());
            let kept: Vec<ColumnId> = reduced.classes.iter().map(|class| class.member).collect();
            for id in problem.ids() {
                let others = kept.iter().filter(|&&by| by != id);
                let tp = problem.weights().pos.of(problem.pos(id));
                let drop = problem.objective().fn_ * i128::from(tp) - i128::from(problem.size(id));
                let superfluous = drop <= 0 || others.into_iter().any(|&by| d(&problem, id, by) <= 0);
                assert_eq!(kept.contains(&id), !superfluous, "seed {seed}, {id:?}");
            }
            for removed in &reduced.removed {
                let worth = problem.objective().fn_ * i128::from(problem.weights().pos.of(problem.pos(removed.column)));
                let price = problem.objective().size * i128::from(problem.size(removed.column));
                let excess = removed.by.map_or(worth - price, |by| d(&problem, removed.column, by));
                assert!(excess <= 0 && removed.by.is_none_or(|by| kept.contains(&by)), "seed {seed}, {removed:?}");
            }
            let all = kept.iter().copied().chain(reduced.removed.iter().map(|removed| removed.column));
            assert!(all.collect::<BTreeSet<_>>().into_iter().eq(problem.ids()), "seed {seed}: each is kept or removed");
        }
    }

    #[test]
    fn rows_add_up_to_the_cost_of_any_set() {
        for seed in 0..300 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 30, 60);
            let reduced = Reduced::new(&problem, &Budget::unlimited());
            let mut next = rng(seed);
            let set: Vec<u32> = (0..reduced.classes.len() as u32).filter(|_| next(3) == 0).collect();
            let hit = |row: &RowClass| row.classes.iter().any(|class| set.contains(class));
            let paid: i128 = set.iter().map(|&class| reduced.classes[class as usize].price).sum();
            let missed: i128 = reduced.positives.iter().filter(|row| !hit(row)).map(|row| row.price).sum();
            let covered: i128 = reduced.negatives.iter().filter(|row| hit(row)).map(|row| row.price).sum();
            let real = problem.evaluate(set.iter().map(|&class| reduced.classes[class as usize].member));
            assert_eq!(reduced.constant + paid + missed + covered, problem.number(&real), "seed {seed}");
        }
    }

    #[test]
    fn rows_that_do_not_fit_only_lower_the_cost() {
        let problem = random_problem(&mut rng(9), Cost::Mdl, 200, 200);
        let budget = Budget::unlimited();
        let entries = || undominated(&problem, classes(&problem).0, &mut Vec::new(), &budget);
        let whole = rows(&problem, entries(), (usize::MAX, OwnNegatives::InPrices), &budget);
        let count = |reduced: &Reduced| -> usize {
            let sides = reduced.positives.iter().chain(&reduced.negatives);
            sides.map(|row| row.classes.len()).sum()
        };
        let price = |rows: &[RowClass]| rows.iter().map(|row| row.price).sum::<i128>();
        for limit in [0, 10, count(&whole) / 2] {
            let cut = rows(&problem, entries(), (limit, OwnNegatives::InPrices), &budget);
            assert!(count(&cut) <= limit);
            assert!(price(&cut.positives) <= price(&whole.positives));
            assert!(price(&cut.negatives) <= price(&whole.negatives));
        }
    }
}
