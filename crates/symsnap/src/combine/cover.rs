//! A set of candidates under change: its number, and what every add or drop would do to it, without evaluating anything
//! from scratch.
//!
//! Kept are two bitsets over all examples, covered at least once and at least twice. Adding a candidate changes `fn` by
//! the weight of its positives outside `once`, dropping one by the weight of its positives in `once` but not `twice`;
//! negatives alike. Rejected: a counter per example and a gain per candidate, updated over the examples' candidate
//! lists; on coverage as dense as that of rules one such update touches as many words as a scan of all rows, and the
//! lists need 32 times the memory of the rows.

use super::planes::Masked;
use super::problem::{CandidateId, Problem};

/// A set of candidates with what it covers.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    chosen: Vec<CandidateId>,
    once: Vec<u64>,
    twice: Vec<u64>,
    number: i128,
}

/// What is not covered, cut into weight planes: the price list for adds.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    pos: Masked,
    neg: Masked,
}

impl Cover {
    /// The set of `chosen`.
    pub fn new(problem: &Problem, chosen: &[CandidateId]) -> Self {
        let words = problem.stride();
        let number = problem.number(&problem.evaluate([]));
        let mut cover = Cover { chosen: Vec::new(), once: vec![0; words], twice: vec![0; words], number };
        for &id in chosen {
            cover.add(problem, id);
        }
        cover
    }

    /// The candidates, in the order they were added.
    pub fn chosen(&self) -> &[CandidateId] {
        &self.chosen
    }

    /// The cost of the set as one number.
    pub fn number(&self) -> i128 {
        self.number
    }

    /// Become `other` without allocating.
    pub fn copy_from(&mut self, other: &Cover) {
        self.chosen.clone_from(&other.chosen);
        self.once.clone_from(&other.once);
        self.twice.clone_from(&other.twice);
        self.number = other.number;
    }

    /// Prepare [`Cover::gain`] and [`Cover::ratio`] for this set.
    pub fn open(&self, problem: &Problem, open: &mut Open) {
        let (pos, neg) = self.once.split_at(problem.positive_words());
        problem.positive_planes().mask_not(pos, &mut open.pos);
        problem.negative_planes().mask_not(neg, &mut open.neg);
    }

    /// How many times its price, in newly covered negatives and size, `id`, not in the set, is worth in newly covered
    /// positives; `None` if that is not above `floor`, which its positives alone often show.
    #[inline]
    pub fn ratio(problem: &Problem, open: &Open, id: CandidateId, floor: f64) -> Option<f64> {
        let (pos, neg) = problem.row(id).split_at(problem.positive_words());
        let scale = problem.scale();
        let (worth, size) = (scale.missed * i128::from(open.pos.weigh(pos)), scale.size * i128::from(problem.size(id)));
        let times = |price: i128| Some(worth as f64 / price as f64).filter(|ratio| *ratio > floor);
        times(size).and_then(|_| times(size + scale.covered * i128::from(open.neg.weigh(neg))))
    }

    /// How much the number falls when `id`, not in the set, is added; `None` if that is not above `floor`, which its
    /// positives alone often show.
    #[inline]
    pub fn gain(problem: &Problem, open: &Open, id: CandidateId, floor: Option<i128>) -> Option<i128> {
        let (pos, neg) = problem.row(id).split_at(problem.positive_words());
        let scale = problem.scale();
        let above = |gain: &i128| floor.is_none_or(|floor| *gain > floor);
        let most = scale.missed * i128::from(open.pos.weigh(pos)) - scale.size * i128::from(problem.size(id));
        Some(most).filter(above).map(|most| most - scale.covered * i128::from(open.neg.weigh(neg))).filter(above)
    }

    /// How much the number falls when the member `id` is dropped.
    pub fn relief(&self, problem: &Problem, id: CandidateId) -> i128 {
        let split = problem.positive_words();
        let row = problem.row(id);
        let sole = |at: usize| row[at] & self.once[at] & !self.twice[at];
        let tp = problem.positive_planes().sum(split, sole);
        let fp = problem.negative_planes().sum(row.len() - split, |at| sole(split + at));
        let scale = problem.scale();
        scale.covered * i128::from(fp) + scale.size * i128::from(problem.size(id)) - scale.missed * i128::from(tp)
    }

    /// Put `id` in, unless it is.
    pub fn add(&mut self, problem: &Problem, id: CandidateId) {
        if self.chosen.contains(&id) {
            return;
        }
        self.chosen.push(id);
        for ((&row, once), twice) in problem.row(id).iter().zip(&mut self.once).zip(&mut self.twice) {
            *twice |= *once & row;
            *once |= row;
        }
        // Adding is the reverse of dropping what was just added.
        self.number += self.relief(problem, id);
    }

    /// Take the member at position `at` out.
    pub fn drop_at(&mut self, problem: &Problem, at: usize) -> CandidateId {
        self.number -= self.relief(problem, self.chosen[at]);
        let id = self.chosen.remove(at);
        self.once.fill(0);
        self.twice.fill(0);
        for &member in &self.chosen {
            for ((&row, once), twice) in problem.row(member).iter().zip(&mut self.once).zip(&mut self.twice) {
                *twice |= *once & row;
                *once |= row;
            }
        }
        id
    }
}
