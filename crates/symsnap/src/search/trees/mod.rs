//! Parts put together from branches, without a table for each.
//!
//! Take a part as a graph of its literals and local variables, a literal beside each variable it mentions. Where a
//! variable cuts the graph in two, what hangs on one side says only which values that variable can take, given the values
//! of the head variables it mentions: a set of values for each tuple of those ([`sets`]). So a part is a tree: its edges
//! ([`connector`]) are single literals, or *knots* of several that no variable cuts ([`knot`]); a *branch* is an edge with
//! all that hangs below it, computed from the sets below by one pass over the edge's tuples; branches on the same
//! variable are ANDed; and what a part covers is where something is left. Branches and sets of branches with the same
//! sets stand for each other, however different they look ([`stock`]), which leaves few.
//!
//! **Every part is found from its middle.** A part of `k` literals is seen as the set of branches on one of its
//! variables ([`brood`]). Take the variable whose largest branch is least. Let that branch have `w` literals, and below
//! it children that carry `a` literals at most. Seen from that child, the largest branch would have `k - a` literals
//! unless it is one of the child's own, which are smaller than `w`; so `w <= k - a`. Hence a branch is needed first at
//! level `w + a`, and what a child carries first at level `2a + 1`: with six literals, branches have at most three (more
//! if they fork or begin with a knot), and children carry two.
//!
//! What is left out, and why nothing is lost:
//! - A branch or set of branches that covers too little as a part of its own ([`bounds`](super::bounds)): so does
//!   every part it is in. One that covers no negative: every part it is in is a refinement of a rule without errors.
//! - One whose sets another has that is no larger: see [`stock::precedes`].
//!
//! Where predicates have directions, a branch is kept only if it can be run once its root is bound. One that can be run
//! before, and so binds it, *starts*; a set of branches can be run if one of them starts, and what does not start stands
//! only for what does not either.
//!
//! This needs a space in which literals may be exchanged freely ([`Context::exchangeable`]), tables for all predicates, and
//! types of at most [`MOST_VALUES`] values each, fewer with very many examples; elsewhere [`parts`](super::parts) mines
//! with tables. *Rejected*: for larger types, lists of values instead of bits, which pay for the sparse sets near the
//! head only, where tables do as well; for parts with cycles, tables of whole parts, which took most of the time once
//! trees took none.

mod brood;
mod connector;
mod kind;
mod knot;
mod laden;
mod sets;
mod stock;
#[cfg(test)]
mod tests;

use super::guide::Witnesses;
use super::parts::Part;
use super::{Context, Guide, Lit};
use crate::index::narrow;
use brood::{Brood, Soil};
use connector::{Connector, grafted};
use kind::{Kind, KindIx};
use knot::Knots;
use laden::{Laden, Making, Verdict};
use rustc_hash::FxHashSet;
use sets::{Aim, Meeting, Sets};
use std::sync::{Arc, Mutex};
use stock::{Block, Branch, Rank, Stock};

/// A type may have so many values.
const MOST_VALUES: usize = 1024;

/// The sets of all examples may take so many words.
const MOST_WORDS: usize = 4_000_000;

/// The miner of trees: the branches, blocks and broods of all kinds.
#[derive(Debug)]
pub struct Trees {
    kinds: Vec<Kind>,
    connectors: Vec<Connector>,
    knots: Knots,
    stocks: Vec<Stock>,
    broods: Vec<Mutex<Brood>>,
    /// Branches of the last level.
    used_up: FxHashSet<UsedUp>,
    level: usize,
    stage: Stage,
    /// Whether knots of several literals are left out.
    bare: bool,
    /// What has been done, in units that take about a microsecond.
    work: u64,
}

/// About how long a test takes, in units of work: of a knot, a branch or block, a set of branches.
const KNOT_WORK: u64 = 60;
const BRANCH_WORK: u64 = 10;
const BROOD_WORK: u64 = 2;

/// What is being done at a level, from which piece of work on.
#[derive(Debug, Clone)]
enum Stage {
    /// Nothing yet.
    Begin,
    /// Knots of as many literals.
    Knots(usize),
    /// Blocks that children may carry from this level on, each from a smaller one (a kind and a number).
    Blocks(Vec<(usize, usize)>, usize),
    /// Branches.
    Branches(Vec<Graft>, usize),
    /// Parts.
    Broods(usize),
    Done,
}

/// What branches are made of.
#[derive(Debug, Clone, Copy)]
enum Graft {
    /// A literal without children.
    Leaf(usize),
    /// A literal and what its first child carries.
    Literal(usize, usize),
    /// A knot.
    Knot(usize),
}

impl Trees {
    /// A miner that has found nothing yet; `None` if parts of this space cannot be mined so.
    pub fn new(context: &Context<'_>) -> Option<Self> {
        if !context.exchangeable() || context.max_vars <= context.vocabulary.head_arity() {
            return None;
        }
        let domains = context.vocabulary.domains()?;
        if domains.iter().any(|(_, values)| values.len() > MOST_VALUES) {
            return None;
        }
        let kinds: Vec<Kind> = domains.into_iter().map(|(name, values)| Kind::new(name, values)).collect();
        let widest = kinds.iter().map(Kind::width).max().unwrap_or(0);
        if context.layout.examples() * widest > MOST_WORDS {
            return None;
        }
        let connectors = (0..kinds.len()).flat_map(|kind| Connector::all(KindIx::new(kind), &kinds, context)).collect();
        let stocks = kinds.iter().map(|_| Stock::default()).collect();
        let knots = Knots::default();
        Some(Trees {
            kinds,
            connectors,
            knots,
            stocks,
            broods: Vec::new(),
            used_up: FxHashSet::default(),
            level: 0,
            stage: Stage::Done,
            bare: false,
            work: 0,
        })
    }

    /// A miner that leaves out knots of several literals, which take most of the time.
    pub fn bare(context: &Context<'_>) -> Option<Self> {
        Some(Trees { bare: true, ..Trees::new(context)? })
    }

    /// The level, and about how much has been done.
    pub fn progress(&self) -> (usize, u64) {
        (self.level, self.work)
    }

    /// Whether all work of the level is done.
    pub fn level_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let brood = |brood: &Mutex<Brood>| brood.lock().expect("no thread panics while it holds the lock").bytes();
        let stocks = self.stocks.iter().map(Stock::bytes).sum::<usize>();
        stocks + self.knots.bytes() + self.broods.iter().map(brood).sum::<usize>()
    }

    /// Go on to the next level.
    pub fn next_level(&mut self, context: &Context<'_>) {
        self.level += 1;
        if !self.bare {
            self.knots.next_level(&self.connectors, context);
        }
        self.stage = Stage::Begin;
    }

    /// Whether no part of this level or later can be needed: each has a literal that mentions a head variable and covers
    /// no more than that literal. With directions such a literal is no branch by itself if it wants more than its root.
    fn is_barren(&self, context: &Context<'_>, guide: &Guide) -> bool {
        if context.directed {
            return false;
        }
        let size = self.level as u64 + 1;
        let lives =
            |branch: &Branch| branch.sets.mask != 0 && context.worth(&branch.sets.covered(context), size, guide);
        !self.stocks.iter().any(|stock| stock.of_size(1).iter().any(|&rank| lives(stock.branch(rank))))
    }

    /// Forget what cannot be needed any more: what it is made into has at least two literals more if it is carried by a
    /// child, and one if it is a knot.
    fn bury(&mut self, context: &Context<'_>, guide: &Guide) {
        for stock in &mut self.stocks {
            stock.bury(|block| context.worth(&block.sets.covered(context), u64::from(block.literals) + 3, guide));
        }
        self.knots.bury(|pos, literals| context.needed(pos, literals as u64 + 2, guide));
    }

    /// Add the branches of the size that children may carry from this level on as blocks; the smaller blocks, to be
    /// extended to that size.
    fn bases(&mut self) -> Vec<(usize, usize)> {
        let carried = self.carried();
        let mut bases = Vec::new();
        if self.level == 2 * carried + 1 && carried > 0 {
            for (kind, stock) in self.stocks.iter_mut().enumerate() {
                let smaller = stock.blocks().partition_point(|block| (block.literals as usize) < carried);
                bases.extend((0..smaller).map(|base| (kind, base)));
                for rank in stock.of_size(carried).to_vec() {
                    let branch = stock.branch(rank);
                    let block = Block {
                        literals: branch.literals,
                        locals: branch.locals,
                        starts: branch.starts,
                        sets: Arc::clone(&branch.sets),
                        branches: [rank].into(),
                    };
                    stock.add_block(block);
                }
            }
        }
        bases
    }

    /// How many literals a child may carry at this level.
    fn carried(&self) -> usize {
        self.level.saturating_sub(1) / 2
    }

    /// Do the next `batch` pieces of work; what is found is returned in an order that depends on neither threads nor
    /// time. Also returns the number of tests.
    pub fn step(&mut self, context: &Context<'_>, guide: &Guide, batch: usize) -> (Vec<Part>, u64) {
        let (mut parts, mut tests) = (Vec::new(), 0);
        // Blocks and branches of literals take little time each.
        let many = 8 * batch;
        let cost = match self.stage {
            Stage::Knots(_) => KNOT_WORK,
            Stage::Broods(_) => BROOD_WORK,
            _ => BRANCH_WORK,
        };
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Knots(from) => {
                let end = self.knots.loose.len().min(from + batch);
                let done = end == self.knots.loose.len();
                let tangles: Vec<usize> = (from..end).collect();
                let (knots, kinds) = (&self.knots, &self.kinds);
                let extend = |&at: &usize| knots.extensions(at, kinds, context, guide);
                let found = context.in_parallel(&tangles, extend, |found| found.tests);
                for (at, extended) in tangles.into_iter().zip(found) {
                    tests += extended.tests;
                    parts.extend(self.knots.add(at, extended, context));
                }
                self.stage = if done { Stage::Done } else { Stage::Knots(end) };
            }
            Stage::Begin if self.level > 1 && self.is_barren(context, guide) => {}
            Stage::Begin => {
                self.bury(context, guide);
                self.stage = Stage::Blocks(self.bases(), 0);
            }
            Stage::Blocks(bases, from) => {
                let end = bases.len().min(from + many);
                let extend = |&(kind, base): &(usize, usize)| self.blocks_from(kind, base, context, guide);
                let found = context.in_parallel(&bases[from..end], extend, |(_, tried)| *tried);
                for (&(kind, _), (blocks, tried)) in bases[from..end].iter().zip(found) {
                    tests += tried;
                    blocks.into_iter().for_each(|block| self.stocks[kind].add_block(block));
                }
                self.stage =
                    if end == bases.len() { Stage::Branches(self.grafts(), 0) } else { Stage::Blocks(bases, end) };
            }
            Stage::Branches(grafts, from) => {
                let knots = matches!(grafts.get(from), Some(Graft::Knot(_)));
                let end = grafts.len().min(from + if knots { batch } else { many });
                let make = |&graft: &Graft| self.branches_of(graft, context, guide);
                let found = context.in_parallel(&grafts[from..end], make, |made| made.tests);
                for made in found {
                    tests += made.tests;
                    parts.extend(made.parts);
                    self.used_up.extend(made.used_up);
                    for (kind, branch) in made.branches {
                        let bound = branch.sets.mask != 0;
                        if let Some(rank) = self.stocks[kind].add_branch(branch).filter(|_| bound) {
                            let first = Arc::clone(self.stocks[kind].branch(rank));
                            self.broods.push(Mutex::new(Brood::new(kind, first, rank)));
                        }
                    }
                }
                self.stage = if end == grafts.len() { Stage::Broods(0) } else { Stage::Branches(grafts, end) };
            }
            Stage::Broods(from) => {
                let end = self.broods.len().min(from + batch);
                let found = context.threads.map(&self.broods[from..end], |brood| {
                    let mut brood = brood.lock().expect("no thread panics while it holds the lock");
                    let soil = self.soil(brood.kind, context, guide);
                    brood.extend(self.level, soil)
                });
                for (found, tried) in found {
                    // A brood that has grown cannot be grown again, so what it found beyond the last test is lost.
                    if tests + tried > context.quota() {
                        tests = context.quota();
                        break;
                    }
                    parts.extend(found);
                    tests += tried;
                }
                self.stage = if end == self.broods.len() { Stage::Knots(0) } else { Stage::Broods(end) };
            }
            Stage::Done => {}
        }
        self.work += cost * tests;
        (parts, tests)
    }

    /// The blocks of the size that is due that extend a smaller one by a branch of lower rank.
    fn blocks_from(&self, kind: usize, base: usize, context: &Context<'_>, guide: &Guide) -> (Vec<Block>, u64) {
        let stock = &self.stocks[kind];
        let base = &stock.blocks()[base];
        let literals = self.carried() - base.literals as usize;
        let last = *base.branches.last().expect("a block has a branch");
        let free = self.free(context).saturating_sub(base.locals as usize);
        let size = self.carried() as u64 + 2;
        let (mut blocks, mut tests) = (Vec::new(), 0);
        let mut meeting = Meeting::new(context);
        for &rank in stock.of_size(literals).iter().take_while(|&&rank| rank < last) {
            let branch = stock.branch(rank);
            if branch.locals as usize > free || context.spent(tests) || context.stopped() {
                continue;
            }
            tests += 1;
            let bound = base.sets.mask | branch.sets.mask != 0;
            let witnesses = if bound { guide.witnesses(size) } else { Witnesses::NONE };
            let worth = |cover: &[u64]| !bound || context.worth(cover, size, guide);
            if Meeting::lacks(&base.sets, &branch.sets, witnesses, context)
                || !meeting.meet(&base.sets, &branch.sets, context, Aim { clean: false, keep: true }, worth)
            {
                continue;
            }
            let sets = Arc::new(meeting.take(&self.kinds[kind], context));
            let branches: Box<[Rank]> = base.branches.iter().copied().chain([rank]).collect();
            let head = context.vocabulary.head_arity();
            if alive(&sets, self.carried(), || stock.body(branches.iter().copied(), head), context, guide) {
                let locals = base.locals + branch.locals;
                let starts = base.starts || branch.starts;
                blocks.push(Block { literals: narrow(self.carried()), locals, starts, sets, branches });
            }
        }
        (blocks, tests)
    }

    fn soil<'s, 'c>(&'s self, kind: usize, context: &'s Context<'c>, guide: &'s Guide) -> Soil<'s, 'c> {
        Soil { stock: &self.stocks[kind], kind: &self.kinds[kind], context, guide }
    }

    /// Local variables that a block may have beside its root: the root of the part is another.
    fn free(&self, context: &Context<'_>) -> usize {
        (context.max_vars - context.vocabulary.head_arity()).saturating_sub(2)
    }

    /// The connectors that can make branches due at this level, with each block for the first child.
    fn grafts(&self) -> Vec<Graft> {
        let mut grafts = Vec::new();
        for (at, connector) in self.connectors.iter().enumerate() {
            match connector.children.first() {
                None if self.level == 1 => grafts.push(Graft::Leaf(at)),
                None => {}
                Some(child) => {
                    let blocks = self.stocks[child.kind.index()].blocks();
                    let fits = blocks.partition_point(|block| block.literals as usize <= self.carried());
                    grafts.extend((0..fits).map(|block| Graft::Literal(at, block)));
                }
            }
        }
        grafts.extend((0..self.knots.tied.len()).map(Graft::Knot));
        grafts
    }

    /// The branches due at this level that can be made of something, with the kind they are of.
    fn branches_of(&self, graft: Graft, context: &Context<'_>, guide: &Guide) -> Made {
        let mut found = Made::default();
        match graft {
            Graft::Leaf(at) => {
                self.choose(&self.connectors[at], &mut Vec::new(), None, context, guide, &mut found);
            }
            Graft::Literal(at, first) => {
                let connector = &self.connectors[at];
                let mut chosen = vec![(first, &self.stocks[connector.children[0].kind.index()].blocks()[first])];
                self.choose(connector, &mut chosen, None, context, guide, &mut found);
            }
            Graft::Knot(at) => {
                let knot = &self.knots.tied[at];
                if knot.literals() < self.level
                    && let Some(laden) = Laden::new(knot, context)
                {
                    for connector in knot.connectors(&laden.table) {
                        self.choose(&connector, &mut Vec::new(), Some(&laden), context, guide, &mut found);
                    }
                }
            }
        }
        found
    }

    /// Choose a block for each child that has none yet, and make the branches. `laden` is the connector if it is a knot.
    fn choose<'s>(
        &'s self,
        connector: &Connector,
        chosen: &mut Vec<(usize, &'s Block)>,
        laden: Option<&Laden<'_>>,
        context: &Context<'_>,
        guide: &Guide,
        found: &mut Made,
    ) {
        let literals = connector.body.len() + chosen.iter().map(|(_, block)| block.literals as usize).sum::<usize>();
        let most = chosen.iter().map(|(_, block)| block.literals as usize).max().unwrap_or(0);
        let locals = connector.locals + chosen.iter().map(|(_, block)| block.locals as usize).sum::<usize>();
        let room = context.max_vars - context.vocabulary.head_arity() - 1;
        let left = connector.children.len() - chosen.len();
        let over = context.spent(found.tests) || context.stopped();
        if locals > room || literals + most + left > self.level || over {
            return;
        }
        if left > 0 {
            let child = &connector.children[chosen.len()];
            for (at, block) in self.stocks[child.kind.index()].blocks().iter().enumerate() {
                // With it and one literal for each child that is left.
                if literals + block.literals as usize + most.max(block.literals as usize) + left - 1 > self.level {
                    break;
                }
                chosen.push((at, block));
                self.choose(connector, chosen, laden, context, guide, found);
                chosen.pop();
            }
            return;
        }
        // A knot alone is a part that is found as such.
        if literals + most.max(usize::from(laden.is_some())) != self.level {
            return;
        }
        let (making, others) = (Making { chosen, literals, locals }, self.level < context.max_body);
        let judge = |laden: &Laden<'_>| laden.judge(connector, &making, others, &self.kinds, context, guide);
        let verdict = laden.map_or(Verdict::Unknown, judge);
        if matches!(verdict, Verdict::Needless) {
            return;
        }
        let body = self.graft(connector, chosen, context);
        let root = 1 << context.vocabulary.head_arity();
        if context.directed && !context.vocabulary.executable_given(&body, root, 0) {
            return;
        }
        found.tests += 1;
        let below: Vec<&Sets> = chosen.iter().map(|(_, block)| &*block.sets).collect();
        let bound = below.iter().fold(connector.mask, |mask, sets| mask | sets.mask) != 0;
        let worth = |cover: &[u64]| !bound || context.worth(cover, literals as u64 + 2, guide);
        let witnesses = if bound { guide.witnesses(literals as u64 + 2) } else { Witnesses::NONE };
        let sets = match (laden, &verdict) {
            (Some(laden), Verdict::Left(rows)) => {
                laden.sets((connector.root, &self.kinds[connector.kind.index()]), rows, context, witnesses, worth)
            }
            _ => connector.reach(&below, &self.kinds, context, witnesses, worth),
        };
        let Some(sets) = sets.map(Arc::new) else { return };
        if alive(&sets, literals, || body.to_vec(), context, guide) {
            let starts = !context.directed || context.vocabulary.executable(&body, 0);
            let (literals, locals, level) = (narrow(literals), narrow(locals), narrow(self.level));
            let branch = Branch { literals, locals, level, starts, sets, body };
            self.keep(connector.kind.index(), branch, context, guide, found);
        }
    }

    /// The literals of a branch.
    fn graft(&self, connector: &Connector, chosen: &[(usize, &Block)], context: &Context<'_>) -> Box<[Lit]> {
        let head = context.vocabulary.head_arity();
        let carried = connector.children.iter().zip(chosen).map(|(child, (_, block))| {
            (self.stocks[child.kind.index()].body(block.branches.iter().copied(), head), block.locals as usize)
        });
        let bodies: Vec<(Vec<Lit>, usize)> = carried.collect();
        let bodies: Vec<_> = bodies.iter().map(|(body, locals)| (&**body, *locals)).collect();
        grafted(connector, &bodies, head)
    }

    /// Keep a branch, or use it up at once: of what is found at the last level and mentions head variables, no two go
    /// together, for each has more than half of the literals.
    fn keep(&self, kind: usize, branch: Branch, context: &Context<'_>, guide: &Guide, found: &mut Made) {
        if self.level < context.max_body || branch.sets.mask == 0 {
            found.branches.push((kind, branch));
            return;
        }
        let key = (kind, branch.sets.digest(), branch.literals, branch.locals, branch.starts);
        if self.used_up.contains(&key) || self.stocks[kind].standing_for(&branch).is_some() {
            return;
        }
        found.used_up.push(key);
        let mut brood = Brood::new(kind, Arc::new(branch), Rank::HIGHEST);
        let (parts, tests) = brood.extend(self.level, self.soil(kind, context, guide));
        found.parts.extend(parts);
        found.tests += tests;
    }
}

/// What became of a [`Graft`].
#[derive(Default)]
struct Made {
    branches: Vec<(usize, Branch)>,
    /// Parts of branches that were used up at once, and these branches.
    parts: Vec<Part>,
    used_up: Vec<UsedUp>,
    tests: u64,
}

/// A branch that was used up: its kind, its sets, its literals and variables, and whether it starts.
type UsedUp = (usize, u128, u16, u8, bool);

/// Whether parts with these sets of so many literals, and more, can be needed.
fn alive(sets: &Sets, literals: usize, body: impl Fn() -> Vec<Lit>, context: &Context<'_>, guide: &Guide) -> bool {
    if sets.mask == 0 {
        return !sets.is_empty();
    }
    context.worth_growing(&sets.covered(context), literals as u64 + 2, guide, &body())
}
