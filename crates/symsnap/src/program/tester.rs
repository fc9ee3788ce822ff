//! Test rules that call the program, with all units of base rules that they may go with.

use super::bases::Bases;
use super::bits::{clear, is_empty, ones, set, words_for};
use super::caller::{Caller, order};
use super::calls::Calls;
use super::fixpoint::Unfinished;
use super::goals::{Goals, Query};
use super::growth::{Growth, PartialRule};
use super::kind::Kind;
use super::lookup::Lookup;
use super::solver::Solver;
use super::stage::{Stage, Stages};
use super::trial::{Harmless, Trial, program_size};
use super::words::Words;
use crate::budget::Budget;
use crate::cost::{Cost, CostValue, Incumbent};
use crate::database::Database;
use crate::language::{Lit, Taint};
use crate::logic::{Hypothesis, Rule};
use crate::space::Space;
use crate::task::Task;
use std::time::Instant;

/// A program that costs at most as much as the best so far.
#[derive(Debug, Clone)]
pub struct FoundProgram {
    /// Its rules, base rules first.
    pub hypothesis: Hypothesis,
    /// Its cost, as the search sees it.
    pub value: CostValue,
}

/// Interchangeable base rules of one class that are offered, each in a program of its own: they may differ on new
/// examples.
const MOST_VARIANTS: usize = 8;

/// Tests between two sortings of the positives by the work that they were. The order only saves time, so it need not be
/// the newest.
const REORDER: u64 = 64;

/// What came of a test.
pub(super) enum Verdict {
    /// Something better may come of the rule.
    Worth(Worth),
    /// Nothing better can come of the rule.
    Worthless,
    /// Units have changed, and the rules that were grown for them are of no use.
    Stale,
    /// The turn is over; the rule is to be tested again.
    Unfinished,
}

/// What there is to be had of a rule.
pub(super) struct Worth {
    /// The rule with the units for which extensions of it may be worth while.
    pub(super) node: PartialRule,
    /// Programs that are good enough.
    pub(super) programs: Vec<FoundProgram>,
    /// Where the stage is relaxed: what it covers without harm.
    pub(super) covers: Vec<Harmless>,
}

/// Tests rules against the examples.
pub(super) struct Tester<'t> {
    kind: Kind,
    cost: Cost,
    space: &'t Space,
    budget: Budget,
    solver: Solver<'t>,
    /// The predicates of base rules.
    base_words: Words,
    goals: Goals,
    /// Rules and pairs of rules tested. It is also the clock by which positives are ordered anew.
    tests: u64,
    /// How many tests there may be at the end of the step, base rules included.
    end: u64,
}

impl<'t> Tester<'t> {
    /// `None` if predicates have more arguments than the search handles.
    pub(super) fn new(
        task: &'t Task,
        space: &'t Space,
        database: &'t Database,
        kind: Kind,
        cost: Cost,
        budget: Budget,
    ) -> Option<Self> {
        let bias = &task.bias;
        let defined = kind.invents().unwrap_or(bias.head);
        let words = Words::new(bias, database, bias.head, Some(defined))?;
        let base_words = Words::new(bias, database, defined, None)?;
        let mut calls = Calls::default();
        let goals = Goals::new(task, kind.invents().is_some(), &mut calls);
        let solver = Solver::new(words, calls, Lookup::new(database, Goals::reach(task)), kind, budget.clone());
        Some(Tester { kind, cost, space, budget, solver, base_words, goals, tests: 0, end: u64::MAX })
    }

    /// Leave out programs that give another output for the inputs of a query than a right one.
    pub(super) fn set_functional(&mut self, queries: &[Query]) {
        self.goals.set_functional(queries, &mut self.solver.calls);
    }

    /// How many rules and pairs of rules that call the program have been tested.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// From now on make no more than `most` other tests, base rules included, and begin none after `until`.
    pub(super) fn allow(&mut self, most: u64, until: Option<Instant>, stages: &Stages<'_>) {
        self.end = (self.tests + stages.listed()).saturating_add(most);
        self.solver.set_end_of_turn(until);
    }

    /// Whether it is time to let others work. Nothing is left out for that reason.
    pub(super) fn is_turn_over(&self) -> bool {
        self.solver.is_turn_over()
    }

    /// Whether the step must end.
    pub(super) fn is_over(&self, stages: &Stages<'_>) -> bool {
        self.tests + stages.listed() >= self.end || self.budget.check().is_some()
    }

    /// Whether there is no time left.
    pub(super) fn is_stopped(&self) -> bool {
        self.solver.is_stopped()
    }

    /// What was not evaluated to its end.
    pub(super) fn taints(&self) -> impl Iterator<Item = Taint> {
        self.solver.taints()
    }

    /// Forget what is only of use for more tests.
    pub(super) fn forget(&mut self) {
        self.solver.forget();
    }

    /// Forget answers of the background if there are too many.
    pub(super) fn trim(&mut self) {
        self.solver.lookup.trim();
    }

    /// The predicates of rules that call the program.
    pub(super) fn words(&self) -> &Words {
        &self.solver.words
    }

    /// Base rules of at most `depth` literals, which have answered nothing yet.
    pub(super) fn bases(&mut self, depth: usize, stages: &Stages<'_>) -> Bases<'t> {
        let mut bases = Bases::new(self.space, self.base_words.clone(), depth);
        bases.allow(self.end.saturating_sub(self.tests + stages.listed()));
        bases
    }

    /// Let base rules answer the `at`th example, positives first; whether there is one that is theirs to answer.
    pub(super) fn ask_bases(&mut self, bases: &mut Bases<'_>, at: usize) -> bool {
        let goal = self.goals.pos.iter().chain(&self.goals.neg).nth(at).filter(|_| self.kind.invents().is_none());
        if let Some(goal) = goal {
            bases.meet(goal.call, &self.solver.calls, &mut self.solver.lookup);
        }
        goal.is_some()
    }

    /// Make the rules of the next level, whose units are the classes of `bases`, if given.
    pub(super) fn sprout(&self, growth: &mut Growth, bases: Option<&Bases<'_>>) {
        growth.sprout(&self.solver.words, bases, self.space, &self.budget);
    }

    /// Test a rule with the units of its mask.
    pub(super) fn test(&mut self, mut node: PartialRule, stage: &mut Stage<'t>, incumbent: &Incumbent) -> Verdict {
        self.tests += 1;
        loop {
            if stage.renew() {
                return Verdict::Stale;
            }
            if stage.sets.is_none() {
                node.extend(&stage.bases);
            }
            match self.try_test(&node, stage, incumbent) {
                Ok(tested) => return tested.map_or(Verdict::Worthless, Verdict::Worth),
                Err(Unfinished::Regrouped) => {}
                Err(Unfinished::TurnOver) => {
                    self.tests -= 1;
                    return Verdict::Unfinished;
                }
            }
        }
    }

    fn try_test(
        &mut self,
        node: &PartialRule,
        stage: &mut Stage<'t>,
        incumbent: &Incumbent,
    ) -> Result<Option<Worth>, Unfinished> {
        let mut rules = [node.caller()];
        let (size, relaxed) = (program_size(&rules, stage), stage.relaxed);
        let most = if relaxed { self.goals.total.checked_sub(1) } else { self.most_missed(size, incumbent) };
        let Some(most) = most else { return Ok(None) };
        stage.weigh(&self.goals.neg);
        let mut trial = Trial::new(&mut rules, &node.mask, &self.solver, stage, incumbent);
        if !self.ask_positives(&mut trial, most, stage)? {
            return Ok(None);
        }
        let (mut programs, mut covers) = (Vec::new(), Vec::new());
        if self.words().calls_program_in(&node.body) && self.words().is_whole(&node.body) {
            programs = self.programs(&mut trial, stage, incumbent)?;
            if relaxed {
                covers = trial.harmless(&self.goals, &mut self.solver, stage)?;
            }
        }
        let Trial { mut mask, idle, missed, .. } = trial;
        if !relaxed {
            let beaten: Vec<usize> =
                ones(&mask).filter(|&unit| !incumbent.is_beaten_by(missed[unit], 0, size + 1)).collect();
            beaten.into_iter().for_each(|unit| clear(&mut mask, unit));
        }
        if is_empty(&mask) && programs.is_empty() {
            return Ok(None);
        }
        if self.kind.is_tight() {
            mask.iter_mut().zip(&idle).for_each(|(mask, idle)| *mask |= idle);
        }
        Ok(Some(Worth { node: node.with(mask), programs, covers }))
    }

    /// Test two rules that call the program with all units of the stage, or with one. `None` if the turn is over before that is
    /// done; then it is to be done again.
    pub(super) fn test_pair(
        &mut self,
        rules: &mut [Caller; 2],
        unit: Option<usize>,
        stage: &mut Stage<'t>,
        incumbent: &Incumbent,
    ) -> Option<Vec<FoundProgram>> {
        self.tests += 1;
        let Some(most) = self.most_missed(program_size(rules, stage), incumbent) else { return Some(Vec::new()) };
        loop {
            stage.weigh(&self.goals.neg);
            let mut among = vec![0; words_for(stage.units())];
            (0..stage.units()).filter(|&at| unit.is_none_or(|unit| unit == at)).for_each(|at| set(&mut among, at));
            let mut trial = Trial::new(rules, &among, &self.solver, stage, incumbent);
            let tested = self
                .ask_positives(&mut trial, most, stage)
                .and_then(|some| if some { self.programs(&mut trial, stage, incumbent) } else { Ok(Vec::new()) });
            match tested {
                Ok(programs) => return Some(programs),
                Err(Unfinished::Regrouped) => {}
                Err(Unfinished::TurnOver) => {
                    self.tests -= 1;
                    return None;
                }
            }
        }
    }

    /// The largest weight of positives that a program of this size may miss.
    fn most_missed(&self, size: usize, incumbent: &Incumbent) -> Option<u64> {
        self.kind.most_missed(self.cost, size, incumbent)
    }

    /// [`Trial::ask_positives`], those first that took least work.
    fn ask_positives(&mut self, trial: &mut Trial<'_>, most: u64, stage: &mut Stage<'t>) -> Result<bool, Unfinished> {
        if self.tests.is_multiple_of(REORDER) {
            self.goals.reorder();
        }
        trial.ask_positives(most, &mut self.goals, &mut self.solver, stage)
    }

    /// The programs of whole rules and one unit that cost no more than the best.
    fn programs(
        &mut self,
        trial: &mut Trial<'_>,
        stage: &mut Stage<'t>,
        incumbent: &Incumbent,
    ) -> Result<Vec<FoundProgram>, Unfinished> {
        let good = trial.good(&self.goals, &mut self.solver, stage, incumbent)?;
        let value = |(unit, wrong): (usize, u64)| (incumbent.value(trial.missed[unit], wrong, trial.size), unit);
        let mut good: Vec<(CostValue, usize)> = good.into_iter().map(value).collect();
        good.sort();
        let callers: Vec<Rule> = trial.rules.iter().map(|rule| written(rule.body(), self.words())).collect();
        let mut programs = Vec::new();
        for (value, unit) in good {
            let hypotheses = self.hypotheses(&callers, unit, stage).into_iter();
            programs.extend(hypotheses.map(|hypothesis| FoundProgram { hypothesis, value: value.clone() }));
        }
        Ok(programs)
    }

    /// The rules with each of the smallest base rules of a unit, as far as they are in the space.
    fn hypotheses(&self, callers: &[Rule], unit: usize, stage: &Stage<'_>) -> Vec<Hypothesis> {
        let classes = stage.classes(unit);
        let variants =
            if let [class] = classes[..] { stage.bases.smallest(class).count().min(MOST_VARIANTS) } else { 1 };
        let hypothesis = |variant: usize| {
            let bases = classes.iter().filter_map(|&class| stage.bases.smallest(class).nth(variant));
            let mut rules: Vec<Rule> = bases.map(|body| written(body, &self.base_words)).collect();
            rules.extend_from_slice(callers);
            if self.kind.invents().is_some() {
                rules.rotate_right(callers.len());
            }
            Hypothesis { rules }
        };
        let in_space = |hypothesis: &Hypothesis| self.space.contains_hypothesis(hypothesis).is_ok();
        (0..variants).map(hypothesis).filter(in_space).collect()
    }
}

/// A body as a rule, in an order in which it can be run.
fn written(body: &[Lit], words: &Words) -> Rule {
    words.rule(&order(body, words.inputs(), words).0)
}
