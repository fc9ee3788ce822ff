//! All optimal sets, not just one: the pool wants the hypotheses that the examples cannot tell apart.
//!
//! **Among the columns that the reduction keeps.** When the core-guided bound has reached the optimum, the optimal
//! sets are exactly those that satisfy all remaining soft clauses (see [`super::core_guided`]), so the solver that has the proof
//! is asked for one after another, and each is excluded.
//!
//! **Among all columns.** Take any optimal set. If it has a column that the reduction removed, dropping that one
//! (where it was useless) or putting its dominator in its place costs no more ([`super::reduce`]), and as nothing costs
//! less, just as much. Column by column this leads through optimal sets to one of kept columns. So all optimal
//! sets are reached from those by adding one column or exchanging one for another while the cost stays what it is.
//! The same steps, without a proof, lead to some of the sets that are as good as the best one known.
//!
//! *Rejected*: a reduction that keeps all optimal sets, and a second proof on what it leaves, which can take many times as
//! long as the first.

use super::core_guided::{CoreGuided, CoreStep, Keep};
use super::problem::{ColumnId, Problem, Solution};
use super::reduce::Reduced;
use super::selection::{ColumnSelection, Uncovered};
use crate::budget::Budget;
use crate::cost::CostValue;
use rustc_hash::FxHashSet;

/// How much may be done to list sets.
#[derive(Debug, Clone)]
pub struct Listing {
    /// How many sets are wanted; at least one.
    pub cap: usize,
    /// About how many columns may be weighed on the way.
    pub rows: u64,
    /// About how many decisions the solver may take.
    pub decisions: u64,
    /// And it takes no longer than this.
    pub budget: Budget,
}

/// Whether what is listed is all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// It is.
    All,
    /// There are more than were wanted.
    Capped,
    /// There may be more.
    Cut,
}

/// Sets of equal cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optima {
    /// Distinct sets, the best one known first.
    pub solutions: Vec<Solution>,
    /// Whether these are all that cost as much.
    pub extent: Extent,
}

/// The optimal sets of `problem`, given the solver that has proved `best` to be one. The empty set counts if it is
/// optimal.
pub(super) fn optima<'l>(
    problem: &Problem,
    reduced: &Reduced,
    bound: CoreGuided<'l>,
    best: &Solution,
    listing: &'l Listing,
) -> Optima {
    let mut near = Neighbourhood::new(problem, problem.number(best), listing);
    near.add(best.chosen.clone());
    list(reduced, bound, near)
}

/// All sets of `problem` that cost `value`, given that none costs less.
pub fn all_of_cost(problem: &Problem, value: &CostValue, listing: &Listing) -> Optima {
    let near = Neighbourhood::new(problem, problem.objective().number_of(value), listing);
    if listing.budget.check().is_some() {
        return Optima { solutions: Vec::new(), extent: Extent::Cut };
    }
    let reduced = Reduced::new(problem, &listing.budget);
    let bound = CoreGuided::new(&reduced, Keep::AsGood, &listing.budget);
    list(&reduced, bound, near)
}

fn list<'l>(reduced: &Reduced, mut bound: CoreGuided<'l>, mut near: Neighbourhood<'l>) -> Optima {
    let optimum = near.number;
    bound.set_budget(&near.listing.budget, near.listing.decisions);
    // The bound may not be there yet, or have come from an attempt before the last.
    while !bound.has_reached(optimum) && matches!(bound.step(optimum), CoreStep::Raised | CoreStep::Found(_)) {}
    let mut next = if bound.has_reached(optimum) { bound.next_optimal() } else { CoreStep::Stopped };
    while let CoreStep::Optimal(set) = &next
        && !near.is_full()
    {
        let mut chosen: Vec<ColumnId> = set.iter().map(|&class| reduced.classes[class].member).collect();
        chosen.sort_unstable();
        // Where examples were left out for memory, a set may cost more than the problem without them says.
        if near.problem.number(&near.problem.evaluate(chosen.iter().copied())) == optimum {
            near.add(chosen);
        }
        bound.exclude(set);
        next = bound.next_optimal();
    }
    near.finish(next == CoreStep::Refuted)
}

/// Sets that cost what `from` does, near it: some of those there are.
pub fn as_good(problem: &Problem, from: &[ColumnId], listing: &Listing) -> Optima {
    let from = problem.evaluate(from.iter().copied());
    let mut near = Neighbourhood::new(problem, problem.number(&from), listing);
    near.add(from.chosen);
    near.finish(false)
}

/// Columns weighed between two looks at the budget.
const ROWS_PER_CHECK: u64 = 4096;

/// Sets of one cost, to which neighbours are added.
struct Neighbourhood<'a> {
    problem: &'a Problem,
    number: i128,
    listing: &'a Listing,
    sets: Vec<Vec<ColumnId>>,
    known: FxHashSet<Vec<ColumnId>>,
    rows: u64,
}

impl<'a> Neighbourhood<'a> {
    fn new(problem: &'a Problem, number: i128, listing: &'a Listing) -> Self {
        Neighbourhood { problem, number, listing, sets: Vec::new(), known: FxHashSet::default(), rows: 0 }
    }

    /// Add a set, in ascending order, unless it is known.
    fn add(&mut self, set: Vec<ColumnId>) {
        if self.known.insert(set.clone()) {
            self.sets.push(set);
        }
    }

    /// Whether there are more sets than are wanted.
    fn is_full(&self) -> bool {
        self.sets.len() > self.listing.cap.max(1)
    }

    /// Count `rows` columns weighed; whether that was the last.
    fn pay(&mut self, rows: usize) -> bool {
        let before = self.rows / ROWS_PER_CHECK;
        self.rows += rows as u64;
        self.rows > self.listing.rows
            || self.rows / ROWS_PER_CHECK > before && self.listing.budget.check().is_some()
            || self.is_full()
    }

    /// Add neighbours, neighbours of neighbours and so on. `whole` says whether every set there is can be reached.
    fn finish(mut self, whole: bool) -> Optima {
        let done = self.go();
        let extent = match (self.is_full(), whole && done) {
            (true, _) => Extent::Capped,
            (false, true) => Extent::All,
            (false, false) => Extent::Cut,
        };
        self.sets.truncate(self.listing.cap.max(1));
        let solutions = self.sets.iter().map(|set| self.problem.evaluate(set.iter().copied())).collect();
        Optima { solutions, extent }
    }

    /// Whether all neighbours of all sets were looked at.
    fn go(&mut self) -> bool {
        let problem = self.problem;
        let objective = problem.objective();
        let worth = |id: &ColumnId| {
            let tp = problem.weights().pos.of(problem.pos(*id));
            objective.fn_ * i128::from(tp) >= objective.size * i128::from(problem.size(*id))
        };
        let pool: Vec<ColumnId> = problem.ids().filter(worth).collect();
        if self.is_full() || self.pay(problem.len()) {
            return false;
        }
        let mut at = 0;
        while at < self.sets.len() {
            let set = self.sets[at].clone();
            at += 1;
            // Without each member, and with all of them.
            for place in 0..=set.len() {
                let mut rest = set.clone();
                if place < set.len() {
                    rest.remove(place);
                }
                if !self.neighbours(&set, &rest, &pool) {
                    return false;
                }
            }
        }
        true
    }

    /// Add the sets of the right cost that are `rest`, or `rest` and one column that is not in `set`; whether all of
    /// them were looked at.
    fn neighbours(&mut self, set: &[ColumnId], rest: &[ColumnId], pool: &[ColumnId]) -> bool {
        let problem = self.problem;
        let selection = ColumnSelection::new(problem, rest);
        let wanted = selection.number() - self.number;
        if wanted == 0 && rest.len() < set.len() {
            self.add(rest.to_vec());
        }
        let mut open = Uncovered::default();
        selection.open(problem, &mut open);
        for chunk in pool.chunks(256) {
            if self.pay(chunk.len()) {
                return false;
            }
            for &id in chunk {
                if ColumnSelection::gain(problem, &open, id, Some(wanted - 1)) == Some(wanted) && !set.contains(&id) {
                    let mut with = rest.to_vec();
                    with.insert(with.partition_point(|&other| other < id), id);
                    self.add(with);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::prove_and_list;
    use super::super::oracle::{brute_force, random_problem, rng};
    use super::*;
    use crate::cost::Cost;
    use crate::sets::Cover;
    use std::ops::ControlFlow;
    use std::time::Duration;

    fn listing(cap: usize) -> Listing {
        Listing { cap, rows: u64::MAX, decisions: u64::MAX, budget: Budget::unlimited() }
    }

    /// The optimal sets in ascending order, and whether these are all.
    fn list(problem: &Problem, from: &[ColumnId], listing: &Listing) -> (Vec<Solution>, Extent) {
        let (outcome, optima) =
            prove_and_list(problem, from, &Budget::unlimited(), &mut |_| ControlFlow::Continue(()), || listing.clone());
        assert!(outcome.is_optimal());
        let Optima { mut solutions, extent } = optima.expect("a proof comes with optima");
        solutions.sort_by(|a, b| a.chosen.cmp(&b.chosen));
        (solutions, extent)
    }

    #[test]
    fn below_the_cap_the_optima_are_those_of_brute_force() {
        for seed in 0..2_000 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 24);
            let expected = brute_force(&problem);
            let mut known = all_of_cost(&problem, &expected[0].value, &listing(2_000));
            known.solutions.sort_by(|a, b| a.chosen.cmp(&b.chosen));
            assert_eq!((&known.solutions, known.extent), (&expected, Extent::All), "seed {seed}");
            assert_eq!(list(&problem, &[], &listing(2_000)), (expected, Extent::All), "seed {seed}");
        }
    }

    #[test]
    fn a_cap_gives_distinct_optimal_sets_and_says_that_there_are_more() {
        for seed in 0..1_000 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 24);
            let expected = brute_force(&problem);
            let (found, extent) = list(&problem, &expected[0].chosen, &listing(2));
            assert_eq!(found.len(), expected.len().min(2));
            assert!(found.iter().all(|solution| expected.contains(solution)));
            assert!(found.windows(2).all(|pair| pair[0].chosen < pair[1].chosen));
            assert_eq!(extent, if expected.len() > 2 { Extent::Capped } else { Extent::All }, "seed {seed}");
        }
    }

    #[test]
    fn candidates_that_cover_the_same_are_exchanged() {
        let mut problem = Problem::new(Cost::Mdl, &[1; 8], &[]).expect("unit weights fit");
        for _ in 0..1_000 {
            problem.add(2, &Cover::full(problem.sides()));
        }
        let (found, extent) = list(&problem, &[], &listing(100));
        assert_eq!((found.len(), extent), (100, Extent::Capped));
        let (found, extent) = list(&problem, &[], &listing(1_000));
        assert_eq!((found.len(), extent), (1_000, Extent::All));
    }

    #[test]
    fn without_effort_the_optimum_comes_back_and_more_may_exist() {
        for seed in 0..200 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 24);
            let best = brute_force(&problem)[0].clone();
            let (found, extent) = list(&problem, &best.chosen, &Listing { rows: 0, ..listing(2_000) });
            assert!(found.contains(&best), "seed {seed}");
            assert_eq!(extent == Extent::All, problem.is_empty(), "seed {seed}");
        }
    }

    #[test]
    fn a_list_of_millions_ends_with_the_budget() {
        let mut problem = Problem::new(Cost::LexFnSize, &[1; 40], &[]).expect("unit weights fit");
        for at in 0..400 {
            let mut cover = Cover::empty(problem.sides());
            cover.insert(at % 40);
            problem.add(1, &cover);
        }
        let budget = Budget::unlimited().with_time(Duration::from_millis(100));
        let started = std::time::Instant::now();
        let value = CostValue(vec![0, 0, 40]);
        let found = all_of_cost(&problem, &value, &Listing { budget, ..listing(usize::MAX - 1) });
        assert_eq!(found.extent, Extent::Cut);
        assert!(found.solutions.iter().all(|solution| solution.value == value));
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }

    #[test]
    fn sets_near_one_that_is_not_proved_cost_the_same_and_are_never_called_all() {
        let mut others = 0;
        for seed in 0..500 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 12, 24);
            let from = problem.evaluate(problem.ids().take(2));
            let found = as_good(&problem, &from.chosen, &listing(50));
            assert_ne!(found.extent, Extent::All);
            assert_eq!(found.solutions[0], from);
            assert!(found.solutions.iter().all(|solution| solution.value == from.value), "seed {seed}");
            others += found.solutions.len() - 1;
        }
        assert!(others > 200, "there are neighbours: {others}");
    }
}
