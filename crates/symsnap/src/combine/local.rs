//! The incumbent, at any time: greedy descent, then iterated local search.
//!
//! A descent drops the member whose loss helps most, or else adds the candidate that helps most, until neither helps.
//! From its local optimum the search kicks the set (drops a few members and bars them from the next add, which makes a
//! swap; or forces a candidate in and drops what it makes superfluous) and descends again; it keeps what is not worse.
//! Candidates that arrive later are each forced in once, so a batch of new rules costs a pass over the batch and not a
//! restart.
//!
//! Effort is counted in rows weighed, never in time, and the only randomness is a seeded generator: the same calls give
//! the same sets on any machine, unless the [`Budget`] ends one. This file proves nothing.

use super::cover::{Cover, Open};
use super::problem::{CandidateId, Problem, Solution};
use crate::budget::Budget;

/// Rows that one add step of the kicked search looks at, at most. Small problems are scanned whole; in large ones a
/// random window finds a good add sooner than the whole scan finds the best.
const WINDOW: usize = 4096;

/// Words weighed between two looks at the budget: well under a millisecond.
const WORDS_PER_CHECK: usize = 1 << 19;

/// Kicks without progress after which the search returns to the best set.
const PATIENCE: u32 = 100;

/// A local search over one growing [`Problem`].
///
/// ```
/// use symsnap::bitset::Bitset;
/// use symsnap::budget::Budget;
/// use symsnap::combine::{LocalSearch, Problem};
/// use symsnap::cost::Cost;
///
/// let mut problem = Problem::new(Cost::Mdl, &[1; 10], &[1; 5])?;
/// let rule = problem.add(3, &Bitset::full(10), &Bitset::new(5));
/// let mut search = LocalSearch::new(1);
/// let best = search.improve(&problem, 1_000, &Budget::unlimited(), &mut |_| ());
/// assert_eq!(best.chosen, vec![rule]);
/// # Ok::<(), symsnap::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalSearch {
    random: Random,
    /// The best set so far, ascending.
    best: Vec<CandidateId>,
    /// Candidates that have had their turn.
    seen: usize,
    /// Seen candidates that can be in an optimal set at all: those whose positives outweigh their size.
    useful: Vec<CandidateId>,
}

impl LocalSearch {
    /// A search that has seen nothing; runs with equal seeds are equal.
    pub fn new(seed: u64) -> Self {
        LocalSearch { random: Random(seed), best: Vec::new(), seen: 0, useful: Vec::new() }
    }

    /// Start from `chosen` too: a set from elsewhere (an exact solver, a previous run) if it is better than the best.
    pub fn suggest(&mut self, problem: &Problem, chosen: &[CandidateId]) {
        let (known, offered) = (self.best(problem), problem.evaluate(chosen.iter().copied()));
        if offered.value < known.value {
            self.best = offered.chosen;
        }
    }

    /// The best set so far.
    pub fn best(&self, problem: &Problem) -> Solution {
        problem.evaluate(self.best.iter().copied())
    }

    /// Look at the candidates that are new since the last call, then search on until about `effort` rows are weighed or
    /// the budget ends. Every strict improvement goes to `on_better` as it is found; the best set is returned.
    ///
    /// `problem` must be the problem of the earlier calls, with none or more candidates added.
    pub fn improve(
        &mut self,
        problem: &Problem,
        effort: u64,
        budget: &Budget,
        on_better: &mut dyn FnMut(&Solution),
    ) -> Solution {
        let cover = Cover::new(problem, &self.best);
        let mut run = Run {
            problem,
            budget,
            on_better,
            left: effort,
            until_check: 0,
            over: false,
            best: cover.clone(),
            now: cover.clone(),
            work: cover,
            open: Open::default(),
        };
        self.take_in_new(&mut run);
        self.iterate(&mut run);
        self.best = run.best.chosen().to_vec();
        self.best.sort_unstable();
        self.best(problem)
    }

    fn take_in_new(&mut self, run: &mut Run<'_>) {
        let problem = run.problem;
        let new: Vec<CandidateId> = (self.seen..problem.len())
            .map(CandidateId::new)
            .filter(|&id| {
                let tp = problem.positive_planes().weigh(problem.pos(id));
                problem.scale().missed * i128::from(tp) > problem.scale().size * i128::from(problem.size(id))
            })
            .collect();
        self.seen = problem.len();
        self.useful.extend_from_slice(&new);
        if new.is_empty() {
            return;
        }
        // The first descent is never cut short by effort: there must be an incumbent worth the name.
        run.left = run.left.max(1);
        run.descend(&new, &mut Vec::new());
        run.keep();
        for &id in &new {
            if run.spent() {
                break;
            }
            if !run.now.chosen().contains(&id) {
                run.work.copy_from(&run.now);
                run.force(&[id], &[]);
                run.descend(&[], &mut Vec::new());
                run.keep();
            }
        }
    }

    fn iterate(&mut self, run: &mut Run<'_>) {
        let mut stale = 0;
        while !self.useful.is_empty() && !run.spent() {
            let before = run.best.number();
            run.work.copy_from(&run.now);
            let mut barred = Vec::new();
            let mut forced = Vec::new();
            let strength = 1 + self.random.below(4).min(self.random.below(4));
            if run.work.chosen().is_empty() || self.random.below(3) == 0 {
                forced.extend((0..strength).map(|_| self.useful[self.random.below(self.useful.len())]));
            } else {
                for _ in 0..strength.min(run.work.chosen().len()) {
                    let at = self.random.below(run.work.chosen().len());
                    barred.push(run.work.drop_at(run.problem, at));
                }
            }
            let from = self.random.below(self.useful.len());
            let to = (from + WINDOW).min(self.useful.len());
            let from = from.min(self.useful.len().saturating_sub(WINDOW));
            run.force(&forced, &self.useful[from..to]);
            run.descend(&self.useful[from..to], &mut barred);
            run.keep();
            stale = if run.best.number() < before { 0 } else { stale + 1 };
            if stale > PATIENCE {
                stale = 0;
                run.now.copy_from(&run.best);
            }
        }
    }
}

/// One call of [`LocalSearch::improve`].
struct Run<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    on_better: &'a mut dyn FnMut(&Solution),
    left: u64,
    until_check: usize,
    over: bool,
    best: Cover,
    now: Cover,
    work: Cover,
    open: Open,
}

impl Run<'_> {
    /// Count `rows` rows weighed; whether the call must end.
    fn pay(&mut self, rows: usize) -> bool {
        self.left = self.left.saturating_sub(rows as u64);
        let words = rows.saturating_mul(self.problem.stride().max(1));
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

    /// Move the working set to its local optimum over adds from `pool` and all drops. Nothing in `barred` is added
    /// before something else is.
    fn descend(&mut self, pool: &[CandidateId], barred: &mut Vec<CandidateId>) {
        loop {
            if self.drop_best(&[]) {
                continue;
            }
            let add = self.best_add(pool, barred);
            if self.over {
                return;
            }
            match add {
                Some(id) => self.work.add(self.problem, id),
                None if barred.is_empty() => return,
                None => {}
            }
            barred.clear();
        }
    }

    /// Put `ids` in, drop among the others what that makes superfluous, and add from `pool` what now helps: rules that
    /// only pay together, because they share negatives, are found this way.
    fn force(&mut self, ids: &[CandidateId], pool: &[CandidateId]) {
        ids.iter().for_each(|&id| self.work.add(self.problem, id));
        while !ids.is_empty() && self.drop_best(ids) {}
        if let Some(id) = self.best_add(if ids.is_empty() { &[] } else { pool }, &[]) {
            self.work.add(self.problem, id);
        }
    }

    fn drop_best(&mut self, spare: &[CandidateId]) -> bool {
        self.pay(self.work.chosen().len());
        let members = self.work.chosen().iter().enumerate().filter(|&(_, id)| !spare.contains(id));
        let best = members
            .map(|(at, &id)| (self.work.relief(self.problem, id), std::cmp::Reverse(at)))
            .max()
            .filter(|&(relief, _)| relief > 0);
        if let Some((_, std::cmp::Reverse(at))) = best {
            self.work.drop_at(self.problem, at);
        }
        best.is_some()
    }

    fn best_add(&mut self, pool: &[CandidateId], barred: &[CandidateId]) -> Option<CandidateId> {
        self.work.open(self.problem, &mut self.open);
        let mut best = (0, None);
        for chunk in pool.chunks(256) {
            if self.pay(chunk.len()) {
                break;
            }
            for &id in chunk {
                let gain = Cover::gain(self.problem, &self.open, id);
                if gain > best.0 && !barred.contains(&id) {
                    best = (gain, Some(id));
                }
            }
        }
        // A member adds no positives, so it never has a gain.
        best.1
    }

    /// Keep the working set if it is no worse than the current one, and report it if it is better than the best.
    fn keep(&mut self) {
        if self.work.number() <= self.now.number() {
            self.now.copy_from(&self.work);
        }
        if self.work.number() < self.best.number() {
            self.best.copy_from(&self.work);
            (self.on_better)(&self.problem.evaluate(self.best.chosen().iter().copied()));
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded, and good enough to pick moves.
#[derive(Debug, Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{brute_force, random_problem, rng};
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
            let mut random = Random(seed);
            let mut cover = Cover::new(&problem, &[]);
            let mut open = Open::default();
            for _ in 0..60 {
                let before = cover.number();
                let expected = if problem.is_empty() || (!cover.chosen().is_empty() && random.below(2) == 0) {
                    if cover.chosen().is_empty() {
                        continue;
                    }
                    let at = random.below(cover.chosen().len());
                    let relief = cover.relief(&problem, cover.chosen()[at]);
                    cover.drop_at(&problem, at);
                    before - relief
                } else {
                    let id = CandidateId::new(random.below(problem.len()));
                    cover.open(&problem, &mut open);
                    let known = cover.chosen().contains(&id);
                    let gain = if known { 0 } else { Cover::gain(&problem, &open, id) };
                    cover.add(&problem, id);
                    before - gain
                };
                assert_eq!(cover.number(), expected);
                assert_eq!(cover.number(), problem.number(&problem.evaluate(cover.chosen().iter().copied())));
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
            let mut problem = Problem::new(whole.cost(), whole.positive_weights(), whole.negative_weights())
                .expect("the same weights fit");
            let mut search = LocalSearch::new(seed);
            let mut last = problem.evaluate([]).value;
            for id in whole.ids() {
                problem.copy_candidate(&whole, id);
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
