//! All solutions of a goal: `findall`, `bagof`, `setof`.

use super::limits::Fault;
use super::machine::{Alternative, Flow, Machine, MachineStep};
use super::procedure::{ProcedureDefinition, Steer};
use super::raise::{Raise, Raised};
use super::store::{Cell, View};
use crate::logic::TermId;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The solutions found so far, off the heap.
#[derive(Debug, Default)]
pub(super) struct Bag {
    cells: Vec<Cell>,
    starts: Vec<usize>,
}

/// What becomes of the solutions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Finish {
    /// `findall`: the list is the result.
    List { result: Cell, tail: Cell },
    /// `bagof` and `setof`: grouped by the witness, the variables that are free in the goal.
    Groups { result: Cell, witness: Option<Cell>, sorted: bool },
}

/// The predicate `name/arity`, if it collects solutions.
pub(super) fn find(name: &str, arity: u32) -> Option<ProcedureDefinition> {
    let steer: Steer = match (name, arity) {
        ("findall", 3) => |m, next| {
            let tail = Cell::Ground(m.store.names.nil);
            let finish = Finish::List { result: m.args[2], tail };
            Ok(m.solve_all(m.args[0], m.args[1], finish, next))
        },
        ("findall", 4) => |m, next| {
            let finish = Finish::List { result: m.args[2], tail: m.args[3] };
            Ok(m.solve_all(m.args[0], m.args[1], finish, next))
        },
        ("bagof", 3) => |m, next| m.groups(false, next),
        ("setof", 3) => |m, next| m.groups(true, next),
        _ => return None,
    };
    Some(ProcedureDefinition::Steer(steer))
}

impl Machine {
    fn solve_all(&mut self, template: Cell, goal: Cell, finish: Finish, next: u32) -> Flow {
        self.bags.push(Bag::default());
        self.choose(Alternative::Collected(finish), next);
        let cut = self.height();
        let collect = self.push(MachineStep::Collect(template), next);
        Flow::Go(MachineStep::Enter { goal, cut }, collect)
    }

    /// Note a solution.
    pub fn collect(&mut self, template: Cell) -> Result<(), Raised> {
        let bag = self.bags.last_mut().expect("solutions are collected only inside `findall`");
        bag.starts.push(bag.cells.len());
        self.store.save(template, &mut bag.cells);
        if bag.cells.len() > self.store.max_cells { Err(Fault::Memory.into()) } else { Ok(()) }
    }

    /// All solutions are there.
    pub fn finish(&mut self, finish: Finish, next: u32) -> Result<Flow, Raised> {
        let bag = self.bags.pop().expect("each `findall` has its bag");
        self.store.room(bag.cells.len() + 3 * bag.starts.len())?;
        let ends = bag.starts.iter().skip(1).copied().chain([bag.cells.len()]);
        let items: Vec<Cell> =
            bag.starts.iter().zip(ends).map(|(&start, end)| self.store.restore(&bag.cells[start..end])).collect();
        match finish {
            Finish::List { result, tail } => {
                let list = self.store.list_onto(&items, tail);
                Ok(if self.store.unify(result, list) { Flow::Proceed(next) } else { Flow::Fail })
            }
            Finish::Groups { .. } if items.is_empty() => Ok(Flow::Fail),
            Finish::Groups { result, witness: None, sorted } => {
                let items = if sorted { self.sort_unique(items) } else { items };
                let list = self.store.list(&items);
                Ok(if self.store.unify(result, list) { Flow::Proceed(next) } else { Flow::Fail })
            }
            Finish::Groups { result, witness: Some(witness), sorted } => {
                let pattern = self.store.structure(self.store.names.minus, &[witness, result]);
                let groups = self.group(items, sorted);
                let list = self.store.list(&groups);
                Ok(self.each(pattern, list, next))
            }
        }
    }

    fn groups(&mut self, sorted: bool, next: u32) -> Result<Flow, Raised> {
        let (template, mut goal, result) = (self.args[0], self.strip_module(self.args[1]), self.args[2]);
        let mut bound = Vec::new();
        self.store.variables(template, &mut bound);
        while let View::Compound(name, 2, args) = self.store.view(goal)
            && name == self.store.names.caret
        {
            let quantified = self.store.arg(args, 0);
            self.store.variables(quantified, &mut bound);
            goal = self.strip_module(self.store.arg(args, 1));
        }
        if let View::Var(_) = self.store.view(goal) {
            return Err(Raise::instantiation());
        }
        let known = bound.len();
        self.store.variables(goal, &mut bound);
        if bound.len() == known {
            return Ok(self.solve_all(template, goal, Finish::Groups { result, witness: None, sorted }, next));
        }
        let free: Vec<Cell> = bound[known..].iter().map(|&at| Cell::Ref(at)).collect();
        let witness = self.store.structure(self.store.names.minus, &free);
        let pair = self.store.structure(self.store.names.minus, &[witness, template]);
        Ok(self.solve_all(pair, goal, Finish::Groups { result, witness: Some(witness), sorted }, next))
    }

    /// `Witness-Item` pairs to `Witness-Items` pairs, one for each witness, in the order of the witnesses. Witnesses that
    /// differ in the names of their variables are one, wherever they stand.
    fn group(&mut self, pairs: Vec<Cell>, sorted: bool) -> Vec<Cell> {
        let mut split: Vec<(Cell, Cell)> = pairs.iter().map(|&pair| self.split_pair(pair)).collect();
        split.sort_by(|a, b| self.store.compare(a.0, b.0));
        let mut groups: Vec<Cell> = Vec::new();
        let forms: Vec<_> = split.iter().map(|&(witness, _)| self.form(witness)).collect();
        let mut group_of: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut members: Vec<(Cell, Vec<Cell>)> = Vec::new();
        for (&(witness, item), form) in split.iter().zip(forms) {
            // A witness too large to have a form is one by itself; the steps are used up then.
            let group = form.and_then(|form| group_of.get(&form).copied());
            match group {
                Some(group) => {
                    let (first, items) = &mut members[group];
                    self.store.unify(witness, *first);
                    items.push(item);
                }
                None => {
                    group_of.extend(form.map(|form| (form, members.len())));
                    members.push((witness, vec![item]));
                }
            }
        }
        for (witness, items) in members {
            let items = if sorted { self.sort_unique(items) } else { items };
            let list = self.store.list(&items);
            groups.push(self.store.structure(self.store.names.minus, &[witness, list]));
        }
        groups
    }

    /// What a term is up to renaming of variables.
    fn form(&mut self, cell: Cell) -> Option<TermId> {
        self.store.encode(cell, &mut FxHashMap::default())
    }

    /// Both sides of `A-B`.
    fn split_pair(&self, pair: Cell) -> (Cell, Cell) {
        match self.store.view(pair) {
            View::Compound(_, 2, args) => (self.store.arg(args, 0), self.store.arg(args, 1)),
            _ => unreachable!("`groups` made pairs"),
        }
    }

    /// Items in standard order, each once.
    pub fn sort_unique(&mut self, mut items: Vec<Cell>) -> Vec<Cell> {
        items.sort_by(|&a, &b| self.store.compare(a, b));
        items.dedup_by(|a, b| self.store.compare(*a, *b) == Ordering::Equal);
        items
    }
}
