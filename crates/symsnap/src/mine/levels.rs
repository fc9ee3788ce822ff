//! The enumeration, level by level: rules of one body literal, of two, and so on (level-wise search, Mannila and Toivonen
//! 1997).
//!
//! At each level the conjunctions of smaller parts come first, because they take nothing but bit operations; then the parts
//! of as many literals are mined, from branches where that can be done and with tables elsewhere; then a few larger
//! conjunctions of the parts at hand are tried ahead of time, because good rules found early make much else needless. For
//! the same reason a second miner of branches, the *scout*, looks ahead while parts are mined: it knows no components of
//! several literals, which take most of the time. What is found ahead of time is found again, with all else, when its level
//! comes.

use super::beam::{Aim, beam};
use super::bodies::Bodies;
use super::branches::BranchMiner;
use super::conjoin::{Items, Offer};
use super::context::Context;
use super::feature::{MinedRule, Part};
use super::look::Look;
use super::miner::{Mined, Miner};
use super::tables::TableMiner;
use crate::language::CallPattern;
use std::ops::Range;

/// A look ahead tries this many first items, and about this many tests for each: a small part of the work of a level.
const PROBE_ITEMS: usize = 256;
const PROBE_TESTS: u64 = 2_000;

/// The scout gets one unit of work for this many that mining branches takes.
const SCOUTING: u64 = 4;

/// A search for rules that would improve a set ends after about as many tests, so that one with very many parts does not
/// use up the share of all others.
const BEAM_TESTS: u64 = 100_000;

/// Pieces of work between two reports: skeletons extended, branches made, first items tried.
const BATCH: usize = 8;

/// How the enumeration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LevelStage {
    /// Conjunctions of the level's size, which are of smaller parts, are being tried, from this first item on.
    Conjoining(usize),
    /// Parts of the level's size are being put together from branches, where that can be done.
    Branches,
    /// Parts of the level's size are being mined with tables; those of one literal always are.
    Tables,
    /// A look ahead: some conjunctions of this many literals are tried, with the parts at hand, before parts of more
    /// literals are mined.
    Probing(usize),
    /// Nothing is left.
    Done,
}

/// The miners, the parts they found, and how far they are.
pub struct Levels {
    tables: TableMiner,
    branches: Option<BranchMiner>,
    /// Looks for rules of one part at the levels to come.
    scout: Option<BranchMiner>,
    items: Items,
    level: usize,
    stage: LevelStage,
    tests: u64,
    /// Positives that parts of one literal, or skeletons, cover.
    reached: Vec<u64>,
    unreachable: u64,
}

/// What came of a step.
pub enum Stepped {
    /// Rules, which may be none.
    Found(Vec<MinedRule>),
    /// Calls that turned out to need inputs. What else came of the step may depend on which thread met them first, so it is
    /// dropped, and the enumeration is to begin anew.
    NeedInputs(Vec<CallPattern>),
}

impl Levels {
    /// An enumeration that has not begun.
    pub fn new(context: &Context<'_>) -> Self {
        let mut levels = Levels {
            tables: TableMiner::new(context),
            branches: BranchMiner::new(context),
            scout: None,
            items: Items::new(context.sides),
            level: 1,
            stage: LevelStage::Branches,
            tests: 0,
            reached: vec![0; context.sides.pos_words()],
            unreachable: 0,
        };
        levels.branches.iter_mut().for_each(|branches| branches.next_level(context));
        levels
    }

    /// Begin anew, with branches only if there were some. The scout goes on where it is.
    pub fn restart(&mut self, context: &Context<'_>) {
        self.branches = self.branches.take().and_then(|_| BranchMiner::new(context));
        self.branches.iter_mut().for_each(|branches| branches.next_level(context));
        self.tables = TableMiner::new(context);
        self.items = Items::new(context.sides);
        (self.level, self.stage) = (1, LevelStage::Branches);
    }

    /// All rules are known to have been found.
    pub fn finish(&mut self) {
        self.stage = LevelStage::Done;
    }

    /// Forget which positives cannot be covered.
    pub fn forget_unreachable(&mut self) {
        self.reached.fill(0);
        self.unreachable = 0;
    }

    /// Whether parts are put together from branches.
    pub fn uses_branches(&self) -> bool {
        self.branches.is_some()
    }

    /// Mine all parts with tables.
    pub fn use_tables(&mut self) {
        (self.branches, self.scout) = (None, None);
    }

    /// Whether every rule has been found or shown to be needless.
    pub fn done(&self) -> bool {
        self.stage == LevelStage::Done
    }

    /// The weight of positives that no rule can cover; 0 if unknown.
    pub fn unreachable(&self) -> u64 {
        self.unreachable
    }

    /// How many rules and parts of rules have been tested.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// The number of body literals of the rules that are found now.
    pub fn level(&self) -> usize {
        self.level
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> usize {
        let branches = self.branches.iter().chain(&self.scout).map(Miner::bytes).sum::<usize>();
        self.tables.bytes() + branches + self.items.bytes()
    }

    /// Go on a little, with at most `most` tests.
    pub fn step(&mut self, look: Look<'_>, bodies: &mut Bodies, most: u64) -> Stepped {
        let mut found = Vec::new();
        match self.stage {
            LevelStage::Conjoining(first) => {
                let all = self.items.firsts(self.level);
                let end = (first + BATCH).min(all);
                found = self.conjunctions(first..end, self.level, u64::MAX, look, bodies);
                self.stage = if end >= all { LevelStage::Branches } else { LevelStage::Conjoining(end) };
            }
            LevelStage::Branches if self.may_scout(look) => self.scout(look, bodies, &mut found),
            LevelStage::Branches => match &mut self.branches {
                Some(branches) if !branches.level_done() => {
                    let mined = branches.step(look, BATCH);
                    self.register(mined, look, bodies, &mut found);
                }
                Some(_) if self.level > 1 => self.stage = LevelStage::Probing(self.level + 1),
                _ => self.stage = LevelStage::Tables,
            },
            LevelStage::Tables if self.tables.level_done() => {
                self.note_unreachable(look.cx);
                self.tables.next_level(look.cx);
                self.stage = LevelStage::Probing(self.level + 1);
            }
            LevelStage::Tables => {
                let mined = self.tables.step(look, BATCH);
                let failed = look.cx.language.failed_calls();
                if !failed.is_empty() {
                    self.tests += (BATCH as u64).min(most);
                    return Stepped::NeedInputs(failed);
                }
                self.register(mined, look, bodies, &mut found);
            }
            LevelStage::Probing(literals) if literals > look.cx.max_body => self.next_level(look.cx),
            LevelStage::Probing(literals) => {
                let firsts = 0..self.items.firsts(literals).min(PROBE_ITEMS);
                found = self.conjunctions(firsts, literals, PROBE_TESTS, look, bodies);
                self.stage = LevelStage::Probing(literals + 1);
            }
            LevelStage::Done => {}
        }
        Stepped::Found(found)
    }

    /// Rules of several parts that would improve a set of rules, for each of these aims.
    pub fn aim(&mut self, aims: &[Aim], look: Look<'_>, bodies: &Bodies) -> Vec<MinedRule> {
        let mut found = Vec::new();
        let search = |aim: &Aim| beam(&self.items, aim, bodies, look, BEAM_TESTS);
        for (rules, tests) in look.cx.in_parallel(aims, search, |(_, tests)| *tests) {
            self.tests += tests;
            found.extend(rules);
        }
        found
    }

    /// Conjunctions of `literals` literals with each of these first items, with about `most` tests for each.
    fn conjunctions(
        &mut self,
        firsts: Range<usize>,
        literals: usize,
        most: u64,
        look: Look<'_>,
        bodies: &Bodies,
    ) -> Vec<MinedRule> {
        let mut found = Vec::new();
        let conjoin = |&first: &usize| self.items.conjunctions(first, literals, most, bodies, look);
        for (rules, tests) in look.cx.in_parallel(&firsts.collect::<Vec<_>>(), conjoin, |(_, tests)| *tests) {
            self.tests += tests;
            found.extend(rules);
        }
        found
    }

    /// After the parts of one literal: which positives no rule covers. A rule begins with one of these parts, or with a literal
    /// that is no part by itself because its result must be used, which is a skeleton of the next level. Where a rule may begin
    /// far from the head, none of its literals need be either at this level, so nothing is known.
    fn note_unreachable(&mut self, context: &Context<'_>) {
        if self.level == 1 && context.free.is_empty() {
            self.tables.add_begun(&mut self.reached);
            let all = context.sides.full();
            self.unreachable = context.weights.pos.of_and_not(context.sides.split(&all).0, &self.reached);
        }
    }

    fn next_level(&mut self, context: &Context<'_>) {
        self.level += 1;
        self.branches.iter_mut().for_each(|branches| branches.next_level(context));
        self.stage = if self.level > context.max_body { LevelStage::Done } else { LevelStage::Conjoining(0) };
    }

    /// Whether to look ahead for a while: for no more than a share of the work.
    fn may_scout(&self, look: Look<'_>) -> bool {
        let Some(branches) = &self.branches else { return false };
        let (level, done) = self.scout.as_ref().map_or((0, 0), BranchMiner::progress);
        let wanted = level <= look.cx.max_body && (level as u64) < look.prune.limits().size();
        wanted && done * SCOUTING < branches.progress().1
    }

    /// Look ahead.
    fn scout(&mut self, look: Look<'_>, bodies: &mut Bodies, found: &mut Vec<MinedRule>) {
        let Some(scout) = &mut self.scout else {
            self.scout = BranchMiner::without_components(look.cx);
            return;
        };
        if scout.level_done() {
            scout.next_level(look.cx);
            return;
        }
        let Mined { parts, tests } = scout.step(look, BATCH);
        self.tests += tests;
        for part in parts.into_iter().filter(|part| part.body.len() > self.level) {
            if is_rule(&part, look) && gains(&part, look) {
                let size = part.body.len() as u64 + 1;
                found.push(MinedRule { parts: [bodies.next()].into(), size, cover: part.cover });
                bodies.push(part.body);
            }
        }
    }

    /// Keep parts, unless others stand for them, and add to `found` those that are rules.
    fn register(&mut self, mined: Mined, look: Look<'_>, bodies: &mut Bodies, found: &mut Vec<MinedRule>) {
        self.tests += mined.tests;
        mined.parts.into_iter().for_each(|part| self.register_part(part, look, bodies, found));
    }

    fn register_part(&mut self, part: Part, look: Look<'_>, bodies: &mut Bodies, found: &mut Vec<MinedRule>) {
        let context = look.cx;
        if self.level == 1 {
            self.reached.iter_mut().zip(part.cover.pos().words()).for_each(|(all, new)| *all |= new);
        }
        // With every head variable bound from the start, what a part cannot run no other part can help.
        let runs = context.language.executable(&part.body, 0);
        if !runs && context.membership.unbound == 0 {
            return;
        }
        let ix = bodies.next();
        match self.items.offer(ix, &part, runs, context) {
            Offer::New => {}
            Offer::Twin(of) => {
                bodies.add_twins(of, part.twins.into_iter().chain([part.body]));
                return;
            }
            Offer::Dearer => return,
        }
        if is_rule(&part, look) {
            let size = part.body.len() as u64 + 1;
            found.push(MinedRule { parts: [ix].into(), size, cover: part.cover.clone() });
        }
        if !part.twins.is_empty() {
            bodies.add_twins(ix, part.twins.into_iter());
        }
        bodies.push(part.body);
    }
}

/// Whether a part is a rule by itself that is wanted.
fn is_rule(part: &Part, look: Look<'_>) -> bool {
    let (context, prune) = (look.cx, look.prune);
    let mask = part.body.iter().fold(0, |mask, lit| mask | lit.mask());
    let size = part.body.len() as u64 + 1;
    let (pos, neg) = context.sides.split(part.cover.words());
    prune.limits().admit(context.weights.neg.of(neg), size)
        && !prune.too_small(context.weights.pos.of(pos), size)
        && context.stands_alone(&part.body, mask)
}

/// Whether a part is a good rule, or few are wanted.
fn gains(part: &Part, look: Look<'_>) -> bool {
    let (pos, neg) = look.cx.sides.split(part.cover.words());
    let weights = &look.cx.weights;
    look.prune.limits().bound_errors() || weights.pos.of(pos) > weights.neg.of(neg) + part.body.len() as u64 + 1
}
