//! The SAT solver behind the exact search, seen through the four things we need: clauses added between calls,
//! assumptions, cores over them, and a call that ends when the budget or a conflict limit says so.
//!
//! The solver is `batsat` (a port of MiniSat, 5,000 lines, one small dependency, MIT, builds in two seconds). Compared
//! in November 2026: `rustsat` + `rustsat-batsat` wrap the same solver in 30 crates for encodings we do not use;
//! `varisat` (last release 2020) has neither a stop callback nor conflict limits; `splr` (MPL-2.0) and `screwsat` solve
//! without cores; `cadical` needs a C++ compiler. The rest of the room sees none of its types but the literal, so that
//! another solver is a change to this file.

use crate::budget::Budget;
use batsat::{Callbacks, Solver, SolverInterface, SolverOpts, clause, lbool};
use std::cell::Cell;

pub(super) use batsat::Lit;

/// What a call found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SatAnswer {
    /// A model; ask [`Sat::value`].
    Sat,
    /// A subset of the assumptions that cannot all be true; empty if the clauses alone cannot.
    Unsat(Vec<Lit>),
    /// The budget or the conflict limit came first.
    Unknown,
}

/// An incremental SAT solver with a budget.
pub(super) struct Sat {
    solver: Solver<SolverWatch>,
}

/// Decisions that a solver may make under a tick limit, besides [`DECISIONS_PER_TICK`] for each tick. A proof needs more
/// decisions than a search needs ticks.
const DECISIONS: u64 = 100_000;

/// Decisions that each tick of a limit adds.
const DECISIONS_PER_TICK: u64 = 8;

/// Asked by the solver after every conflict and decision whether to go on.
struct SolverWatch {
    budget: Budget,
    conflicts: Cell<u64>,
    conflict_limit: Cell<u64>,
    /// The solver asks once a decision.
    asked: Cell<u64>,
    asked_limit: Cell<u64>,
    /// The decision that ends all calls.
    last: Cell<u64>,
    over: Cell<bool>,
}

impl Callbacks for SolverWatch {
    fn on_new_clause(&mut self, _: &[Lit], kind: clause::Kind) {
        if kind == clause::Kind::Learnt {
            self.conflicts.set(self.conflicts.get() + 1);
        }
    }

    fn stop(&self) -> bool {
        let asked = self.asked.get() + 1;
        self.asked.set(asked);
        // Under a tick limit decisions are limited too, so that the work ends at the same point on every machine.
        let ticks_out =
            self.budget.tick_limit().is_some_and(|limit| asked > DECISIONS + limit.saturating_mul(DECISIONS_PER_TICK));
        if ticks_out || asked > self.last.get() || asked.is_multiple_of(64) && self.budget.check().is_some() {
            self.over.set(true);
        }
        self.over.get() || self.conflicts.get() >= self.conflict_limit.get() || asked >= self.asked_limit.get()
    }
}

impl Sat {
    pub fn new(budget: &Budget) -> Self {
        let watch = SolverWatch {
            budget: budget.clone(),
            conflicts: Cell::new(0),
            conflict_limit: Cell::new(u64::MAX),
            asked: Cell::new(0),
            asked_limit: Cell::new(u64::MAX),
            last: Cell::new(u64::MAX),
            over: Cell::new(false),
        };
        Sat { solver: Solver::new(SolverOpts::default(), watch) }
    }

    /// Let another budget end the calls to come, or this many decisions in all of them.
    pub fn set_budget(&mut self, budget: &Budget, decisions: u64) {
        let watch = self.solver.cb_mut();
        watch.budget = budget.clone();
        watch.last.set(watch.asked.get().saturating_add(decisions));
        watch.over.set(false);
    }

    /// A new variable, as its positive literal.
    pub fn new_lit(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause_reuse(&mut lits.to_vec());
    }

    /// Search under assumptions, for at most `conflicts` conflicts.
    pub fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> SatAnswer {
        self.search(assumptions, conflicts, u64::MAX)
    }

    /// Look for a quick refutation of the assumptions: few conflicts, and few decisions beyond the assumptions. Where
    /// there is none, [`Sat::solve`] would decide every variable to say so.
    pub fn refute(&mut self, assumptions: &[Lit], conflicts: u64, decisions: u64) -> Option<Vec<Lit>> {
        match self.search(assumptions, conflicts, decisions.saturating_add(assumptions.len() as u64)) {
            SatAnswer::Unsat(core) => Some(core),
            SatAnswer::Sat | SatAnswer::Unknown => None,
        }
    }

    fn search(&mut self, assumptions: &[Lit], conflicts: u64, decisions: u64) -> SatAnswer {
        let watch = self.solver.cb_mut();
        watch.conflict_limit.set(watch.conflicts.get().saturating_add(conflicts));
        watch.asked_limit.set(watch.asked.get().saturating_add(decisions));
        let result = self.solver.solve_limited(assumptions);
        if result == lbool::TRUE {
            SatAnswer::Sat
        } else if result == lbool::FALSE {
            // The solver gives the clause that refutes the core, not the core.
            SatAnswer::Unsat(self.solver.unsat_core().iter().map(|&lit| !lit).collect())
        } else {
            SatAnswer::Unknown
        }
    }

    /// Whether a literal is true in the last model; a variable the model leaves open is false.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// Conflicts so far, over all calls.
    pub fn conflicts(&self) -> u64 {
        self.solver.cb().conflicts.get()
    }

    /// Whether the budget ended a call: then no later call will do better.
    pub fn is_over(&self) -> bool {
        self.solver.cb().over.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_core_is_a_subset_of_the_assumptions() {
        let mut sat = Sat::new(&Budget::unlimited());
        let lits: Vec<Lit> = (0..4).map(|_| sat.new_lit()).collect();
        sat.add_clause(&[!lits[0], !lits[1]]);
        let SatAnswer::Unsat(mut core) = sat.solve(&[lits[3], lits[0], lits[2], lits[1]], u64::MAX) else {
            panic!("not both")
        };
        core.sort_unstable();
        assert_eq!(core, [lits[0], lits[1]]);
        assert_eq!(sat.solve(&[lits[0], lits[2]], u64::MAX), SatAnswer::Sat);
        assert!(sat.value(lits[0]) && sat.value(lits[2]) && !sat.value(lits[1]) && sat.value(!lits[1]));
        sat.add_clause(&[lits[0]]);
        sat.add_clause(&[lits[1]]);
        assert_eq!(sat.solve(&[lits[3]], u64::MAX), SatAnswer::Unsat(vec![]));
    }

    #[test]
    fn a_hard_call_ends_at_its_conflict_limit_the_tick_limit_and_the_time_limit() {
        let pigeons = |budget: &Budget| {
            let mut sat = Sat::new(budget);
            let at: Vec<Vec<Lit>> = (0..12).map(|_| (0..11).map(|_| sat.new_lit()).collect()).collect();
            at.iter().for_each(|holes| sat.add_clause(holes));
            for (one, holes) in at.iter().enumerate() {
                for other in &at[..one] {
                    holes.iter().zip(other).for_each(|(&a, &b)| sat.add_clause(&[!a, !b]));
                }
            }
            sat
        };
        let mut sat = pigeons(&Budget::unlimited());
        assert_eq!(sat.solve(&[], 500), SatAnswer::Unknown);
        assert!(!sat.is_over());
        let mut sat = pigeons(&Budget::unlimited().with_ticks(1_000));
        assert_eq!(sat.solve(&[], u64::MAX), SatAnswer::Unknown);
        assert!(sat.is_over());
        let mut sat = pigeons(&Budget::unlimited().with_time(Duration::from_millis(50)));
        let started = Instant::now();
        assert_eq!(sat.solve(&[], u64::MAX), SatAnswer::Unknown);
        assert!(sat.is_over() && started.elapsed() < Duration::from_millis(500));
    }
}
