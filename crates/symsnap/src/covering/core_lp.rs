//! The linear program over cores of one positive: a lower bound that is often the optimum.
//!
//! Rounds of three steps: look for cores that the relaxed choice violates ([`super::core_rows`]), pack shares into the cores
//! there are ([`super::packing`]), and make an integer bound of the shares ([`super::theorems::core_packing`]). They end when
//! the bound meets the incumbent, when no core is violated, or with the budget.
//!
//! It proves in seconds what core-guided search does not in minutes where examples are noisy: there the optimum is large, and
//! each unit of it takes the search a core over many counters. Where the optimum is small the search is faster, so it goes
//! first ([`super::exact`]).
//!
//! Cores are looked for near the incumbent, not at the optimum of the program: at a point that is a fifth of the way from a
//! set that all cores admit to the relaxed choice (in-out separation, Ben-Ameur and Neto 2007). What is violated there is
//! violated by the choice, too, and cuts deeper: acetyl takes 17 rounds instead of 23 and cores of 12 literals instead of 22,
//! scenes with noise .3 half the time.
//!
//! Effort is counted in operations, so under a tick limit the rounds are the same everywhere; the clock only ends them.

use super::compact::CompactPrices;
use super::core_rows::{Literals, Separation, VIOLATION};
use super::packing::{Packing, Solved};
use super::reduce::{Reduced, RowClass};
use super::theorems::core_packing::{PARTS, fitted};
use crate::budget::Budget;
use crate::cost::Objective;
use crate::index::{narrow, whole};

/// What a class weighs that the choice leaves alone: at first, and below what it weighs nothing. Less lets cores be found
/// that more cannot see, but they have more literals.
const IDLE: f64 = 1e-3;
const LEAST_IDLE: f64 = 1e-6;

/// What the choice takes of each class before there is one.
const FIRST_CHOICE: f64 = 1e-4;

/// How far from the point that all cores admit to the choice they are looked for.
const OUTWARD: f64 = 0.2;

/// Rounds between two in which cores are taken out, and the least that the choice must exceed them by.
const ROUNDS_KEPT: u32 = 5;
const EXCESS: f64 = 0.3;

/// Literals that cores may hold in all; each takes about 16 bytes.
const ENTRIES: usize = 1 << 24;

/// Operations under a tick limit, besides [`EFFORT_PER_TICK`] for each tick: half a second, and one for each
/// 20,000 rules.
const EFFORT: u64 = 100_000_000;
const EFFORT_PER_TICK: u64 = 20_000;

/// Operations of the simplex method after which the shares so far are made a bound of.
const SLICE: u64 = 100_000_000;

/// Positives looked at between two looks at the budget.
const POSITIVES_PER_CHECK: usize = 16;

/// What a round led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LpRound {
    /// The program has new cores.
    More,
    /// No violated core is found.
    Converged,
    /// The budget ended, or the room for cores.
    Stopped,
}

/// The state of the bound.
pub(super) struct CoreLp<'a> {
    reduced: &'a Reduced,
    objective: &'a Objective,
    budget: &'a Budget,
    literals: Literals,
    compact: CompactPrices,
    /// What each literal may carry, and what no set goes without, in parts.
    capacities: Vec<i128>,
    constant: i128,
    packing: Packing,
    separation: Separation<'a>,
    /// A point that all cores admit, or nearly so.
    inner: Vec<f64>,
    lower: i128,
    idle: f64,
    rounds: u32,
    /// Whether no shares of the cores there are sum to more.
    is_solved: bool,
    entries: usize,
}

impl<'a> CoreLp<'a> {
    /// No cores yet; `None` if prices are too large for it.
    pub fn new(reduced: &'a Reduced, objective: &'a Objective, budget: &'a Budget) -> Option<Self> {
        let compact = CompactPrices::new(reduced, objective)?;
        let capacities = compact.prices.iter().map(|price| price * PARTS).collect();
        let constant = compact.constant * PARTS;
        Some(CoreLp::within(reduced, objective, budget, (compact, capacities, constant)))
    }

    /// The same, but each row of positives carries no more than a limit, and the positives of no row only this much, in parts.
    pub fn limited(
        reduced: &'a Reduced,
        objective: &'a Objective,
        budget: &'a Budget,
        (limits, constant): (&[i128], i128),
    ) -> Option<Self> {
        let compact = CompactPrices::new(reduced, objective)?;
        let mut capacities: Vec<i128> = compact.prices.iter().map(|price| price * PARTS).collect();
        for (capacity, limit) in capacities[reduced.classes.len()..].iter_mut().zip(limits) {
            *capacity = *limit.min(capacity);
        }
        Some(CoreLp::within(reduced, objective, budget, (compact, capacities, constant)))
    }

    fn within(
        reduced: &'a Reduced,
        objective: &'a Objective,
        budget: &'a Budget,
        (compact, capacities, constant): (CompactPrices, Vec<i128>, i128),
    ) -> Self {
        let packing = Packing::new(capacities.iter().map(|&parts| parts as f64 / PARTS as f64));
        let (literals, separation) = (Literals::new(reduced), Separation::new(reduced));
        let entries = budget
            .memory_allowance()
            .map_or(ENTRIES, |bytes| ENTRIES.min(usize::try_from(bytes / 128).unwrap_or(ENTRIES)));
        let (inner, lower, idle, rounds) = (vec![0.0; literals.count()], 0, IDLE, 0);
        let mut program = CoreLp {
            reduced,
            objective,
            budget,
            literals,
            compact,
            capacities,
            constant,
            packing,
            separation,
            inner,
            lower,
            idle,
            rounds,
            is_solved: true,
            entries,
        };
        program.raise();
        program
    }

    /// No set costs less than this.
    pub fn lower(&self) -> i128 {
        self.lower
    }

    /// Operations so far.
    pub fn work(&self) -> u64 {
        self.packing.work() + self.separation.work()
    }

    /// The classes that the relaxed choice rather takes than not.
    pub fn rounded(&self) -> Vec<usize> {
        (0..self.reduced.classes.len()).filter(|&class| self.packing.choice(narrow(class)) >= 0.5).collect()
    }

    /// One round, or a part of one.
    pub fn step(&mut self) -> LpRound {
        let allowed = self
            .budget
            .tick_limit()
            .map_or(u64::MAX, |ticks| EFFORT.saturating_add(ticks.saturating_mul(EFFORT_PER_TICK)));
        let left = allowed.saturating_sub(self.work());
        if left == 0 || self.budget.check().is_some() {
            return LpRound::Stopped;
        }
        if self.is_solved {
            let Some(cores) = self.violated() else { return LpRound::Stopped };
            if cores.is_empty() {
                if self.idle == 0.0 {
                    return LpRound::Converged;
                }
                self.idle = if self.idle > LEAST_IDLE { self.idle / 100.0 } else { 0.0 };
                return LpRound::More;
            }
            if !self.add(cores) {
                return LpRound::Stopped;
            }
        }
        let budget = self.budget;
        let solved = self.packing.solve(left.min(SLICE), &mut || budget.check().is_none());
        self.is_solved = solved == Solved::Best;
        self.raise();
        LpRound::More
    }

    /// Add cores; false if there is no room for them.
    fn add(&mut self, cores: Vec<Box<[u32]>>) -> bool {
        self.rounds += 1;
        if self.rounds.is_multiple_of(ROUNDS_KEPT) {
            self.packing.retain(|excess| excess < EXCESS);
        }
        let more: usize = cores.iter().map(|core| core.len()).sum();
        let fits = self.packing.entries() + more <= self.entries;
        if fits {
            cores.into_iter().for_each(|core| self.packing.add(core));
        }
        fits
    }

    /// Look for cores near this set of classes.
    pub fn stay_near(&mut self, set: &[usize]) {
        let chosen: Vec<bool> = (0..self.reduced.classes.len()).map(|class| set.contains(&class)).collect();
        let hit = |row: &RowClass| row.classes.iter().any(|&class| chosen[class as usize]);
        let missed = self.reduced.positives.iter().map(|row| !hit(row));
        let held = chosen.iter().copied().chain(missed).chain(self.reduced.negatives.iter().map(hit));
        self.inner = held.map(|held| f64::from(u8::from(held))).collect();
    }

    /// Cores that the choice violates, at most one of each positive; `None` if the budget is over.
    fn violated(&mut self) -> Option<Vec<Box<[u32]>>> {
        let mut choice: Vec<f64> = (0..self.literals.count()).map(|at| self.packing.choice(narrow(at))).collect();
        if self.packing.cores().is_empty() {
            choice[..self.reduced.classes.len()].fill(FIRST_CHOICE);
            return self.violated_at(&choice, &choice);
        }
        let between = |(choice, inner): (&f64, &f64)| OUTWARD * choice + (1.0 - OUTWARD) * inner;
        let point: Vec<f64> = choice.iter().zip(&self.inner).map(between).collect();
        let cores = self.violated_at(&point, &choice)?;
        if !cores.is_empty() {
            return Some(cores);
        }
        self.inner = point;
        self.violated_at(&choice, &choice)
    }

    /// Cores that this point and the choice violate.
    fn violated_at(&mut self, point: &[f64], choice: &[f64]) -> Option<Vec<Box<[u32]>>> {
        let mut cores: Vec<Box<[u32]>> = Vec::new();
        for positive in 0..self.reduced.positives.len() {
            if positive.is_multiple_of(POSITIVES_PER_CHECK) && self.budget.check().is_some() {
                return None;
            }
            cores.extend(self.separation.core(positive, point, self.idle));
        }
        cores.retain(|core| core.iter().map(|&literal| choice[literal as usize]).sum::<f64>() < 1.0 - VIOLATION / 2.0);
        Some(cores)
    }

    /// The cores there are with their shares, in parts.
    pub fn packed(&self) -> impl Iterator<Item = (&[u32], i128)> {
        let shares = self.packing.shares().map(|share| i128::from(whole(share * PARTS as f64)));
        self.packing.cores().iter().map(|core| &**core).zip(shares)
    }

    /// The sum of the shares, in parts, with what no set goes without, and what each row of positives carries of it.
    pub fn carried(&self) -> (i128, Vec<i128>) {
        let mut shares: Vec<i128> = self.packed().map(|(_, share)| share).collect();
        let sum = self.constant + fitted(&self.capacities, self.packing.cores(), &mut shares);
        let positives = self.literals.missed(0) as usize..self.literals.covered(0) as usize;
        let mut carried = vec![0; positives.len()];
        for (core, share) in self.packing.cores().iter().zip(shares) {
            let of = core.iter().map(|&literal| literal as usize).find(|literal| positives.contains(literal));
            of.into_iter().for_each(|literal| carried[literal - positives.start] += share);
        }
        (sum, carried)
    }

    /// Raise the bound to what the shares say.
    fn raise(&mut self) {
        let mut shares: Vec<i128> = self.packed().map(|(_, share)| share).collect();
        let sum = self.constant + fitted(&self.capacities, self.packing.cores(), &mut shares);
        let whole = (sum + PARTS - 1).div_euclid(PARTS);
        self.lower = self.lower.max(self.compact.whole(whole, self.objective));
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{brute_force, random_problem, rng};
    use super::*;
    use crate::cost::Cost;

    #[test]
    fn the_bound_never_exceeds_the_optimum_and_mostly_is_it() {
        let (mut met, mut problems) = ([0; 3], [0; 3]);
        for seed in 0..3_000 {
            let at = seed as usize % 3;
            let problem = random_problem(&mut rng(seed), Cost::ALL[at], 11, 40);
            let (budget, optimum) = (Budget::unlimited(), problem.number(&brute_force(&problem)[0]));
            let reduced = Reduced::new(&problem, &budget);
            let Some(mut program) = CoreLp::new(&reduced, problem.objective(), &budget) else { continue };
            while program.step() == LpRound::More {
                assert!(program.lower() <= optimum, "seed {seed}");
            }
            problems[at] += u32::from(optimum > reduced.constant);
            met[at] += u32::from(program.lower() == optimum && optimum > reduced.constant);
        }
        for (met, problems) in met.into_iter().zip(problems) {
            assert!(problems > 300 && 10 * met > 9 * problems, "met {met} of {problems}");
        }
    }

    #[test]
    fn under_a_tick_limit_rounds_end_by_themselves_and_repeat() {
        let problem = random_problem(&mut rng(5), Cost::Mdl, 400, 300);
        let run = || {
            let budget = Budget::unlimited().with_ticks(0);
            let reduced = Reduced::new(&problem, &budget);
            let mut program = CoreLp::new(&reduced, problem.objective(), &budget).expect("these prices are small");
            while program.step() == LpRound::More {}
            (program.lower(), program.work())
        };
        assert_eq!(run(), run());
    }
}
