//! For the tests of this room: random problems, and the slow, obvious oracle of every solver and theorem in it.

use super::problem::{ColumnId, Problem, Solution};
use crate::cost::Cost;
use crate::sets::{Cover, Sides};

/// A stream of numbers below a bound, the same for the same seed.
pub(super) fn rng(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x1234_5678_9abc_def1);
    move |bound| {
        // xorshift64*: not the generator under test.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        ((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound.max(1) as u64) as usize
    }
}

/// At most `columns` columns (about that many if large) over at most `examples` examples: dense and sparse rules,
/// subsets and copies of other rules, contested negatives, and weights that are one, small, zero or huge.
pub(super) fn random_problem(
    next: &mut impl FnMut(usize) -> usize,
    cost: Cost,
    columns: usize,
    examples: usize,
) -> Problem {
    let count = if columns > 100 { columns } else { next(columns + 1) };
    let positives = if examples > 100 { examples / 2 } else { next(examples / 2 + 1) };
    let negatives = if examples > 100 { examples / 2 } else { next(examples / 2 + 1) };
    let kind = next(4);
    let mut weights = |n: usize| -> Vec<u32> {
        (0..n)
            .map(|_| match kind {
                0 | 1 => 1,
                2 => next(4) as u32,
                _ => [1, 7, 1000, 40_000_000][next(4)],
            })
            .collect()
    };
    let (pos, neg) = (weights(positives), weights(negatives));
    let mut problem = Problem::new(cost, &pos, &neg).expect("these weights fit");
    let mut rows: Vec<(u32, Cover)> = Vec::new();
    for _ in 0..count {
        let mut size = 1 + next(6) as u32;
        let mut cover = Cover::empty(Sides::new(positives, negatives));
        let (density, noise) = (1 + next(6), 1 + next(8));
        (0..positives).filter(|_| next(8) < density).for_each(|at| cover.insert(at));
        (0..negatives).filter(|_| next(12) < noise).for_each(|at| cover.insert_negative(at));
        if !rows.is_empty() && next(3) == 0 {
            let (other_size, other) = &rows[next(rows.len())];
            match next(3) {
                0 => cover = other.clone(),
                1 => (size, cover) = (*other_size, other.clone()),
                _ => cover.retain(|at| other.contains(at)),
            }
        }
        problem.add(size, &cover);
        rows.push((size, cover));
    }
    problem
}

/// All optimal sets, by trying every subset; in ascending order of their columns.
pub(super) fn brute_force(problem: &Problem) -> Vec<Solution> {
    assert!(problem.len() <= 16, "2^{} subsets are too many", problem.len());
    let subsets = (0u32..1 << problem.len())
        .map(|subset| problem.evaluate((0..problem.len()).filter(|at| subset >> at & 1 == 1).map(ColumnId::new)));
    let mut best: Vec<Solution> = Vec::new();
    for solution in subsets {
        match best.first().map(|best| solution.value.cmp(&best.value)) {
            None | Some(std::cmp::Ordering::Less) => best = vec![solution],
            Some(std::cmp::Ordering::Equal) => best.push(solution),
            Some(std::cmp::Ordering::Greater) => {}
        }
    }
    best.sort_by(|a, b| a.chosen.cmp(&b.chosen));
    best
}

/// Every subset of some columns.
pub(super) fn sets_of(columns: &[ColumnId]) -> impl Iterator<Item = Vec<ColumnId>> + '_ {
    assert!(columns.len() <= 16, "2^{} subsets are too many", columns.len());
    let chosen = |subset: u32| (0..columns.len()).filter(move |at| subset >> at & 1 == 1).map(|at| columns[at]);
    (0u32..1 << columns.len()).map(move |subset| chosen(subset).collect())
}

/// Every set of columns of a problem that has this one.
pub(super) fn each_set_with(problem: &Problem, id: ColumnId) -> impl Iterator<Item = Vec<ColumnId>> {
    let others: Vec<ColumnId> = problem.ids().filter(|&other| other != id).collect();
    let sets: Vec<Vec<ColumnId>> = sets_of(&others).collect();
    sets.into_iter().map(move |mut set| {
        set.push(id);
        set
    })
}

/// A set without one of its columns.
pub(super) fn without(set: &[ColumnId], id: ColumnId) -> Vec<ColumnId> {
    set.iter().copied().filter(|&other| other != id).collect()
}

/// Consistent rules, each a size and its positives as bits, of which some are known; unknown ones have at least the size
/// `next`. The best hypothesis of known rules covers `all` with the size `limit + 1`.
pub(super) struct Unknown {
    pub known: Vec<(u64, u64)>,
    pub unknown: Vec<(u64, u64)>,
    pub all: u64,
    pub limit: u64,
    pub next: u64,
}

/// Such rules, such that known ones cover everything.
pub(super) fn unknown_rules(draw: &mut impl FnMut(usize) -> usize) -> Unknown {
    let positives = 3 + draw(6);
    let all = (1u64 << positives) - 1;
    let next = 3 + draw(3) as u64;
    let mut rule = |least: u64, more: usize| {
        let density = 2 + draw(5);
        let pos = (0..positives).filter(|_| draw(8) < density).fold(0, |pos, at| pos | 1 << at);
        (least + draw(more) as u64, pos)
    };
    let mut known: Vec<(u64, u64)> = (0..5).map(|_| rule(2, 4)).collect();
    let left = known.iter().fold(all, |left, (_, pos)| left & !pos);
    known.push((3, left));
    let unknown = (0..4).map(|_| rule(next, 3)).collect();
    let sizes = better_sets(&known, all, u64::MAX).map(|set| set.iter().map(|(size, _)| size).sum::<u64>());
    let limit = sizes.min().expect("the known rules cover everything") - 1;
    Unknown { known, unknown, all, limit, next }
}

/// Every set of rules that covers `all` with sizes that sum to at most `limit`.
pub(super) fn better_sets(rules: &[(u64, u64)], all: u64, limit: u64) -> impl Iterator<Item = Vec<(u64, u64)>> + '_ {
    let chosen = |subset: u32| (0..rules.len()).filter(move |at| subset >> at & 1 == 1).map(|at| rules[at]);
    (1u32..1 << rules.len()).map(move |subset| chosen(subset).collect::<Vec<_>>()).filter(move |set| {
        let pos = set.iter().fold(0, |covered, (_, pos)| covered | pos);
        pos == all && set.iter().map(|(size, _)| size).sum::<u64>() <= limit
    })
}

impl Problem {
    /// Take the last column out.
    pub(super) fn pop(&mut self) {
        let ids: Vec<ColumnId> = self.ids().take(self.len() - 1).collect();
        let mut shorter =
            Problem::new(self.cost(), self.weights().pos.each(), self.weights().neg.each()).expect("fits");
        ids.iter().for_each(|&id| {
            shorter.copy_column(self, id);
        });
        *self = shorter;
    }

    /// Add a column that covers the positives of another and no negatives.
    pub(super) fn copy_positives(&mut self, id: ColumnId) -> ColumnId {
        let cover = Cover::from_words(self.sides(), self.cover(id)).positives_only();
        self.add(self.size(id), &cover)
    }

    /// Add a column of a problem over the same examples.
    pub(super) fn copy_column(&mut self, of: &Problem, id: ColumnId) -> ColumnId {
        self.add(of.size(id), &Cover::from_words(of.sides(), of.cover(id)))
    }
}
