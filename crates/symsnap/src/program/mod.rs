//! Programs: rules that call what they define. Smallest programs first, each tested once, all base rules at a time.
//!
//! A recursive program has base rules, which call the background alone, and rules that call the program. Both are
//! enumerated without repetition, literal by literal ([`bases`], [`growth`]). A program is never tested by itself: one
//! least fixpoint ([`fixpoint`]) tells for one rule that calls the program, and all base rules at once, which examples
//! follow.
//!
//! [`agenda`] says what comes next, sizes one after the other; [`tester`] has the examples and tests rules of a [`stage`]
//! with its base rules; programs with two rules that call the program come from [`joins`], which guesses, and [`pairs`],
//! which tries all.
//!
//! # What a test rules out
//! Programs are definite, so their least model grows with each rule and shrinks with each literal. That gives the two
//! kinds of constraint that Popper learns from a program that fails (Cropper and Morel, *Learning programs by learning from
//! failures*, 2021), here for any cost. With that of the best hypothesis as the [incumbent](Incumbent):
//! - *Incomplete*: if the positives that base `b` and rule `r` miss cost, with their size and without any false positive,
//!   as much as the incumbent, then `b` and any rule with the literals of `r` and more (a specialisation) cost as much. The
//!   same holds for a beginning of a rule, calls that are not there yet counting as answered. The pair is dropped, and with
//!   it all its extensions.
//! - *Inconsistent*: a program covers what its base rules cover alone. A base rule that covers more negatives than the
//!   incumbent allows is in no program that is sought; nor is a set of rules that contains one (a generalisation).
//! - *Alike*: base rules that answer every call alike that any program tested so far has made are interchangeable; the
//!   smallest stands for all.
//! - *Size*: sizes are exhausted one after the other, so the first program without errors is the smallest one.
//!
//! # Limits
//! Recursion may lead to endlessly many calls, so two things do not count: answers of the background with terms far
//! larger than those of the examples ([`lookup`]), and what one program derives for one example only after more calls or
//! steps than [`fixpoint`] allows. Both say what a *program* covers, whatever it is tested together with, so a search that
//! is done has found the best program up to these limits; [`Programs::taints`] tells whether they have been met.
//!
//! *Rejected*: testing programs one by one with the embedded evaluator (a thousand a second); pairing base and recursive
//! rules after testing each (nothing can be said of a recursive rule alone); an answer-set solver that is told what
//! failed, as Popper does (constraints pile up, and each program is still tested alone).
//!
//! Not for: rules that call nothing but the background. [`mine`](crate::mine) has those.

mod agenda;
mod bases;
mod bits;
mod caller;
mod calls;
mod fixpoint;
mod goals;
mod growth;
mod joins;
mod kind;
mod linear;
mod lookup;
mod pairs;
mod solver;
mod stage;
mod tables;
mod tester;
mod trial;
mod words;

pub use goals::Query;
pub use kind::{Kind, invented};
pub use linear::{LinearRule, LinearRules, values_of};
pub use tester::FoundProgram;

use crate::budget::Budget;
use crate::cost::{CostValue, Incumbent, Objective};
use crate::database::Database;
use crate::language::Taint;
use crate::space::Space;
use crate::task::Task;
use agenda::{Agenda, AgendaStep, Planned};
use bases::Bases;
use growth::Growth;
use joins::Joins;
use kind::UNFOLDED;
use pairs::Pairs;
use stage::{Stage, StageIx, Stages};
use std::time::Instant;
use tester::{Tester, Verdict};

/// The search over programs: call [`Programs::step`] until [`Programs::done`].
pub struct Programs<'t> {
    kind: Kind,
    objective: Objective,
    /// Which programs that may matter are left out on purpose.
    unseen: Option<&'static str>,
    agenda: Agenda,
    tester: Tester<'t>,
    stages: Stages<'t>,
    /// A stage that is about to begin.
    beginning: Option<Beginning<'t>>,
    /// Where programs may have two rules that call the program.
    pairs: Option<Pairs>,
    joins: Joins,
}

/// A stage whose base rules have not answered all examples yet. Where there are many of both that takes long.
struct Beginning<'t> {
    planned: Planned,
    bases: Bases<'t>,
    /// How many examples they have answered.
    met: usize,
}

/// Rules tested between two reports.
const BATCH: usize = 64;

impl<'t> Programs<'t> {
    /// A search over the programs of `space` that has not begun. `None` if the bias allows none, or predicates have more
    /// arguments than the search handles.
    pub fn new(
        task: &'t Task,
        space: &'t Space,
        database: &'t Database,
        kind: Kind,
        objective: Objective,
        budget: Budget,
    ) -> Option<Self> {
        let bias = &task.bias;
        if !kind.is_allowed(bias) {
            return None;
        }
        let tester = Tester::new(task, space, database, kind, objective.cost(), budget)?;
        Some(Programs {
            kind,
            objective,
            unseen: kind.unseen(task, space),
            agenda: Agenda::new(kind, bias),
            pairs: kind.has_pairs(bias).then(|| Pairs::new(&tester, bias.max_body)),
            tester,
            stages: Stages::default(),
            beginning: None,
            joins: Joins::default(),
        })
    }

    /// Leave out programs that give another output for the inputs of a positive than a positive has: `queries` are those
    /// inputs, with the outputs that are right.
    pub fn set_functional(&mut self, queries: &[Query]) {
        if !self.is_inventing() {
            self.tester.set_functional(queries);
        }
    }

    /// Whether programs define another predicate than the examples'.
    pub fn is_inventing(&self) -> bool {
        self.kind.invents().is_some()
    }

    /// Whether programs are left out that miss more than a few positives.
    pub fn is_ambitious(&self) -> bool {
        self.kind.is_ambitious()
    }

    /// Whether positives may be missed though the cost counts them first.
    pub fn is_forgiving(&self) -> bool {
        self.kind == Kind::Forgiving
    }

    /// Whether rules are left out that do not use each variable twice.
    pub fn is_tight(&self) -> bool {
        self.kind.is_tight()
    }

    /// Whether every program has been tested or shown to be needless.
    pub fn done(&self) -> bool {
        self.agenda.is_done()
    }

    /// Which programs the search, once done, has left out that may be better than `best`; `None` if it has shown all
    /// that it left out to be needless.
    pub fn unseen(&self, best: &CostValue) -> Option<&'static str> {
        let truncated = self.stages.truncated() || self.pairs.as_ref().is_some_and(Pairs::truncated);
        let small = self.kind.is_small(&Incumbent::new(self.objective, best));
        let unseen = self.unseen.or_else(|| (!small).then_some(UNFOLDED));
        unseen.or_else(|| truncated.then_some("there are too many rules to try all of them together"))
    }

    /// What was not evaluated to its end: calls without answers, and what was not derived because of the limits on
    /// recursion, because terms on the way had grown far beyond those of the examples or because one program took too many
    /// calls for one example.
    pub fn taints(&self) -> impl Iterator<Item = Taint> {
        self.tester.taints()
    }

    /// The size of the programs that are being tested; all smaller ones have been.
    pub fn size(&self) -> usize {
        self.agenda.size()
    }

    /// How many rules have been tested.
    pub fn tests(&self) -> u64 {
        self.tester.tests() + self.stages.listed()
    }

    /// Search on a little, for programs that are better than `best`, with about `most` tests at most; returns those found,
    /// which may be none. A search that has made as many has left something out and is not to go on. Nothing is left out
    /// because of `until`, after which no test begins.
    pub fn step(&mut self, best: &CostValue, most: u64, until: Option<Instant>) -> Vec<FoundProgram> {
        self.tester.allow(most, until, &self.stages);
        self.stages.allow(most);
        let incumbent = Incumbent::new(self.objective, best);
        let mut found = Vec::new();
        if self.beginning.is_some() {
            self.begin();
            return found;
        }
        match self.agenda.turn(&self.stages, self.pairs.as_ref(), self.tester.tests(), &incumbent) {
            AgendaStep::Done | AgendaStep::Next => {}
            AgendaStep::Pairs => found = self.try_pairs(&incumbent),
            AgendaStep::Begin(planned) => {
                let bases = self.tester.bases(planned.depth, &self.stages);
                self.beginning = Some(Beginning { planned, bases, met: 0 });
            }
            AgendaStep::Lengthen(at) => self.lengthen(at),
            AgendaStep::Test(at) => found = self.test_some(at, &incumbent),
        }
        if self.done() {
            // Others may go on for long: what this search remembers is of no use to them.
            self.stages.clear();
            self.joins.clear();
            self.tester.forget();
        }
        found
    }

    /// Let base rules answer examples, as long as the turn is not over, and begin the stage once they have answered all.
    fn begin(&mut self) {
        let Some(mut beginning) = self.beginning.take() else { return };
        while self.tester.ask_bases(&mut beginning.bases, beginning.met) {
            beginning.met += 1;
            if self.tester.is_turn_over() {
                self.beginning = Some(beginning);
                return;
            }
        }
        let Beginning { planned, bases, .. } = beginning;
        let words = self.tester.words();
        let growth = if self.is_tight() { Growth::tight(words, 1) } else { Growth::new(words) };
        let mut stage = Stage::new(bases, planned.base, planned.most, !self.is_tight(), growth);
        stage.relaxed = planned.relaxed;
        self.stages.push(stage);
    }

    /// Grow tight rules of one literal more.
    fn lengthen(&mut self, at: StageIx) {
        let stage = &mut self.stages[at];
        let units = stage.sets.is_some().then(|| stage.units());
        stage.growth.lengthen(self.tester.words(), units);
    }

    /// Test some rules of a stage, with all its base rules.
    fn test_some(&mut self, at: StageIx, incumbent: &Incumbent) -> Vec<FoundProgram> {
        let mut found = Vec::new();
        let stage = &mut self.stages[at];
        if stage.growth.level_done() {
            self.tester.sprout(&mut stage.growth, stage.sets.is_none().then_some(&stage.bases));
        }
        for _ in 0..BATCH {
            if self.tester.is_over(&self.stages) || self.tester.is_turn_over() || !found.is_empty() {
                break;
            }
            let stage = &mut self.stages[at];
            let Some(node) = stage.growth.next() else { break };
            self.agenda.note_test(stage.relaxed);
            match self.tester.test(node, stage, incumbent) {
                Verdict::Worth(mut rule) => {
                    found.append(&mut rule.programs);
                    found.extend(self.joins.join(&mut rule, &mut self.tester, &mut self.stages, at, incumbent));
                    self.stages[at].growth.keep(rule.node);
                }
                Verdict::Worthless => {}
                Verdict::Unfinished => {
                    stage.growth.put_back();
                    break;
                }
                Verdict::Stale => {
                    let units = stage.units();
                    stage.growth.restart(self.tester.words(), units);
                    break;
                }
            }
        }
        self.tester.trim();
        found
    }

    /// Try some programs with two rules that call the program.
    fn try_pairs(&mut self, incumbent: &Incumbent) -> Vec<FoundProgram> {
        let Some(pairs) = &mut self.pairs else { return Vec::new() };
        pairs.step(&mut self.tester, &mut self.stages, incumbent).unwrap_or_else(|| {
            self.agenda.note_pairs(pairs);
            pairs.plan(&self.tester, &self.stages);
            Vec::new()
        })
    }
}
