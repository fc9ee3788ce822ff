//! **Minimum improvement.** A refinement must lose false positives that are worth the literals it adds.
//!
//! *Statement.* Let `s` refine `r`: `P_s` within `P_r`, `N_s` within `N_r`, and `l` literals more. If
//! `B·(w(N_r) - w(N_s)) <= C·l`, every hypothesis with `s` costs at least as much as with `r` in its place. In particular no
//! refinement of `r` is needed if `B·w(N_r) <= C`.
//!
//! *Proof.* Replacing `s` by `r` can only reduce false negatives, adds at most the negatives that `r` covers and `s` does
//! not, and saves `l` literals. Both rules must be in the space, which is for the caller to see to.
//!
//! *Source.* Bayardo, Agrawal and Gunopulos 1999 prune association rules by a *minimum improvement* over each of their
//! sub-rules; here the minimum is what the cost of a hypothesis asks for.
//!
//! *Mutations that the test below catches*: `>=` for `>` in [`pays`] ("tight"), and `literals + 1` for `literals` ("sound").

use crate::covering::rates::Rates;

/// Whether a refinement that adds `literals` and leaves `special` of `general` false positives can be needed.
#[inline]
pub fn pays(general: u64, special: u64, literals: u64, rates: &Rates) -> bool {
    general - special > rates.improvement(literals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::covering::oracle::{each_set_with, random_problem, rng, without};
    use crate::covering::{ColumnId, Seek};
    use crate::sets::Cover;

    #[test]
    fn exactly_refinements_that_do_not_pay_can_always_be_taken_back() {
        let mut left_out = 0;
        for seed in 0..600 {
            let mut next = rng(seed + 1_000);
            let mut problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 7, 12);
            for general in problem.ids() {
                // A refinement: some examples less, some literals more.
                let mut cover = Cover::from_words(problem.sides(), problem.cover(general));
                let keeps_positives = next(2) == 0;
                let positives = problem.sides().positives();
                cover.retain(|at| at < positives && keeps_positives || next(3) > 0);
                let literals = 1 + next(4) as u32;
                let special = problem.add(problem.size(general) + literals, &cover);
                let fp = |id: ColumnId| problem.weights().neg.of(problem.neg(id));
                let number = |set: &[ColumnId]| problem.number(&problem.evaluate(set.iter().copied()));
                let exchanged = |set: &[ColumnId]| {
                    let mut set = without(set, special);
                    set.push(general);
                    number(&set)
                };
                let losses: Vec<i128> =
                    each_set_with(&problem, special).map(|set| exchanged(&set) - number(&set)).collect();
                for seek in [Seek::One, Seek::All] {
                    let rates = Rates::new(*problem.objective(), seek);
                    let needless = !pays(fp(general), fp(special), u64::from(literals), &rates);
                    let worst = if seek == Seek::One { 0 } else { -1 };
                    left_out += u32::from(needless);
                    assert!(!needless || losses.iter().all(|&loss| loss <= worst), "seed {seed}, {seek:?}: sound");
                    // Where no positive is lost, the rule alone shows whether it pays.
                    let alone = exchanged(&[special]) - number(&[special]);
                    let same_positives = problem.pos(general) == problem.pos(special);
                    assert!(!same_positives || needless == (alone <= worst), "seed {seed}, {seek:?}: tight");
                }
                problem.pop();
            }
        }
        assert!(left_out > 1_000, "few refinements did not pay: {left_out}");
    }
}
