//! Does a part of a rule's body have a solution, given the head's variables? A walk over the plan's tree.
//!
//! Depth first, one answer at a time, out at the first solution. The walk recurses at most once per literal of a body
//! of at most 64, so the stack is safe. Every answer looked at is a step, and steps are limited: an exploding join
//! ends as [`Found::Unknown`] and never hangs.

use super::calls::Calls;
use super::plan::{Access, NONE, Node, NodeIx, Output, Plan, VARIABLES};
use crate::budget::Budget;
use crate::database::Database;

/// What a walk found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// No solution.
    No,
    /// A solution.
    Yes,
    /// A limit was reached first.
    Limit,
    /// A call raised an error or left an answer open, so tables cannot tell.
    Unknown,
}

/// How often the budget is looked at, in steps.
const BETWEEN_CHECKS: u64 = 1 << 16;

/// Steps taken and allowed.
#[derive(Debug)]
pub(super) struct Meter {
    budget: Budget,
    taken: u64,
    pause: u64,
    example_end: u64,
    rule_end: u64,
    stopped: bool,
}

impl Meter {
    pub(super) fn new(budget: Budget) -> Self {
        Meter { budget, taken: 0, pause: 0, example_end: u64::MAX, rule_end: u64::MAX, stopped: false }
    }

    /// Begin a rule that may take `steps` steps on all its examples together.
    pub(super) fn begin_rule(&mut self, steps: u64) {
        self.rule_end = self.taken.saturating_add(steps);
        self.stopped = self.budget.check().is_some();
    }

    /// Begin an example that may take `steps` steps, and no more than the rule has left.
    #[inline]
    pub(super) fn begin_example(&mut self, steps: u64) {
        self.example_end = self.taken.saturating_add(steps).min(self.rule_end);
        self.pause = self.example_end.min(self.taken + BETWEEN_CHECKS);
    }

    /// Whether the rule, and not only the example, has to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The same, after a look at the budget.
    pub(super) fn is_stopped_now(&mut self) -> bool {
        self.stopped |= self.budget.check().is_some();
        self.stopped
    }

    #[inline]
    fn step(&mut self) -> bool {
        self.taken += 1;
        self.taken < self.pause || self.go_on()
    }

    #[cold]
    fn go_on(&mut self) -> bool {
        self.stopped |= self.budget.check().is_some() || self.taken >= self.rule_end;
        self.pause = self.example_end.min(self.taken + BETWEEN_CHECKS);
        !self.stopped && self.taken < self.example_end
    }
}

/// One walk: the plan and all that it needs.
pub(super) struct Join<'a> {
    pub(super) database: &'a Database,
    pub(super) plan: &'a Plan,
    pub(super) registers: &'a mut [u32],
    pub(super) calls: &'a mut Calls,
    pub(super) meter: &'a mut Meter,
}

impl<'a> Join<'a> {
    /// Whether all nodes from `first` on hold.
    pub(super) fn all(&mut self, first: NodeIx) -> Found {
        let mut at = first;
        while at != NONE {
            let node = self.plan.nodes[at as usize];
            let found = self.exists(&node);
            if found != Found::Yes {
                return if found == Found::No && self.raises_on_the_way_back(first, at) {
                    Found::Unknown
                } else {
                    found
                };
            }
            at = node.next;
        }
        Found::Yes
    }

    /// Whether a call before node `end` of a list, of which one answer was enough so far, raises an error when Prolog
    /// comes back to it for others because `end` failed.
    fn raises_on_the_way_back(&mut self, first: NodeIx, end: NodeIx) -> bool {
        let plan: &'a Plan = self.plan;
        let mut at = first;
        while at != end {
            let node = plan.nodes[at as usize];
            if let Access::Call(slot) = node.access {
                let keys = &plan.keys[node.keys.0 as usize..node.keys.1 as usize];
                let (calls, registers, database) = (&mut *self.calls, &*self.registers, self.database);
                let pattern = plan.patterns[slot as usize];
                if !with_key(keys, registers, |key| calls.ends_well(database, slot, pattern, key)) {
                    return true;
                }
            }
            at = node.next;
        }
        false
    }

    #[inline]
    fn exists(&mut self, node: &Node) -> Found {
        let plan: &'a Plan = self.plan;
        let keys = &plan.keys[node.keys.0 as usize..node.keys.1 as usize];
        let outputs = &plan.outputs[node.outputs.0 as usize..node.outputs.1 as usize];
        match node.access {
            Access::Table(slot) => {
                let index = &plan.indexes[slot as usize];
                let registers = &*self.registers;
                if outputs.is_empty() {
                    return if with_key(keys, registers, |key| index.contains(key)) { Found::Yes } else { Found::No };
                }
                let range = with_key(keys, registers, |key| index.range(key));
                for row in index.values()[range].chunks_exact(outputs.len()) {
                    match self.answer(node, outputs, row) {
                        Found::No => {}
                        found => return found,
                    }
                }
                Found::No
            }
            Access::Call(slot) => {
                let pattern = plan.patterns[slot as usize];
                let (calls, registers) = (&mut *self.calls, &*self.registers);
                let database = self.database;
                let answered = with_key(keys, registers, |key| calls.answers(database, slot, pattern, key));
                let Some(answers) = answered else { return Found::Unknown };
                if outputs.is_empty() {
                    return if answers.rows > 0 { Found::Yes } else { Found::No };
                }
                let mut row = [0u32; VARIABLES];
                for at in 0..answers.rows as usize {
                    self.calls.copy_row(&answers, at, &mut row[..outputs.len()]);
                    match self.answer(node, outputs, &row[..outputs.len()]) {
                        Found::No => {}
                        found => return found,
                    }
                }
                Found::No
            }
        }
    }

    /// Take one answer and go on below.
    #[inline]
    fn answer(&mut self, node: &Node, outputs: &[Output], row: &[u32]) -> Found {
        if !self.meter.step() {
            return Found::Limit;
        }
        for (output, &value) in outputs.iter().zip(row) {
            match *output {
                Output::Bind(var) => self.registers[var as usize] = value,
                Output::Check(var) if self.registers[var as usize] != value => return Found::No,
                Output::Check(_) | Output::Ignore => {}
            }
        }
        self.all(node.child)
    }
}

/// Gather a key from registers without allocating.
#[inline]
fn with_key<R>(keys: &[u16], registers: &[u32], ask: impl FnOnce(&[u32]) -> R) -> R {
    match *keys {
        [] => ask(&[]),
        [a] => ask(&[registers[a as usize]]),
        [a, b] => ask(&[registers[a as usize], registers[b as usize]]),
        [a, b, c] => ask(&[registers[a as usize], registers[b as usize], registers[c as usize]]),
        _ => {
            let mut key = [0; VARIABLES];
            for (part, &register) in key.iter_mut().zip(keys) {
                *part = registers[register as usize];
            }
            ask(&key[..keys.len()])
        }
    }
}
