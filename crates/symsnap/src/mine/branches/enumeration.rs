//! Trees seen from one of their variables: sets of branches that hang on it, the first of which mentions a head variable.

use super::domain::Domain;
use super::edges::joined;
use super::store::{Branch, BranchStore, Rank, precedes};
use super::value_sets::{Aim, Intersection, ValueSets};
use crate::index::narrow;
use crate::language::Lit;
use crate::mine::context::Context;
use crate::mine::feature::Part;
use crate::mine::look::Look;
use crate::sets::Cover;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// All sets of branches with one branch of the highest rank.
#[derive(Debug)]
pub struct Enumeration {
    /// The domain of the variable.
    pub domain: usize,
    first: Arc<Branch>,
    rank: Rank,
    nodes: Vec<OpenBranchSet>,
    /// Nodes by what they mean.
    seen: FxHashMap<u128, u32>,
}

/// A set of branches that may be extended.
#[derive(Debug)]
struct OpenBranchSet {
    /// Its branches but the first, highest rank first.
    others: Box<[Rank]>,
    literals: u16,
    locals: u8,
    /// Whether one of its branches can be run before the variable is bound.
    starts: bool,
    /// The level at which it was found; 0 once it is needless.
    level: u16,
}

/// The branches of a node but the first, each with what is left with it and those before.
type BranchPath = Vec<(Rank, Arc<ValueSets>)>;

/// What the sets of an enumeration are made of and judged by.
#[derive(Clone, Copy)]
pub struct Environment<'s> {
    /// The branches.
    pub store: &'s BranchStore,
    /// The domain of the variable they hang on.
    pub domain: &'s Domain,
    /// What everything shares, and what is needless.
    pub look: Look<'s>,
}

/// What extending an enumeration to a level needs and makes.
struct EnumerationWork<'s> {
    environment: Environment<'s>,
    level: usize,
    intersection: Intersection,
    path: BranchPath,
    parts: Vec<Part>,
}

impl Enumeration {
    /// The sets that begin with `first`, which has this rank.
    pub fn new(domain: usize, first: Arc<Branch>, rank: Rank) -> Self {
        let (literals, locals, level) = (first.literals, first.locals, first.level);
        let seen = FxHashMap::from_iter([(first.sets.digest(), 0)]);
        let root = OpenBranchSet { others: Box::default(), literals, locals, starts: first.starts, level };
        Enumeration { domain, first, rank, nodes: vec![root], seen }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<OpenBranchSet>() + 16) + self.seen.capacity() * 32
    }

    /// Find the sets of `level` literals, and those of fewer that could not be found before. Returns those of `level`
    /// literals as parts, and the number of tests.
    pub fn extend(&mut self, level: usize, environment: Environment<'_>) -> (Vec<Part>, u64) {
        let intersection = Intersection::new(environment.look.cx);
        let mut work =
            EnumerationWork { environment, level, intersection, path: BranchPath::default(), parts: Vec::new() };
        let mut tests = 0;
        for total in self.first.literals as usize + 1..=level {
            for at in 0..self.nodes.len() {
                if environment.look.cx.stopped() || environment.look.cx.spent(tests) {
                    return (work.parts, tests);
                }
                let chosen = self.tests(at, total, level, environment);
                if !chosen.is_empty() {
                    tests += chosen.len() as u64;
                    self.extend_node(at, &chosen, total, &mut work);
                }
            }
        }
        (work.parts, tests)
    }

    /// The branches that make sets of `total` literals of a node, those aside that did so at an earlier level.
    fn tests(&self, at: usize, total: usize, level: usize, environment: Environment<'_>) -> Vec<Rank> {
        let Environment { store, look, .. } = environment;
        let context = look.cx;
        let node = &self.nodes[at];
        if node.level == 0 || total <= node.literals as usize {
            return Vec::new();
        }
        let old = total < level && (node.level as usize) < level;
        let last = node.others.last().copied().unwrap_or(self.rank);
        let free = context.max_vars - context.language.head_arity() - 1 - node.locals as usize;
        let sized = store.of_size(total - node.literals as usize);
        let fits = |rank: &Rank| {
            let branch = store.branch(*rank);
            branch.locals as usize <= free && (!old || branch.level as usize == level)
        };
        sized[..sized.partition_point(|&rank| rank < last)].iter().copied().filter(fits).collect()
    }

    /// Add each of some branches to a node, for sets of `total` literals.
    fn extend_node(&mut self, at: usize, tests: &[Rank], total: usize, work: &mut EnumerationWork<'_>) {
        let EnumerationWork { environment, level, intersection, path, parts } = work;
        let (Environment { store, look, .. }, level) = (*environment, *level);
        let context = look.cx;
        let node = &self.nodes[at];
        let (others, locals, started) = (node.others.clone(), node.locals, node.starts);
        let sets = self.sets(&others, *environment, path);
        let size = total as u64 + 1;
        if !look.worth(&sets.covered(context), size) {
            self.nodes[at].level = 0;
            return;
        }
        let worth = |cover: &[u64]| look.worth(cover, size);
        let witnesses = look.prune.witnesses(size);
        let consistent = total == level && look.only_consistent(total);
        let aim = Aim { consistent, keep: total < context.max_body };
        for &rank in tests {
            let branch = store.branch(rank);
            if Intersection::lacks(&sets, &branch.sets, witnesses, context)
                || !intersection.intersect(&sets, &branch.sets, context, aim, worth)
            {
                continue;
            }
            let (locals, starts) = (locals + branch.locals, started || branch.starts);
            let set: Box<[Rank]> = others.iter().copied().chain([rank]).collect();
            let mut body = None;
            if total < context.max_body {
                let digest = intersection.sets.digest();
                let standing = self.seen.get(&digest).map(|&at| &self.nodes[at as usize]);
                let stands = |known: &OpenBranchSet| {
                    (known.starts || !starts)
                        && precedes((known.literals, known.locals, &known.others), (narrow(total), locals, &set))
                };
                if standing.is_some_and(stands) {
                    continue;
                }
                let literals = self.body(&set, store, context);
                if look.worth_growing(&intersection.cover, size + 1, &literals) {
                    self.seen.insert(digest, narrow(self.nodes.len()));
                    let (others, literals, level) = (set.clone(), narrow(total), narrow(level));
                    self.nodes.push(OpenBranchSet { others, literals, locals, starts, level });
                }
                body = Some(literals);
            }
            if total == level {
                let body = body.unwrap_or_else(|| self.body(&set, store, context)).into();
                let vars = narrow(context.language.head_arity() + 1 + usize::from(locals));
                let twins = self.twins(&set, store, context);
                parts.push(Part {
                    body,
                    vars,
                    cover: Cover::from_words(context.sides, intersection.cover.as_slice()),
                    twins,
                });
            }
        }
    }

    /// What the first branch and others leave to the variable they hang on. Nodes with the same branches but the last
    /// follow each other, so most of the path to one is that to the one before.
    fn sets(&self, others: &[Rank], environment: Environment<'_>, path: &mut BranchPath) -> Arc<ValueSets> {
        let common = path.iter().zip(others).take_while(|((known, _), rank)| known == *rank).count();
        path.truncate(common);
        for &rank in &others[common..] {
            let before = path.last().map_or(&self.first.sets, |(_, sets)| sets);
            let sets = intersect(before, &environment.store.branch(rank).sets, environment.domain, environment.look.cx);
            path.push((rank, Arc::new(sets)));
        }
        Arc::clone(path.last().map_or(&self.first.sets, |(_, sets)| sets))
    }

    fn body(&self, others: &[Rank], store: &BranchStore, context: &Context<'_>) -> Vec<Lit> {
        let branches = std::iter::once(&self.first).chain(others.iter().map(|&rank| store.branch(rank)));
        let bodies = branches.map(|branch| (&*branch.body, branch.locals as usize));
        joined(bodies, context.language.head_arity())
    }

    /// The same part with one branch exchanged for an alias.
    fn twins(&self, others: &[Rank], store: &BranchStore, context: &Context<'_>) -> Vec<Box<[Lit]>> {
        let ranks = || std::iter::once(self.rank).chain(others.iter().copied());
        let mut twins = Vec::new();
        for (place, exchanged) in ranks().enumerate() {
            for alias in store.aliases(exchanged) {
                let branches = std::iter::once(&self.first).chain(others.iter().map(|&rank| store.branch(rank)));
                let bodies = branches
                    .enumerate()
                    .map(|(at, branch)| (if at == place { &**alias } else { &*branch.body }, branch.locals as usize));
                twins.push(joined(bodies, context.language.head_arity()).into());
            }
        }
        twins
    }
}

/// The values that both allow.
fn intersect(a: &ValueSets, b: &ValueSets, domain: &Domain, context: &Context<'_>) -> ValueSets {
    let mut intersection = Intersection::new(context);
    intersection.intersect(a, b, context, Aim { consistent: false, keep: true }, |_| true);
    intersection.take(domain, context)
}
