//! Does a part of a rule's body have a solution, given the head's variables? A walk over the plan's tree.
//!
//! Depth first, one answer at a time, out at the first solution. The walk recurses at most once per literal of a body
//! of at most 64, so the stack is safe. Every answer looked at is a step, and steps are limited: an exploding join
//! ends as [`WalkResult::Unknown`] and never hangs.

use super::calls::RememberedCalls;
use super::plan::{AnswerUse, JoinNode, JoinOperand, JoinPlan, NONE, NodeAccess, NodeIx, VARIABLES};
use crate::budget::Budget;
use crate::database::Database;
use crate::logic::Number;

/// What a walk found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkResult {
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
pub(super) struct JoinMeter {
    budget: Budget,
    taken: u64,
    pause: u64,
    example_end: u64,
    rule_end: u64,
    stopped: bool,
}

impl JoinMeter {
    pub(super) fn new(budget: Budget) -> Self {
        JoinMeter { budget, taken: 0, pause: 0, example_end: u64::MAX, rule_end: u64::MAX, stopped: false }
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

    /// Whether the budget has ended.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.check().is_some()
    }

    /// Whether the rule has to end, after a look at the budget.
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
pub(super) struct JoinWalk<'a> {
    pub(super) database: &'a Database,
    pub(super) plan: &'a JoinPlan,
    pub(super) registers: &'a mut [u32],
    pub(super) calls: &'a mut RememberedCalls,
    pub(super) meter: &'a mut JoinMeter,
}

impl<'a> JoinWalk<'a> {
    /// Whether all nodes from `first` on hold.
    pub(super) fn all(&mut self, first: NodeIx) -> WalkResult {
        let mut at = first;
        while at != NONE {
            let node = self.plan.nodes[at as usize];
            let found = self.exists(&node);
            if found != WalkResult::Yes {
                return if found == WalkResult::No && self.raises_on_the_way_back(first, at) {
                    WalkResult::Unknown
                } else {
                    found
                };
            }
            at = node.next;
        }
        WalkResult::Yes
    }

    /// Whether a call before node `end` of a list, of which one answer was enough so far, raises an error when Prolog
    /// comes back to it for others because `end` failed.
    fn raises_on_the_way_back(&mut self, first: NodeIx, end: NodeIx) -> bool {
        let plan: &'a JoinPlan = self.plan;
        let mut at = first;
        while at != end {
            let node = plan.nodes[at as usize];
            if let NodeAccess::Call(slot) = node.access {
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
    fn exists(&mut self, node: &JoinNode) -> WalkResult {
        let plan: &'a JoinPlan = self.plan;
        let keys = &plan.keys[node.keys.0 as usize..node.keys.1 as usize];
        let outputs = &plan.outputs[node.outputs.0 as usize..node.outputs.1 as usize];
        match node.access {
            NodeAccess::Table(slot) => {
                let index = &plan.indexes[slot as usize];
                let registers = &*self.registers;
                if outputs.is_empty() {
                    return if with_key(keys, registers, |key| index.contains(key)) {
                        WalkResult::Yes
                    } else {
                        WalkResult::No
                    };
                }
                let range = with_key(keys, registers, |key| index.range(key));
                for row in index.values()[range].chunks_exact(outputs.len()) {
                    match self.answer(node, outputs, row) {
                        WalkResult::No => {}
                        found => return found,
                    }
                }
                WalkResult::No
            }
            NodeAccess::Compare(slot) => {
                let (comparison, operands) = plan.comparisons[slot as usize];
                match operands.map(|operand| self.number(operand)) {
                    [Some(left), Some(right)] if comparison.holds(left.compare(right)) => WalkResult::Yes,
                    [Some(_), Some(_)] => WalkResult::No,
                    _ => WalkResult::Unknown,
                }
            }
            NodeAccess::Call(slot) => {
                let pattern = plan.patterns[slot as usize];
                let (calls, registers) = (&mut *self.calls, &*self.registers);
                let database = self.database;
                let answered = with_key(keys, registers, |key| calls.answers(database, slot, pattern, key));
                let Some(answers) = answered else { return WalkResult::Unknown };
                if outputs.is_empty() {
                    return if answers.rows > 0 { WalkResult::Yes } else { WalkResult::No };
                }
                let mut row = [0u32; VARIABLES];
                for at in 0..answers.rows as usize {
                    self.calls.copy_row(&answers, at, &mut row[..outputs.len()]);
                    match self.answer(node, outputs, &row[..outputs.len()]) {
                        WalkResult::No => {}
                        found => return found,
                    }
                }
                WalkResult::No
            }
        }
    }

    fn number(&self, operand: JoinOperand) -> Option<Number> {
        match operand {
            JoinOperand::Register(at) => self.database.number(self.registers[at as usize]),
            JoinOperand::Number(number) => Some(number),
        }
    }

    /// Take one answer and go on below.
    #[inline]
    fn answer(&mut self, node: &JoinNode, outputs: &[AnswerUse], row: &[u32]) -> WalkResult {
        if !self.meter.step() {
            return WalkResult::Limit;
        }
        for (output, &value) in outputs.iter().zip(row) {
            match *output {
                AnswerUse::Bind(var) => self.registers[var as usize] = value,
                AnswerUse::Check(var) if self.registers[var as usize] != value => return WalkResult::No,
                AnswerUse::Check(_) | AnswerUse::Ignore => {}
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
