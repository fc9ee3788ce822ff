//! **Level bound.** Hypotheses that the search has not seen hold a rule larger than all it has seen.
//!
//! *Statement.* Let every rule of less than `m` literals be known, or shown to be needless by the other theorems, and let
//! positives of the weight `u` stay uncovered by every hypothesis. Then some hypothesis of least cost costs at least the
//! lesser of the best that can be made of known rules and `A·u + C·m`.
//!
//! *Proof.* Either it is made of known rules, or it has a rule of at least `m` literals and misses at least `u`.
//!
//! *Source.* Iterative deepening on size with a bound from below, as smallest-first enumeration in program synthesis; ours in
//! this form.
//!
//! *Mutation that the test below catches*: `next + 1` for `next` ("sound").

use crate::cost::{Confusion, Cost, CostValue};

/// A lower bound on the cost of every hypothesis, given one on those made of known rules; rules that are not known have at
/// least `next` literals, their head included.
pub fn lower_bound(cost: Cost, known: &CostValue, unreachable: u64, next: usize) -> CostValue {
    let least = Confusion { fn_: unreachable, ..Confusion::default() };
    cost.value(&least, next).min(known.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::covering::ColumnId;
    use crate::covering::oracle::{brute_force, random_problem, rng, sets_of};

    #[test]
    fn no_hypothesis_costs_less_than_the_bound_and_some_cost_as_much() {
        let mut met = 0;
        for seed in 0..600 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 9, 14);
            let optimum = &brute_force(&problem)[0].value;
            let unreachable = problem.evaluate(problem.ids()).confusion.fn_;
            for next in 1..8 {
                let known: Vec<ColumnId> = problem.ids().filter(|&id| problem.size(id) < next).collect();
                let best = sets_of(&known).map(|set| problem.evaluate(set).value).min();
                let best = best.expect("there is the empty set");
                let lower = lower_bound(problem.cost(), &best, unreachable, next as usize);
                assert!(lower <= *optimum, "seed {seed}, sizes from {next}: sound");
                met += u32::from(lower == *optimum && lower < best);
            }
        }
        assert!(met > 20, "the bound is met by an unknown rule in {met} cases");
    }
}
