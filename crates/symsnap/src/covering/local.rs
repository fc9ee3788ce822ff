//! The incumbent, at any time: greedy descent, then iterated local search.
//!
//! A descent drops the member whose loss helps most, or else adds the column that helps most, until neither helps.
//! From there a *tabu walk* (Glover 1989) flips, step by step, the column whose flip helps most or hurts least,
//! except those flipped a moment ago; when it has found nothing new for a while, it starts again near the best set.
//! Columns that arrive later are each forced in once, so a batch of new rules costs a pass over the batch and not a
//! restart. Rejected: kicks (drop a few members, descend again), which on the molecule tasks stay where greedy ends, 40 %
//! above the optimum: a general rule gives way only to several special ones at once, and each of these alone is a loss.
//!
//! Effort is counted in rows weighed, never in time, and the only randomness is a seeded generator: the same calls give
//! the same sets on any machine, unless the [`Budget`] ends one. This file proves nothing.

use super::problem::{ColumnId, Problem, Solution};
use super::selection::{ColumnSelection, Uncovered};
use crate::budget::Budget;
use crate::random::Random;
use crate::sets::Cover;

/// Columns that one step of the tabu walk looks at to add one, at most. Small problems are scanned whole; in large ones a
/// random window finds a good add sooner than the whole scan finds the best.
const WINDOW: usize = 4096;

/// Words weighed between two looks at the budget: well under a millisecond.
const WORDS_PER_CHECK: usize = 1 << 19;

/// Steps without progress after which a walk ends, beside ten for each member of the set.
const STALE_STEPS: usize = 300;

/// A local search over one growing [`Problem`].
///
/// ```
/// use symsnap::{Budget, Cost};
/// use symsnap::internals::covering::{LocalSearch, Problem};
/// use symsnap::internals::sets::Cover;
///
/// let mut problem = Problem::new(Cost::Mdl, &[1; 10], &[1; 5])?;
/// let rule = problem.add(3, &Cover::full(problem.sides()).positives_only());
/// let mut search = LocalSearch::new(1);
/// let best = search.improve(&problem, 1_000, &Budget::unlimited(), &mut |_| ());
/// assert_eq!(best.chosen, vec![rule]);
/// # Ok::<(), symsnap::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalSearch {
    random: Random,
    /// The best set so far, ascending.
    best: Vec<ColumnId>,
    /// Columns that have had their turn.
    seen: usize,
    /// Seen columns that can be in an optimal set at all: those whose positives outweigh their size.
    useful: Vec<ColumnId>,
    /// How many were useful when a set was last built from nothing; again when they have doubled.
    built: usize,
}

impl LocalSearch {
    /// A search that has seen nothing; runs with equal seeds are equal.
    pub fn new(seed: u64) -> Self {
        LocalSearch { random: Random::new(seed), best: Vec::new(), seen: 0, useful: Vec::new(), built: 0 }
    }

    /// Start from `chosen` too: a set from elsewhere (an exact solver, a previous run) if it is better than the best.
    pub fn suggest(&mut self, problem: &Problem, chosen: &[ColumnId]) {
        let (known, offered) = (self.best(problem), problem.evaluate(chosen.iter().copied()));
        if offered.value < known.value {
            self.best = offered.chosen;
        }
    }

    /// The best set so far.
    pub fn best(&self, problem: &Problem) -> Solution {
        problem.evaluate(self.best.iter().copied())
    }

    /// What the best set does not cover without one of its columns, or all of it.
    pub fn open(&self, problem: &Problem, without: Option<ColumnId>) -> Cover {
        let rest = self.best.iter().filter(|&&id| Some(id) != without);
        let mut open = problem.sides().full();
        for &id in rest {
            open.iter_mut().zip(problem.cover(id)).for_each(|(open, covered)| *open &= !covered);
        }
        Cover::from_words(problem.sides(), open)
    }

    /// Look at the columns that are new since the last call, then search on until about `effort` rows are weighed or
    /// the budget ends. Every strict improvement goes to `on_better` as it is found; the best set is returned.
    ///
    /// `problem` must be the problem of the earlier calls, with none or more columns added.
    pub fn improve(
        &mut self,
        problem: &Problem,
        effort: u64,
        budget: &Budget,
        on_better: &mut dyn FnMut(&Solution),
    ) -> Solution {
        let selection = ColumnSelection::new(problem, &self.best);
        let mut run = LocalRun {
            problem,
            budget,
            on_better,
            left: effort,
            until_check: 0,
            over: false,
            best: selection.clone(),
            work: selection,
            open: Uncovered::default(),
            step: 0,
            barred: vec![0; problem.len()],
        };
        self.take_in_new(&mut run);
        self.iterate(&mut run);
        self.best = run.best.chosen().to_vec();
        self.best.sort_unstable();
        self.best(problem)
    }

    fn take_in_new(&mut self, run: &mut LocalRun<'_>) {
        let problem = run.problem;
        let new: Vec<ColumnId> = (self.seen..problem.len())
            .map(ColumnId::new)
            .filter(|&id| {
                let tp = problem.weights().pos.of(problem.pos(id));
                problem.objective().fn_ * i128::from(tp) > problem.objective().size * i128::from(problem.size(id))
            })
            .collect();
        self.seen = problem.len();
        self.useful.extend_from_slice(&new);
        if new.is_empty() {
            return;
        }
        // The first descent is never cut short by effort: there must be an incumbent worth the name.
        run.left = run.left.max(1);
        run.descend(&new);
        run.keep();
        if self.useful.len() >= 2 * self.built {
            self.built = self.useful.len();
            run.build(&self.useful, |_| false);
            run.keep();
        }
        for &id in &new {
            if run.spent() {
                break;
            }
            run.work.copy_from(&run.best);
            run.work.add(problem, id);
            while run.drop_best(Some(id)) {}
            run.keep();
        }
        run.work.copy_from(&run.best);
    }

    fn iterate(&mut self, run: &mut LocalRun<'_>) {
        if self.useful.is_empty() {
            return;
        }
        while !run.spent() {
            let from = self.random.below(self.useful.len());
            let to = (from + WINDOW).min(self.useful.len());
            let from = from.min(self.useful.len().saturating_sub(WINDOW));
            run.walk(&self.useful[from..to], &mut self.random);
            if self.random.below(4) == 0 {
                run.build(&self.useful[from..to], |_| self.random.below(4) == 0);
                continue;
            }
            // The next walk starts near the best set: some members gone, some strangers in.
            run.work.copy_from(&run.best);
            for _ in 0..1 + self.random.below(3) {
                if !run.work.chosen().is_empty() && self.random.below(2) == 0 {
                    let at = self.random.below(run.work.chosen().len());
                    run.work.drop_at(run.problem, at);
                } else {
                    run.work.add(run.problem, self.useful[self.random.below(self.useful.len())]);
                }
            }
        }
    }
}

/// One call of [`LocalSearch::improve`].
struct LocalRun<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    on_better: &'a mut dyn FnMut(&Solution),
    left: u64,
    until_check: usize,
    over: bool,
    best: ColumnSelection,
    work: ColumnSelection,
    open: Uncovered,
    step: u64,
    /// The step until which a column may not be flipped.
    barred: Vec<u64>,
}

impl LocalRun<'_> {
    /// Count `rows` rows weighed; whether the call must end.
    fn pay(&mut self, rows: usize) -> bool {
        self.left = self.left.saturating_sub(rows as u64);
        let words = rows.saturating_mul(self.problem.sides().words().max(1));
        if words >= self.until_check {
            self.until_check = WORDS_PER_CHECK;
            self.over |= self.budget.check().is_some();
        } else {
            self.until_check -= words;
        }
        self.over
    }

    fn spent(&self) -> bool {
        self.over || self.left == 0
    }

    /// Move the working set to its local optimum over adds from `pool` and all drops.
    fn descend(&mut self, pool: &[ColumnId]) {
        while !self.over {
            if self.drop_best(None) {
                continue;
            }
            match self.best_add(pool, Some(0)) {
                Some((gain, id)) if gain > 0 => self.work.add(self.problem, id),
                _ => return,
            }
        }
    }

    /// Make the working set anew: add, while it helps, what covers most for its price, leaving out what `skip` says. This
    /// starts from special rules, which lie far from what [`LocalRun::descend`] reaches from nothing.
    fn build(&mut self, pool: &[ColumnId], mut skip: impl FnMut(ColumnId) -> bool) {
        self.work = ColumnSelection::new(self.problem, &[]);
        loop {
            self.work.open(self.problem, &mut self.open);
            let mut best: Option<(f64, ColumnId)> = None;
            for chunk in pool.chunks(256) {
                if self.pay(chunk.len()) {
                    return;
                }
                for &id in chunk {
                    let floor = best.map_or(1.0, |(least, _)| least);
                    if let Some(ratio) = ColumnSelection::ratio(self.problem, &self.open, id, floor)
                        && !skip(id)
                    {
                        best = Some((ratio, id));
                    }
                }
            }
            match best {
                Some((_, id)) => self.work.add(self.problem, id),
                None => break,
            }
        }
        while self.drop_best(None) {}
    }

    /// Flip on from the working set, keeping the best sets met, until nothing new is met for long enough.
    fn walk(&mut self, pool: &[ColumnId], random: &mut Random) {
        let mut low = self.work.number();
        let mut stale = 0;
        while !self.spent() && stale < STALE_STEPS + 10 * self.work.chosen().len() {
            self.step += 1;
            // An add must help more than the best drop.
            let drop = self.best_drop(None);
            let add = self.best_add(pool, drop.map(|(relief, _)| relief));
            if self.over {
                return;
            }
            let wait = random.below(8) as u64;
            match (add, drop) {
                (None, Some((_, at))) => {
                    let id = self.work.drop_at(self.problem, at);
                    self.barred[id.index()] = self.step + 6 + wait;
                }
                (Some((_, id)), _) => {
                    self.work.add(self.problem, id);
                    self.barred[id.index()] = self.step + 2 + wait;
                }
                _ => {}
            }
            self.keep();
            stale = if self.work.number() < low { 0 } else { stale + 1 };
            low = low.min(self.work.number());
        }
    }

    fn drop_best(&mut self, spare: Option<ColumnId>) -> bool {
        let best = self.best_drop(spare).filter(|&(relief, _)| relief > 0);
        if let Some((_, at)) = best {
            self.work.drop_at(self.problem, at);
        }
        best.is_some()
    }

    /// Whether a flip with this effect is open: not barred, or leading to a new best set.
    fn may(&self, id: ColumnId, effect: i128) -> bool {
        self.barred[id.index()] <= self.step || self.work.number() - effect < self.best.number()
    }

    /// The member whose loss helps most, by position, first among equals.
    fn best_drop(&mut self, spare: Option<ColumnId>) -> Option<(i128, usize)> {
        self.pay(self.work.chosen().len());
        let mut best: Option<(i128, usize)> = None;
        for (at, &id) in self.work.chosen().iter().enumerate().filter(|&(_, &id)| Some(id) != spare) {
            let relief = self.work.relief(self.problem, id);
            if best.is_none_or(|(least, _)| relief > least) && self.may(id, relief) {
                best = Some((relief, at));
            }
        }
        best
    }

    /// The column of `pool` whose addition helps most, first among equals, if it helps more than `floor`.
    fn best_add(&mut self, pool: &[ColumnId], floor: Option<i128>) -> Option<(i128, ColumnId)> {
        self.work.open(self.problem, &mut self.open);
        let mut best: Option<(i128, ColumnId)> = None;
        for chunk in pool.chunks(256) {
            if self.pay(chunk.len()) {
                break;
            }
            for &id in chunk {
                let floor = best.map(|(least, _)| least).or(floor);
                if let Some(gain) = ColumnSelection::gain(self.problem, &self.open, id, floor)
                    && self.may(id, gain)
                    && !self.work.chosen().contains(&id)
                {
                    best = Some((gain, id));
                }
            }
        }
        best
    }

    /// Keep the working set, and report it, if it is better than the best.
    fn keep(&mut self) {
        if self.work.number() < self.best.number() {
            self.best.copy_from(&self.work);
            (self.on_better)(&self.problem.evaluate(self.best.chosen().iter().copied()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{brute_force, random_problem, rng};
    use super::*;
    use crate::cost::Cost;
    use std::time::{Duration, Instant};

    #[test]
    fn every_improvement_is_strict_and_its_value_is_that_from_scratch() {
        for seed in 0..600 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 40, 60);
            let empty = problem.evaluate([]);
            let mut last = empty.value.clone();
            let mut search = LocalSearch::new(seed);
            let best = search.improve(&problem, 20_000, &Budget::unlimited(), &mut |better| {
                assert!(better.value < last, "seed {seed}");
                assert_eq!(*better, problem.evaluate(better.chosen.iter().copied()));
                last.clone_from(&better.value);
            });
            assert_eq!(best.value, last, "seed {seed}");
            assert!(best.value <= empty.value);
        }
    }

    #[test]
    fn the_incremental_number_is_that_from_scratch_after_any_moves() {
        for seed in 0..200 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 20, 90);
            let mut random = Random::new(seed);
            let mut selection = ColumnSelection::new(&problem, &[]);
            let mut open = Uncovered::default();
            for _ in 0..60 {
                let before = selection.number();
                let expected = if problem.is_empty() || (!selection.chosen().is_empty() && random.below(2) == 0) {
                    if selection.chosen().is_empty() {
                        continue;
                    }
                    let at = random.below(selection.chosen().len());
                    let relief = selection.relief(&problem, selection.chosen()[at]);
                    selection.drop_at(&problem, at);
                    before - relief
                } else {
                    let id = ColumnId::new(random.below(problem.len()));
                    selection.open(&problem, &mut open);
                    let known = selection.chosen().contains(&id);
                    let gain = if known {
                        0
                    } else {
                        ColumnSelection::gain(&problem, &open, id, None).expect("there is no floor")
                    };
                    selection.add(&problem, id);
                    before - gain
                };
                assert_eq!(selection.number(), expected);
                assert_eq!(selection.number(), problem.number(&problem.evaluate(selection.chosen().iter().copied())));
            }
        }
    }

    #[test]
    fn small_problems_are_solved_to_the_optimum() {
        for seed in 0..300 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 30);
            let best = LocalSearch::new(seed).improve(&problem, 50_000, &Budget::unlimited(), &mut |_| ());
            assert_eq!(best.value, brute_force(&problem)[0].value, "seed {seed}");
        }
    }

    #[test]
    fn a_problem_that_grows_is_searched_from_where_it_stood() {
        for seed in 0..100 {
            let whole = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 12, 40);
            let mut problem = Problem::new(whole.cost(), whole.weights().pos.each(), whole.weights().neg.each())
                .expect("the same weights fit");
            let mut search = LocalSearch::new(seed);
            let mut last = problem.evaluate([]).value;
            for id in whole.ids() {
                problem.copy_column(&whole, id);
                let best = search.improve(&problem, 3_000, &Budget::unlimited(), &mut |_| ());
                assert!(best.value <= last);
                last = best.value;
            }
            assert_eq!(last, brute_force(&whole)[0].value, "seed {seed}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_sets() {
        let problem = random_problem(&mut rng(5), Cost::Mdl, 60, 100);
        let run = || LocalSearch::new(9).improve(&problem, 30_000, &Budget::unlimited(), &mut |_| ());
        assert_eq!(run(), run());
    }

    #[test]
    fn a_time_limit_is_kept_and_an_empty_problem_is_no_trouble() {
        let problem = random_problem(&mut rng(5), Cost::LexFnSize, 2_000, 800);
        let started = Instant::now();
        let budget = Budget::unlimited().with_time(Duration::from_millis(30));
        LocalSearch::new(1).improve(&problem, u64::MAX, &budget, &mut |_| ());
        assert!(started.elapsed() < Duration::from_millis(300));
        let empty = Problem::new(Cost::Mdl, &[], &[]).expect("no weights fit");
        let best = LocalSearch::new(1).improve(&empty, u64::MAX, &Budget::unlimited(), &mut |_| ());
        assert_eq!(best, empty.evaluate([]));
    }
}
