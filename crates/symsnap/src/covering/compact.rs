//! Prices with smaller units, for arithmetic that keeps 53 bits.
//!
//! Levels of a lexicographic cost have units that outweigh everything below for *every* hypothesis
//! ([`Objective`]): a false positive counts 2^32 literals. It is enough that they do for some optimal set. Call a set
//! *irredundant* if each of its columns covers a positive that no other of it does. Dropping a column that does not costs
//! nothing and saves its size, so some optimal set is irredundant, and in such a set each column is paid for by a positive of
//! its own: at each level its cost is at most the sum, over all positives, of the positive's price and that of the dearest
//! class that covers it, and of the prices of all negatives. Units that are one more than these sums keep the order of
//! irredundant sets, so a bound on their cost in small units, level by level, is one on the optimum.

use super::reduce::Reduced;
use crate::cost::{CostValue, Objective};

/// The cost of covering nothing must be less than this: a bound is rounded to a unit, and shares have parts of it.
const MOST: i128 = 1 << 40;

/// Levels of a price.
type Digits = Vec<i128>;

/// Prices of the literals of a reduced problem, in small units.
#[derive(Debug, Clone)]
pub(super) struct CompactPrices {
    /// Classes, then positives, then negatives.
    pub prices: Vec<i128>,
    /// The cost of what no class covers.
    pub constant: i128,
    units: Digits,
}

impl CompactPrices {
    /// `None` if they are too large all the same, as weights of millions under a cost of three levels are.
    pub fn new(reduced: &Reduced, objective: &Objective) -> Option<Self> {
        let digits = |price: i128| -> Digits { objective.value(price).0.into_iter().map(i128::from).collect() };
        let classes: Vec<Digits> = reduced.classes.iter().map(|class| digits(class.price)).collect();
        let constant = digits(reduced.constant);
        let mut most = constant.clone();
        for row in &reduced.positives {
            for (level, (most, own)) in most.iter_mut().zip(digits(row.price)).enumerate() {
                let dearest = row.classes.iter().map(|&class| classes[class as usize][level]).max();
                *most = most.checked_add(own.checked_add(dearest.unwrap_or(0))?)?;
            }
        }
        for row in &reduced.negatives {
            for (most, own) in most.iter_mut().zip(digits(row.price)) {
                *most = most.checked_add(own)?;
            }
        }
        let mut units = vec![1i128; most.len()];
        for level in (1..most.len()).rev() {
            units[level - 1] = units[level].checked_mul(most[level] + 1)?;
        }
        let number = |digits: &Digits| -> Option<i128> {
            digits.iter().zip(&units).try_fold(0i128, |sum, (digit, unit)| sum.checked_add(digit.checked_mul(*unit)?))
        };
        let rows = |rows: &[super::reduce::RowClass]| -> Option<Vec<i128>> {
            rows.iter().map(|row| number(&digits(row.price))).collect()
        };
        let (positives, negatives) = (rows(&reduced.positives)?, rows(&reduced.negatives)?);
        let constant = number(&constant)?;
        let empty = positives.iter().try_fold(constant, |sum, price| sum.checked_add(*price))?;
        if empty >= MOST {
            return None;
        }
        let classes: Option<Vec<i128>> = classes.iter().map(number).collect();
        // What costs more than covering nothing is in no optimal set; a lower price is a lower bound.
        let prices = classes?.into_iter().chain(positives).chain(negatives).map(|price| price.min(empty + 1)).collect();
        Some(CompactPrices { prices, constant, units })
    }

    /// What each level counts in small units.
    pub fn units(&self) -> &[i128] {
        &self.units
    }

    /// A price in small units.
    pub fn number(&self, price: i128, objective: &Objective) -> i128 {
        objective.value(price).0.iter().zip(&self.units).map(|(&digit, unit)| i128::from(digit) * unit).sum()
    }

    /// The bound in the units of the objective, given one in small units.
    pub fn whole(&self, lower: i128, objective: &Objective) -> i128 {
        let mut rest = lower.max(0);
        let digit = |unit: &i128| {
            let digit = rest / unit;
            rest %= unit;
            u64::try_from(digit).unwrap_or(u64::MAX)
        };
        objective.number_of(&CostValue(self.units.iter().map(digit).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{random_problem, rng, sets_of};
    use super::super::problem::ColumnId;
    use super::*;
    use crate::budget::Budget;
    use crate::cost::Cost;

    #[test]
    fn sets_that_are_irredundant_are_ordered_alike_in_both_units() {
        let (mut compared, mut smaller) = (0, 0);
        for seed in 0..600 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 9, 24);
            let reduced = Reduced::new(&problem, &Budget::unlimited());
            let Some(compact) = CompactPrices::new(&reduced, problem.objective()) else { continue };
            let price = |numbers: &[i128], constant: i128, set: &[u32]| -> i128 {
                let hit = |row: &super::super::reduce::RowClass| row.classes.iter().any(|class| set.contains(class));
                let (classes, positives) = (reduced.classes.len(), reduced.positives.len());
                let paid: i128 = set.iter().map(|&class| numbers[class as usize]).sum();
                let missed = (0..positives).filter(|&at| !hit(&reduced.positives[at])).map(|at| numbers[classes + at]);
                let covered = (0..reduced.negatives.len()).filter(|&at| hit(&reduced.negatives[at]));
                constant
                    + paid
                    + missed.sum::<i128>()
                    + covered.map(|at| numbers[classes + positives + at]).sum::<i128>()
            };
            let empty = price(&compact.prices, compact.constant, &[]);
            let all: Vec<ColumnId> = (0..reduced.classes.len()).map(ColumnId::new).collect();
            for set in sets_of(&all) {
                let set: Vec<u32> = set.iter().map(|class| class.index() as u32).collect();
                let alone = |class: u32| {
                    let only = |row: &&super::super::reduce::RowClass| {
                        row.classes.iter().filter(|at| set.contains(at)).eq([&class])
                    };
                    reduced.positives.iter().any(|row| only(&row))
                };
                let real = problem.evaluate(set.iter().map(|&class| reduced.classes[class as usize].member));
                let number = price(&compact.prices, compact.constant, &set);
                if set.iter().all(|&class| alone(class)) && number <= empty {
                    assert_eq!(compact.whole(number, problem.objective()), problem.number(&real), "seed {seed}");
                    compared += 1;
                    smaller += u32::from(number < problem.number(&real));
                }
            }
        }
        assert!(compared > 1_000 && smaller > 300, "{compared} sets, {smaller} of them in smaller units");
    }
}
