//! From which units an example follows, by rules that call the program: fixpoints, and what is done where one is bounded.

use super::bits::{clear, has, ones, set};
use super::caller::Caller;
use super::calls::{CallIx, Calls};
use super::fixpoint::{Fixpoint, Ground, Unfinished};
use super::goals::QueryCall;
use super::kind::Kind;
use super::lookup::Lookup;
use super::stage::Stage;
use super::words::Words;
use crate::budget::Budget;
use crate::language::Taint;
use std::time::Instant;

/// Solves calls. Between [`Solver::begin`] and the next all calls must be solved for the same rules and stage, and for
/// units that are among those of the call before: tables are shared.
pub(super) struct Solver<'t> {
    /// The predicates of rules that call the program.
    pub(super) words: Words,
    pub(super) calls: Calls,
    pub(super) lookup: Lookup<'t>,
    fixpoint: Fixpoint,
    /// A search that invents has rules that do not define what they call. One that proves nothing, a tight one, can do
    /// without what is hard to tell.
    kind: Kind,
    budget: Budget,
    /// Whether some program was not evaluated to its end because of a limit on its calls or steps.
    limited: bool,
    /// When the turn is over.
    until: Option<Instant>,
}

impl<'t> Solver<'t> {
    /// A solver that has met no call but those of `calls`.
    pub(super) fn new(words: Words, calls: Calls, lookup: Lookup<'t>, kind: Kind, budget: Budget) -> Self {
        Solver { words, calls, lookup, fixpoint: Fixpoint::new(), kind, budget, limited: false, until: None }
    }

    /// Which programs are sought.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// What was not evaluated to its end.
    pub(super) fn taints(&self) -> impl Iterator<Item = Taint> {
        let limits = (self.limited || self.lookup.limited).then_some(Taint::Recursion);
        self.lookup.taints().chain(limits)
    }

    /// Forget what was met.
    pub(super) fn forget(&mut self) {
        self.calls = Calls::default();
        self.fixpoint = Fixpoint::new();
        self.lookup.forget();
    }

    /// Leave off after this moment, if there is one.
    pub(super) fn set_end_of_turn(&mut self, until: Option<Instant>) {
        self.until = until;
    }

    /// Whether it is time to let others work.
    pub(super) fn is_turn_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Begin with other rules.
    pub(super) fn begin(&mut self, stage: &Stage<'_>) {
        self.fixpoint.begin(stage.units());
    }

    /// The units from which the call that was solved last follows.
    pub(super) fn found(&self) -> &[u64] {
        self.fixpoint.found()
    }

    /// Whether there is no time left.
    pub(super) fn is_stopped(&self) -> bool {
        self.budget.check().is_some()
    }

    /// How many tables have been made so far.
    pub(super) fn made(&self) -> u64 {
        self.fixpoint.made()
    }

    /// Find the units of `mask` from which a call follows.
    pub(super) fn solve(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        stage: &mut Stage<'t>,
    ) -> Result<(), Unfinished> {
        self.solve_once(call, rules, mask, stage)?;
        if self.fixpoint.is_bounded() && !self.kind.is_tight() {
            let found = self.fixpoint.found().to_vec();
            self.solve_apart(call, rules, mask, found, stage)?;
        }
        Ok(())
    }

    /// The same where a run has ended at a limit. That may be because of one unit, and the others must not suffer for it:
    /// what is not `found` is solved again in halves, until what is left at the limit is a single program. Unless the
    /// calls that need no answer are too many already, because those every program makes.
    fn solve_apart(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        mut found: Vec<u64>,
        stage: &mut Stage<'t>,
    ) -> Result<(), Unfinished> {
        self.begin(stage);
        self.solve_once(call, rules, &vec![0; mask.len()], stage)?;
        let left: Vec<usize> = ones(mask).filter(|&unit| !has(&found, unit)).collect();
        self.limited |= self.fixpoint.is_bounded() && !left.is_empty();
        let mut todo = if self.fixpoint.is_bounded() { Vec::new() } else { vec![left] };
        while let Some(mut units) = todo.pop() {
            if units.len() <= 1 {
                self.limited |= !units.is_empty();
                continue;
            }
            if self.is_stopped() {
                break;
            }
            let rest = units.split_off(units.len() / 2);
            for half in [units, rest] {
                let part = mask_of(&half, mask.len());
                // Tables that were made for some units say nothing about others.
                self.begin(stage);
                self.solve_once(call, rules, &part, stage)?;
                found.iter_mut().zip(self.fixpoint.found()).for_each(|(all, found)| *all |= found);
                if self.fixpoint.is_bounded() {
                    todo.push(half.into_iter().filter(|&unit| !has(&found, unit)).collect());
                }
            }
        }
        self.begin(stage);
        self.fixpoint.set_found(found);
        Ok(())
    }

    /// The units of `mask` with which the rules give no answer to a query but right ones. Units with which that cannot
    /// be told within the limits are not among them.
    pub(super) fn giving_only(
        &mut self,
        query: &QueryCall,
        rules: &mut [Caller],
        mask: &[u64],
        stage: &mut Stage<'t>,
    ) -> Result<Vec<u64>, Unfinished> {
        let mut kept = mask.to_vec();
        let mut split = false;
        let mut todo = vec![ones(mask).collect::<Vec<usize>>()];
        while let Some(mut units) = todo.pop().filter(|units| !units.is_empty()) {
            let part = mask_of(&units, mask.len());
            self.solve_once(query.call, rules, &part, stage)?;
            if !self.fixpoint.is_bounded() {
                for (values, wrong) in self.fixpoint.answers(query.call) {
                    if query.right.iter().all(|right| **right != *values) {
                        kept.iter_mut()
                            .zip(&part)
                            .zip(wrong)
                            .for_each(|((kept, part), wrong)| *kept &= !(part & wrong));
                    }
                }
            } else if let [unit] = units[..] {
                self.limited = true;
                clear(&mut kept, unit);
            } else {
                split = true;
                todo.push(units.split_off(units.len() / 2));
                todo.push(units);
            }
            if split {
                self.begin(stage);
            }
        }
        Ok(kept)
    }

    fn solve_once(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        stage: &mut Stage<'t>,
    ) -> Result<(), Unfinished> {
        let mut ground = Ground {
            words: &self.words,
            bases: &mut stage.bases,
            calls: &mut self.calls,
            lookup: &mut self.lookup,
            sets: stage.sets.as_ref(),
            recursive: self.kind.invents().is_none(),
            until: self.until,
        };
        self.fixpoint.solve(call, rules, mask, &mut ground)
    }
}

/// The set of these units, in `words` words.
fn mask_of(units: &[usize], words: usize) -> Vec<u64> {
    let mut mask = vec![0; words];
    units.iter().for_each(|&unit| set(&mut mask, unit));
    mask
}
