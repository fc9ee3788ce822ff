//! The linear program over cores, solved from the side of its dual: give each core a share `y >= 0` such that no literal
//! carries more than its price, and the sum is largest.
//!
//! Literals are rows, cores are columns, and a slack says what a literal can still carry. Nothing carried is a solution, so
//! the primal simplex method starts there, keeps every share feasible, and goes on where it was when cores are added: the
//! dual simplex method on the covering side, pivot for pivot. The prices that go with it are the relaxed *choice* that
//! separation looks at. Pricing is Devex (Forrest and Goldfarb 1992), the ratio test is that of Harris 1973, and capacities
//! are lowered by up to a millionth, each by its own part, because whole prices tie all the time and the method would stand
//! still.
//!
//! What it computes is never trusted: [`super::theorems::core_packing`] makes a bound of any shares.
//!
//! *Rejected*: the crate microlp (0.6: it tells no duals, takes no rows away, and its only limit is the clock, on which
//! results would then depend).

use super::basis::{Basis, NOWHERE, Scattered};
use crate::index::narrow;

/// Profits up to this are none.
const PROFIT: f64 = 1e-7;

/// Entries of a column up to this are no pivots.
const PIVOT: f64 = 1e-7;

/// Shares may fall below 0 by this in a ratio test for the sake of a larger pivot.
const SLIP: f64 = 1e-9;

/// A share below 0 by more than this, relative to the largest capacity, is a sign of lost precision.
const LOST: f64 = 1e-6;

/// Pivots after which the basis is factored anew.
const PIVOTS: usize = 64;

/// Entries of pivots, for each literal, after which it is as well: solving with them takes longer than factoring then.
const ENTRIES_PER_LITERAL: usize = 20;

/// By what part capacities are lowered at most.
const SHRINK: f64 = 1e-6;

/// A weight of Devex beyond which all begin anew.
const HEAVY: f64 = 1e9;

/// Pivots between two looks at the clock.
const PIVOTS_PER_CHECK: usize = 16;

/// How solving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Solved {
    /// No shares sum to more.
    Best,
    /// The effort, or the caller, ended it.
    Stopped,
}

/// The program and its basis. Variables are slacks, numbered like their literals, and behind them cores.
#[derive(Debug, Clone)]
pub(super) struct Packing {
    capacities: Vec<f64>,
    cores: Vec<Box<[u32]>>,
    /// How many literals they have in all.
    load: usize,
    /// The cores that a literal is in.
    users: Vec<Vec<u32>>,
    basis: Basis,
    /// The variable at each place of the basis, and its value.
    head: Vec<u32>,
    values: Vec<f64>,
    /// Where each variable is, what one more of it adds to the sum if it is not in the basis, and its weight.
    place: Vec<u32>,
    profits: Vec<f64>,
    weights: Vec<f64>,
    column: Scattered,
    row: Scattered,
    /// The row over cores.
    entries: Scattered,
    /// Operations so far.
    work: u64,
}

impl Packing {
    /// No cores yet, over literals with these prices.
    pub fn new(prices: impl Iterator<Item = f64>) -> Self {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut part = || {
            // xorshift64: the parts only need to differ.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        let capacities: Vec<f64> = prices.map(|price| price * (1.0 - SHRINK * part())).collect();
        let literals = capacities.len();
        Packing {
            cores: Vec::new(),
            load: 0,
            users: vec![Vec::new(); literals],
            basis: Basis::slacks(literals, 0),
            head: (0..literals).map(narrow).collect(),
            values: capacities.clone(),
            place: (0..literals).map(narrow).collect(),
            profits: vec![0.0; literals],
            weights: vec![1.0; literals],
            column: Scattered::default(),
            row: Scattered::default(),
            entries: Scattered::default(),
            work: 0,
            capacities,
        }
    }

    /// Operations so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The cores.
    pub fn cores(&self) -> &[Box<[u32]>] {
        &self.cores
    }

    /// How many literals the cores have in all.
    pub fn entries(&self) -> usize {
        self.load
    }

    /// Add a core.
    pub fn add(&mut self, core: Box<[u32]>) {
        let at: u32 = narrow(self.cores.len());
        self.profits.push(1.0 - core.iter().map(|&literal| self.choice(literal)).sum::<f64>());
        core.iter().for_each(|&literal| self.users[literal as usize].push(at));
        self.load += core.len();
        self.weights.push(1.0);
        self.place.push(NOWHERE);
        self.basis.add_core();
        self.cores.push(core);
    }

    /// How much of a literal the relaxed choice takes.
    pub fn choice(&self, literal: u32) -> f64 {
        // What one more of its slack would add, the other way round; nothing if the slack is in the basis.
        (-self.profits[literal as usize]).max(0.0)
    }

    /// The share of each core.
    pub fn shares(&self) -> impl Iterator<Item = f64> {
        let share = |&place: &u32| if place == NOWHERE { 0.0 } else { self.values[place as usize].max(0.0) };
        self.place[self.capacities.len()..].iter().map(share)
    }

    /// Take out the cores outside of the basis that are not `wanted`, given what the choice exceeds them by.
    pub fn retain(&mut self, wanted: impl Fn(f64) -> bool) {
        let first = self.capacities.len();
        let keep: Vec<bool> = (0..self.cores.len())
            .map(|core| self.place[first + core] != NOWHERE || wanted(-self.profits[first + core]))
            .collect();
        let kept: Vec<usize> = (0..keep.len()).filter(|&core| keep[core]).collect();
        let mut names = vec![NOWHERE; keep.len()];
        for (new, &old) in kept.iter().enumerate() {
            names[old] = narrow(new);
            self.profits[first + new] = self.profits[first + old];
            self.weights[first + new] = self.weights[first + old];
            self.place[first + new] = self.place[first + old];
            self.cores.swap(new, old);
        }
        self.cores.truncate(kept.len());
        self.load = self.cores.iter().map(|core| core.len()).sum();
        self.profits.truncate(first + kept.len());
        self.weights.truncate(first + kept.len());
        self.place.truncate(first + kept.len());
        for users in &mut self.users {
            users.iter_mut().for_each(|core| *core = names[*core as usize]);
            users.retain(|&core| core != NOWHERE);
        }
        for variable in self.head.iter_mut().filter(|variable| **variable as usize >= first) {
            *variable = narrow(first + names[*variable as usize - first] as usize);
        }
        self.work += keep.len() as u64;
        self.factor();
    }

    /// Make the sum of the shares as large as it can be, with at most `effort` operations. `go_on` is asked now and then.
    pub fn solve(&mut self, effort: u64, go_on: &mut dyn FnMut() -> bool) -> Solved {
        let limit = self.work.saturating_add(effort);
        for pivots in 1usize.. {
            let Some(entering) = self.entering() else { break };
            if self.work > limit || pivots % PIVOTS_PER_CHECK == 0 && !go_on() {
                return Solved::Stopped;
            }
            let (age, entries) = self.basis.age();
            if age >= PIVOTS || entries > ENTRIES_PER_LITERAL * self.capacities.len() {
                self.factor();
                continue;
            }
            let slack = [entering];
            let loads = match (entering as usize).checked_sub(self.capacities.len()) {
                Some(core) => &self.cores[core][..],
                None => &slack[..],
            };
            self.work += self.basis.column(&self.cores, loads, &mut self.column);
            let Some(place) = self.leaving() else {
                // Every variable is limited by some literal: precision was lost.
                if age == 0 {
                    self.profits[entering as usize] = 0.0;
                } else {
                    self.factor();
                }
                continue;
            };
            self.work += self.basis.row(&self.users, place, &mut self.row);
            if !self.pivot(entering, place) {
                self.factor();
            }
        }
        Solved::Best
    }

    /// The variable whose profit is largest for its weight.
    fn entering(&mut self) -> Option<u32> {
        self.work += self.profits.len() as u64 / 4;
        let (mut best, mut score) = (None, 0.0);
        for (at, (&profit, &weight)) in self.profits.iter().zip(&self.weights).enumerate() {
            if profit > PROFIT && profit * profit > score * weight {
                (best, score) = (Some(at), profit * profit / weight);
            }
        }
        best.map(narrow)
    }

    /// The place that has to be left: of those that reach 0 first, or nearly so, the one with the largest entry.
    fn leaving(&mut self) -> Option<u32> {
        self.work += self.column.at.len() as u64;
        let entries = || self.column.at.iter().map(|&at| (at, self.column.values[at as usize]));
        let usable = || entries().filter(|&(_, entry)| entry > PIVOT);
        let value = |at: u32| self.values[at as usize].max(0.0);
        let step = usable().map(|(at, entry)| (value(at) + SLIP) / entry).fold(f64::INFINITY, f64::min);
        let near = usable().filter(|&(at, entry)| value(at) / entry <= step);
        near.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
    }

    /// Put a variable in at a place; false if column and row disagree about it.
    fn pivot(&mut self, entering: u32, place: u32) -> bool {
        let first = self.capacities.len();
        let pivot = self.column.values[place as usize];
        self.entries.clear(self.cores.len());
        for &literal in &self.row.at {
            let value = self.row.values[literal as usize];
            if value != 0.0 {
                self.users[literal as usize].iter().for_each(|&core| self.entries.add(core, value));
                self.work += self.users[literal as usize].len() as u64;
            }
        }
        let of_row = match (entering as usize).checked_sub(first) {
            Some(core) => self.entries.values[core],
            None => self.row.values[entering as usize],
        };
        if (of_row - pivot).abs() > 1e-6 * (1.0 + pivot.abs()) && self.basis.age().0 > 0 {
            return false;
        }
        let step = self.values[place as usize].max(0.0) / pivot;
        for &at in &self.column.at {
            self.values[at as usize] -= step * self.column.values[at as usize];
        }
        let (gain, weight) = (self.profits[entering as usize] / pivot, self.weights[entering as usize]);
        let mut heaviest = 0.0f64;
        let mut update = |variable: usize, entry: f64| {
            if self.place[variable] == NOWHERE {
                self.profits[variable] -= gain * entry;
                let ratio = entry / pivot;
                self.weights[variable] = self.weights[variable].max(ratio * ratio * weight);
                heaviest = heaviest.max(self.weights[variable]);
            }
        };
        self.row.at.iter().for_each(|&at| update(at as usize, self.row.values[at as usize]));
        self.entries.at.iter().for_each(|&core| update(first + core as usize, self.entries.values[core as usize]));
        let leaving = self.head[place as usize] as usize;
        (self.profits[leaving], self.profits[entering as usize]) = (-gain, 0.0);
        self.weights[leaving] = (weight / (pivot * pivot)).max(1.0);
        (self.place[leaving], self.place[entering as usize]) = (NOWHERE, place);
        (self.head[place as usize], self.values[place as usize]) = (entering, step);
        self.basis.push(place, &self.column);
        if heaviest > HEAVY {
            self.weights.fill(1.0);
        }
        true
    }

    /// Factor the basis and compute everything from it anew.
    fn factor(&mut self) {
        let first = self.capacities.len();
        let basic: Vec<u32> =
            (0..self.cores.len()).filter(|&core| self.place[first + core] != NOWHERE).map(narrow).collect();
        let tight: Vec<u32> = (0..first).filter(|&literal| self.place[literal] == NOWHERE).map(narrow).collect();
        let places = self.basis.factor(&self.cores, &basic, &tight, &mut self.work);
        self.head.iter_mut().enumerate().for_each(|(at, head)| *head = narrow(at));
        self.place[..first].iter_mut().enumerate().for_each(|(at, place)| *place = narrow(at));
        for (&core, place) in basic.iter().zip(places) {
            self.place[first + core as usize] = place.unwrap_or(NOWHERE);
            if let Some(place) = place {
                self.head[place as usize] = narrow(first + core as usize);
                self.place[place as usize] = NOWHERE;
            }
        }
        self.work += self.basis.shares(&self.capacities, &mut self.values, &self.cores);
        let most = self.capacities.iter().copied().fold(1.0, f64::max);
        if self.values.iter().any(|&value| value < -LOST * most) {
            // Begin anew from nothing; it happens to badly scaled prices.
            self.basis = Basis::slacks(first, self.cores.len());
            self.head.iter_mut().enumerate().for_each(|(at, head)| *head = narrow(at));
            self.place
                .iter_mut()
                .enumerate()
                .for_each(|(at, place)| *place = if at < first { narrow(at) } else { NOWHERE });
            self.values.copy_from_slice(&self.capacities);
            self.weights.fill(1.0);
        }
        let mut choice = vec![0.0; first];
        self.work += self.basis.choice(&mut choice);
        for (profit, choice) in self.profits.iter_mut().zip(&choice) {
            *profit = -choice;
        }
        for (core, literals) in self.cores.iter().enumerate() {
            let outside = self.place[first + core] == NOWHERE;
            let sum: f64 = literals.iter().map(|&literal| choice[literal as usize]).sum();
            self.profits[first + core] = if outside { 1.0 - sum } else { 0.0 };
            self.work += literals.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::rng;
    use super::*;

    /// Shares and choice are each other's proof: both feasible and of one sum.
    fn check(packing: &Packing, seed: u64) {
        let shares: Vec<f64> = packing.shares().collect();
        let mut free = packing.capacities.clone();
        for (core, share) in packing.cores().iter().zip(&shares) {
            core.iter().for_each(|&literal| free[literal as usize] -= share);
            let taken: f64 = core.iter().map(|&literal| packing.choice(literal)).sum();
            assert!(taken > 1.0 - 1e-6, "seed {seed}: the choice holds every core, not {taken}");
        }
        assert!(free.iter().all(|&free| free > -1e-6), "seed {seed}: nothing is overloaded");
        let literals = 0..packing.capacities.len();
        let cost: f64 = literals.map(|at| packing.choice(narrow(at)) * packing.capacities[at]).sum();
        let sum: f64 = shares.iter().sum();
        assert!((cost - sum).abs() < 1e-6 * (1.0 + sum), "seed {seed}: {cost} is {sum}");
    }

    #[test]
    fn shares_and_choice_prove_each_other_however_cores_come_and_go() {
        for seed in 0..400 {
            let mut next = rng(seed);
            let literals = 2 + next(60);
            let mut packing = Packing::new((0..literals).map(|_| (1 + next(9)) as f64));
            for _ in 0..4 {
                for _ in 0..next(60) {
                    let core: Box<[u32]> = (0..literals as u32).filter(|_| next(literals) < 4).collect();
                    if !core.is_empty() {
                        packing.add(core);
                    }
                }
                assert_eq!(packing.solve(u64::MAX, &mut || true), Solved::Best);
                check(&packing, seed);
                packing.retain(|excess| excess < 0.5);
                assert_eq!(packing.solve(u64::MAX, &mut || true), Solved::Best);
                check(&packing, seed);
            }
        }
    }
}
