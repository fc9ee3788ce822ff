//! The covering problem itself: weighted examples, a cost, and column rules that are nothing but a size and the
//! examples they cover. It only grows; what is a good choice is for the other files of this room to say.
//!
//! **One number per cost.** The three costs are turned into weights `A·fn + B·fp + C·size` ([`Scale`]) so that every
//! algorithm here minimises one whole number. For the lexicographic costs the weights are products of strict bounds on
//! the lower levels (`size < 2^32`, which [`Problem::add`] enforces, and `fp <= total weight of the negatives`), so
//! comparing the numbers is comparing the tuples, for every subset of the columns and not only for sensible ones.
//! [`Problem::new`] checks that the largest possible number fits in an `i128`; 20,000 examples of the largest weight on
//! each side still do. Rejected: solving level after level, which needs three solver runs and cannot report a bound on
//! a later level before the earlier ones are proved.
//!
//! **Covers.** A column's positives and negatives lie side by side in one flat array of words, because the scans of the
//! local search and of the reduction are limited by memory: 100,000 columns over 5,000 examples take 64 MB.

use crate::cost::{Confusion, Cost, CostValue};
use crate::error::{Diagnostic, Error, Result};
use crate::index::index_type;
use crate::sets::{Cover, CoverRows, Sides, Weights};

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

/// The weights of `fn`, `fp` and size in the one number that is minimised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    cost: Cost,
    pub missed: i128,
    pub covered: i128,
    pub size: i128,
}

/// Sizes of all columns together stay below this.
const SIZE_LIMIT: u64 = 1 << 32;

impl Scale {
    fn new(cost: Cost, positives: u64, negatives: u64) -> Option<Self> {
        let (positives, negatives) = (i128::from(positives), i128::from(negatives));
        let above_size = i128::from(SIZE_LIMIT);
        let (missed, covered) = match cost {
            Cost::Mdl => (1, 1),
            Cost::ErrorSize => (above_size, above_size),
            Cost::LexFnSize => (above_size.checked_mul(negatives + 1)?, above_size),
        };
        let worst = missed.checked_mul(positives)?.checked_add(covered.checked_mul(negatives)?)?;
        // A factor of four leaves room for sums and differences of such numbers.
        worst.checked_add(above_size)?.checked_mul(4)?;
        Some(Scale { cost, missed, covered, size: 1 })
    }

    /// The number for a confusion and a size.
    pub fn number(&self, fn_: u64, fp: u64, size: u64) -> i128 {
        self.missed * i128::from(fn_) + self.covered * i128::from(fp) + self.size * i128::from(size)
    }

    /// The number that a tuple stands for.
    pub fn number_of(&self, value: &CostValue) -> i128 {
        let units: &[i128] = match self.cost {
            Cost::Mdl => &[self.size],
            Cost::ErrorSize => &[self.missed, self.size],
            Cost::LexFnSize => &[self.missed, self.covered, self.size],
        };
        value.0.iter().zip(units).map(|(&level, unit)| unit * i128::from(level)).sum()
    }

    /// The tuple that a number stands for; a lower bound on the number gives a lower bound on the tuple.
    pub fn value(&self, number: i128) -> CostValue {
        let digit = |n: i128| u64::try_from(n).expect("levels are sums of u32 weights over fewer than 2^32 examples");
        CostValue(match self.cost {
            Cost::Mdl => vec![digit(number)],
            Cost::ErrorSize => vec![digit(number / self.missed), digit(number % self.missed)],
            Cost::LexFnSize => {
                let below = number % self.missed;
                vec![digit(number / self.missed), digit(below / self.covered), digit(below % self.covered)]
            }
        })
    }
}

/// Column rules over weighted examples, and the cost that a set of them is to minimise.
///
/// ```
/// use symsnap::covering::Problem;
/// use symsnap::cost::{Cost, CostValue};
/// use symsnap::sets::{Cover, Sides};
///
/// let mut problem = Problem::new(Cost::Mdl, &[1, 1, 1, 1], &[1])?;
/// let rule = problem.add(2, &Cover::full(Sides::new(4, 1)).positives_only());
/// assert_eq!(problem.evaluate([]).value, CostValue(vec![4]));
/// assert_eq!(problem.evaluate([rule]).value, CostValue(vec![2]));
/// # Ok::<(), symsnap::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem {
    cost: Cost,
    scale: Scale,
    weights: Weights,
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
        let weights = Weights::new(positive_weights, negative_weights);
        let scale = Scale::new(cost, weights.pos.total(), weights.neg.total()).ok_or_else(|| {
            Error::from(
                Diagnostic::error(format!("the example weights are too large for the cost `{}`", cost.name()))
                    .with_help("divide all weights by the same number"),
            )
        })?;
        Ok(Problem {
            cost,
            scale,
            weights,
            sizes: Vec::new(),
            total_size: 0,
            covers: CoverRows::new(Sides::new(positive_weights.len(), negative_weights.len())),
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
        self.cost
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
        let value = self.scale.value(self.scale.number(confusion.fn_, fp, size));
        Solution { chosen, confusion, size, value }
    }

    /// The one number that a solution's cost is.
    pub(super) fn number(&self, solution: &Solution) -> i128 {
        self.scale.number(solution.confusion.fn_, solution.confusion.fp, solution.size)
    }

    pub(super) fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The weights of the examples.
    pub fn weights(&self) -> &Weights {
        &self.weights
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

    /// The positives of a column.
    pub(super) fn pos(&self, id: ColumnId) -> &[u64] {
        self.sides().split(self.cover(id)).0
    }

    /// The negatives of a column.
    pub(super) fn neg(&self, id: ColumnId) -> &[u64] {
        self.sides().split(self.cover(id)).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_do_not_fit_are_an_error_and_not_a_wrap() {
        let huge = vec![u32::MAX; 1 << 20];
        let error = Problem::new(Cost::LexFnSize, &huge, &huge).expect_err("2^136 does not fit");
        assert!(error.to_string().contains("too large"), "{error}");
        assert!(Problem::new(Cost::Mdl, &huge, &huge).is_ok());
        assert!(Problem::new(Cost::LexFnSize, &huge[..20_000], &huge[..20_000]).is_ok());
    }

    #[test]
    fn numbers_and_tuples_are_ordered_alike() {
        for cost in Cost::ALL {
            let scale = Scale::new(cost, 50, 40).expect("small weights fit");
            let mut all = Vec::new();
            for fn_ in [0, 1, 2, 50] {
                for fp in [0, 1, 39, 40] {
                    for size in [0, 1, 7, SIZE_LIMIT - 1] {
                        let confusion = Confusion { fn_, fp, ..Confusion::default() };
                        let value = cost.value(&confusion, size as usize);
                        let number = scale.number(fn_, fp, size);
                        assert_eq!(scale.value(number), value);
                        assert_eq!(scale.number_of(&value), number);
                        all.push((number, value));
                    }
                }
            }
            for (number, value) in &all {
                for (other, other_value) in &all {
                    assert_eq!(number.cmp(other), value.cmp(other_value));
                }
            }
        }
    }

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
