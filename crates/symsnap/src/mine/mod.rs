//! Which rule next, and what a tested rule makes needless: a complete enumeration of the rules of a space, smallest
//! first, with what they cover.
//!
//! The body of a rule falls into parts that share no variable but the head's. Parts are mined once, from branches
//! ([`branches`]) or with joins on binding tables ([`parts`]); rules are conjunctions of parts, found with bit operations
//! alone ([`conjoin`]). What is left out is left out by an argument in [`bounds`] (or in the module that uses it): for
//! every hypothesis there is one at most as costly made of rules that are not left out. Rules come out in an order that
//! depends on neither threads nor time.
//!
//! The search knows nothing of sets of rules; [`learn`](crate::learn) tells it what the best set so far makes
//! needless ([`Guide`]).

mod bindings;
mod branches;
mod conjoin;
mod context;
mod feature;
mod heads;
mod products;
mod quotient;
mod tables;
mod threads;

pub use feature::{Found, PartIx};
pub use products::products;

use crate::budget::Budget;
use crate::cost::Cost;
use crate::covering::theorems::rule_limits::Wanted;
use crate::covering::{Bounds, Guide};
use crate::database::Database;
use crate::language::body::{from_the_head, join_parts};
use crate::language::{Language, Lit, Membership, Taint};
use crate::logic::Rule;
use crate::space::Space;
use crate::task::{Examples, Task};
use branches::BranchMiner;
use conjoin::{Items, Offer};
use context::Context;
use feature::Part;
use heads::AllHeads;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tables::TableMiner;
use threads::Threads;

/// The examples of a task with those as one, with a weight, that no rule without recursion tells apart; `None` if there are
/// none such.
pub fn merged(task: &Task, database: &Database) -> Option<Examples> {
    quotient::merged(&task.examples, &Language::new(&task.bias, database))
}

/// A part's table may have so many rows; beyond, its extensions are tested one by one without it.
const ROW_CAP: usize = 1_000_000;

/// A look ahead tries so many first items, and so many tests for each.
const PROBE_ITEMS: usize = 256;
const PROBE_TESTS: u64 = 2_000;

/// For so many units of work one is spent on looking ahead.
const SCOUTING: u64 = 4;

/// Parts extended, or first items tried, between two reports.
const BATCH: usize = 8;

/// How the search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Conjunctions of the level's size, which are of smaller parts, are being tried, from this first item on.
    Conjoining(usize),
    /// Parts of the level's size are being put together from branches, where that can be done.
    Growing,
    /// Parts of the level's size are being mined with tables; those of one literal always are.
    Mining,
    /// A look ahead: some conjunctions of this many literals are tried, with the parts at hand, before parts of more
    /// literals are mined. They are tried again, with all others, when their level comes.
    Probing(usize),
    /// Nothing is left.
    Done,
}

/// The search: call [`Mine::step`] until [`Mine::done`].
pub struct Mine<'t> {
    context: Context<'t>,
    tables: TableMiner,
    branches: Option<BranchMiner>,
    /// Looks for rules of one part at the levels to come, without knots.
    scout: Option<BranchMiner>,
    items: Items,
    /// Whether literals are written in an order that starts at the head, not in the order in which they were found.
    from_head: bool,
    bodies: Vec<Box<[Lit]>>,
    /// Parts that cover what another part covers with as many literals.
    twins: rustc_hash::FxHashMap<PartIx, Vec<Box<[Lit]>>>,
    level: usize,
    stage: Stage,
    tests: u64,
    /// Positives that parts of one literal cover.
    reached: Vec<u64>,
    unreachable: u64,
    restarts: u32,
    /// Rules that are written in another order than the usual.
    written: rustc_hash::FxHashMap<Box<[PartIx]>, Rule>,
}

impl<'t> Mine<'t> {
    /// A search over the rules of `space` that has not begun. `examples` are those of the task, or [`merged`] ones.
    pub fn new(
        task: &'t Task,
        examples: &'t Examples,
        space: &'t Space,
        database: &'t Database,
        cost: Cost,
        threads: usize,
        budget: Budget,
    ) -> Self {
        let language = Language::new(&task.bias, database);
        let membership = Membership::new(task, space, &language);
        let context = Context {
            membership,
            database,
            examples,
            max_vars: task.bias.max_vars,
            max_body: task.bias.max_body,
            row_cap: ROW_CAP,
            weights: examples.weights(),
            bounds: Bounds::new(cost),
            threads: Threads::new(threads),
            directed: language.directed(),
            inferred: false,
            free: if language.directed() { language.free() } else { Vec::new() },
            taints: Mutex::default(),
            quota: AtomicU64::new(u64::MAX),
            language,
            sides: examples.sides(),
            heads: AllHeads::new(examples),
            budget,
        };
        let mut branches = BranchMiner::new(&context);
        branches.iter_mut().for_each(|branches| branches.next_level(&context));
        let tables = TableMiner::new(&context);
        let reached = vec![0; context.sides.pos_words()];
        let items = Items::new(context.sides);
        Mine {
            context,
            tables,
            from_head: branches.is_some(),
            branches,
            scout: None,
            items,
            bodies: Vec::new(),
            twins: Default::default(),
            level: 1,
            stage: Stage::Growing,
            tests: 0,
            reached,
            unreachable: 0,
            restarts: 0,
            written: Default::default(),
        }
    }

    /// Mine all parts with tables; to be said before the search begins.
    pub fn use_tables(&mut self) {
        self.branches = None;
        self.from_head = false;
    }

    /// Begin anew, to find every rule that some optimum has, given guides that ask for rules of hypotheses as good as the
    /// optimum. Parts are mined with tables, because branches that look different and say the same are one.
    pub fn restart_for_all(&mut self) {
        self.context.bounds.seek_all();
        (self.branches, self.scout) = (None, None);
        self.reached.fill(0);
        self.unreachable = 0;
        self.restart();
    }

    /// Begin anew. Rules found before stay what they are.
    pub fn restart(&mut self) {
        self.branches = self.branches.take().and_then(|_| BranchMiner::new(&self.context));
        self.branches.iter_mut().for_each(|branches| branches.next_level(&self.context));
        self.tables = TableMiner::new(&self.context);
        self.items = Items::new(self.context.sides);
        (self.level, self.stage) = (1, Stage::Growing);
    }

    /// Begin anew after calls turned out to need inputs.
    fn infer_inputs(&mut self) {
        let context = &mut self.context;
        (context.directed, context.inferred) = (true, true);
        context.free = context.language.free();
        self.reached.fill(0);
        self.unreachable = 0;
        self.restarts += 1;
        self.restart();
    }

    /// How often it began anew because calls turned out to need inputs. What was concluded before from the levels that
    /// were done no longer holds.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Whether every rule has been found or shown to be needless. Not so after the budget ended the search early.
    pub fn done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// What was not evaluated to its end: then the search, though done, was not complete.
    pub fn taints(&self) -> Vec<Taint> {
        let mut taints = self.context.language.taints();
        taints.extend(self.context.taints.lock().expect("no thread panics while it holds the lock").iter().cloned());
        taints
    }

    /// Whether there is none such.
    pub fn is_untainted(&self) -> bool {
        self.taints().is_empty()
    }

    /// The weight of positives that no part of one literal covers, and so no rule worth considering; 0 if unknown.
    pub fn unreachable(&self) -> u64 {
        self.unreachable
    }

    /// Whether some body predicate is called rather than looked up in a table.
    pub fn calls(&self) -> bool {
        self.context.language.calls()
    }

    /// How many rules (and parts of rules) have been tested.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// The number of body literals of the rules that are found now.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The size of the largest rules.
    pub fn largest(&self) -> u64 {
        self.context.max_body as u64 + 1
    }

    /// About how many bytes the search holds.
    pub fn bytes(&self) -> usize {
        let branches = self.branches.iter().chain(&self.scout).map(BranchMiner::bytes).sum::<usize>();
        self.tables.bytes() + branches + self.items.bytes() + self.bodies.len() * 96
    }

    /// A found rule in full, ready to run.
    pub fn rule(&self, found: &Found) -> Rule {
        let written = self.written.get(&*found.parts);
        written.cloned().unwrap_or_else(|| self.context.ordered(&self.body(&found.parts)))
    }

    /// The same rule with its literals in other orders in which it can be run, at most `cap`.
    pub fn orders(&self, found: &Found, cap: usize) -> Vec<Rule> {
        let orders = self.context.language.orders(&self.body(&found.parts), cap);
        orders.iter().map(|order| self.context.language.rule(order)).collect()
    }

    /// From now on, write a found rule like this.
    pub fn write(&mut self, found: &Found, rule: Rule) {
        self.written.insert(found.parts.as_slice().into(), rule);
    }

    fn body(&self, parts: &[PartIx]) -> Vec<Lit> {
        self.assemble(parts.iter().map(|part| &*self.bodies[part.index()]))
    }

    /// Rules of the same size and coverage, at most `cap`: the rule itself, those with one part exchanged for a twin, and
    /// those with several.
    pub fn variants(&self, found: &Found, cap: usize) -> Vec<Rule> {
        let parts: Vec<Vec<&[Lit]>> = found.parts.iter().map(|part| self.alike(*part)).collect();
        let choices: Vec<usize> = parts.iter().map(Vec::len).collect();
        let body = |chosen: Vec<usize>| self.assemble(parts.iter().zip(chosen).map(|(alike, at)| alike[at]));
        let others = products(&choices).take(cap).skip(1).map(|chosen| self.context.ordered(&body(chosen)));
        std::iter::once(self.rule(found)).chain(others).collect()
    }

    /// How many of the [variants](Mine::variants) of a rule differ from it in at most one part, itself included.
    pub fn single_exchanges(&self, found: &Found) -> usize {
        1 + found.parts.iter().map(|part| self.alike(*part).len() - 1).sum::<usize>()
    }

    /// A part and its twins.
    fn alike(&self, part: PartIx) -> Vec<&[Lit]> {
        let twins = self.twins.get(&part).into_iter().flatten();
        std::iter::once(&self.bodies[part.index()]).chain(twins).map(|body| &**body).collect()
    }

    /// Mine on a little, with at most `most` tests; returns the rules found, which may be none. A search that has made as
    /// many has left something out and is not to go on.
    pub fn step(&mut self, guide: &Guide, most: u64) -> Vec<Found> {
        self.context.quota.store(most, Ordering::Relaxed);
        let mut found = Vec::new();
        match self.stage {
            Stage::Mining if self.tables.level_done() => {
                // Where a rule may begin far from the head, none of its literals need be a part at this level.
                if self.level == 1 && self.context.free.is_empty() {
                    let all = self.context.sides.full();
                    let (all, _) = self.context.sides.split(&all);
                    self.unreachable = self.context.weights.pos.of_and_not(all, &self.reached);
                }
                self.tables.next_level();
                self.stage = Stage::Probing(self.level + 1);
            }
            Stage::Growing if self.may_scout(guide) => self.scout(guide, &mut found),
            Stage::Growing => match &mut self.branches {
                Some(branches) if !branches.level_done() => {
                    let (parts, tests) = branches.step(&self.context, guide, BATCH);
                    self.tests += tests;
                    for part in parts {
                        self.register(part, &guide.wanted, &mut found);
                    }
                }
                Some(_) if self.level > 1 => self.stage = Stage::Probing(self.level + 1),
                _ => self.stage = Stage::Mining,
            },
            Stage::Mining => {
                let (parts, tests) = self.tables.step(&self.context, guide, BATCH);
                if self.context.language.bar_failed_calls() {
                    // What came of this step may depend on which thread met the failure first.
                    self.tests += (BATCH as u64).min(most);
                    self.infer_inputs();
                    return found;
                }
                self.tests += tests;
                for part in parts {
                    self.register(part, &guide.wanted, &mut found);
                }
            }
            Stage::Conjoining(first) => {
                let end = (first + BATCH).min(self.items.firsts(self.level));
                let firsts: Vec<usize> = (first..end).collect();
                let (items, bodies, context, level) = (&self.items, &self.bodies, &self.context, self.level);
                let conjoin = |&first: &usize| items.conjunctions(first, level, u64::MAX, bodies, context, guide);
                for (rules, tests) in context.in_parallel(&firsts, conjoin, |(_, tests)| *tests) {
                    self.tests += tests;
                    found.extend(rules);
                }
                let done = end >= self.items.firsts(self.level);
                self.stage = if done { Stage::Growing } else { Stage::Conjoining(end) };
            }
            Stage::Probing(literals) if literals > self.context.max_body => self.stage = self.next_level(),
            Stage::Probing(literals) => {
                let firsts: Vec<usize> = (0..self.items.firsts(literals).min(PROBE_ITEMS)).collect();
                let (items, bodies, context) = (&self.items, &self.bodies, &self.context);
                let conjoin = |&first: &usize| items.conjunctions(first, literals, PROBE_TESTS, bodies, context, guide);
                for (rules, tests) in context.in_parallel(&firsts, conjoin, |(_, tests)| *tests) {
                    self.tests += tests;
                    found.extend(rules);
                }
                self.stage = Stage::Probing(literals + 1);
            }
            Stage::Done => {}
        }
        found
    }

    /// Whether to look ahead for a while: for no more than a share of the work.
    fn may_scout(&self, guide: &Guide) -> bool {
        let Some(branches) = &self.branches else { return false };
        let (level, done) = self.scout.as_ref().map_or((0, 0), BranchMiner::progress);
        level <= self.context.max_body && (level as u64) < guide.wanted.size && done * SCOUTING < branches.progress().1
    }

    /// Look ahead. What is found is found again, with all else, when its level comes.
    fn scout(&mut self, guide: &Guide, found: &mut Vec<Found>) {
        let context = &self.context;
        let Some(scout) = &mut self.scout else {
            self.scout = BranchMiner::bare(context);
            return;
        };
        if scout.level_done() {
            scout.next_level(context);
            return;
        }
        let (parts, tests) = scout.step(context, guide, BATCH);
        self.tests += tests;
        for part in parts.into_iter().filter(|part| part.body.len() > self.level) {
            let ix = PartIx::new(self.bodies.len());
            if self.is_rule(&part, &guide.wanted) && self.gains(&part, guide) {
                found.push(Found { parts: vec![ix], size: part.body.len() as u64 + 1, cover: part.cover });
                self.bodies.push(part.body);
            }
        }
    }

    /// Whether a part is a good rule, or few are wanted.
    fn gains(&self, part: &Part, guide: &Guide) -> bool {
        let (pos, neg) = self.context.sides.split(part.cover.words());
        let weights = &self.context.weights;
        guide.wanted.fp < u64::MAX || weights.pos.of(pos) > weights.neg.of(neg) + part.body.len() as u64 + 1
    }

    /// Whether a part is a rule by itself that is wanted.
    fn is_rule(&self, part: &Part, wanted: &Wanted) -> bool {
        let context = &self.context;
        let mask = part.body.iter().fold(0, |mask, lit| mask | lit.mask());
        let size = part.body.len() as u64 + 1;
        let (pos, neg) = context.sides.split(part.cover.words());
        wanted.admits(context.weights.neg.of(neg), size)
            && !context.bounds.hopeless(context.weights.pos.of(pos), size)
            && context.stands_alone(&part.body, mask)
    }

    fn next_level(&mut self) -> Stage {
        self.level += 1;
        self.branches.iter_mut().for_each(|branches| branches.next_level(&self.context));
        if self.level > self.context.max_body { Stage::Done } else { Stage::Conjoining(0) }
    }

    fn register(&mut self, part: Part, wanted: &Wanted, found: &mut Vec<Found>) {
        let context = &self.context;
        if self.level == 1 {
            let (pos, _) = context.sides.split(part.cover.words());
            self.reached.iter_mut().zip(pos).for_each(|(all, new)| *all |= new);
        }
        // With every head variable bound from the start, what a part cannot run no other part can help.
        let runs = context.language.executable(&part.body, 0);
        if !runs && context.membership.unbound == 0 {
            return;
        }
        let ix = PartIx::new(self.bodies.len());
        match self.items.offer(ix, &part, runs, context) {
            Offer::New => {}
            Offer::Twin(of) => {
                let twins = self.twins.entry(of).or_default();
                twins.extend(part.twins.into_iter().chain([part.body]).take(TWINS.saturating_sub(twins.len())));
                return;
            }
            Offer::Dearer => return,
        }
        if self.is_rule(&part, wanted) {
            found.push(Found { parts: vec![ix], size: part.body.len() as u64 + 1, cover: part.cover.clone() });
        }
        if !part.twins.is_empty() {
            self.twins.insert(ix, part.twins.into_iter().take(TWINS).collect());
        }
        self.bodies.push(part.body);
    }

    /// The body that is these parts, local variables renumbered.
    fn assemble<'b>(&self, parts: impl Iterator<Item = &'b [Lit]>) -> Vec<Lit> {
        let head = self.context.language.head_arity();
        if self.from_head {
            let parts: Vec<Vec<Lit>> = parts.map(|part| from_the_head(part, head)).collect();
            join_parts(parts.iter().map(Vec::as_slice), head)
        } else {
            // Tables grow parts from the head, and called predicates are run in that order.
            join_parts(parts, head)
        }
    }
}

/// So many twins of a part are remembered.
const TWINS: usize = 8;
