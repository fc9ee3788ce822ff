//! For the tests of this room: random problems, and the slow, obvious twin of every solver in it.

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

impl Problem {
    /// Add a column of a problem over the same examples.
    pub(super) fn copy_column(&mut self, of: &Problem, id: ColumnId) -> ColumnId {
        self.add(of.size(id), &Cover::from_words(of.sides(), of.cover(id)))
    }
}
