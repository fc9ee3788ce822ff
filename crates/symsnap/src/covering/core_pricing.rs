//! Prices of positives from the linear program over cores, and whether they still hold
//! ([core_prices](super::theorems::core_prices)).

use super::core_lp::{CoreLp, LpRound};
use super::problem::{ColumnId, Problem};
use super::reduce::Reduced;
use super::theorems::core_prices::CorePrices;
use crate::budget::Budget;
use crate::cost::CostValue;

/// Prices at which a rule not found yet that a set better than `value` needs is worth its size; `from` is the best set. `None` if
/// the bound is not near enough to the value when the budget ends.
pub(super) fn core_prices(
    problem: &Problem,
    from: &[ColumnId],
    value: &CostValue,
    next: u64,
    budget: &Budget,
) -> Option<CorePrices> {
    let objective = problem.objective();
    let number = objective.number_of(value);
    let reduced = Reduced::new(problem, budget);
    let mut program = CoreLp::new(&reduced, objective, budget)?;
    program.stay_near(&chosen(&reduced, from));
    while program.lower() < number && program.step() == LpRound::More {}
    let (_, carried) = program.carried();
    let weights = problem.weights().pos.each();
    let mut shares = vec![0; weights.len()];
    for at in uncovered(problem, &reduced) {
        shares[at] = objective.fn_ * i128::from(weights[at]) * super::theorems::core_packing::PARTS;
    }
    for (row, carried) in reduced.positives.iter().zip(carried) {
        let total: i128 = row.examples.iter().map(|&at| i128::from(weights[at as usize])).sum();
        let (mut so_far, mut given) = (0, 0);
        for &at in &row.examples {
            so_far += i128::from(weights[at as usize]);
            let until = carried * so_far / total.max(1);
            shares[at as usize] = until - given;
            given = until;
        }
    }
    CorePrices::new(&shares, number, objective.size, next)
}

/// Whether no set better than `value` has a rule that prices left out, given all that were found; `None` if the budget ends before
/// that is known.
pub(super) fn core_prices_hold(
    prices: &CorePrices,
    problem: &Problem,
    from: &[ColumnId],
    value: &CostValue,
    budget: &Budget,
) -> Option<bool> {
    let objective = problem.objective();
    let number = objective.number_of(value);
    let reduced = Reduced::new(problem, budget);
    let limits: Vec<i128> = prices.limits().collect();
    let constant = uncovered(problem, &reduced).map(|at| limits[at]).sum();
    let of_row = |examples: &[u32]| examples.iter().map(|&at| limits[at as usize]).sum();
    let of_rows: Vec<i128> = reduced.positives.iter().map(|row| of_row(&row.examples)).collect();
    let mut program = CoreLp::limited(&reduced, objective, budget, (&of_rows, constant))?;
    program.stay_near(&chosen(&reduced, from));
    loop {
        if prices.suffice(program.carried().0, number) {
            return Some(true);
        }
        match program.step() {
            LpRound::More => {}
            LpRound::Converged => return Some(false),
            LpRound::Stopped => return None,
        }
    }
}

/// The positives that no class covers.
fn uncovered(problem: &Problem, reduced: &Reduced) -> impl Iterator<Item = usize> {
    let mut covered = vec![false; problem.weights().pos.each().len()];
    for class in &reduced.classes {
        crate::sets::ones(problem.pos(class.member)).for_each(|at| covered[at] = true);
    }
    (0..covered.len()).filter(move |&at| !covered[at])
}

/// The classes that a set is of.
fn chosen(reduced: &Reduced, set: &[ColumnId]) -> Vec<usize> {
    (0..reduced.classes.len()).filter(|&at| set.contains(&reduced.classes[at].member)).collect()
}
