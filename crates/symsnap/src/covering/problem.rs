//! The covering problem itself: weighted examples, an objective, and columns that are nothing but a size and the examples they
//! cover. It only grows; what is a good choice is for the other files of this room to say.
//!
//! The covers of all columns lie in one flat array of words, because the scans of the local search and of the reduction are
//! limited by memory: 100,000 columns over 5,000 examples take 64 MB.

use crate::cost::{Confusion, Cost, CostValue, Objective, SIZE_LIMIT};
use crate::error::Result;
use crate::index::index_type;
use crate::sets::{Cover, CoverRows, Sides, Weights};
use std::sync::Arc;

index_type! {
    /// A column of a [`Problem`], by number.
    pub struct ColumnId;
}

/// A set of columns with everything that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The columns, ascending.
    pub chosen: Vec<ColumnId>,
    /// What the union of their coverage does with the examples.
    pub confusion: Confusion,
    /// The sum of their sizes.
    pub size: u64,
    /// The cost that the problem minimises.
    pub value: CostValue,
}

/// Columns over weighted examples, and the cost that a set of them is to minimise.
///
/// ```
/// use symsnap::{Cost, CostValue};
/// use symsnap::internals::covering::Problem;
/// use symsnap::internals::sets::{Cover, Sides};
///
/// let mut problem = Problem::new(Cost::Mdl, &[1, 1, 1, 1], &[1])?;
/// let rule = problem.add(2, &Cover::full(Sides::new(4, 1)).positives_only());
/// assert_eq!(problem.evaluate([]).value, CostValue(vec![4]));
/// assert_eq!(problem.evaluate([rule]).value, CostValue(vec![2]));
/// # Ok::<(), symsnap::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    objective: Objective,
    weights: Arc<Weights>,
    sizes: Vec<u32>,
    total_size: u64,
    covers: CoverRows,
}

impl Problem {
    /// No columns yet, over examples with these weights.
    ///
    /// # Errors
    /// If the weights are so large that the cost does not fit in 128 bits.
    pub fn new(cost: Cost, positive_weights: &[u32], negative_weights: &[u32]) -> Result<Self> {
        Problem::over(cost, Weights::new(positive_weights, negative_weights))
    }

    /// The same, given all weights.
    ///
    /// # Errors
    /// If the weights are so large that the cost does not fit in 128 bits.
    pub fn over(cost: Cost, weights: Weights) -> Result<Self> {
        let objective = Objective::new(cost, weights.pos.total(), weights.neg.total())?;
        Ok(Problem {
            objective,
            covers: CoverRows::new(weights.sides()),
            weights: Arc::new(weights),
            sizes: Vec::new(),
            total_size: 0,
        })
    }

    /// One more column.
    ///
    /// # Panics
    /// If the cover does not range over the problem's examples, if the size is 0, or if the sizes of all columns
    /// together reach 2^32.
    pub fn add(&mut self, size: u32, cover: &Cover) -> ColumnId {
        assert_eq!(cover.sides(), self.sides(), "a column covers this problem's examples");
        assert!(size >= 1, "a rule has a head, so its size is at least 1");
        self.total_size += u64::from(size);
        assert!(self.total_size < SIZE_LIMIT, "the sizes of all columns stay below 2^32");
        let id = ColumnId::new(self.sizes.len());
        self.sizes.push(size);
        self.covers.push(cover.words());
        id
    }

    /// The cost that is minimised.
    pub fn cost(&self) -> Cost {
        self.objective.cost()
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// All columns, in the order they came.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ColumnId> + use<> {
        (0..self.sizes.len()).map(ColumnId::new)
    }

    /// The size of a column; at least 1.
    pub fn size(&self, id: ColumnId) -> u32 {
        self.sizes[id.index()]
    }

    /// The set of these columns, evaluated from scratch. Repetitions count once.
    pub fn evaluate(&self, chosen: impl IntoIterator<Item = ColumnId>) -> Solution {
        let mut chosen: Vec<ColumnId> = chosen.into_iter().collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut union = vec![0; self.sides().words()];
        for &id in &chosen {
            union.iter_mut().zip(self.cover(id)).for_each(|(word, &with)| *word |= with);
        }
        let (pos, neg) = self.sides().split(&union);
        let (tp, fp) = (self.weights.pos.of(pos), self.weights.neg.of(neg));
        let confusion = Confusion { tp, fn_: self.weights.pos.total() - tp, tn: self.weights.neg.total() - fp, fp };
        let size = chosen.iter().map(|&id| u64::from(self.size(id))).sum();
        let value = self.objective.value(self.objective.number(confusion.fn_, fp, size));
        Solution { chosen, confusion, size, value }
    }

    /// The one number that a solution's cost is.
    pub(super) fn number(&self, solution: &Solution) -> i128 {
        self.objective.number(solution.confusion.fn_, solution.confusion.fp, solution.size)
    }

    /// What is minimised.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The weights of the examples.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weights of the examples, to be kept by others.
    pub(super) fn shared_weights(&self) -> Arc<Weights> {
        Arc::clone(&self.weights)
    }

    /// How many examples there are of each kind.
    pub fn sides(&self) -> Sides {
        self.covers.sides()
    }

    /// What each column covers.
    pub fn covers(&self) -> &CoverRows {
        &self.covers
    }

    /// What a column covers: the words of its positives, then those of its negatives.
    pub fn cover(&self, id: ColumnId) -> &[u64] {
        self.covers.get(id.index())
    }

    /// The positives and the negatives of a column.
    #[inline]
    pub(super) fn halves(&self, id: ColumnId) -> (&[u64], &[u64]) {
        self.covers.halves(id.index())
    }

    /// The positives of a column.
    pub(super) fn pos(&self, id: ColumnId) -> &[u64] {
        self.halves(id).0
    }

    /// The negatives of a column.
    pub(super) fn neg(&self, id: ColumnId) -> &[u64] {
        self.halves(id).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_counts_weights_and_each_candidate_once() {
        let mut problem = Problem::new(Cost::ErrorSize, &[3, 0, 5], &[7]).expect("small weights fit");
        let mut cover = Cover::empty(problem.sides());
        cover.insert(0);
        cover.insert_negative(0);
        let id = problem.add(4, &cover);
        let solution = problem.evaluate([id, id]);
        assert_eq!(solution.confusion, Confusion { tp: 3, fn_: 5, tn: 0, fp: 7 });
        assert_eq!((solution.size, solution.value, solution.chosen), (4, CostValue(vec![12, 4]), vec![id]));
    }
}
