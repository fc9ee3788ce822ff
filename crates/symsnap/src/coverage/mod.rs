//! Which examples a rule or a hypothesis covers: the innermost loop of learning.
//!
//! A rule covers an example iff SWI-Prolog, running the body in its written order with the head's variables bound to
//! the example, finds a solution. [`Evaluator`] gets there by joins: the body is split into parts that share only
//! head variables, each part is planned ([`plan`]), and each distinct projection of the examples on the head
//! variables that the part sees ([`groups`]) is tested once ([`join`]). What joins cannot tell exactly (recursion,
//! calls that raise errors or leave answers open) is left to resolution by the embedded evaluator.
//!
//! An evaluator belongs to one thread and keeps its buffers, so that a rule costs no allocation once they have grown.

mod assess;
mod cache;
#[cfg(test)]
mod called_tests;
mod calls;
#[cfg(test)]
mod compared_tests;
mod example;
mod free;
mod groups;
mod join;
mod judge;
mod lines;
#[cfg(test)]
mod naive;
mod notes;
mod plan;
mod resolve;
mod slow;
#[cfg(test)]
mod tests;

pub use assess::{Assessment, assess};
pub use cache::{CoverCache, Tested};
pub use free::{FreeNumber, FreeNumbers};
pub use lines::{Line, LinePoints};
pub use notes::{CoverageLimits, Notes};
pub use slow::SlowEvaluator;

use crate::budget::Budget;
use crate::database::{Columns, Database};
use crate::index::narrow;
use crate::logic::{Arg, Hypothesis, Number, Rule, TermId};
use crate::sets::Cover;
use crate::task::Examples;
use calls::RememberedCalls;
use example::example;
use groups::ExampleGroups;
use join::{JoinMeter, JoinWalk};
use judge::Judge;
use plan::{JoinPlan, RuleShape, VARIABLES};
use resolve::Resolver;
use rustc_hash::FxHashMap;

/// Tests rules and hypotheses on the examples.
#[derive(Debug)]
pub struct Evaluator<'d> {
    database: &'d Database,
    examples: &'d Examples,
    limits: CoverageLimits,
    plan: JoinPlan,
    registers: Vec<u32>,
    groups: FxHashMap<Columns, ExampleGroups>,
    verdicts: Vec<ExampleVerdict>,
    calls: RememberedCalls,
    meter: JoinMeter,
    notes: Notes,
    resolver: Resolver<'d>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExampleVerdict {
    Open,
    No,
    Yes,
}

impl<'d> Evaluator<'d> {
    /// An evaluator with the default limits and no time limit.
    pub fn new(database: &'d Database, examples: &'d Examples) -> Self {
        Evaluator {
            database,
            examples,
            limits: CoverageLimits::default(),
            plan: JoinPlan::default(),
            registers: vec![0; VARIABLES],
            groups: FxHashMap::default(),
            verdicts: Vec::new(),
            calls: RememberedCalls::default(),
            meter: JoinMeter::new(Budget::unlimited()),
            notes: Notes::default(),
            resolver: Resolver::new(database),
        }
    }

    /// The same evaluator with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: CoverageLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same evaluator, which stops in the middle of a rule when the budget says so. What it has not decided by
    /// then counts as not covered, and [`Notes::unfinished`] says so: ask [`Evaluator::finished`] before it is used.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.meter = JoinMeter::new(budget);
        self
    }

    /// From now on stop when this budget says so.
    pub fn set_budget(&mut self, budget: Budget) {
        self.meter = JoinMeter::new(budget);
    }

    /// What was just tested, unless the budget has ended, and with it perhaps the test: what is covered may then be less than
    /// what it seems. Nothing may be offered or concluded from a test that was broken off.
    pub fn finished<T>(&self, tested: T) -> Option<T> {
        if self.meter.is_spent() { None } else { Some(tested) }
    }

    /// The same evaluator, whose notes tell of every error that running a body from left to right raises. What is covered is the
    /// same; but literals that reject an example are no longer asked before calls that stand in front of them.
    #[must_use]
    pub fn meeting_all_errors(mut self) -> Self {
        self.plan.meets_all_errors = true;
        self
    }

    /// The examples.
    pub fn examples(&self) -> &'d Examples {
        self.examples
    }

    /// What happened so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// What happened since this was last asked, or so far.
    pub fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// What `rule` covers.
    pub fn rule(&mut self, rule: &Rule) -> Cover {
        let mut cover = Cover::full(self.examples.sides());
        self.narrow(rule, &mut cover);
        cover
    }

    /// What `rule` covers of `within`.
    pub fn rule_within(&mut self, rule: &Rule, within: &Cover) -> Cover {
        let mut cover = within.clone();
        self.narrow(rule, &mut cover);
        cover
    }

    /// [`Evaluator::rule_within`] into a cover that the caller keeps, for loops that must not allocate.
    pub fn rule_into(&mut self, rule: &Rule, within: &Cover, out: &mut Cover) {
        out.copy_from(within);
        self.narrow(rule, out);
    }

    /// What `hypothesis` covers: what any of its rules does, and what follows from them together if they call each
    /// other or themselves.
    pub fn hypothesis(&mut self, hypothesis: &Hypothesis) -> Cover {
        self.hypothesis_within(hypothesis, &Cover::full(self.examples.sides()))
    }

    /// What `hypothesis` covers of `within`.
    pub fn hypothesis_within(&mut self, hypothesis: &Hypothesis, within: &Cover) -> Cover {
        let mut rest = within.clone();
        if hypothesis.is_recursive() {
            self.resolver.load(&hypothesis.rules, self.examples.pred());
            self.narrow_by_resolution(&mut rest);
            return rest;
        }
        let mut cover = Cover::empty(self.examples.sides());
        for rule in &hypothesis.rules {
            let covered = self.rule_within(rule, &rest);
            rest.subtract(&covered);
            cover.union_with(&covered);
        }
        cover
    }

    /// Take from `cover` all that `rule` does not cover.
    pub fn narrow(&mut self, rule: &Rule, cover: &mut Cover) {
        self.calls.trim();
        if rule.head.pred != self.examples.pred() {
            return cover.clear();
        }
        match self.plan.make(self.database, self.examples, rule) {
            RuleShape::Nothing => return cover.clear(),
            RuleShape::Resolved => {
                if rule.is_recursive() {
                    self.resolver.load(std::slice::from_ref(rule), rule.head.pred);
                } else {
                    self.resolver.load_rule(rule);
                }
                return self.narrow_by_resolution(cover);
            }
            RuleShape::Joined => {}
        }
        if self.plan.head.contains(&None) {
            let examples = self.examples;
            let value = |number| self.database.value_of(number);
            cover.retain(|at| matches_head(rule, example(examples, at), value));
        }
        self.registers.truncate(VARIABLES);
        self.registers.extend_from_slice(&self.plan.constants);
        self.meter.begin_rule(self.limits.rule_steps);
        self.resolver.unload();
        for at in 0..self.plan.parts.len() {
            self.narrow_by_part(rule, at, cover);
        }
    }

    /// Take from `cover` what does not follow from the rules that the resolver has loaded.
    fn narrow_by_resolution(&mut self, cover: &mut Cover) {
        self.meter.begin_rule(self.limits.rule_steps);
        let (examples, resolver, notes, meter) = (self.examples, &mut self.resolver, &mut self.notes, &mut self.meter);
        let positives = examples.positives();
        // Positives and negatives have a count of their own: either may be asked about alone.
        let mut counts = [0; 2];
        cover.retain(|at| {
            let unresolved = &mut counts[usize::from(at >= positives)];
            if *unresolved >= self.limits.unresolved || meter.is_stopped_now() {
                notes.unfinished += 1;
                return false;
            }
            resolver.covers(example(examples, at)).unwrap_or_else(|fault| {
                *unresolved += u32::from(fault.leaves_unknown());
                notes.fault(&fault);
                false
            })
        });
    }

    fn narrow_by_part(&mut self, rule: &Rule, part: usize, cover: &mut Cover) {
        let part = self.plan.parts[part];
        let examples = self.examples;
        let groups = self.groups.entry(part.positions).or_insert_with(|| ExampleGroups::new(examples, part.positions));
        let join = JoinWalk {
            database: self.database,
            plan: &self.plan,
            registers: &mut self.registers,
            calls: &mut self.calls,
            meter: &mut self.meter,
        };
        let mut judge = Judge {
            join,
            part,
            groups,
            rule,
            examples,
            limits: self.limits,
            notes: &mut self.notes,
            resolver: &mut self.resolver,
            unresolved: 0,
        };
        if let Some(members) = groups.members() {
            for (group, members) in members.iter().enumerate() {
                if cover.intersects(members) && !judge.covers(narrow(group)) {
                    cover.subtract(members);
                }
            }
        } else if groups.len() == groups.of().len() {
            // All different: a group has the number of its one example.
            cover.retain(|at| judge.covers(narrow(at)));
        } else {
            self.verdicts.clear();
            self.verdicts.resize(groups.len(), ExampleVerdict::Open);
            let (verdicts, of) = (&mut self.verdicts, groups.of());
            cover.retain(|at| {
                let verdict = &mut verdicts[of[at] as usize];
                if *verdict == ExampleVerdict::Open {
                    *verdict = if judge.covers(of[at]) { ExampleVerdict::Yes } else { ExampleVerdict::No };
                }
                *verdict == ExampleVerdict::Yes
            });
        }
    }
}

/// Whether the head unifies with an example: constants are equal, and so are the values of a repeated variable.
fn matches_head(rule: &Rule, example: &[TermId], value: impl Fn(Number) -> Option<u32>) -> bool {
    let args = &rule.head.args;
    args.iter().zip(example).enumerate().all(|(at, (arg, given))| match arg {
        Arg::Const(id) => id == given,
        Arg::Number(number) => value(*number).is_some_and(|id| TermId::from_index(id) == *given),
        Arg::Var(_) => args[..at].iter().zip(example).all(|(before, other)| before != arg || other == given),
    })
}
