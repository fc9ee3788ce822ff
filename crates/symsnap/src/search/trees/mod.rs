//! Parts that are trees, mined without tables.
//!
//! Take a part as a graph of its literals and local variables, a literal beside each variable it mentions. If the graph
//! has no cycle, whatever hangs on a variable says only which values that variable can take, given the values of the head
//! variables it mentions: a set of values for each tuple of those ([`sets`]). So nothing is ever joined: a *branch*, a
//! literal and what hangs below it, is computed from the sets below it by one pass over the literal's table
//! ([`connector`]); branches on the same variable are ANDed; what a part covers is where something is left. Branches
//! and sets of branches with the same sets stand for each other, however different they look ([`stock`]), which leaves
//! few. Parts with cycles are left to [`parts`](super::parts).
//!
//! **Every tree is found from its middle.** A part of `k` literals is seen as the set of branches on one of its
//! variables ([`brood`]). Take the variable whose largest branch is least. Let that branch have `w` literals, and below
//! it children that carry `a` literals at most. Seen from that child, the largest branch would have `k - a` literals
//! unless it is one of the child's own, which are smaller than `w`; so `w <= k - a`. Hence a branch is needed first at
//! level `w + a`, and what a child carries first at level `2a + 1`: with six literals, branches have at most three (four
//! if they fork), and carry two.
//!
//! What is left out, and why nothing is lost:
//! - A branch or set of branches that covers too little as a part of its own ([`bounds`](super::bounds)): so does
//!   every part it is in. One that covers no negative: every part it is in is a refinement of a rule without errors.
//! - One whose sets another has that is no larger: see [`stock::precedes`].
//!
//! This needs a space in which literals may be exchanged freely ([`Context::mergeable`]), tables for all predicates, and
//! types of at most [`MOST_VALUES`] values each. *Rejected* for larger types: lists of values instead of bits. They pay
//! for the sparse sets near the head only, and there tables do as well.

mod brood;
mod connector;
mod kind;
mod sets;
mod stock;

use super::parts::Part;
use super::{Context, Guide};
use brood::{Brood, covered, meet};
use connector::{Connector, grafted};
use kind::Kind;
use sets::Sets;
use std::sync::{Arc, Mutex};
use stock::{Block, Branch, Rank, Stock};

/// A type may have so many values.
const MOST_VALUES: usize = 1024;

/// The miner of trees: the branches, blocks and broods of all kinds.
#[derive(Debug)]
pub struct Trees {
    kinds: Vec<Kind>,
    connectors: Vec<Connector>,
    stocks: Vec<Stock>,
    broods: Vec<Mutex<Brood>>,
    level: usize,
    stage: Stage,
}

/// What is being done at a level, from which piece of work on.
#[derive(Debug, Clone)]
enum Stage {
    /// Blocks that children may carry from this level on, each from a smaller one (a kind and a number).
    Blocks(Vec<(usize, usize)>, usize),
    /// Branches: a connector and what its first child carries.
    Branches(Vec<(usize, Option<usize>)>, usize),
    /// Parts.
    Broods(usize),
    Done,
}

impl Trees {
    /// A miner that has found nothing yet; `None` if parts of this space cannot be mined so.
    pub fn new(context: &Context<'_>) -> Option<Self> {
        if !context.mergeable() || context.max_vars <= context.vocabulary.head_arity() {
            return None;
        }
        let domains = context.vocabulary.domains()?;
        if domains.iter().any(|(_, values)| values.len() > MOST_VALUES) {
            return None;
        }
        let kinds: Vec<Kind> = domains.into_iter().map(|(name, values)| Kind::new(name, values)).collect();
        let connectors = (0..kinds.len()).flat_map(|kind| Connector::all(kind, &kinds, context)).collect();
        let stocks = kinds.iter().map(|_| Stock::default()).collect();
        Some(Trees { kinds, connectors, stocks, broods: Vec::new(), level: 0, stage: Stage::Done })
    }

    /// Whether all work of the level is done.
    pub fn level_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let brood = |brood: &Mutex<Brood>| brood.lock().expect("no thread panics while it holds the lock").bytes();
        self.stocks.iter().map(Stock::bytes).sum::<usize>() + self.broods.iter().map(brood).sum::<usize>()
    }

    /// Go on to the next level.
    pub fn next_level(&mut self) {
        self.level += 1;
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
                        sets: Arc::clone(&branch.sets),
                        branches: [rank].into(),
                    };
                    stock.add_block(block);
                }
            }
        }
        self.stage = Stage::Blocks(bases, 0);
    }

    /// How many literals a child may carry at this level.
    fn carried(&self) -> usize {
        self.level.saturating_sub(1) / 2
    }

    /// Do the next `batch` pieces of work; what is found is returned in an order that depends on neither threads nor
    /// time. Also returns the number of tests.
    pub fn step(&mut self, context: &Context<'_>, guide: &Guide, batch: usize) -> (Vec<Part>, u64) {
        let (mut parts, mut tests) = (Vec::new(), 0);
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Blocks(bases, from) => {
                let end = bases.len().min(from + batch);
                let found = context
                    .threads
                    .map(&bases[from..end], |&(kind, base)| self.blocks_from(kind, base, context, guide));
                for (&(kind, _), (blocks, tried)) in bases[from..end].iter().zip(found) {
                    tests += tried;
                    blocks.into_iter().for_each(|block| self.stocks[kind].add_block(block));
                }
                self.stage =
                    if end == bases.len() { Stage::Branches(self.grafts(), 0) } else { Stage::Blocks(bases, end) };
            }
            Stage::Branches(grafts, from) => {
                let end = grafts.len().min(from + batch);
                let found = context.threads.map(&grafts[from..end], |&(connector, first)| {
                    self.branches_of(&self.connectors[connector], first, context, guide)
                });
                for (&(connector, _), (branches, tried)) in grafts[from..end].iter().zip(found) {
                    tests += tried;
                    let kind = self.connectors[connector].kind;
                    for branch in branches {
                        let bound = branch.sets.mask != 0;
                        if let Some(rank) = self.stocks[kind].add_branch(branch).filter(|_| bound) {
                            self.broods.push(Mutex::new(Brood::new(kind, rank, &self.stocks[kind], self.level)));
                        }
                    }
                }
                self.stage = if end == grafts.len() { Stage::Broods(0) } else { Stage::Branches(grafts, end) };
            }
            Stage::Broods(from) => {
                let end = self.broods.len().min(from + batch);
                let found = context.threads.map(&self.broods[from..end], |brood| {
                    let mut brood = brood.lock().expect("no thread panics while it holds the lock");
                    let kind = brood.kind;
                    brood.extend(self.level, &self.stocks[kind], &self.kinds[kind], context, guide)
                });
                for (found, tried) in found {
                    parts.extend(found);
                    tests += tried;
                }
                self.stage = if end == self.broods.len() { Stage::Done } else { Stage::Broods(end) };
            }
            Stage::Done => {}
        }
        (parts, tests)
    }

    /// The blocks of the size that is due that extend a smaller one by a branch of lower rank.
    fn blocks_from(&self, kind: usize, base: usize, context: &Context<'_>, guide: &Guide) -> (Vec<Block>, u64) {
        let stock = &self.stocks[kind];
        let base = &stock.blocks()[base];
        let literals = self.carried() - base.literals as usize;
        let last = *base.branches.last().expect("a block has a branch");
        let free = self.free(context).saturating_sub(base.locals as usize);
        let (mut blocks, mut tests) = (Vec::new(), 0);
        for &rank in stock.of_size(literals).iter().take_while(|&&rank| rank < last) {
            let branch = stock.branch(rank);
            if branch.locals as usize > free || context.stopped() {
                continue;
            }
            tests += 1;
            let sets = Arc::new(meet(&base.sets, &branch.sets, &self.kinds[kind], context));
            let branches: Box<[Rank]> = base.branches.iter().copied().chain([rank]).collect();
            let head = context.vocabulary.head_arity();
            if alive(&sets, self.carried(), || stock.body(branches.iter().copied(), head), context, guide) {
                let locals = base.locals + branch.locals;
                blocks.push(Block { literals: self.carried() as u8, locals, sets, branches });
            }
        }
        (blocks, tests)
    }

    /// Local variables that a block may have beside its root: the root of the part is another.
    fn free(&self, context: &Context<'_>) -> usize {
        (context.max_vars - context.vocabulary.head_arity()).saturating_sub(2)
    }

    /// The connectors that can make branches due at this level, with each block for the first child.
    fn grafts(&self) -> Vec<(usize, Option<usize>)> {
        let mut grafts = Vec::new();
        for (at, connector) in self.connectors.iter().enumerate() {
            match connector.children.first() {
                None if self.level == 1 => grafts.push((at, None)),
                None => {}
                Some(child) => {
                    let blocks = self.stocks[child.kind].blocks();
                    let fits = blocks.partition_point(|block| block.literals as usize <= self.carried());
                    grafts.extend((0..fits).map(|block| (at, Some(block))));
                }
            }
        }
        grafts
    }

    /// The branches due at this level that a connector makes if its first child carries that block.
    fn branches_of(
        &self,
        connector: &Connector,
        first: Option<usize>,
        context: &Context<'_>,
        guide: &Guide,
    ) -> (Vec<Branch>, u64) {
        let mut found = (Vec::new(), 0);
        let mut chosen: Vec<&Block> = Vec::new();
        if let (Some(child), Some(first)) = (connector.children.first(), first) {
            chosen.push(&self.stocks[child.kind].blocks()[first]);
        }
        self.choose(connector, &mut chosen, context, guide, &mut found);
        found
    }

    fn choose<'s>(
        &'s self,
        connector: &Connector,
        chosen: &mut Vec<&'s Block>,
        context: &Context<'_>,
        guide: &Guide,
        found: &mut (Vec<Branch>, u64),
    ) {
        let literals = 1 + chosen.iter().map(|block| block.literals as usize).sum::<usize>();
        let most = chosen.iter().map(|block| block.literals as usize).max().unwrap_or(0);
        let locals = connector.locals() + chosen.iter().map(|block| block.locals as usize).sum::<usize>();
        let room = context.max_vars - context.vocabulary.head_arity() - 1;
        let left = connector.children.len() - chosen.len();
        if locals > room || literals + most + left > self.level || context.stopped() {
            return;
        }
        if left > 0 {
            for block in self.stocks[connector.children[chosen.len()].kind].blocks() {
                chosen.push(block);
                self.choose(connector, chosen, context, guide, found);
                chosen.pop();
            }
            return;
        }
        if literals + most != self.level {
            return;
        }
        found.1 += 1;
        let below: Vec<&Sets> = chosen.iter().map(|block| &*block.sets).collect();
        let sets = Arc::new(connector.reach(&below, &self.kinds, context));
        let head = context.vocabulary.head_arity();
        let graft = || {
            let bodies: Vec<(Vec<_>, usize)> = connector
                .children
                .iter()
                .zip(&*chosen)
                .map(|(child, block)| {
                    (self.stocks[child.kind].body(block.branches.iter().copied(), head), block.locals as usize)
                })
                .collect();
            let bodies: Vec<_> = bodies.iter().map(|(body, locals)| (&**body, *locals)).collect();
            grafted(connector, &bodies, head)
        };
        if alive(&sets, literals, || graft().into(), context, guide) {
            let (literals, locals, level) = (literals as u8, locals as u8, self.level as u8);
            found.0.push(Branch { literals, locals, level, sets, body: graft(), aliases: Vec::new() });
        }
    }
}

/// Whether parts with these sets of so many literals, and more, can be needed.
fn alive(
    sets: &Sets,
    literals: usize,
    body: impl Fn() -> Vec<super::Lit>,
    context: &Context<'_>,
    guide: &Guide,
) -> bool {
    if sets.mask == 0 {
        return !sets.is_empty();
    }
    context.worth_growing(&covered(sets, context), literals as u64 + 2, guide, &body())
}
