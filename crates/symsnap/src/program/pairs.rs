//! Programs with two rules that call the program.
//!
//! Nothing can be said of one such rule alone: what it misses the other may cover. So all pairs are tried, by size, as
//! far as they can be listed ([`MOST_CALLERS`]).

use super::growth::{Growth, PartialRule};
use super::stage::{StageIx, Stages};
use super::tester::{FoundProgram, Tester};
use crate::cost::Incumbent;

/// Rules of one size, at most: with more, no larger ones are listed and the search is not complete. The pairs of that many
/// are more than any run tests.
const MOST_CALLERS: usize = 50_000;

/// As long as other tests are left, one test in this number is of a pair.
const PAIRS_SHARE: u64 = 4;

/// Pairs tried between two reports.
const BATCH: usize = 64;

/// All pairs of a rule with `one` literals and a rule with `two`, for the base rules of a stage.
#[derive(Clone, Copy)]
struct Block {
    stage: StageIx,
    one: usize,
    two: usize,
}

/// The rules that call the program, and the pairs of them that are tried.
pub(super) struct Pairs {
    /// Whole rules by the number of their literals.
    callers: Vec<Vec<PartialRule>>,
    growth: Growth,
    max_body: usize,
    /// Pairs of this size that are left, those of the last block from the `first`th and `second`th rule on.
    todo: Vec<Block>,
    first: usize,
    second: usize,
    /// The total size of the programs that are being tried; 0 before the first.
    size: usize,
    tests: u64,
    truncated: bool,
}

impl Pairs {
    /// Pairs of rules with at most `max_body` literals each, none of which has been tried.
    pub(super) fn new(tester: &Tester<'_>, max_body: usize) -> Self {
        let growth = Growth::new(tester.words());
        let (callers, todo) = (Vec::new(), Vec::new());
        Pairs { callers, growth, max_body, todo, first: 0, second: 0, size: 0, tests: 0, truncated: false }
    }

    /// Whether rules have been left out because there are too many.
    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    /// Whether pairs are to be tried after this number of tests, while programs of `size` with one such rule are.
    pub(super) fn are_due(&self, tests: u64, size: usize) -> bool {
        self.tests * PAIRS_SHARE <= tests && self.size < size
    }

    /// Whether all pairs of programs smaller than `size` have been tried, or all that can be listed.
    pub(super) fn are_through(&self, size: usize) -> bool {
        self.size >= size || self.truncated
    }

    /// Try some pairs; if there are no more of this size, plan those of the next and return `None`.
    pub(super) fn step<'t>(
        &mut self,
        tester: &mut Tester<'t>,
        stages: &mut Stages<'t>,
        incumbent: &Incumbent,
    ) -> Option<Vec<FoundProgram>> {
        let before = tester.tests();
        let found = self.try_some(tester, stages, incumbent);
        self.tests += tester.tests() - before + 1;
        if found.is_none() {
            self.size += 1;
        }
        found
    }

    /// Plan the pairs of this size.
    pub(super) fn plan(&mut self, tester: &Tester<'_>, stages: &Stages<'_>) {
        self.todo.clear();
        for (at, stage) in stages.iter() {
            let literals = self.size.saturating_sub(stage.base + 2);
            if stage.sets.is_some() || stage.relaxed || literals < 2 {
                continue;
            }
            let blocks = (1..=literals / 2).map(|one| Block { stage: at, one, two: literals - one });
            self.todo.extend(blocks.filter(|block| block.two <= self.max_body));
        }
        (self.first, self.second) = (0, 0);
        let longest = self.todo.iter().map(|block| block.two).max().unwrap_or(0);
        self.list_callers(longest, tester);
    }

    /// List all rules of up to `literals` that call the program.
    fn list_callers(&mut self, literals: usize, tester: &Tester<'_>) {
        let words = tester.words();
        self.callers.resize_with(self.callers.len().max(literals + 1), Vec::new);
        while self.growth.level < literals && !self.truncated {
            tester.sprout(&mut self.growth, None);
            let level = self.growth.level;
            let new = self.growth.keep_all();
            self.truncated |= new.len() > MOST_CALLERS || tester.is_stopped();
            let whole = |node: &&PartialRule| words.calls_program_in(&node.body) && words.is_whole(&node.body);
            self.callers[level].extend(new.iter().filter(whole).cloned());
        }
    }

    /// Try some pairs; `None` if there are no more of this size.
    fn try_some<'t>(
        &mut self,
        tester: &mut Tester<'t>,
        stages: &mut Stages<'t>,
        incumbent: &Incumbent,
    ) -> Option<Vec<FoundProgram>> {
        let mut found = Vec::new();
        let mut left = BATCH;
        while let (Some(&Block { stage, one, two }), true) = (self.todo.last(), left > 0 && found.is_empty()) {
            let (ones, twos) = (&self.callers[one], &self.callers[two]);
            if self.first == ones.len() {
                self.todo.pop();
                (self.first, self.second) = (0, 0);
                continue;
            }
            if self.second == 0 && one == two {
                self.second = self.first + 1;
            }
            if self.second >= twos.len() {
                self.first += 1;
                self.second = 0;
                continue;
            }
            let mut rules = [ones[self.first].caller(), twos[self.second].caller()];
            let Some(tested) = tester.test_pair(&mut rules, None, &mut stages[stage], incumbent) else { break };
            found = tested;
            self.second += 1;
            left -= 1;
            if tester.is_over(stages) || tester.is_turn_over() {
                break;
            }
        }
        (!self.todo.is_empty() || !found.is_empty()).then_some(found)
    }
}
