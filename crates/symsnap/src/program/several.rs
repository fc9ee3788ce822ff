//! Programs with two rules that call the program.
//!
//! Nothing can be said of one such rule alone: what it misses the other may cover. So all pairs are tried, by size, as
//! far as they can be listed ([`MOST_CALLERS`]); and ahead of that, the way in which Popper joins what it has found: of
//! the rules that with some base rule cover a positive and no negative, those that complement each other.

use super::bases::EMPTY;
use super::bits::{clear, has, is_empty, ones, set, words_for};
use super::fixpoint::{Broken, Caller};
use super::growth::{Growth, Node};
use super::stage::Promising;
use super::{Program, Programs};
use crate::cost::Incumbent;
use crate::language::Lit;
use crate::sets::Bitset;

/// Rules of one size beyond this number are not listed, and the search is not complete.
const MOST_CALLERS: usize = 50_000;

/// So many rules are remembered for being joined with others, for each stage.
const MOST_PROMISING: usize = 4_000;

/// And so many of them that cover the same positives with the same base rule.
const MOST_ALIKE: usize = 32;

/// The rules that call the program, and the pairs of them that are tried.
#[derive(Default)]
pub(super) struct Several {
    /// Whole rules by the number of their literals.
    callers: Vec<Vec<Node>>,
    growth: Option<Growth>,
    /// Pairs to try: a stage, and two numbers of literals.
    todo: Vec<(usize, usize, usize)>,
    first: usize,
    second: usize,
    /// The total size of the programs that are being tried; 0 before the first.
    size: usize,
    tests: u64,
    pub(super) truncated: bool,
}

/// Pairs get this share of the tests as long as others are left.
const PAIRS_SHARE: u64 = 4;

impl Programs<'_> {
    /// Whether all programs with two rules that call the program are to be tried.
    pub(super) fn has_pairs(&self) -> bool {
        self.task.bias.max_clauses > 2 && self.invented.is_none() && !self.tight
    }

    /// Whether pairs are to be tried now.
    pub(super) fn wants_pairs(&self) -> bool {
        let turn = self.several.tests * PAIRS_SHARE <= self.tests && self.several.size < self.size;
        self.has_pairs() && (turn || self.alone)
    }

    /// Try some pairs, and go on to larger ones when there are no more of a size.
    pub(super) fn pair(&mut self, incumbent: &Incumbent) -> Vec<Program> {
        let (at, before) = (self.at, self.tests);
        let found = self.try_pairs(super::BATCH, incumbent);
        self.several.tests += self.tests - before + 1;
        self.at = at;
        found.unwrap_or_else(|| {
            self.several.size += 1;
            self.done = self.alone && (self.several.size >= self.size || self.several.truncated);
            self.plan_pairs();
            Vec::new()
        })
    }

    /// Plan the pairs of one total size.
    fn plan_pairs(&mut self) {
        let most = self.task.bias.max_body;
        let mut several = std::mem::take(&mut self.several);
        several.todo.clear();
        for (at, stage) in self.stages.iter().enumerate() {
            let literals = several.size.saturating_sub(stage.base + 2);
            if stage.sets.is_some() || stage.relaxed || literals < 2 {
                continue;
            }
            several.todo.extend((1..=literals / 2).map(|one| (at, one, literals - one)).filter(|pair| pair.2 <= most));
        }
        let longest = several.todo.iter().map(|pair| pair.2).max().unwrap_or(0);
        several.first = 0;
        several.second = 0;
        self.list_callers(&mut several, longest);
        self.several = several;
    }

    /// List all rules of up to `literals` that call the program.
    fn list_callers(&mut self, several: &mut Several, literals: usize) {
        let growth = several.growth.get_or_insert_with(|| Growth::new(&self.words));
        several.callers.resize_with(several.callers.len().max(literals + 1), Vec::new);
        while growth.level < literals && !several.truncated {
            growth.sprout(&self.words, None, self.space, &self.budget);
            several.truncated |= growth.pending.len() > MOST_CALLERS || self.budget.check().is_some();
            let new = std::mem::take(&mut growth.pending);
            let calls = |node: &&Node| node.body.iter().any(|lit| self.words.calls_program(lit));
            let whole = new.iter().filter(calls).filter(|node| self.words.is_whole(&node.body));
            several.callers[growth.level].extend(whole.cloned());
            growth.frontier = new;
            growth.next = 0;
        }
    }

    /// Try some pairs; `None` if there are no more of this size.
    fn try_pairs(&mut self, count: usize, incumbent: &Incumbent) -> Option<Vec<Program>> {
        let mut several = std::mem::take(&mut self.several);
        let mut found = Vec::new();
        let mut left = count;
        while let (Some(&(stage, one, two)), true) = (several.todo.last(), left > 0 && found.is_empty()) {
            let (ones, twos) = (&several.callers[one], &several.callers[two]);
            if several.first == ones.len() {
                several.todo.pop();
                (several.first, several.second) = (0, 0);
                continue;
            }
            if several.second == 0 && one == two {
                several.second = several.first + 1;
            }
            if several.second >= twos.len() {
                several.first += 1;
                several.second = 0;
                continue;
            }
            self.at = stage;
            found = self.test_pair(&ones[several.first], &twos[several.second], None, incumbent);
            several.second += 1;
            left -= 1;
            if self.over() {
                break;
            }
        }
        let done = several.todo.is_empty();
        self.several = several;
        (!done || !found.is_empty()).then_some(found)
    }

    /// Test two rules with all units of the stage, or with one.
    fn test_pair(&mut self, one: &Node, two: &Node, unit: Option<usize>, incumbent: &Incumbent) -> Vec<Program> {
        self.tests += 1;
        let bodies: [&[Lit]; 2] = [&one.body, &two.body];
        loop {
            let size = self.stages[self.at].base + bodies.iter().map(|body| body.len() + 1).sum::<usize>();
            let most_missed = self.most_missed(size, incumbent);
            let stage = &mut self.stages[self.at];
            stage.weigh(&self.neg);
            let Some(most) = most_missed else { return Vec::new() };
            let mut mask = vec![0; words_for(stage.units())];
            let mut idle = mask.clone();
            for at in (0..stage.units()).filter(|&at| unit.is_none_or(|unit| unit == at)) {
                let empty = at == EMPTY.index();
                let is_idle = empty || !stage.has_size(at);
                if is_idle {
                    set(&mut idle, at);
                }
                let runs = !is_idle || !self.tight && (empty || stage.holds_size(at));
                if runs && incumbent.is_beaten_by(0, stage.harm[at], size) {
                    set(&mut mask, at);
                }
            }
            let mut rules = [Caller::new(&one.body, one.vars), Caller::new(&two.body, two.vars)];
            let tested = self.positives(&mut mask, most, &mut rules).and_then(|missed| match missed {
                Some(missed) => self.candidates(&bodies, size, &mask, &idle, &missed, &mut rules, incumbent),
                None => Ok(Vec::new()),
            });
            match tested {
                Ok(programs) => return programs,
                Err(Broken::Classes) => {}
            }
        }
    }

    /// Remember a rule that covers something without harm, and join it with others that cover something else.
    pub(super) fn promising(
        &mut self,
        node: &Node,
        mask: &[u64],
        missed: &[u64],
        rules: &mut [Caller],
        incumbent: &Incumbent,
    ) -> Result<Vec<Program>, Broken> {
        let mut clean = mask.to_vec();
        clear(&mut clean, EMPTY.index());
        for at in 0..self.neg.len() {
            if is_empty(&clean) {
                return Ok(Vec::new());
            }
            self.solve(self.neg[at].0, rules, &clean)?;
            clean.iter_mut().zip(self.fixpoint.found()).for_each(|(clean, found)| *clean &= !found);
        }
        let mut covered: Vec<(usize, Bitset)> = ones(&clean)
            .filter(|&unit| missed[unit] < self.total)
            .map(|unit| (unit, Bitset::new(self.pos.len())))
            .collect();
        let mut gains = vec![false; covered.len()];
        for at in 0..self.pos.len() {
            let call = self.pos[at].0;
            self.solve(call, rules, &clean)?;
            for ((unit, pos), gain) in covered.iter_mut().zip(&mut gains) {
                if has(self.fixpoint.found(), *unit) {
                    pos.insert(at);
                    *gain |= !self.stages[self.at].bases.covers(call, *unit);
                }
            }
        }
        let mut found = Vec::new();
        for ((unit, pos), _) in covered.into_iter().zip(gains).filter(|(_, gain)| *gain) {
            let stage = &mut self.stages[self.at];
            let known = std::mem::take(&mut stage.promising);
            // Rules that cover the same positives may do so in different ways, so some of them are kept.
            let alike = known.iter().filter(|other| other.unit == unit && other.pos == pos).count();
            let enough = alike >= MOST_ALIKE;
            for other in known.iter().filter(|other| !enough && other.unit == unit && !pos.is_subset(&other.pos)) {
                found.extend(self.test_pair(&other.node, node, Some(unit), incumbent));
                if !found.is_empty() || self.over() {
                    break;
                }
            }
            let stage = &mut self.stages[self.at];
            stage.promising = known;
            if !enough && stage.promising.len() < MOST_PROMISING {
                stage.promising.push(Promising { node: node.clone(), unit, pos });
            }
            if !found.is_empty() || self.over() {
                break;
            }
        }
        Ok(found)
    }
}
