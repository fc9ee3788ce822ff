//! Base rules with comparisons and constants, beside a rule that calls the program once: learned as plain rules over the
//! calls that the examples reach ([`program`](crate::program)'s linear rules have the theorem).
//!
//! For each linear rule there is an instance of its own. Its examples are names for those of the task, with the arguments
//! that no call changes; its background has one table more, from each name to the other arguments of the calls that the example
//! reaches; and its rules go through that table once. The learner for plain rules does the rest, with a small budget, because there are many linear rules and most lead nowhere. What it
//! finds is put together with the linear rule, scored as any program is, and offered. Each linear rule has few tests at first and
//! more in later rounds, so that neither the others nor rules without recursion wait for long.
//!
//! Nothing is proved here: a second linear rule beside the first, or a rule that calls the program twice, is not looked
//! for ([`Taint::Programs`](crate::language::Taint)).

use super::candidate::Candidate;
use super::learner::Learner;
use crate::budget::Budget;
use crate::index::narrow;
use crate::instance::Instance;
use crate::logic::{Arg, Hypothesis, Literal, Pred, Rule, Symbol, TermId, Terms, Var};
use crate::program::{LinearRule, LinearRules, values_of};
use crate::space::Space;
use crate::task::{Bias, Direction, Examples, Task};

/// Rules tested beside the first linear rule in the first round; there are a half, a third, a quarter of it for the next.
const TICKS: u64 = 6_250;
/// Where that did not suffice, a linear rule has this many times as many in the next round.
const GROWTH: u64 = 8;
/// Rounds. In the last there are 400,000 tests beside the first linear rule.
const ROUNDS: u32 = 3;
/// Calls that all examples together may reach.
const MOST_CALLS: usize = 200_000;

/// The linear rules of a task, and how far the search beside each is.
pub(super) struct LinearSearch<'t> {
    task: &'t Task,
    on: &'t Instance<'t>,
    rules: LinearRules<'t>,
    listed: Vec<LinearRule>,
    /// The places of those beside which there is something left to look for, and which of them is next.
    open: Vec<usize>,
    next: usize,
    round: u32,
    /// Rules tested.
    tests: u64,
}

impl<'t> LinearSearch<'t> {
    /// `None` if the bias allows no recursion, or base rules that others find. `task` is the instance as one.
    pub(super) fn new(task: &'t Task, on: &'t Instance<'t>) -> Option<Self> {
        let bias = on.bias();
        let wanted = bias.recursion && bias.max_clauses > 1 && bias.constraints.is_empty();
        if !wanted || bias.cuts.is_empty() && bias.constants.is_empty() {
            return None;
        }
        let rules = LinearRules::new(task, on.database())?;
        let listed = rules.list(on.space());
        let open = (0..listed.len()).collect();
        Some(LinearSearch { task, on, rules, listed, open, next: 0, round: 0, tests: 0 })
    }

    /// Rules tested.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// Whether nothing is left to look for.
    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty() || self.round == ROUNDS
    }

    /// How many rules will have been tested after the next step, at most.
    pub(super) fn tests_then(&self) -> u64 {
        self.tests + self.open.get(self.next).map_or(0, |&at| self.allowance(at))
    }

    /// How many rules may be tested beside this linear rule in this round.
    fn allowance(&self, at: usize) -> u64 {
        (TICKS * GROWTH.pow(self.round) / (at as u64 + 1)).max(1)
    }

    /// Look for base rules beside the next linear rule for a while, with a learner of plain rules; the programs found, the best
    /// last.
    pub(super) fn step(&mut self, plain: &dyn Learner, budget: &Budget, most: u64) -> Vec<Hypothesis> {
        let Some(&at) = self.open.get(self.next) else { return Vec::new() };
        let rule = &self.listed[at];
        let ticks = most.min(self.allowance(at));
        let unfolded = Unfolded::new(self.task, self.on, &mut self.rules, rule);
        let (found, tested) = unfolded.as_ref().map_or_else(Default::default, |it| it.learn(plain, budget, ticks));
        self.tests += tested;
        let programs = unfolded.iter().flat_map(|unfolded| {
            found.iter().filter_map(|hypothesis| unfolded.program(hypothesis, &rule.rule, self.on.space()))
        });
        let programs = programs.collect();
        if tested < ticks {
            self.open.remove(self.next);
        } else {
            self.next += 1;
        }
        if self.next == self.open.len() {
            (self.next, self.round) = (0, self.round + 1);
        }
        programs
    }
}

/// The task of finding base rules beside one linear rule.
struct Unfolded {
    task: Task,
    reached: Pred,
    /// Whether each argument of the task's head is one that no call changes.
    kept: Vec<bool>,
}

impl Unfolded {
    /// `None` if the rule leads nowhere, or to too many calls.
    fn new(task: &Task, on: &Instance<'_>, linear: &mut LinearRules<'_>, rule: &LinearRule) -> Option<Self> {
        let examples = on.examples();
        let positives =
            (0..examples.positives()).map(|at| (true, examples.positive(at), examples.positive_weights()[at]));
        let negatives =
            (0..examples.negatives()).map(|at| (false, examples.negative(at), examples.negative_weights()[at]));
        let mut reached = Vec::new();
        let (mut calls, mut leads) = (0, false);
        for (positive, args, weight) in positives.chain(negatives) {
            let found = linear.reached(rule, &values_of(args))?;
            calls += found.len();
            leads |= positive && found.len() > 1;
            if calls > MOST_CALLS {
                return None;
            }
            reached.push((positive, weight, found));
        }
        if !leads {
            return None;
        }
        // Calls may have made terms that the task does not have.
        let mut terms: Terms = on.database().with_answer_terms(Clone::clone);
        let example = terms.intern("$example");
        let kept: Vec<bool> = (0..task.bias.head.arity as usize).map(|at| rule.keeps(at)).collect();
        let fixed = narrow::<_, u32>(kept.iter().filter(|kept| **kept).count());
        let head = Pred::new(terms.intern("$covered"), 1 + fixed);
        let through = Pred::new(terms.intern("$reached"), 1 + task.bias.head.arity - fixed);
        let mut program = task.program.clone();
        let mut names = Examples::new(head);
        for (at, (positive, weight, calls)) in reached.into_iter().enumerate() {
            let number = terms.int(i64::try_from(at).ok()?);
            let name = terms.compound(example, &[number]);
            let with_name = |call: &[u32], of: bool| -> Vec<TermId> {
                let chosen = call.iter().zip(&kept).filter(|(_, kept)| **kept == of);
                std::iter::once(name).chain(chosen.map(|(&value, _)| TermId::from_index(value))).collect()
            };
            names.push(positive, &with_name(&calls[0], true), weight);
            for call in calls {
                let row = with_name(&call, false);
                program.add_fact(through, &row, || unreachable!("the table has facts only"));
            }
        }
        let bias = bias_of(&task.bias, (head, through), &kept, example);
        let task = Task { terms, program, examples: names, bias, warnings: Vec::new() };
        Some(Unfolded { task, reached: through, kept })
    }

    /// The best sets of base rules found, the cheapest last, and how many rules were tested.
    fn learn(&self, plain: &dyn Learner, budget: &Budget, ticks: u64) -> (Vec<Hypothesis>, u64) {
        let budget = budget.clone().with_ticks(ticks);
        let instance = Instance::within(&self.task, &budget);
        let mut found: Vec<Candidate> = Vec::new();
        let outcome = plain.learn(&instance, &budget, &mut found);
        let hypotheses = found.into_iter().map(|candidate| candidate.hypothesis).collect();
        (hypotheses, outcome.map_or(0, |outcome| outcome.ticks))
    }

    /// Base rules, which go through the table of calls, and the linear rule as a program; `None` if it is not one of the space.
    fn program(&self, hypothesis: &Hypothesis, linear: &Rule, space: &Space) -> Option<Hypothesis> {
        let bases = hypothesis.rules.iter().map(|rule| self.base(rule, linear.head.pred));
        let mut rules: Vec<Rule> = bases.collect::<Option<_>>()?;
        rules.push(linear.clone());
        let program = Hypothesis { rules };
        space.contains_hypothesis(&program).is_ok().then_some(program)
    }

    /// `f(V0) :- p(V0)` for `covered(V0) :- reached(V0,V1), p(V1)`.
    fn base(&self, rule: &Rule, head: Pred) -> Option<Rule> {
        let (through, body): (Vec<&Literal>, Vec<&Literal>) =
            rule.body.iter().partition(|literal| literal.pred == self.reached);
        let [through] = through[..] else { return None };
        let (mut fixed, mut moved) = (rule.head.args[1..].iter(), through.args[1..].iter());
        let own: Option<Vec<Arg>> =
            self.kept.iter().map(|&kept| if kept { fixed.next() } else { moved.next() }.copied()).collect();
        let own = own?;
        let mut names = own.clone();
        let mut name = |arg: &Arg| match arg {
            Arg::Var(_) => {
                let at = names.iter().position(|known| known == arg).unwrap_or_else(|| {
                    names.push(*arg);
                    names.len() - 1
                });
                Some(Arg::Var(Var(u8::try_from(at).ok()?)))
            }
            other => Some(*other),
        };
        let mut renamed = |pred: Pred, args: &[Arg]| {
            Some(Literal::new(pred, args.iter().map(&mut name).collect::<Option<Vec<Arg>>>()?))
        };
        let head = renamed(head, &own)?;
        let body = body.iter().map(|literal| renamed(literal.pred, &literal.args));
        Some(Rule { head, body: body.collect::<Option<_>>()? })
    }
}

/// The bias of base rules that go through the table of calls, once.
fn bias_of(bias: &Bias, (head, through): (Pred, Pred), kept: &[bool], example: Symbol) -> Bias {
    let mut own = bias.clone();
    own.head = head;
    own.body.push(through);
    own.once = Some(through);
    own.recursion = false;
    own.invention = false;
    own.constants.variable_heads = true;
    own.max_body += 1;
    own.max_vars += 1;
    for (pred, of) in [(head, true), (through, false)] {
        if let Some(types) = bias.types.get(&bias.head) {
            let chosen = |types: &[Symbol]| -> Box<[Symbol]> {
                let chosen = types.iter().zip(kept).filter(|(_, kept)| **kept == of);
                std::iter::once(example).chain(chosen.map(|(kind, _)| *kind)).collect()
            };
            own.types.insert(pred, types.iter().map(|types| chosen(types)).collect());
        }
        let ways = (0..pred.arity).map(|at| if at == 0 || of { Direction::In } else { Direction::Out });
        own.directions.insert(pred, vec![ways.collect()]);
    }
    own
}
