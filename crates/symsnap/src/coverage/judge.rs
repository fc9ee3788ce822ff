//! Decide about one group of examples after the other, for one part of a rule.

use super::example::example;
use super::groups::ExampleGroups;
use super::join::{JoinWalk, WalkResult};
use super::notes::{CoverageLimits, Notes};
use super::plan::BodyPart;
use super::resolve::Resolver;
use crate::index::narrow;
use crate::logic::{Arg, Literal, Rule, Var};
use crate::task::Examples;

pub(super) struct Judge<'a, 'd> {
    pub(super) join: JoinWalk<'a>,
    pub(super) part: BodyPart,
    pub(super) groups: &'a ExampleGroups,
    pub(super) rule: &'a Rule,
    pub(super) examples: &'a Examples,
    pub(super) limits: CoverageLimits,
    pub(super) notes: &'a mut Notes,
    pub(super) resolver: &'a mut Resolver<'d>,
    pub(super) unresolved: u32,
}

impl Judge<'_, '_> {
    /// Whether the part has a solution for the examples of a group.
    pub(super) fn covers(&mut self, group: u32) -> bool {
        let inputs = &self.join.plan.inputs[self.part.inputs.0 as usize..self.part.inputs.1 as usize];
        for (&var, &value) in inputs.iter().zip(self.groups.values(group)) {
            self.join.registers[var as usize] = value;
        }
        self.join.meter.begin_example(self.limits.example_steps);
        match if self.join.meter.is_stopped() { WalkResult::Limit } else { self.join.all(self.part.root) } {
            WalkResult::Yes => true,
            WalkResult::No => false,
            WalkResult::Limit => {
                self.notes.unfinished += 1;
                false
            }
            WalkResult::Unknown => self.resolve(group),
        }
    }

    #[cold]
    fn resolve(&mut self, group: u32) -> bool {
        if self.unresolved >= self.limits.unresolved || self.join.meter.is_stopped_now() {
            self.notes.unfinished += 1;
            return false;
        }
        if !self.resolver.is_loaded() {
            self.resolver.load_rule(&self.part_alone());
        }
        let args = example(self.examples, self.groups.first(group));
        self.resolver.covers(args).unwrap_or_else(|fault| {
            self.unresolved += u32::from(fault.leaves_unknown());
            self.notes.fault(&fault);
            false
        })
    }

    /// A rule with only the literals of this part, which looks only at the arguments that the part sees, so that any
    /// example of a group stands for all of them.
    fn part_alone(&self) -> Rule {
        let args = self.join.plan.head.iter().enumerate().map(|(position, var)| match var {
            Some(var) if self.part.positions.contains(position) => Arg::Var(Var(*var)),
            // Planned rules have fewer than 64 variables and head positions, so these are new.
            _ => Arg::Var(Var(narrow(128 + position))),
        });
        let calling = self.join.plan.calling;
        let body = self.rule.body.iter().enumerate().filter(|(at, _)| calling >> at & 1 == 1);
        let body = body.map(|(_, literal)| literal.clone()).collect();
        Rule { head: Literal::new(self.rule.head.pred, args.collect::<Vec<_>>()), body }
    }
}
