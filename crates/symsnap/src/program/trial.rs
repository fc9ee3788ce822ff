//! One test: rules that call the program are asked the examples, with many units of base rules at a time.

use super::bases::EMPTY;
use super::bits::{clear, has, is_empty, ones, set};
use super::caller::Caller;
use super::fixpoint::Unfinished;
use super::goals::Goals;
use super::solver::Solver;
use super::stage::Stage;
use crate::cost::Incumbent;
use crate::sets::Bitset;

/// Rules that call the program, the units that they are tested with, and what has come out so far.
///
/// Units only leave `mask`, so that the tables of the solver stay of use from one example to the next. Whoever has
/// an [`Unfinished`] must begin with another trial: units may mean something else then.
pub(super) struct Trial<'r> {
    pub(super) rules: &'r mut [Caller],
    /// The size of the programs: of the rules and of the base rules.
    pub(super) size: usize,
    /// The units that are left: all that are not shown to be of no use.
    pub(super) mask: Vec<u64>,
    /// **Idle** units are those without programs of the size in question: base rules that no call has been answered by,
    /// and classes for which a smaller rule stands. The calls of these rules may tell them apart, those for negatives too,
    /// so they are run like all others: left out, a base rule that nothing else tells from a smaller one would never be
    /// tried. A tight search, which proves nothing, lets them wait.
    pub(super) idle: Vec<u64>,
    /// The weight of the positives that are missed with each unit; a lower bound for units that are not left.
    pub(super) missed: Vec<u64>,
}

/// A unit with which rules cover no negative, and some positive that the unit alone does not.
pub(super) struct Harmless {
    pub(super) unit: usize,
    /// The positives that are covered, by their place in [`Goals`].
    pub(super) pos: Bitset,
}

/// How large programs of these rules and a unit are.
pub(super) fn program_size(rules: &[Caller], stage: &Stage<'_>) -> usize {
    stage.base + rules.iter().map(Caller::size).sum::<usize>()
}

impl<'r> Trial<'r> {
    /// A trial of rules with the units of `among` that are to be run and that can be part of something better than the
    /// incumbent, given what they do to negatives by themselves. The stage has been weighed.
    pub(super) fn new(
        rules: &'r mut [Caller],
        among: &[u64],
        solver: &Solver<'_>,
        stage: &Stage<'_>,
        incumbent: &Incumbent,
    ) -> Self {
        let size = program_size(rules, stage);
        let recursive = rules.iter().all(|rule| solver.words.calls_program_in(rule.body()));
        let mut mask = among.to_vec();
        let mut idle = vec![0; mask.len()];
        for unit in ones(among) {
            let empty = unit == EMPTY.index();
            let is_idle = empty && recursive || !empty && !stage.has_size(unit);
            if is_idle {
                set(&mut idle, unit);
            }
            let runs = !is_idle || !solver.kind().is_tight() && (empty || stage.holds_size(unit));
            if !runs || !incumbent.is_beaten_by(0, stage.harm[unit], size) {
                clear(&mut mask, unit);
            }
        }
        Trial { rules, size, mask, idle, missed: vec![0; stage.units()] }
    }

    /// Ask the positives, and let go of units with which the rules miss more than weight `most` of them; whether any are
    /// left, and time.
    pub(super) fn ask_positives<'t>(
        &mut self,
        most: u64,
        goals: &mut Goals,
        solver: &mut Solver<'t>,
        stage: &mut Stage<'t>,
    ) -> Result<bool, Unfinished> {
        solver.begin(stage);
        for turn in 0..goals.pos.len() {
            let goal = goals.at_turn(turn);
            let before = solver.made();
            solver.solve(goal.call, self.rules, &self.mask, stage)?;
            goals.note(turn, solver.made() - before);
            for (place, &found) in solver.found().iter().enumerate() {
                let mut rest = self.mask[place] & !found;
                while rest != 0 {
                    let unit = place * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    self.missed[unit] += goal.weight;
                    if self.missed[unit] > most {
                        clear(&mut self.mask, unit);
                    }
                }
            }
            if is_empty(&self.mask) || solver.is_stopped() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The units whose programs cost no more than the incumbent and are functional, with the weight of the negatives that
    /// they cover. Idle units are only run.
    pub(super) fn good<'t>(
        &mut self,
        goals: &Goals,
        solver: &mut Solver<'t>,
        stage: &mut Stage<'t>,
        incumbent: &Incumbent,
    ) -> Result<Vec<(usize, u64)>, Unfinished> {
        let mut mask = self.mask.clone();
        let mut wrong = vec![0u64; self.missed.len()];
        for goal in &goals.neg {
            if is_empty(&mask) {
                return Ok(Vec::new());
            }
            solver.solve(goal.call, self.rules, &mask, stage)?;
            for unit in ones(solver.found()) {
                wrong[unit] += goal.weight;
                if !incumbent.is_met_by(self.missed[unit], wrong[unit], self.size) {
                    clear(&mut mask, unit);
                }
            }
        }
        for query in &goals.queries {
            mask = solver.giving_only(query, self.rules, &mask, stage)?;
        }
        mask.iter_mut().zip(&self.idle).for_each(|(mask, idle)| *mask &= !idle);
        Ok(ones(&mask).map(|unit| (unit, wrong[unit])).collect())
    }

    /// What the rules cover without harm.
    pub(super) fn harmless<'t>(
        &mut self,
        goals: &Goals,
        solver: &mut Solver<'t>,
        stage: &mut Stage<'t>,
    ) -> Result<Vec<Harmless>, Unfinished> {
        let mut consistent = self.mask.clone();
        clear(&mut consistent, EMPTY.index());
        for goal in &goals.neg {
            if is_empty(&consistent) {
                return Ok(Vec::new());
            }
            solver.solve(goal.call, self.rules, &consistent, stage)?;
            consistent.iter_mut().zip(solver.found()).for_each(|(units, found)| *units &= !found);
        }
        let covering = ones(&consistent).filter(|&unit| self.missed[unit] < goals.total);
        let mut covers: Vec<(Harmless, bool)> =
            covering.map(|unit| (Harmless { unit, pos: Bitset::new(goals.pos.len()) }, false)).collect();
        for (at, goal) in goals.pos.iter().enumerate() {
            solver.solve(goal.call, self.rules, &consistent, stage)?;
            for (cover, gains) in &mut covers {
                if has(solver.found(), cover.unit) {
                    cover.pos.insert(at);
                    *gains |= !stage.bases.covers(goal.call, cover.unit);
                }
            }
        }
        Ok(covers.into_iter().filter(|(_, gains)| *gains).map(|(cover, _)| cover).collect())
    }
}
