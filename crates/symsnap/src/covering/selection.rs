//! A set of columns under change: its number, and what every add or drop would do to it, without evaluating anything
//! from scratch.
//!
//! Kept are two bitsets over all examples, covered at least once and at least twice. Adding a column changes `fn` by
//! the weight of its positives outside `once`, dropping one by the weight of its positives in `once` but not `twice`;
//! negatives alike. Rejected: a counter per example and a gain per column, updated over the examples' column
//! lists; on coverage as dense as that of rules one such update touches as many words as a scan of all covers, and the
//! lists need 32 times the memory of the covers.

use super::problem::{ColumnId, Problem};
use crate::sets::Masked;

/// A set of columns with what it covers.
#[derive(Debug, Clone)]
pub(super) struct ColumnSelection {
    chosen: Vec<ColumnId>,
    once: Vec<u64>,
    twice: Vec<u64>,
    number: i128,
}

/// What is not covered, cut into weight planes: the price list for adds.
#[derive(Debug, Clone, Default)]
pub(super) struct Uncovered {
    pos: Masked,
    neg: Masked,
}

impl ColumnSelection {
    /// The set of `chosen`.
    pub fn new(problem: &Problem, chosen: &[ColumnId]) -> Self {
        let words = problem.sides().words();
        let number = problem.number(&problem.evaluate([]));
        let mut selection = ColumnSelection { chosen: Vec::new(), once: vec![0; words], twice: vec![0; words], number };
        for &id in chosen {
            selection.add(problem, id);
        }
        selection
    }

    /// The columns, in the order they were added.
    pub fn chosen(&self) -> &[ColumnId] {
        &self.chosen
    }

    /// The cost of the set as one number.
    pub fn number(&self) -> i128 {
        self.number
    }

    /// Become `other` without allocating.
    pub fn copy_from(&mut self, other: &ColumnSelection) {
        self.chosen.clone_from(&other.chosen);
        self.once.clone_from(&other.once);
        self.twice.clone_from(&other.twice);
        self.number = other.number;
    }

    /// Prepare [`ColumnSelection::gain`] and [`ColumnSelection::ratio`] for this set.
    pub fn open(&self, problem: &Problem, open: &mut Uncovered) {
        let (pos, neg) = self.once.split_at(problem.sides().pos_words());
        problem.weights().pos.without(pos, &mut open.pos);
        problem.weights().neg.without(neg, &mut open.neg);
    }

    /// How many times its price, in newly covered negatives and size, `id`, not in the set, is worth in newly covered
    /// positives; `None` if that is not above `floor`, which its positives alone often show.
    #[inline]
    pub fn ratio(problem: &Problem, open: &Uncovered, id: ColumnId, floor: f64) -> Option<f64> {
        let (pos, neg) = problem.halves(id);
        let objective = problem.objective();
        let (worth, size) =
            (objective.fn_ * i128::from(open.pos.weigh(pos)), objective.size * i128::from(problem.size(id)));
        let times = |price: i128| Some(worth as f64 / price as f64).filter(|ratio| *ratio > floor);
        times(size).and_then(|_| times(size + objective.fp * i128::from(open.neg.weigh(neg))))
    }

    /// How much the number falls when `id`, not in the set, is added; `None` if that is not above `floor`, which its
    /// positives alone often show.
    #[inline]
    pub fn gain(problem: &Problem, open: &Uncovered, id: ColumnId, floor: Option<i128>) -> Option<i128> {
        let (pos, neg) = problem.halves(id);
        let objective = problem.objective();
        let above = |gain: &i128| floor.is_none_or(|floor| *gain > floor);
        let most = objective.fn_ * i128::from(open.pos.weigh(pos)) - objective.size * i128::from(problem.size(id));
        Some(most).filter(above).map(|most| most - objective.fp * i128::from(open.neg.weigh(neg))).filter(above)
    }

    /// How much the number falls when the member `id` is dropped.
    pub fn relief(&self, problem: &Problem, id: ColumnId) -> i128 {
        let row = problem.cover(id);
        let split = problem.halves(id).0.len();
        let sole = |at: usize| row[at] & self.once[at] & !self.twice[at];
        let tp = problem.weights().pos.of_words(split, sole);
        let fp = problem.weights().neg.of_words(row.len() - split, |at| sole(split + at));
        let objective = problem.objective();
        objective.fp * i128::from(fp) + objective.size * i128::from(problem.size(id)) - objective.fn_ * i128::from(tp)
    }

    /// Put `id` in, unless it is.
    pub fn add(&mut self, problem: &Problem, id: ColumnId) {
        if self.chosen.contains(&id) {
            return;
        }
        self.chosen.push(id);
        for ((&row, once), twice) in problem.cover(id).iter().zip(&mut self.once).zip(&mut self.twice) {
            *twice |= *once & row;
            *once |= row;
        }
        // Adding is the reverse of dropping what was just added.
        self.number += self.relief(problem, id);
    }

    /// Take the member at position `at` out.
    pub fn drop_at(&mut self, problem: &Problem, at: usize) -> ColumnId {
        self.number -= self.relief(problem, self.chosen[at]);
        let id = self.chosen.remove(at);
        self.once.fill(0);
        self.twice.fill(0);
        for &member in &self.chosen {
            for ((&row, once), twice) in problem.cover(member).iter().zip(&mut self.once).zip(&mut self.twice) {
                *twice |= *once & row;
                *once |= row;
            }
        }
        id
    }
}
