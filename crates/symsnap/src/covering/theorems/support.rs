//! **Minimum support.** A rule must cover positives that are worth its size.
//!
//! *Statement.* If `A·w(P_s) <= C·size(s)`, every hypothesis with `s` costs at least as much as without it. So does every
//! hypothesis with a rule of a branch whose positives `P` and least size `m` satisfy `A·w(P) <= C·m`.
//!
//! *Proof.* Dropping `s` loses at most the positives of `s`, which costs at most `A·w(P_s)`; false positives only become
//! fewer; and it saves `C·size(s)`. Rules of a branch cover no more than `P` and are no smaller than `m`.
//!
//! *Source.* A bound on what any specialisation can still reach is the *optimistic estimate* of subgroup discovery
//! (Wrobel 1997). Here it follows from the cost of sets of rules, not from a score of single ones.
//!
//! *Mutations that the test below catches*: `<` for `<=` in [`is_too_small`] (a rule that is exactly as dear as its positives
//! is then kept, "tight"), and `size + 1` for `size` (a rule is then left out that a hypothesis needs, "sound").

use crate::covering::rates::Rates;

/// Whether no rule of at least `size` that covers positives of at most the weight `tp` can be needed.
#[inline]
pub fn is_too_small(tp: u64, size: u64, rates: &Rates) -> bool {
    tp <= rates.support(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::covering::oracle::{each_set_with, random_problem, rng, without};
    use crate::covering::{ColumnId, Problem, Seek};

    /// What dropping the column adds to the cost of each set that has it.
    fn losses(problem: &Problem, id: ColumnId) -> Vec<i128> {
        let number = |set: &[ColumnId]| problem.number(&problem.evaluate(set.iter().copied()));
        each_set_with(problem, id).map(|set| number(&without(&set, id)) - number(&set)).collect()
    }

    #[test]
    fn exactly_rules_worth_no_more_than_their_size_can_always_be_dropped() {
        let mut left_out = 0;
        for seed in 0..600 {
            let mut problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 8, 12);
            // Alone and without negatives, a rule does all that it can.
            for id in problem.ids() {
                let alone = problem.copy_positives(id);
                let [one, all] = [Seek::One, Seek::All].map(|seek| Rates::new(*problem.objective(), seek));
                let tp = problem.weights().pos.of(problem.pos(id));
                let size = u64::from(problem.size(id));
                let least = problem.number(&problem.evaluate([])) - problem.number(&problem.evaluate([alone]));
                problem.pop();
                let losses = losses(&problem, id);
                if is_too_small(tp, size, &one) {
                    left_out += 1;
                    assert!(losses.iter().all(|&loss| loss <= 0), "seed {seed}, {id:?}: sound");
                }
                if is_too_small(tp, size, &all) {
                    assert!(losses.iter().all(|&loss| loss < 0), "seed {seed}, {id:?}: sound for all optima");
                }
                assert_eq!(is_too_small(tp, size, &one), least <= 0, "seed {seed}, {id:?}: tight");
                assert_eq!(is_too_small(tp, size, &all), least < 0, "seed {seed}, {id:?}: tight for all optima");
            }
        }
        assert!(left_out > 100, "few rules were too small: {left_out}");
    }
}
