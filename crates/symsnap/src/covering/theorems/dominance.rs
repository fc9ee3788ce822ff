//! **Dominance.** A branch is not needed if a rule that is known does as well as any rule of it.
//!
//! *Statement.* Replacing `s` by `r` in a hypothesis changes its cost by at most
//! `d(s, r) = A·w(P_s \ P_r) + B·w(N_r \ N_s) + C·(size(r) - size(s))`. So if `d(s, r) <= 0`, `s` is not needed. Let every rule
//! of a branch cover a subset of the positives `P` with at least `m` literals. If
//! `A·w(P \ P_r) + B·w(N_r) + C·size(r) <= C·m`, no rule of the branch is needed.
//!
//! *Proof.* Only positives of `s` that `r` does not cover can become uncovered, only negatives of `r` that `s` did not cover
//! can become covered, and the size changes by the difference, or falls by `size(s)` where the hypothesis has `r` already.
//! For a branch the negatives are not known, so all of `N_r` count.
//!
//! Where size only breaks ties, `A` and `B` exceed every size, and this says: `P` within `P_r`, no negative, and
//! `size(r) <= m`. Under `mdl` a shorter rule may also miss a positive or cover a negative for each literal saved.
//!
//! *Source.* Column domination in set covering (Beasley 1987). The exact solver reduces the problem with the first form, for
//! columns that are there (`reduce.rs`, with its own test against brute force); this file has the second, for columns that
//! are not.
//!
//! *Mutations that the test below catches*: the negatives of the dominator left out of [`Dominator::new`] ("sound"), and
//! `size + 1` for `size` in [`is_dominated`] ("sound").

use crate::covering::rates::Rates;
use crate::sets::Weights;

/// A known rule that may dominate branches.
#[derive(Debug, Clone)]
pub struct Dominator {
    pos: Box<[u64]>,
    fp: u64,
    size: u64,
    /// The least size of a branch that it can dominate: its own, and what its false positives count in literals.
    least: u64,
}

impl Dominator {
    /// A rule that covers these positives and negatives of the weight `fp`.
    pub fn new(pos: &[u64], fp: u64, size: u64, rates: &Rates) -> Self {
        let objective = rates.objective();
        let price = objective.number(0, fp, size);
        let least = price / objective.size + i128::from(price % objective.size > 0);
        Dominator { pos: pos.into(), fp, size, least: u64::try_from(least).unwrap_or(u64::MAX) }
    }
}

/// Whether one of the dominators does as well as every rule of at least `size` that covers a subset of the positives `pos`.
pub fn is_dominated(pos: &[u64], size: u64, dominators: &[Dominator], rates: &Rates, weights: &Weights) -> bool {
    dominators.iter().any(|by| {
        let Some(left) = size.checked_sub(by.least) else { return false };
        match rates.spare(left) {
            // No example weighs nothing, so a set weighs nothing only if it is empty.
            0 => is_within(pos, &by.pos),
            most => weights.pos.of_and_not(pos, &by.pos) <= most,
        }
    })
}

/// Known rules that are most likely to dominate branches.
#[derive(Debug, Default)]
pub struct Dominators {
    /// By how much they promise, most first.
    ranked: Vec<(i128, Dominator)>,
}

/// Rules that are held against each branch. More would cost more than they save: each branch is compared with all.
const MOST: usize = 48;

impl Dominators {
    /// Those there are.
    pub fn list(&self) -> Vec<Dominator> {
        self.ranked.iter().map(|(_, dominator)| dominator.clone()).collect()
    }

    /// Keep a rule that covers positives of the weight `tp`, unless others promise more or it is dominated itself.
    pub fn offer(&mut self, new: Dominator, tp: u64, rates: &Rates) {
        let promise = if !rates.objective().cost().size_breaks_ties() {
            // A false positive or a literal raises the least size of what it dominates by one.
            i128::from(tp) - 4 * i128::from(new.fp + new.size)
        } else if new.fp > 0 {
            return;
        } else {
            i128::from(tp)
        };
        if self.ranked.len() == MOST && self.ranked.last().is_some_and(|(least, _)| promise <= *least) {
            return;
        }
        let covers_it =
            |known: &Dominator| known.fp <= new.fp && known.size <= new.size && is_within(&new.pos, &known.pos);
        if self.ranked.iter().any(|(_, known)| covers_it(known)) {
            return;
        }
        let place = self.ranked.partition_point(|(other, _)| *other >= promise);
        self.ranked.insert(place, (promise, new));
        self.ranked.truncate(MOST);
    }
}

fn is_within(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::covering::oracle::{each_set_with, random_problem, rng, without};
    use crate::covering::{ColumnId, Seek};
    use crate::sets::Cover;

    #[test]
    fn a_rule_of_a_dominated_branch_can_always_be_replaced() {
        let mut dominated = 0;
        for seed in 0..1_500 {
            let mut next = rng(seed + 1_000);
            let mut problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 6, 12);
            if problem.weights().pos.each().contains(&0) {
                continue;
            }
            let rates = Rates::new(*problem.objective(), Seek::One);
            let of = |id: ColumnId| {
                let (pos, neg) = (problem.pos(id), problem.neg(id));
                Dominator::new(pos, problem.weights().neg.of(neg), u64::from(problem.size(id)), &rates)
            };
            let dominators: Vec<(ColumnId, Dominator)> = problem.ids().map(|id| (id, of(id))).collect();
            // A branch, and a rule of it.
            let mut branch = Cover::empty(problem.sides());
            (0..problem.sides().positives()).filter(|_| next(2) == 0).for_each(|at| branch.insert(at));
            let least = 1 + next(8) as u32;
            let mut rule = branch.clone();
            rule.retain(|_| next(4) > 0);
            (0..problem.sides().negatives()).filter(|_| next(4) == 0).for_each(|at| rule.insert_negative(at));
            let rule = problem.add(least + next(2) as u32, &rule);
            for (id, dominator) in &dominators {
                let (pos, by) = (branch.pos().words(), std::slice::from_ref(dominator));
                if !is_dominated(pos, u64::from(least), by, &rates, problem.weights()) {
                    continue;
                }
                dominated += 1;
                let number = |set: &[ColumnId]| problem.number(&problem.evaluate(set.iter().copied()));
                for set in each_set_with(&problem, rule) {
                    let mut other = without(&set, rule);
                    other.push(*id);
                    assert!(number(&other) <= number(&set), "seed {seed}: sound");
                }
            }
        }
        assert!(dominated > 200, "few branches were dominated: {dominated}");
    }
}
