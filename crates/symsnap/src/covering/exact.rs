//! The best set with a proof, or the best bound that the budget allows.

use super::core_guided::{CoreGuided, CoreStep, Keep};
use super::core_lp::{CoreLp, LpRound};
use super::problem::{ColumnId, Problem, Solution};
use super::reduce::Reduced;
use super::selection::ColumnSelection;
use super::ties::{Listing, Optima, optima};
use crate::budget::Budget;
use crate::cost::CostValue;
use std::ops::ControlFlow;

/// What [`prove`] established.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofOutcome {
    /// No set costs less than this one.
    Optimal(Solution),
    /// No set costs less than `lower`; `best` is the best one known.
    Bounded {
        /// The lower bound on the cost of every set.
        lower: CostValue,
        /// The best set known.
        best: Solution,
    },
}

impl ProofOutcome {
    /// The best set known.
    pub fn best(&self) -> &Solution {
        match self {
            ProofOutcome::Optimal(best) | ProofOutcome::Bounded { best, .. } => best,
        }
    }

    /// No set costs less than this.
    pub fn lower(&self) -> &CostValue {
        match self {
            ProofOutcome::Optimal(best) => &best.value,
            ProofOutcome::Bounded { lower, .. } => lower,
        }
    }

    /// Whether the best set is proved to be one.
    pub fn is_optimal(&self) -> bool {
        matches!(self, ProofOutcome::Optimal(_))
    }
}

/// Prove the optimum of `problem`, starting from the incumbent set `from` (which may be empty; a good one, from
/// [`super::LocalSearch`], makes the proof shorter). `on_bound` hears every rise of the lower bound and may break off.
///
/// The bounds heard never fall and never exceed the optimum. The solver starts afresh for each call: what it learns
/// about positives no longer holds once a new column covers them.
pub fn prove(
    problem: &Problem,
    from: &[ColumnId],
    budget: &Budget,
    on_bound: &mut dyn FnMut(&CostValue) -> ControlFlow<()>,
) -> ProofOutcome {
    prove_and(problem, from, Keep::Better, budget, on_bound, |_, _, _| ()).0
}

/// [`prove`], and if that ends with a proof, the optimal sets. The solver that proved the optimum lists them, so nothing is proved twice. How much may be done for that
/// is asked when there is a proof, because it may depend on how long that took.
pub fn prove_and_list(
    problem: &Problem,
    from: &[ColumnId],
    budget: &Budget,
    on_bound: &mut dyn FnMut(&CostValue) -> ControlFlow<()>,
    listing: impl FnOnce() -> Listing,
) -> (ProofOutcome, Option<Optima>) {
    prove_and(problem, from, Keep::AsGood, budget, on_bound, |reduced, bound, best| {
        optima(problem, reduced, bound, best, &listing())
    })
}

/// Prove the optimum and do something with the solver that proved it. `keep` says whether the solver may rule out sets
/// that are as good as the incumbent.
fn prove_and<T>(
    problem: &Problem,
    from: &[ColumnId],
    keep: Keep,
    budget: &Budget,
    on_bound: &mut dyn FnMut(&CostValue) -> ControlFlow<()>,
    then: impl FnOnce(&Reduced, CoreGuided<'_>, &Solution) -> T,
) -> (ProofOutcome, Option<T>) {
    let mut best = problem.evaluate(from.iter().copied());
    let empty = problem.evaluate([]);
    if empty.value < best.value {
        best = empty;
    }
    if budget.check().is_some() {
        return (ProofOutcome::Bounded { lower: problem.objective().value(0), best }, None);
    }
    let reduced = Reduced::new(problem, budget);
    let mut search = CoreGuided::new(&reduced, keep, budget);
    let mut climb = Climb { problem, reduced: &reduced, budget, best, lower: -1, on_bound };
    let proved = climb.climb(&mut search);
    let Climb { best, lower, .. } = climb;
    if !proved {
        return (ProofOutcome::Bounded { lower: problem.objective().value(lower.max(0)), best }, None);
    }
    let done = then(&reduced, search, &best);
    (ProofOutcome::Optimal(best), Some(done))
}

/// Decisions of the core-guided search before the linear program has its turn: amine, toxic and scenes with noise .2 are
/// proved by then, in a fifth of a second. Tests let the program have its turn at once.
const FIRST_DECISIONS: u64 = if cfg!(test) { 1 } else { 400_000 };

/// Where a problem is large, decisions are slow: with the entries of its rows they multiply to no more than this.
const FIRST_ENTRIES: u64 = 15_000_000_000;

/// With each turn the search has this many times as many.
const GROWTH: u64 = 4;

/// A turn of the linear program ends if the bound stood still for half of its work so far, and no less than this many
/// operations (about a tenth of a second).
const PATIENCE: u64 = 50_000_000;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The bound has met the best set known.
    Proved,
    /// Whoever listens, or the budget, ended everything.
    Ended,
    /// It is the other's turn.
    Paused,
    /// There is nothing left to do here.
    Over,
}

/// The bound on its way up to the best set known.
struct Climb<'a> {
    problem: &'a Problem,
    reduced: &'a Reduced,
    budget: &'a Budget,
    best: Solution,
    /// The bound that was told last.
    lower: i128,
    on_bound: &'a mut dyn FnMut(&CostValue) -> ControlFlow<()>,
}

impl<'a> Climb<'a> {
    /// Raise the bound until it meets the best set known, which is then proved, or something ends it. Search and linear
    /// program take turns: the one is faster where the optimum is small, the other where it is large, and some problems
    /// need both.
    fn climb(&mut self, search: &mut CoreGuided<'a>) -> bool {
        let rows = self.reduced.positives.iter().chain(&self.reduced.negatives);
        let entries: u64 = rows.map(|row| row.classes.len() as u64).sum();
        let mut decisions = FIRST_DECISIONS.min(FIRST_ENTRIES / entries.max(1));
        search.set_budget(self.budget, decisions);
        let mut turn = self.search(search);
        let mut program = None;
        while turn == Turn::Paused {
            if program.is_none() {
                program = CoreLp::new(self.reduced, self.problem.objective(), self.budget);
            }
            turn = program.as_mut().map_or(Turn::Over, |program| self.pack(program));
            if matches!(turn, Turn::Paused | Turn::Over) {
                decisions = if turn == Turn::Over { u64::MAX } else { (decisions + 1).saturating_mul(GROWTH) };
                search.raise_floor(self.lower);
                search.set_budget(self.budget, decisions);
                let over = turn == Turn::Over;
                turn = self.search(search);
                if over {
                    break;
                }
            }
        }
        turn == Turn::Proved
    }

    /// A turn of the core-guided search: to its end, or to that of its decisions.
    fn search(&mut self, search: &mut CoreGuided<'_>) -> Turn {
        loop {
            if let Some(turn) = self.tell(search.lower()) {
                return turn;
            }
            let step = search.step(self.problem.number(&self.best));
            if let CoreStep::Found(set) | CoreStep::Optimal(set) = &step {
                self.take(set);
            }
            match step {
                CoreStep::Found(_) | CoreStep::Raised => {}
                CoreStep::Refuted => return Turn::Proved,
                CoreStep::Optimal(_) if search.lower() >= self.problem.number(&self.best) => {}
                // Where examples were left out for memory, the bound may end below the cost of every real set.
                CoreStep::Optimal(_) => return Turn::Ended,
                CoreStep::Stopped => {
                    self.tell(search.lower());
                    return if self.budget.check().is_none() { Turn::Paused } else { Turn::Ended };
                }
            }
        }
    }

    /// A turn of the linear program: until nothing is violated, or as long as the bound rises.
    fn pack(&mut self, program: &mut CoreLp<'_>) -> Turn {
        let is_chosen = |class: &usize| self.best.chosen.binary_search(&self.reduced.classes[*class].member).is_ok();
        program.stay_near(&(0..self.reduced.classes.len()).filter(is_chosen).collect::<Vec<_>>());
        let (mut lower, mut risen) = (program.lower(), program.work());
        loop {
            let round = program.step();
            if round == LpRound::Converged {
                self.take(&program.rounded());
            }
            if let Some(turn) = self.tell(program.lower()) {
                return turn;
            }
            if round != LpRound::More {
                return if self.budget.check().is_none() { Turn::Over } else { Turn::Ended };
            }
            if program.lower() > lower {
                (lower, risen) = (program.lower(), program.work());
            } else if program.work() - risen > PATIENCE.max(program.work() / 2) {
                return Turn::Paused;
            }
        }
    }

    /// Tell a bound if it is higher than the last; whether that is the end.
    fn tell(&mut self, lower: i128) -> Option<Turn> {
        let upper = self.problem.number(&self.best);
        let lower = lower.min(upper);
        if lower > self.lower {
            self.lower = lower;
            if (self.on_bound)(&self.problem.objective().value(lower)).is_break() && lower < upper {
                return Some(Turn::Ended);
            }
        }
        (self.lower >= upper).then_some(Turn::Proved)
    }

    /// Take classes for the best set if they are.
    fn take(&mut self, set: &[usize]) {
        let found = polish(self.problem, set.iter().map(|&class| self.reduced.classes[class].member));
        if found.value < self.best.value {
            self.best = found;
        }
    }
}

/// A set without the members whose loss helps: a model of the clauses may choose more than it needs.
pub(super) fn polish(problem: &Problem, set: impl Iterator<Item = ColumnId>) -> Solution {
    let set: Vec<ColumnId> = set.collect();
    let mut selection = ColumnSelection::new(problem, &set);
    while let Some((relief, at)) = (0..selection.chosen().len())
        .map(|at| (selection.relief(problem, selection.chosen()[at]), at))
        .max_by_key(|&(relief, at)| (relief, std::cmp::Reverse(at)))
        && relief > 0
    {
        selection.drop_at(problem, at);
    }
    problem.evaluate(selection.chosen().iter().copied())
}

#[cfg(test)]
mod tests {
    use super::super::LocalSearch;
    use super::super::oracle::{brute_force, random_problem, rng};
    use super::*;
    use crate::budget::Cancel;
    use crate::cost::Cost;
    use std::time::{Duration, Instant};

    #[test]
    fn the_optimum_is_that_of_brute_force() {
        for seed in 0..3_000 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 11, 40);
            let expected = &brute_force(&problem)[0].value;
            let mut last = None;
            let outcome = prove(&problem, &[], &Budget::unlimited(), &mut |lower| {
                assert!(lower <= expected && last.as_ref() < Some(lower), "seed {seed}");
                last = Some(lower.clone());
                ControlFlow::Continue(())
            });
            assert!(outcome.is_optimal(), "seed {seed}");
            assert_eq!(&outcome.best().value, expected, "seed {seed}");
            assert_eq!(*outcome.best(), problem.evaluate(outcome.best().chosen.iter().copied()));
        }
    }

    #[test]
    fn a_good_incumbent_changes_nothing_but_the_time() {
        for seed in 0..300 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 40, 80);
            let budget = Budget::unlimited();
            let plain = prove(&problem, &[], &budget, &mut |_| ControlFlow::Continue(()));
            let local = LocalSearch::new(1).improve(&problem, 5_000, &budget, &mut |_| ());
            let warm = prove(&problem, &local.chosen, &budget, &mut |_| ControlFlow::Continue(()));
            assert!(plain.is_optimal() && warm.is_optimal(), "seed {seed}");
            assert_eq!(plain.best().value, warm.best().value, "seed {seed}");
            assert_eq!(warm, prove(&problem, &local.chosen, &budget, &mut |_| ControlFlow::Continue(())));
        }
    }

    #[test]
    fn wherever_it_is_cancelled_the_bound_holds() {
        for seed in 0..150 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 12, 60);
            let optimum = &brute_force(&problem)[0].value;
            for at in 0..20 {
                let (cancel, mut heard) = (Cancel::default(), 0);
                let budget = Budget::unlimited().with_cancel(cancel.clone());
                // Half of the runs are broken off by the listener, half by the flag.
                let outcome = prove(&problem, &[], &budget, &mut |lower| {
                    assert!(lower <= optimum);
                    heard += 1;
                    if heard <= at / 2 {
                        ControlFlow::Continue(())
                    } else if at % 2 == 0 {
                        cancel.raise();
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                assert!(outcome.lower() <= optimum && optimum <= &outcome.best().value, "seed {seed} at {at}");
            }
        }
    }

    #[test]
    fn a_time_limit_is_kept_on_a_problem_out_of_reach() {
        for cost in Cost::ALL {
            let problem = random_problem(&mut rng(77), cost, 3_000, 600);
            let started = Instant::now();
            let budget = Budget::unlimited().with_time(Duration::from_millis(200));
            let outcome = prove(&problem, &[], &budget, &mut |_| ControlFlow::Continue(()));
            assert!(started.elapsed() < Duration::from_millis(1_000), "{:?}", started.elapsed());
            assert!(outcome.lower() <= &outcome.best().value);
        }
    }
}
