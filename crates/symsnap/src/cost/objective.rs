//! A cost as one whole number: `A·fn + B·fp + C·size`.
//!
//! Each level of a cost gets a unit that is larger than everything below it: the products of strict bounds on the lower
//! levels, given the weight of all positives and negatives and that sizes stay below 2^32. So comparing numbers is comparing
//! levels, for every hypothesis and not only for sensible ones, and every algorithm minimises one number whatever the cost.
//! That the largest possible number fits in an `i128` is checked; 20,000 examples of the largest weight on each side still
//! do. *Rejected*: solving level after level, which needs a solver run for each and cannot report a bound on a later level
//! before the earlier ones are proved.

use super::costs::{Cost, CostValue, MOST_LEVELS};
use crate::error::{Diagnostic, Error, Result};

/// The size of every hypothesis stays below this number, so that a level above it cannot be outweighed by size.
pub const SIZE_LIMIT: u64 = 1 << 32;

/// What one false negative, one false positive and one literal count in the one number that is minimised.
#[derive(Debug, Clone, Copy)]
pub struct Objective {
    cost: Cost,
    units: [i128; MOST_LEVELS],
    /// A positive of weight 1 that is not covered: `A`.
    pub fn_: i128,
    /// A negative of weight 1 that is: `B`.
    pub fp: i128,
    /// A literal: `C`.
    pub size: i128,
}

impl Objective {
    /// The objective of `cost` where positives and negatives weigh this much in all.
    ///
    /// # Errors
    /// If the weights are so large that the cost does not fit in 128 bits.
    pub fn new(cost: Cost, positives: u64, negatives: u64) -> Result<Self> {
        Objective::fitting(cost, i128::from(positives), i128::from(negatives)).ok_or_else(|| {
            Error::from(
                Diagnostic::error(format!("the example weights are too large for the cost `{}`", cost.name()))
                    .with_help("divide all weights by the same number"),
            )
        })
    }

    fn fitting(cost: Cost, positives: i128, negatives: i128) -> Option<Self> {
        let sum = |fn_: i128, fp: i128, size: i128| -> Option<i128> {
            let errors = fn_.checked_mul(positives)?.checked_add(fp.checked_mul(negatives)?)?;
            errors.checked_add(size.checked_mul(i128::from(SIZE_LIMIT) - 1)?)
        };
        let mut objective = Objective { cost, units: [1; MOST_LEVELS], fn_: 0, fp: 0, size: 0 };
        let mut unit: i128 = 1;
        for (place, level) in cost.levels().iter().enumerate().rev() {
            let [fn_, fp, size] = [level.fn_, level.fp, level.size].map(i128::from);
            objective.units[place] = unit;
            objective.fn_ = objective.fn_.checked_add(unit.checked_mul(fn_)?)?;
            objective.fp = objective.fp.checked_add(unit.checked_mul(fp)?)?;
            objective.size = objective.size.checked_add(unit.checked_mul(size)?)?;
            if place > 0 {
                unit = unit.checked_mul(sum(fn_, fp, size)?.checked_add(1)?)?;
            }
        }
        // A factor of four leaves room for sums and differences of such numbers.
        sum(objective.fn_, objective.fp, objective.size)?.checked_add(1)?.checked_mul(4)?;
        Some(objective)
    }

    /// The cost that it is a number for.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The number for these errors and this size.
    #[inline]
    pub fn number(&self, fn_: u64, fp: u64, size: u64) -> i128 {
        self.fn_ * i128::from(fn_) + self.fp * i128::from(fp) + self.size * i128::from(size)
    }

    /// What one more at each level adds to the number, first level first.
    fn units(&self) -> &[i128] {
        &self.units[..self.cost.levels().len()]
    }

    /// The number that a value stands for.
    pub fn number_of(&self, value: &CostValue) -> i128 {
        value.0.iter().zip(self.units()).map(|(&level, unit)| unit * i128::from(level)).sum()
    }

    /// The value that a number stands for; a lower bound on the number gives a lower bound on the value.
    pub fn value(&self, number: i128) -> CostValue {
        let mut rest = number;
        let digit = |unit: &i128| {
            let digit = rest / unit;
            rest %= unit;
            u64::try_from(digit).expect("levels are sums of u32 weights over fewer than 2^32 examples")
        };
        CostValue(self.units().iter().map(digit).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Confusion;
    use super::*;

    #[test]
    fn weights_that_do_not_fit_are_an_error_and_not_a_wrap() {
        let huge = u64::from(u32::MAX) << 20;
        let error = Objective::new(Cost::LexFnSize, huge, huge).expect_err("2^136 does not fit");
        assert!(error.to_string().contains("too large"), "{error}");
        assert!(Objective::new(Cost::Mdl, huge, huge).is_ok());
        let large = u64::from(u32::MAX) * 20_000;
        assert!(Objective::new(Cost::LexFnSize, large, large).is_ok());
    }

    #[test]
    fn numbers_and_values_are_ordered_alike() {
        for cost in Cost::ALL {
            let objective = Objective::new(cost, 50, 40).expect("small weights fit");
            let mut all = Vec::new();
            for fn_ in [0, 1, 2, 50] {
                for fp in [0, 1, 39, 40] {
                    for size in [0, 1, 7, SIZE_LIMIT - 1] {
                        let confusion = Confusion { fn_, fp, ..Confusion::default() };
                        let value = cost.value(&confusion, size as usize);
                        let number = objective.number(fn_, fp, size);
                        assert_eq!(objective.value(number), value);
                        assert_eq!(objective.number_of(&value), number);
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
}
