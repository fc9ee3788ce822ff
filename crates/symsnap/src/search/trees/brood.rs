//! Trees seen from one of their variables: sets of branches that hang on it, the first of which mentions a head variable.

use super::kind::Kind;
use super::sets::{Meeting, Sets};
use super::stock::{Rank, Stock, precedes};
use crate::search::parts::Part;
use crate::search::{Context, Guide};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// All sets of branches with one branch of the highest rank.
#[derive(Debug)]
pub struct Brood {
    /// The kind of the variable.
    pub kind: usize,
    first: Rank,
    nodes: Vec<Node>,
    /// Nodes by what they mean.
    seen: FxHashMap<u128, u32>,
}

/// A set of branches that may be extended.
#[derive(Debug)]
struct Node {
    /// Its branches, highest rank first.
    branches: Box<[Rank]>,
    literals: u8,
    locals: u8,
    /// The level at which it was found; 0 once it is needless.
    level: u8,
}

impl Brood {
    /// The sets that begin with `first`, found at `level`.
    pub fn new(kind: usize, first: Rank, stock: &Stock, level: usize) -> Self {
        let branch = stock.branch(first);
        let (literals, locals) = (branch.literals, branch.locals);
        let root = Node { branches: [first].into(), literals, locals, level: level as u8 };
        let seen = FxHashMap::from_iter([(branch.sets.digest(), 0)]);
        Brood { kind, first, nodes: vec![root], seen }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + 16) + self.seen.capacity() * 32
    }

    /// Find the sets of `level` literals, and those of fewer that could not be found before. Returns those of `level`
    /// literals as parts, and the number of tests.
    pub fn extend(
        &mut self,
        level: usize,
        stock: &Stock,
        kind: &Kind,
        context: &Context<'_>,
        guide: &Guide,
    ) -> (Vec<Part>, u64) {
        let (mut parts, mut tests) = (Vec::new(), 0);
        let mut meeting = Meeting::new(context);
        let least = stock.branch(self.first).literals as usize + 1;
        for total in least..=level {
            for at in 0..self.nodes.len() {
                if context.stopped() {
                    return (parts, tests);
                }
                tests += self.extend_node(at, total, level, stock, kind, context, guide, &mut meeting, &mut parts);
            }
        }
        (parts, tests)
    }

    #[allow(clippy::too_many_arguments)]
    fn extend_node(
        &mut self,
        at: usize,
        total: usize,
        level: usize,
        stock: &Stock,
        kind: &Kind,
        context: &Context<'_>,
        guide: &Guide,
        meeting: &mut Meeting,
        parts: &mut Vec<Part>,
    ) -> u64 {
        let node = &self.nodes[at];
        let old = total < level && (node.level as usize) < level;
        let last = *node.branches.last().expect("a node has a branch");
        let Some(literals) = total.checked_sub(node.literals as usize).filter(|&literals| literals > 0) else {
            return 0;
        };
        if node.level == 0 {
            return 0;
        }
        let tests = stock.of_size(literals);
        let tests = &tests[..tests.partition_point(|&rank| rank < last)];
        let is_new = |&rank: &Rank| !old || stock.branch(rank).level as usize == level;
        let free = context.max_vars - context.vocabulary.head_arity() - 1 - node.locals as usize;
        let fits = |&rank: &Rank| stock.branch(rank).locals as usize <= free;
        let tests: Vec<Rank> = tests.iter().copied().filter(is_new).filter(fits).collect();
        if tests.is_empty() {
            return 0;
        }
        let (branches, locals) = (node.branches.clone(), node.locals);
        let sets = materialised(&branches, stock, kind, context);
        let size = total as u64 + 1;
        if !context.worth(&covered(&sets, context), size, guide) {
            self.nodes[at].level = 0;
            return 0;
        }
        let worth = |cover: &[u64]| context.worth(cover, size, guide);
        let clean = total == level && context.clean_only(total, guide);
        let grows = total < context.max_body;
        for &rank in &tests {
            let branch = stock.branch(rank);
            if !meeting.meet(&sets, &branch.sets, kind, context, clean, worth) {
                continue;
            }
            let locals = locals + branch.locals;
            let set: Box<[Rank]> = branches.iter().copied().chain([rank]).collect();
            let head = context.vocabulary.head_arity();
            let mut body = None;
            if grows {
                let digest = meeting.sets.digest();
                let standing = self.seen.get(&digest).map(|&at| &self.nodes[at as usize]);
                let stands = |known: &Node| {
                    precedes((known.literals, known.locals, &known.branches), (total as u8, locals, &set))
                };
                if standing.is_some_and(stands) {
                    continue;
                }
                let literals = stock.body(set.iter().copied(), head);
                if context.worth_growing(&meeting.cover, size + 1, guide, &literals) {
                    self.seen.insert(digest, self.nodes.len() as u32);
                    let node = Node { branches: set.clone(), literals: total as u8, locals, level: level as u8 };
                    self.nodes.push(node);
                }
                body = Some(literals);
            }
            if total == level {
                let body = body.unwrap_or_else(|| stock.body(set.iter().copied(), head)).into();
                let twins = twins(&set, stock, head);
                let vars = (head + 1) as u8 + locals;
                parts.push(Part { body, vars, cover: meeting.cover.as_slice().into(), twins });
            }
        }
        tests.len() as u64
    }
}

/// What a set of branches leaves to the variable they hang on.
fn materialised(branches: &[Rank], stock: &Stock, kind: &Kind, context: &Context<'_>) -> Arc<Sets> {
    let (first, others) = branches.split_first().expect("a node has a branch");
    let mut sets = Arc::clone(&stock.branch(*first).sets);
    for &other in others {
        sets = Arc::new(meet(&sets, &stock.branch(other).sets, kind, context));
    }
    sets
}

/// The values that both allow.
pub fn meet(a: &Sets, b: &Sets, kind: &Kind, context: &Context<'_>) -> Sets {
    let mut meeting = Meeting::new(context);
    meeting.all(a, b, kind, context);
    let tuples = context.heads.get(&context.layout, meeting.sets.mask).len();
    meeting.sets.finish(tuples)
}

/// The examples that have a value.
pub fn covered(sets: &Sets, context: &Context<'_>) -> Vec<u64> {
    let mut cover = vec![0; context.layout.words()];
    sets.cover(context, &mut cover);
    cover
}

/// The same part with one branch exchanged for an alias.
fn twins(set: &[Rank], stock: &Stock, head: usize) -> Vec<Box<[crate::search::Lit]>> {
    let mut twins = Vec::new();
    for (place, &rank) in set.iter().enumerate() {
        for alias in &stock.branch(rank).aliases {
            let bodies = set.iter().enumerate().map(|(at, &rank)| {
                let branch = stock.branch(rank);
                (if at == place { &**alias } else { &*branch.body }, branch.locals as usize)
            });
            twins.push(super::connector::joined(bodies, head).into());
        }
    }
    twins
}
