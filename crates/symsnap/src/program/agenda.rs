//! What comes next: sizes one after the other, and for each size the stages in which there are programs of that size.

use super::kind::Kind;
use super::pairs::Pairs;
use super::stage::{StageIx, Stages};
use crate::cost::Incumbent;
use crate::task::Bias;
use std::collections::VecDeque;

/// Relaxed stages, which test every rule that covers any positive and all joins of such, may have this part of all tests,
/// in per cent.
const RELAXED_SHARE: u64 = 70;

/// Tests that relaxed stages may make beyond their share, so that they can begin.
const RELAXED_FIRST: u64 = 2_000;

/// The size of the largest base rules for which there is a relaxed stage: three literals and the head.
const RELAXED_BASE: usize = 4;

/// A stage that has not begun: listing its base rules takes time and memory, and the best program may be found before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    /// The total size of its base rules.
    pub(super) base: usize,
    /// The literals that each of them may have.
    pub(super) depth: usize,
    /// How many there are in a program.
    pub(super) most: usize,
    /// Whether rules are wanted that need not cover enough by themselves.
    pub(super) relaxed: bool,
}

/// How far the search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Programs of a size are tested, those with two rules that call the program in between.
    Sizes,
    /// All programs with one rule that calls the program are through; those with two are left.
    PairsLeft,
    /// Every program has been tested or shown to be needless.
    Done,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy)]
pub(super) enum AgendaStep {
    /// Nothing is left to be done.
    Done,
    /// Pairs are to be tried.
    Pairs,
    /// Nothing was left of a stage or a size, and the agenda has gone on.
    Next,
    /// A stage is to begin.
    Begin(Planned),
    /// Tight rules of one literal more are to be grown in a stage.
    Lengthen(StageIx),
    /// Rules are to be tested in a stage.
    Test(StageIx),
}

/// The order in which programs are tested. Sizes only grow; at each, stages that began at smaller sizes come first, as
/// far as they have longer rules to offer, and then those planned for the size.
pub(super) struct Agenda {
    kind: Kind,
    max_body: usize,
    max_clauses: usize,
    phase: Phase,
    /// The size of the programs that are being tested, and the stage at work.
    size: usize,
    at: StageIx,
    planned: VecDeque<Planned>,
    /// Tests in relaxed stages.
    relaxed_tests: u64,
}

impl Agenda {
    pub(super) fn new(kind: Kind, bias: &Bias) -> Self {
        Agenda {
            kind,
            max_body: bias.max_body,
            max_clauses: bias.max_clauses,
            phase: Phase::Sizes,
            size: 3,
            at: StageIx::new(0),
            planned: VecDeque::new(),
            relaxed_tests: 0,
        }
    }

    /// The size of the programs that are being tested; all smaller ones have been.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Whether every program has been tested or shown to be needless.
    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// What comes next, after this number of tests.
    pub(super) fn turn(
        &mut self,
        stages: &Stages<'_>,
        pairs: Option<&Pairs>,
        tests: u64,
        incumbent: &Incumbent,
    ) -> AgendaStep {
        if self.is_done() {
            return AgendaStep::Done;
        }
        if pairs.is_some_and(|pairs| self.phase == Phase::PairsLeft || pairs.are_due(tests, self.size)) {
            return AgendaStep::Pairs;
        }
        if incumbent.most_missed(self.size).is_none() {
            return self.next_size(pairs, incumbent);
        }
        if !stages.has(self.at) {
            return match self.planned.pop_front() {
                Some(planned) => AgendaStep::Begin(planned),
                None => self.next_size(pairs, incumbent),
            };
        }
        let stage = &stages[self.at];
        if stage.relaxed && self.relaxed_tests > tests * RELAXED_SHARE / 100 + RELAXED_FIRST {
            return self.next_stage();
        }
        // The longest rules are most of the work: those for the smallest base rules need not be longer than others.
        let base = if stage.relaxed { 3 } else { 2 }.max(stage.base);
        let level = (self.size - base - 1).min(self.max_body);
        let growth = &stage.growth;
        if growth.level_done() && growth.length.is_some_and(|length| growth.level == length && length < level) {
            return AgendaStep::Lengthen(self.at);
        }
        if growth.level >= level && growth.level_done() {
            return self.next_stage();
        }
        AgendaStep::Test(self.at)
    }

    /// Note that a rule was tested.
    pub(super) fn note_test(&mut self, relaxed: bool) {
        self.relaxed_tests += u64::from(relaxed);
    }

    /// Note that there are no more pairs of a size.
    pub(super) fn note_pairs(&mut self, pairs: &Pairs) {
        if self.phase == Phase::PairsLeft && pairs.are_through(self.size) {
            self.phase = Phase::Done;
        }
    }

    fn next_stage(&mut self) -> AgendaStep {
        self.at = StageIx::new(self.at.index() + 1);
        AgendaStep::Next
    }

    /// Go on to larger programs, if some can be better than the best.
    fn next_size(&mut self, pairs: Option<&Pairs>, incumbent: &Incumbent) -> AgendaStep {
        if incumbent.most_missed(self.size).is_some() {
            self.size += 1;
        }
        self.at = StageIx::new(0);
        self.planned.clear();
        let (max, most) = (self.max_body + 1, self.max_clauses);
        if self.size > most * max || incumbent.most_missed(self.size).is_none() {
            self.phase = if pairs.is_some() { Phase::PairsLeft } else { Phase::Done };
            return AgendaStep::Next;
        }
        let base = self.size - 2;
        let alone = Planned { base, depth: base - 1, most: 1, relaxed: false };
        if base <= max {
            self.planned.push_back(alone);
        }
        if most > 2 && base <= max.min(RELAXED_BASE) && self.kind.is_tight() {
            self.planned.push_back(Planned { relaxed: true, ..alone });
        }
        if most > 2 && base >= 4 && base <= (most - 1) * max {
            self.planned.push_back(Planned { depth: (base - 2).min(max) - 1, most: most - 1, ..alone });
        }
        AgendaStep::Next
    }
}
