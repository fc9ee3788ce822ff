//! Core-guided MaxSAT on the reduced problem: a lower bound that rises core by core until a set reaches it.
//!
//! Variables say which classes are chosen (`x`), which positives are missed (`u`) and which negatives are covered (`v`).
//! Clauses: each positive is missed or one of its classes chosen; a chosen class covers its negatives. Each variable
//! being false is a soft clause with a price. All soft clauses together are assumed; the solver answers with a *core*, soft clauses that
//! cannot all come true. At least one of them must be paid for, so the bound rises by the smallest price `w` in the
//! core; that much is taken off each of its soft clauses and put on the new soft clause "no more than one of these fails", counted
//! by a [`Totalizer`]. The cost of every set is the same before and after (OLL: Andres et al. 2012, in the form of
//! RC2: Ignatiev et al. 2019), so when all remaining soft clauses come true together, the bound is the optimum, and the sets
//! that make them come true are exactly the optimal ones.
//!
//! What makes it fast here: dear soft clauses first (stratification: models come early, and a lexicographic cost is solved
//! level by level without being told so), small cores (minimisation), and counting on within a core as long as the
//! clauses alone refute "no more than k" (exhaustion). The first cores are read off the clauses of the positives. Wishes that cost at least the gap between the bound and the
//! incumbent become clauses (hardening): paying for one leads to nothing better.
//!
//! Where examples are noisy the optimum is large, and each unit of it takes a core over ever more counters: there
//! [`super::core_lp`] is faster, and the two take turns.
//!
//! Rejected: search from above with a totalizer over everything, which needs a counter over all prices; implicit hitting
//! sets, which need an integer programming solver; cores of one positive, found greedily, instead of the clauses' (scenes with
//! noise .3 unproved after 25 s: greedy spends cheap negatives badly, and the choice of the linear program is the point).

use super::reduce::Reduced;
use super::sat::{Lit, Sat, SatAnswer};
use super::totalizer::Totalizer;
use crate::budget::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// Conflicts that one attempt to leave a soft clause out of a core, or to count on in it, may cost.
const PROBE_CONFLICTS: u64 = 1000;

/// Decisions beyond its assumptions that such an attempt may take. Most attempts fail, and then the solver would decide
/// every variable to show it: without a limit the proofs of three molecule tasks (mem, amine, toxic; 406-655 rules) take
/// 0.28, 0.67 and 0.67 s of processor time, with 25 decisions 0.25, 0.11 and 0.17, with 50 0.10, 0.13 and 0.22, with 100
/// 0.11, 0.15 and 0.32; minimising with no decisions at all, none of them is proved in 20 s.
const PROBE_DECISIONS: u64 = 50;

/// Conflicts after which a problem is hard: then smaller cores are worth any number of decisions, and the bound starts
/// over with such. The three tasks above need fewer; a planted problem of 500 rules that takes 1.4 s with thorough
/// probes takes 7 s with quick ones to the end. Tests make it few, so that their small problems start over too.
const HARD_CONFLICTS: u64 = if cfg!(test) { 20 } else { 16_000 };

/// Which optimal sets the clauses must leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Sets that are better than the incumbent.
    Better,
    /// Sets that are better than the incumbent or as good.
    AsGood,
}

/// The state of the bound.
pub(super) struct CoreGuided<'a> {
    reduced: &'a Reduced,
    budget: &'a Budget,
    sat: Sat,
    /// `x` of each class.
    chosen: Vec<Lit>,
    /// The soft clauses and their prices, all above 0.
    soft: BTreeMap<Lit, i128>,
    /// Wishes that have become clauses.
    hard: BTreeSet<Lit>,
    /// For each positive, shortest first, the soft clauses of which its clause denies one.
    positives: Vec<Vec<Lit>>,
    /// Positives before this one are no cores at the current level.
    next_positive: usize,
    counters: Vec<Totalizer>,
    /// Which counter's "fewer than `k`" a soft clause is.
    counts: BTreeMap<Lit, (usize, usize)>,
    lower: i128,
    /// Wishes below this price wait.
    level: i128,
    keep: Keep,
    /// A bound from elsewhere, or of the attempt before this one.
    floor: i128,
    /// Decisions that a probe may take.
    probe: u64,
    /// Decisions that an attempt may take.
    decisions: u64,
}

/// What a step led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CoreStep {
    /// The bound rose.
    Raised,
    /// A set of classes that satisfies all soft clauses of the current level.
    Found(Vec<usize>),
    /// The same, and it satisfies all soft clauses: the bound is its cost.
    Optimal(Vec<usize>),
    /// No set costs less than the incumbent.
    Refuted,
    /// The budget ended.
    Stopped,
}

impl<'a> CoreGuided<'a> {
    pub fn new(reduced: &'a Reduced, keep: Keep, budget: &'a Budget) -> Self {
        let mut sat = Sat::new(budget);
        let chosen: Vec<Lit> = reduced.classes.iter().map(|_| sat.new_lit()).collect();
        let (mut soft, mut positives) = (BTreeMap::new(), Vec::new());
        for (&lit, class) in chosen.iter().zip(&reduced.classes) {
            soft.insert(!lit, class.price);
        }
        // A row left out only lowers costs, so building may end with the budget like everything else.
        for row in reduced.positives.iter().take_while(|_| budget.check().is_none()) {
            let missed = sat.new_lit();
            soft.insert(!missed, row.price);
            let mut clause: Vec<Lit> = row.classes.iter().map(|&class| chosen[class as usize]).collect();
            clause.push(missed);
            sat.add_clause(&clause);
            positives.push(clause.into_iter().map(|lit| !lit).collect());
        }
        for row in reduced.negatives.iter().take_while(|_| budget.check().is_none()) {
            let covered = sat.new_lit();
            soft.insert(!covered, row.price);
            row.classes.iter().for_each(|&class| sat.add_clause(&[!chosen[class as usize], covered]));
        }
        let level = soft.values().copied().max().unwrap_or(0);
        let lower = reduced.constant;
        CoreGuided {
            reduced,
            budget,
            sat,
            chosen,
            soft,
            hard: BTreeSet::new(),
            positives,
            next_positive: 0,
            counters: Vec::new(),
            counts: BTreeMap::new(),
            lower,
            level,
            keep,
            floor: 0,
            probe: PROBE_DECISIONS,
            decisions: u64::MAX,
        }
    }

    /// No set costs less than this.
    pub fn lower(&self) -> i128 {
        self.lower.max(self.floor)
    }

    /// Whatever it finds itself, no set costs less than this.
    pub fn raise_floor(&mut self, floor: i128) {
        self.floor = self.floor.max(floor);
    }

    /// Find one core or one set, given that some set costs `upper`.
    pub fn step(&mut self, upper: i128) -> CoreStep {
        if self.probe < u64::MAX && self.sat.conflicts() > HARD_CONFLICTS {
            let floor = self.lower();
            let decisions = self.decisions;
            *self = CoreGuided::new(self.reduced, self.keep, self.budget);
            self.set_budget(self.budget, decisions);
            (self.floor, self.probe) = (floor, u64::MAX);
        }
        self.harden(upper);
        if let Some(core) = self.clause_core() {
            self.relax(&core, false);
            return CoreStep::Raised;
        }
        let assumptions = self.assumptions(self.level);
        match self.sat.solve(&assumptions, u64::MAX) {
            SatAnswer::Unknown => CoreStep::Stopped,
            SatAnswer::Sat => {
                let set = self.model();
                if self.lower_level() { CoreStep::Found(set) } else { CoreStep::Optimal(set) }
            }
            SatAnswer::Unsat(core) if core.is_empty() => CoreStep::Refuted,
            SatAnswer::Unsat(core) => {
                let core = self.minimise(core);
                self.relax(&core, true);
                CoreStep::Raised
            }
        }
    }

    /// Whether every set costs this bound and the prices of the soft clauses that it does not grant. A bound from elsewhere
    /// says nothing about soft clauses.
    pub fn has_reached(&self, number: i128) -> bool {
        self.lower == number
    }

    /// Let another budget end what is to come, or this many decisions of the solver.
    pub fn set_budget(&mut self, budget: &'a Budget, decisions: u64) {
        (self.budget, self.decisions) = (budget, decisions);
        self.sat.set_budget(budget, decisions);
    }

    /// Once the bound [has reached](CoreGuided::has_reached) the optimum (with [`Keep::AsGood`]): an optimal set of classes
    /// that was not [excluded](CoreGuided::exclude), if there is one.
    pub fn next_optimal(&mut self) -> CoreStep {
        let assumptions = self.assumptions(0);
        match self.sat.solve(&assumptions, u64::MAX) {
            SatAnswer::Unknown => CoreStep::Stopped,
            SatAnswer::Unsat(_) => CoreStep::Refuted,
            SatAnswer::Sat => CoreStep::Optimal(self.model()),
        }
    }

    /// Rule out a set for the calls of [`CoreGuided::next_optimal`] to come. Classes that the soft clauses keep out for good
    /// need not be mentioned, which keeps these clauses short.
    pub fn exclude(&mut self, set: &[usize]) {
        let mut clause: Vec<Lit> = self.chosen.iter().copied().filter(|lit| !self.soft.contains_key(&!*lit)).collect();
        for &class in set {
            let lit = self.chosen[class];
            clause.retain(|&other| other != lit);
            clause.push(!lit);
        }
        self.sat.add_clause(&clause);
    }

    fn model(&self) -> Vec<usize> {
        (0..self.chosen.len()).filter(|&class| self.sat.value(self.chosen[class])).collect()
    }

    /// The soft clauses of at least this price, dearest first.
    fn assumptions(&self, least: i128) -> Vec<Lit> {
        let mut soft: Vec<(i128, Lit)> =
            self.soft.iter().filter(|&(_, &price)| price >= least).map(|(&lit, &price)| (price, lit)).collect();
        soft.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        soft.into_iter().map(|(_, lit)| lit).collect()
    }

    /// Let cheaper soft clauses in: the next price that adds enough of them. False if all are in.
    fn lower_level(&mut self) -> bool {
        let mut prices: Vec<i128> = self.soft.values().copied().filter(|&price| price < self.level).collect();
        if prices.is_empty() {
            return false;
        }
        prices.sort_unstable_by(|a, b| b.cmp(a));
        // The diversity heuristic of Ansotegui et al. 2012: stop where soft clauses outnumber distinct prices enough.
        let above = self.soft.len() - prices.len();
        let (mut distinct, mut at) = (0usize, 0);
        while at < prices.len() {
            let price = prices[at];
            at += prices[at..].iter().take_while(|&&other| other == price).count();
            distinct += 1;
            if (above + at) * 4 > distinct * 5 {
                break;
            }
        }
        self.level = prices[at - 1];
        self.next_positive = 0;
        true
    }

    /// Make hard clauses of soft ones too dear to be given up.
    fn harden(&mut self, upper: i128) {
        let gap = upper - self.lower;
        let hard = |price: i128| if self.keep == Keep::AsGood { price > gap } else { price >= gap };
        let fixed: Vec<Lit> = self.soft.iter().filter(|&(_, &price)| hard(price)).map(|(&lit, _)| lit).collect();
        for lit in fixed {
            self.soft.remove(&lit);
            self.hard.insert(lit);
            self.sat.add_clause(&[lit]);
        }
    }

    /// A positive whose soft clause and whose columns' soft clauses are all at the current level: a core that needs no search and
    /// cannot be made smaller. Prices only fall while the level stands, so each positive is looked at until it fails.
    fn clause_core(&mut self) -> Option<Vec<Lit>> {
        while let Some(clause) = self.positives.get(self.next_positive) {
            let open = clause.iter().copied().filter(|lit| !self.hard.contains(lit));
            let core: Option<Vec<Lit>> = open.map(|lit| (self.soft.get(&lit)? >= &self.level).then_some(lit)).collect();
            match core {
                Some(core) if !core.is_empty() => return Some(core),
                _ => self.next_positive += 1,
            }
        }
        None
    }

    /// Leave soft clauses out of a core as long as it stays one.
    fn minimise(&mut self, mut core: Vec<Lit>) -> Vec<Lit> {
        core.sort_by_key(|lit| (self.soft[lit], *lit));
        let mut needed = 0;
        while needed < core.len() && core.len() > 1 {
            let mut rest = core.clone();
            rest.remove(needed);
            match self.sat.refute(&rest, PROBE_CONFLICTS, self.probe) {
                Some(smaller) => core.retain(|lit| smaller.contains(lit)),
                None => needed += 1,
            }
            if self.sat.is_over() {
                break;
            }
        }
        core
    }

    /// Charge the price of a core, and count on in it if that is worth a try.
    fn relax(&mut self, core: &[Lit], exhaust: bool) {
        let Some(price) = core.iter().map(|lit| self.soft[lit]).min() else { return };
        self.lower += price;
        for lit in core {
            let left = self.soft.remove(lit).map_or(0, |old| old - price);
            if left > 0 {
                self.soft.insert(*lit, left);
            }
            if let Some(&(counter, k)) = self.counts.get(lit) {
                self.ask_for_fewer_than(counter, k + 1, price);
            }
        }
        let failed: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
        self.sat.add_clause(&failed);
        if failed.len() > 1 {
            self.counters.push(Totalizer::new(&failed));
            let counter = self.counters.len() - 1;
            let k = if exhaust { self.exhaust(counter, price) } else { 2 };
            self.ask_for_fewer_than(counter, k, price);
        }
    }

    /// Raise the bound while the clauses alone say that `k` of a new core's soft clauses fail; the first `k` that they do not.
    fn exhaust(&mut self, counter: usize, price: i128) -> usize {
        for k in 2..=self.counters[counter].inputs() {
            let reached = self.counters[counter].at_least(&mut self.sat, k);
            if self.sat.refute(&[!reached], PROBE_CONFLICTS, self.probe).is_none() {
                return k;
            }
            self.lower += price;
            self.sat.add_clause(&[reached]);
        }
        self.counters[counter].inputs() + 1
    }

    /// Put `price` on "fewer than `k` of these fail"; nothing if there are not that many.
    fn ask_for_fewer_than(&mut self, counter: usize, k: usize, price: i128) {
        if k <= self.counters[counter].inputs() {
            let clause = !self.counters[counter].at_least(&mut self.sat, k);
            self.counts.insert(clause, (counter, k));
            *self.soft.entry(clause).or_insert(0) += price;
        }
    }
}
