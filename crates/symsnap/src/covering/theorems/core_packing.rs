//! **Core packing.** Shares of cores that no literal is overloaded by sum to a lower bound.
//!
//! *Statement.* Write `x_r` for "rule `r` is chosen", `u_e` for "positive `e` is missed" and `v_n` for "negative `n` is covered".
//! (1) For every positive `e` and every set `S` of negatives, each hypothesis satisfies the *core of one positive*
//! `u_e + sum {v_n : n in S} + sum {x_r : r covers e and nothing of S} >= 1`.
//! (2) Give each of some cores a share `y_c >= 0` such that for every literal the shares of the cores it is in sum to at most
//! its price. Then every hypothesis costs at least the sum of all shares, and, prices being whole, that sum rounded up.
//!
//! *Proof.* (1) `e` is missed, or a chosen rule covers it; that rule covers something of `S`, which is then covered, or is in the
//! last sum. (2) Multiply each core by its share and add them up. On the right is the sum of all shares; on the left each
//! literal that holds for the hypothesis counts at most its price, so it is at most the cost.
//!
//! With `S` empty, (1) is the clause of the positive; with no rule left in the last sum it says that no rule tells `e` from
//! `S`. These rows alone are exact: for a positive that is covered take for `S` all negatives that are not. The linear program
//! over them was integral on six of seven covering problems of molecules and scenes, where the one over clauses stays at a
//! fifth to a half of the optimum.
//!
//! So no floating point is trusted: shares come from [`super::super::packing`] in whatever precision, are rounded down to
//! parts of [`PARTS`], lowered where a literal is overloaded, and summed in integers.
//!
//! *Source.* (2) is weak duality of linear programs; (1) is ours, the cores of core-guided MaxSAT (Ansótegui et al. 2012) that
//! one positive and its rules give without search.
//!
//! *Mutations that the tests below catch*: all classes of the positive left out of a core, whether `S` hits them or not ("a core
//! holds"); shares that overload a literal not lowered, raised to the largest instead of the smallest room that the literals of
//! a core leave, and a sum that is whole rounded up to the next ("sound").

/// A share is a whole number of parts; as many make one.
pub const PARTS: i128 = 1 << 20;

/// What every hypothesis costs at least: literals have these prices, each core is a set of literals and has a share, in parts.
/// Shares that overload a literal are lowered, and those that do not load one fully are raised.
pub fn bound<C: AsRef<[u32]>>(prices: &[i128], cores: &[C], shares: &mut [i128]) -> i128 {
    let capacities: Vec<i128> = prices.iter().map(|price| price * PARTS).collect();
    (fitted(&capacities, cores, shares) + PARTS - 1).div_euclid(PARTS)
}

/// The sum of the shares, made to fit: no literal carries more than its capacity, in parts.
pub fn fitted<C: AsRef<[u32]>>(capacities: &[i128], cores: &[C], shares: &mut [i128]) -> i128 {
    let mut free = capacities.to_vec();
    let literals = |core: usize| cores[core].as_ref().iter().map(|&literal| literal as usize);
    for (core, share) in shares.iter_mut().enumerate() {
        *share = (*share).max(0);
        literals(core).for_each(|literal| free[literal] -= *share);
    }
    // Once all cores of an overloaded literal were looked at, it is not, because nothing is raised on the way.
    for (core, share) in shares.iter_mut().enumerate() {
        let over = literals(core).map(|literal| -free[literal]).max().unwrap_or(0).clamp(0, *share);
        if over > 0 {
            *share -= over;
            literals(core).for_each(|literal| free[literal] += over);
        }
    }
    for (core, share) in shares.iter_mut().enumerate() {
        let more = literals(core).map(|literal| free[literal]).min().unwrap_or(0).max(0);
        if more > 0 {
            *share += more;
            literals(core).for_each(|literal| free[literal] -= more);
        }
    }
    debug_assert!(free.iter().all(|&free| free >= 0), "no literal is overloaded");
    shares.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::cost::Cost;
    use crate::covering::ColumnId;
    use crate::covering::core_rows::{Literals, Separation};
    use crate::covering::oracle::{brute_force, random_problem, rng, sets_of};
    use crate::covering::reduce::{Reduced, RowClass};

    /// The literals that hold for a set of classes.
    fn held(reduced: &Reduced, set: &[u32]) -> Vec<bool> {
        let hit = |row: &RowClass| row.classes.iter().any(|class| set.contains(class));
        let chosen = (0..reduced.classes.len() as u32).map(|class| set.contains(&class));
        let missed = reduced.positives.iter().map(|row| !hit(row));
        chosen.chain(missed).chain(reduced.negatives.iter().map(hit)).collect()
    }

    /// Cores of all positives for relaxed choices drawn at random.
    fn cores(reduced: &Reduced, next: &mut impl FnMut(usize) -> usize) -> Vec<Box<[u32]>> {
        let mut separation = Separation::new(reduced);
        let mut found = Vec::new();
        for _ in 0..4 {
            let choice: Vec<f64> = (0..Literals::new(reduced).count()).map(|_| [0.0, 0.0, 0.1, 0.4][next(4)]).collect();
            let idle = [0.0, 1e-3, 0.05][next(3)];
            found.extend((0..reduced.positives.len()).filter_map(|at| separation.core(at, &choice, idle)));
        }
        found
    }

    #[test]
    fn every_hypothesis_satisfies_every_core() {
        let mut checked = 0;
        for seed in 0..600 {
            let mut next = rng(seed);
            let problem = random_problem(&mut next, Cost::ALL[seed as usize % 3], 9, 24);
            let reduced = Reduced::new(&problem, &Budget::unlimited());
            let cores = cores(&reduced, &mut next);
            let classes: Vec<ColumnId> = (0..reduced.classes.len()).map(ColumnId::new).collect();
            for set in sets_of(&classes) {
                let set: Vec<u32> = set.iter().map(|class| class.index() as u32).collect();
                let held = held(&reduced, &set);
                for core in &cores {
                    assert!(core.iter().any(|&literal| held[literal as usize]), "seed {seed}: a core holds");
                    checked += 1;
                }
            }
        }
        assert!(checked > 10_000, "{checked} cores");
    }

    #[test]
    fn whatever_the_shares_no_hypothesis_costs_less_than_the_bound() {
        let (mut tight, mut lowered) = (0, 0);
        for seed in 0..3_000 {
            let mut next = rng(seed);
            let problem = random_problem(&mut next, Cost::ALL[seed as usize % 3], 9, 24);
            let reduced = Reduced::new(&problem, &Budget::unlimited());
            let cores = cores(&reduced, &mut next);
            let rows = reduced.positives.iter().chain(&reduced.negatives).map(|row| row.price);
            let prices: Vec<i128> = reduced.classes.iter().map(|class| class.price).chain(rows).collect();
            let most = 2 * prices.iter().copied().max().unwrap_or(1);
            let drawn: Vec<i128> =
                cores.iter().map(|_| most * PARTS * next(1_000) as i128 / 1_000 - PARTS / 2).collect();
            let mut shares = drawn.clone();
            let lower = reduced.constant + bound(&prices, &cores, &mut shares);
            let optimum = problem.number(&brute_force(&problem)[0]);
            assert!(lower <= optimum, "seed {seed}: sound");
            lowered += u32::from(shares.iter().zip(&drawn).any(|(share, drawn)| share < drawn));
            tight += u32::from(lower == optimum && optimum > reduced.constant);
        }
        assert!(tight > 100 && lowered > 1_000, "tight {tight} times, shares lowered {lowered} times");
    }
}
