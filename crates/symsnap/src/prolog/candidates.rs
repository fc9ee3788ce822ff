//! The clauses or facts that a call may match, tried one after the other.
//!
//! Each looks ahead for the next candidate, so the last one leaves no choice behind: that is what keeps deterministic
//! predicates deterministic.

use super::code::{Goal, ProcId};
use super::facts::FactRows;
use super::machine::{Alternative, Flow, Machine, MachineStep};
use super::procedure::{Pick, ProcedureDefinition};
use super::store::Cell;
use crate::index::narrow;

impl Machine {
    /// Evaluate `proc` by its clauses, whether it is tabled or not.
    pub fn call_clauses(&mut self, proc: ProcId, next: u32) -> Flow {
        let ProcedureDefinition::Clauses(set) = &self.procedures[proc.0 as usize].definition else { return Flow::Fail };
        let pick = set.pick(self.args.first().and_then(|&cell| self.store.key(cell)));
        self.resume_clauses(proc, pick, 0, next, false)
    }

    /// Try the clauses from position `at` on. With `again` their choice is the newest and in place.
    pub fn resume_clauses(&mut self, proc: ProcId, pick: Pick, at: u32, next: u32, again: bool) -> Flow {
        let key = self.args.first().and_then(|&cell| self.store.key(cell));
        let ProcedureDefinition::Clauses(set) = &self.procedures[proc.0 as usize].definition else { return Flow::Fail };
        let Some((clause, after)) = set.next(pick, at, key) else {
            if again {
                self.drop_choice();
            }
            return Flow::Fail;
        };
        let more = set.next(pick, after, key).is_some();
        let (head, arity, vars, body) = (clause.head, clause.arity, clause.vars, clause.body);
        let alternative = Alternative::Clauses { proc, pick, at: after };
        self.keep_or_drop(alternative, next, again, more);
        let cut = self.height() - u32::from(more);
        let env = narrow(self.store.cells.len());
        self.store.cells.extend((env..env + vars).map(Cell::Ref));
        for n in 0..arity {
            let (template, cell) = (self.code.templates[(head + n) as usize], self.args[n as usize]);
            if !self.store.match_template(&self.code, template, cell, env) {
                return Flow::Fail;
            }
        }
        match self.code.goals[body as usize] {
            Goal::Proceed => Flow::Proceed(next),
            _ => Flow::Go(MachineStep::Body { goal: body, env, cut }, next),
        }
    }

    fn keep_or_drop(&mut self, alternative: Alternative, next: u32, again: bool, more: bool) {
        match (again, more) {
            (false, true) => self.choose_with_args(alternative, next),
            (true, true) => self.choices.last_mut().expect("it is being resumed").alternative = alternative,
            (true, false) => self.drop_choice(),
            (false, false) => {}
        }
    }

    /// Note which arguments are ground, as interned terms. False if one of them is a number that no fact can have.
    pub fn find_known(&mut self) -> bool {
        self.known.clear();
        for at in 0..self.args.len() {
            let known = match self.store.deref(self.args[at]) {
                Cell::Ground(id) => Some(id),
                Cell::Int(value) => match self.store.terms.find_int(value) {
                    None => return false,
                    found => found,
                },
                Cell::Float(value) => match self.store.terms.find_float(value) {
                    None => return false,
                    found => found,
                },
                Cell::Struct(at) => self.store.intern(Cell::Struct(at)),
                _ => None,
            };
            self.known.push(known);
        }
        true
    }

    /// Try the facts from position `at` of `rows` on; [`Machine::known`] is set.
    pub fn resume_rows(&mut self, proc: ProcId, rows: FactRows, at: u32, next: u32, again: bool) -> Flow {
        let ProcedureDefinition::Facts(facts) = &self.procedures[proc.0 as usize].definition else { return Flow::Fail };
        let Some((at, row)) = facts.next(rows, at, &self.known, &mut self.store.fuel) else {
            if again {
                self.drop_choice();
            }
            return Flow::Fail;
        };
        let ahead = facts.next(rows, at + 1, &self.known, &mut self.store.fuel);
        let at = ahead.map_or(0, |(at, _)| at);
        self.keep_or_drop(Alternative::Rows { proc, rows, at }, next, again, ahead.is_some());
        let ProcedureDefinition::Facts(facts) = &self.procedures[proc.0 as usize].definition else { return Flow::Fail };
        for arg in 0..self.args.len() {
            if self.known[arg].is_none() {
                let cell = self.store.cell_of(facts.get(row, arg));
                if !self.store.unify(self.args[arg], cell) {
                    return Flow::Fail;
                }
            }
        }
        Flow::Proceed(next)
    }
}
