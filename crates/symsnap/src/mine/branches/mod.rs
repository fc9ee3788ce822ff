//! Parts put together from branches, without a table for each.
//!
//! Take a part as a graph of its literals and local variables, a literal beside each variable it mentions. Where removing
//! a variable would split the graph (an *articulation point*), what hangs on one side says only which values that variable
//! can take, given the values of the head variables it mentions: a set of values for each tuple of those
//! ([`value_sets`]). So a part is a tree, its block-cut tree: its edges ([`edges`]) are single literals, or *biconnected
//! components* of several literals, which have no articulation point ([`components`]); a *branch* is an edge with all that
//! hangs below it, computed from the sets below by one pass over the edge's tuples (a semijoin); branches on the same
//! variable are ANDed; and what a part covers is where something is left. Branches and sets of branches with the same
//! value sets stand for each other, however different they look ([`store`]), which leaves few.
//!
//! **Every part is found from its centroid.** A part of `k` literals is seen as the set of branches on one of its
//! variables ([`enumeration`]). Take the variable whose largest branch is least. Let that branch have `w` literals, and
//! below it children that carry `a` literals at most. Seen from that child, the largest branch would have `k - a` literals
//! unless it is one of the child's own, which are smaller than `w`; so `w <= k - a`. Hence a branch is needed first at
//! level `w + a`, and what a child carries first at level `2a + 1`: with six literals, branches have at most three (more
//! if they fork or begin with a component), and children carry two.
//!
//! What is left out, and why nothing is lost:
//! - A branch or set of branches that covers too little as a part of its own ([`theorems`](crate::covering::theorems)): so
//!   does every part it is in. One that covers no negative: every part it is in is a refinement of a rule without errors.
//! - One whose value sets another has that is no larger: see [`store::precedes`].
//!
//! Where predicates have directions, a branch is kept only if it can be run once its root is bound. One that can be run
//! before, and so binds it, *starts*; a set of branches can be run if one of them starts, and what does not start stands
//! only for what does not either.
//!
//! This needs a space in which literals may be exchanged freely ([`Context::exchangeable`]), tables for all predicates, and
//! types of at most [`MOST_VALUES`] values each, fewer with very many examples; elsewhere [`tables`](super::tables) mines.
//! *Rejected*: for larger types, lists of values instead of bits, which pay for the sparse sets near the head only, where
//! tables do as well; for parts with cycles, tables of whole parts, which took most of the time once trees took none.
//!
//! Features that are trees of blocks, with redundancy found block by block: Kuželka and Železný 2011. What is new here are
//! components of several literals, value sets by head tuple, and starting at the centroid.

mod component_table;
mod components;
mod domain;
mod edges;
mod enumeration;
mod store;
mod subgraph;
#[cfg(test)]
mod tests;
mod value_sets;

use super::context::Context;
use super::feature::Part;
use super::look::Look;
use super::miner::{Mined, Miner};
use crate::covering::Witnesses;
use crate::index::narrow;
use crate::language::Lit;
use component_table::{BranchVerdict, ComponentTable, Making};
use components::Components;
use domain::{Domain, DomainIx, MOST_VALUES};
use edges::{Edge, grafted};
use enumeration::{Enumeration, Environment};
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex};
use store::{Branch, BranchSet, BranchStore, Rank};
use value_sets::{Aim, Intersection, ValueSets};

/// The value sets of one branch may take this many words, if it has a set for every example: 8 MB.
const MOST_WORDS: usize = 4_000_000;

/// The miner of branches: the edges, branches and sets of branches of all domains.
#[derive(Debug)]
pub struct BranchMiner {
    domains: Vec<Domain>,
    edges: Vec<Edge>,
    components: Components,
    stores: Vec<BranchStore>,
    enumerations: Vec<Mutex<Enumeration>>,
    /// Branches of the last level.
    used_up: FxHashSet<UsedUp>,
    level: usize,
    stage: BranchStage,
    /// Whether components of several literals are left out.
    bare: bool,
    /// What has been done, in about microseconds: tests times what each takes.
    work: u64,
}

/// About how long a test takes, in microseconds: of a component, of a branch or a set of branches that a child carries, of a
/// set of branches that is a part. Only their ratios matter.
const COMPONENT_WORK: u64 = 60;
const BRANCH_WORK: u64 = 10;
const SET_WORK: u64 = 2;

/// What is being done at a level, from which piece of work on.
#[derive(Debug, Clone)]
enum BranchStage {
    /// Nothing yet.
    Begin,
    /// Components of as many literals.
    Components(usize),
    /// Sets of branches that children may carry from this level on, each from a smaller one (a domain and a number).
    BranchSets(Vec<(usize, usize)>, usize),
    /// Branches.
    Branches(Vec<Graft>, usize),
    /// Parts.
    Enumerations(usize),
    Done,
}

/// What branches are made of.
#[derive(Debug, Clone, Copy)]
enum Graft {
    /// A literal without children.
    Leaf(usize),
    /// A literal and what its first child carries.
    Literal(usize, usize),
    /// A component.
    Component(usize),
}

impl BranchMiner {
    /// A miner that has found nothing yet; `None` if parts of this space cannot be mined so.
    pub fn new(context: &Context<'_>) -> Option<Self> {
        // Branches are sets of values, whatever their order and origin: they have no place for comparisons, nor do they count
        // constants where there is a limit to them.
        let language = &context.language;
        let counted = language.has_cuts() || language.is_rationed();
        if !context.exchangeable() || counted || context.max_vars <= context.language.head_arity() {
            return None;
        }
        let domains = context.language.domains()?;
        if domains.iter().any(|(_, values)| values.len() > MOST_VALUES) {
            return None;
        }
        let domains: Vec<Domain> = domains.into_iter().map(|(name, values)| Domain::new(name, values)).collect();
        let widest = domains.iter().map(Domain::width).max().unwrap_or(0);
        if context.sides.examples() * widest > MOST_WORDS {
            return None;
        }
        let edges = (0..domains.len()).flat_map(|domain| Edge::all(DomainIx::new(domain), &domains, context)).collect();
        let stores = domains.iter().map(|_| BranchStore::default()).collect();
        let components = Components::default();
        Some(BranchMiner {
            domains,
            edges,
            components,
            stores,
            enumerations: Vec::new(),
            used_up: FxHashSet::default(),
            level: 0,
            stage: BranchStage::Done,
            bare: false,
            work: 0,
        })
    }

    /// A miner that leaves out components of several literals, which take most of the time.
    pub fn without_components(context: &Context<'_>) -> Option<Self> {
        Some(BranchMiner { bare: true, ..BranchMiner::new(context)? })
    }

    /// The level, and about how much has been done.
    pub fn progress(&self) -> (usize, u64) {
        (self.level, self.work)
    }

    /// Whether no part of this level or later can be needed: each has a literal that mentions a head variable and covers
    /// no more than that literal. With directions such a literal is no branch by itself if it wants more than its root.
    fn is_exhausted(&self, look: Look<'_>) -> bool {
        let context = look.cx;
        if context.directed {
            return false;
        }
        let size = self.level as u64 + 1;
        let lives = |branch: &Branch| branch.sets.mask != 0 && look.worth(&branch.sets.covered(context), size);
        !self.stores.iter().any(|store| store.of_size(1).iter().any(|&rank| lives(store.branch(rank))))
    }

    /// Forget what cannot be needed any more: what it is made into has at least two literals more if it is carried by a
    /// child, and one if it is a component.
    fn forget(&mut self, look: Look<'_>) {
        let context = look.cx;
        for store in &mut self.stores {
            store
                .forget(|branch_set| look.worth(&branch_set.sets.covered(context), u64::from(branch_set.literals) + 3));
        }
        self.components.forget(|pos, literals| look.needed(pos, literals as u64 + 2));
    }

    /// Add the branches of the size that children may carry from this level on as branch sets; the smaller branch sets, to be
    /// extended to that size.
    fn bases(&mut self) -> Vec<(usize, usize)> {
        let carried = self.carried();
        let mut bases = Vec::new();
        if self.level == 2 * carried + 1 && carried > 0 {
            for (domain, store) in self.stores.iter_mut().enumerate() {
                let smaller =
                    store.branch_sets().partition_point(|branch_set| (branch_set.literals as usize) < carried);
                bases.extend((0..smaller).map(|base| (domain, base)));
                for rank in store.of_size(carried).to_vec() {
                    let branch = store.branch(rank);
                    let branch_set = BranchSet {
                        literals: branch.literals,
                        locals: branch.locals,
                        starts: branch.starts,
                        sets: Arc::clone(&branch.sets),
                        branches: [rank].into(),
                    };
                    store.add_branch_set(branch_set);
                }
            }
        }
        bases
    }

    /// How many literals a child may carry at this level.
    fn carried(&self) -> usize {
        self.level.saturating_sub(1) / 2
    }

    /// The branch sets of the size that is due that extend a smaller one by a branch of lower rank.
    fn branch_sets_from(&self, domain: usize, base: usize, look: Look<'_>) -> (Vec<BranchSet>, u64) {
        let context = look.cx;
        let store = &self.stores[domain];
        let base = &store.branch_sets()[base];
        let literals = self.carried() - base.literals as usize;
        let last = *base.branches.last().expect("a branch_set has a branch");
        let free = self.free(context).saturating_sub(base.locals as usize);
        let size = self.carried() as u64 + 2;
        let (mut branch_sets, mut tests) = (Vec::new(), 0);
        let mut intersection = Intersection::new(context);
        for &rank in store.of_size(literals).iter().take_while(|&&rank| rank < last) {
            let branch = store.branch(rank);
            if branch.locals as usize > free || context.spent(tests) || context.stopped() {
                continue;
            }
            tests += 1;
            let bound = base.sets.mask | branch.sets.mask != 0;
            let witnesses = if bound { look.prune.witnesses(size) } else { Witnesses::NONE };
            let worth = |cover: &[u64]| !bound || look.worth(cover, size);
            if Intersection::lacks(&base.sets, &branch.sets, witnesses, context)
                || !intersection.intersect(
                    &base.sets,
                    &branch.sets,
                    context,
                    Aim { consistent: false, keep: true },
                    worth,
                )
            {
                continue;
            }
            let sets = Arc::new(intersection.take(&self.domains[domain], context));
            let branches: Box<[Rank]> = base.branches.iter().copied().chain([rank]).collect();
            let head = context.language.head_arity();
            if alive(&sets, self.carried(), || store.body(branches.iter().copied(), head), look) {
                let locals = base.locals + branch.locals;
                let starts = base.starts || branch.starts;
                branch_sets.push(BranchSet { literals: narrow(self.carried()), locals, starts, sets, branches });
            }
        }
        (branch_sets, tests)
    }

    fn environment<'s>(&'s self, domain: usize, look: Look<'s>) -> Environment<'s> {
        Environment { store: &self.stores[domain], domain: &self.domains[domain], look }
    }

    /// Local variables that a branch set may have beside its root: the root of the part is another.
    fn free(&self, context: &Context<'_>) -> usize {
        (context.max_vars - context.language.head_arity()).saturating_sub(2)
    }

    /// The edges that can make branches due at this level, with each branch set for the first child.
    fn grafts(&self) -> Vec<Graft> {
        let mut grafts = Vec::new();
        for (at, edge) in self.edges.iter().enumerate() {
            match edge.children.first() {
                None if self.level == 1 => grafts.push(Graft::Leaf(at)),
                None => {}
                Some(child) => {
                    let branch_sets = self.stores[child.domain.index()].branch_sets();
                    let fits = branch_sets.partition_point(|branch_set| branch_set.literals as usize <= self.carried());
                    grafts.extend((0..fits).map(|branch_set| Graft::Literal(at, branch_set)));
                }
            }
        }
        grafts.extend((0..self.components.closed.len()).map(Graft::Component));
        grafts
    }

    /// The branches due at this level that can be made of something, with the domain they are of.
    fn branches_of(&self, graft: Graft, look: Look<'_>) -> Made {
        let context = look.cx;
        let mut found = Made::default();
        match graft {
            Graft::Leaf(at) => {
                self.choose(&self.edges[at], &mut Vec::new(), None, look, &mut found);
            }
            Graft::Literal(at, first) => {
                let edge = &self.edges[at];
                let mut chosen = vec![(first, &self.stores[edge.children[0].domain.index()].branch_sets()[first])];
                self.choose(edge, &mut chosen, None, look, &mut found);
            }
            Graft::Component(at) => {
                let component = &self.components.closed[at];
                if component.literals() < self.level
                    && let Some(loaded) = ComponentTable::new(component, context)
                {
                    for edge in component.edges(&loaded.table) {
                        self.choose(&edge, &mut Vec::new(), Some(&loaded), look, &mut found);
                    }
                }
            }
        }
        found
    }

    /// Choose a branch set for each child that has none yet, and make the branches. `loaded` is the edge if it is a component.
    fn choose<'s>(
        &'s self,
        edge: &Edge,
        chosen: &mut Vec<(usize, &'s BranchSet)>,
        loaded: Option<&ComponentTable<'_>>,
        look: Look<'_>,
        found: &mut Made,
    ) {
        let context = look.cx;
        let literals =
            edge.body.len() + chosen.iter().map(|(_, branch_set)| branch_set.literals as usize).sum::<usize>();
        let most = chosen.iter().map(|(_, branch_set)| branch_set.literals as usize).max().unwrap_or(0);
        let locals = edge.locals + chosen.iter().map(|(_, branch_set)| branch_set.locals as usize).sum::<usize>();
        let room = context.max_vars - context.language.head_arity() - 1;
        let left = edge.children.len() - chosen.len();
        let over = context.spent(found.tests) || context.stopped();
        if locals > room || literals + most + left > self.level || over {
            return;
        }
        if left > 0 {
            let child = &edge.children[chosen.len()];
            for (at, branch_set) in self.stores[child.domain.index()].branch_sets().iter().enumerate() {
                // With it and one literal for each child that is left.
                if literals + branch_set.literals as usize + most.max(branch_set.literals as usize) + left - 1
                    > self.level
                {
                    break;
                }
                chosen.push((at, branch_set));
                self.choose(edge, chosen, loaded, look, found);
                chosen.pop();
            }
            return;
        }
        // A component alone is a part that is found as such.
        if literals + most.max(usize::from(loaded.is_some())) != self.level {
            return;
        }
        let (making, others) = (Making { chosen, literals, locals }, self.level < context.max_body);
        let judge = |loaded: &ComponentTable<'_>| loaded.judge(edge, &making, others, &self.domains, look);
        let verdict = loaded.map_or(BranchVerdict::Unknown, judge);
        if matches!(verdict, BranchVerdict::Needless) {
            return;
        }
        let body = self.graft(edge, chosen, context);
        let root = 1 << context.language.head_arity();
        if context.directed && !context.language.executable_given(&body, root, 0) {
            return;
        }
        found.tests += 1;
        let below: Vec<&ValueSets> = chosen.iter().map(|(_, branch_set)| &*branch_set.sets).collect();
        let bound = below.iter().fold(edge.mask, |mask, sets| mask | sets.mask) != 0;
        let worth = |cover: &[u64]| !bound || look.worth(cover, literals as u64 + 2);
        let witnesses = if bound { look.prune.witnesses(literals as u64 + 2) } else { Witnesses::NONE };
        let sets = match (loaded, &verdict) {
            (Some(loaded), BranchVerdict::Left(rows)) => {
                loaded.sets((edge.root, &self.domains[edge.domain.index()]), rows, context, witnesses, worth)
            }
            _ => edge.reach(&below, &self.domains, context, witnesses, worth),
        };
        let Some(sets) = sets.map(Arc::new) else { return };
        if alive(&sets, literals, || body.to_vec(), look) {
            let starts = !context.directed || context.language.executable(&body, 0);
            let (literals, locals, level) = (narrow(literals), narrow(locals), narrow(self.level));
            let branch = Branch { literals, locals, level, starts, sets, body };
            self.keep(edge.domain.index(), branch, look, found);
        }
    }

    /// The literals of a branch.
    fn graft(&self, edge: &Edge, chosen: &[(usize, &BranchSet)], context: &Context<'_>) -> Box<[Lit]> {
        let head = context.language.head_arity();
        let carried = edge.children.iter().zip(chosen).map(|(child, (_, branch_set))| {
            (
                self.stores[child.domain.index()].body(branch_set.branches.iter().copied(), head),
                branch_set.locals as usize,
            )
        });
        let bodies: Vec<(Vec<Lit>, usize)> = carried.collect();
        let bodies: Vec<_> = bodies.iter().map(|(body, locals)| (&**body, *locals)).collect();
        grafted(edge, &bodies, head)
    }

    /// Keep a branch, or use it up at once: of what is found at the last level and mentions head variables, no two go
    /// together, for each has more than half of the literals.
    fn keep(&self, domain: usize, branch: Branch, look: Look<'_>, found: &mut Made) {
        let context = look.cx;
        if self.level < context.max_body || branch.sets.mask == 0 {
            found.branches.push((domain, branch));
            return;
        }
        let key = (domain, branch.sets.digest(), branch.literals, branch.locals, branch.starts);
        if self.used_up.contains(&key) || self.stores[domain].standing_for(&branch).is_some() {
            return;
        }
        found.used_up.push(key);
        let mut enumeration = Enumeration::new(domain, Arc::new(branch), Rank::HIGHEST);
        let (parts, tests) = enumeration.extend(self.level, self.environment(domain, look));
        found.parts.extend(parts);
        found.tests += tests;
    }
}

impl Miner for BranchMiner {
    fn level_done(&self) -> bool {
        matches!(self.stage, BranchStage::Done)
    }

    fn bytes(&self) -> usize {
        let enumeration = |enumeration: &Mutex<Enumeration>| {
            enumeration.lock().expect("no thread panics while it holds the lock").bytes()
        };
        let stores = self.stores.iter().map(BranchStore::bytes).sum::<usize>();
        stores + self.components.bytes() + self.enumerations.iter().map(enumeration).sum::<usize>()
    }

    fn next_level(&mut self, context: &Context<'_>) {
        self.level += 1;
        if !self.bare {
            self.components.next_level(&self.edges, context);
        }
        self.stage = BranchStage::Begin;
    }

    fn step(&mut self, look: Look<'_>, batch: usize) -> Mined {
        let context = look.cx;
        let (mut parts, mut tests) = (Vec::new(), 0);
        // Sets of branches and branches of literals take little time each.
        let many = 8 * batch;
        let cost = match self.stage {
            BranchStage::Components(_) => COMPONENT_WORK,
            BranchStage::Enumerations(_) => SET_WORK,
            _ => BRANCH_WORK,
        };
        match std::mem::replace(&mut self.stage, BranchStage::Done) {
            BranchStage::Components(from) => {
                let end = self.components.open.len().min(from + batch);
                let done = end == self.components.open.len();
                let subgraphs: Vec<usize> = (from..end).collect();
                let (components, domains) = (&self.components, &self.domains);
                let extend = |&at: &usize| components.extensions(at, domains, look);
                let found = context.in_parallel(&subgraphs, extend, |found| found.tests);
                for (at, extended) in subgraphs.into_iter().zip(found) {
                    tests += extended.tests;
                    parts.extend(self.components.add(at, extended, context));
                }
                self.stage = if done { BranchStage::Done } else { BranchStage::Components(end) };
            }
            BranchStage::Begin if self.level > 1 && self.is_exhausted(look) => {}
            BranchStage::Begin => {
                self.forget(look);
                self.stage = BranchStage::BranchSets(self.bases(), 0);
            }
            BranchStage::BranchSets(bases, from) => {
                let end = bases.len().min(from + many);
                let extend = |&(domain, base): &(usize, usize)| self.branch_sets_from(domain, base, look);
                let found = context.in_parallel(&bases[from..end], extend, |(_, tried)| *tried);
                for (&(domain, _), (branch_sets, tried)) in bases[from..end].iter().zip(found) {
                    tests += tried;
                    branch_sets.into_iter().for_each(|branch_set| self.stores[domain].add_branch_set(branch_set));
                }
                self.stage = if end == bases.len() {
                    BranchStage::Branches(self.grafts(), 0)
                } else {
                    BranchStage::BranchSets(bases, end)
                };
            }
            BranchStage::Branches(grafts, from) => {
                let components = matches!(grafts.get(from), Some(Graft::Component(_)));
                let end = grafts.len().min(from + if components { batch } else { many });
                let make = |&graft: &Graft| self.branches_of(graft, look);
                let found = context.in_parallel(&grafts[from..end], make, |made| made.tests);
                for made in found {
                    tests += made.tests;
                    parts.extend(made.parts);
                    self.used_up.extend(made.used_up);
                    for (domain, branch) in made.branches {
                        let bound = branch.sets.mask != 0;
                        if let Some(rank) = self.stores[domain].add_branch(branch).filter(|_| bound) {
                            let first = Arc::clone(self.stores[domain].branch(rank));
                            self.enumerations.push(Mutex::new(Enumeration::new(domain, first, rank)));
                        }
                    }
                }
                self.stage =
                    if end == grafts.len() { BranchStage::Enumerations(0) } else { BranchStage::Branches(grafts, end) };
            }
            BranchStage::Enumerations(from) => {
                let end = self.enumerations.len().min(from + batch);
                let found = context.threads.map(&self.enumerations[from..end], |enumeration| {
                    let mut enumeration = enumeration.lock().expect("no thread panics while it holds the lock");
                    let environment = self.environment(enumeration.domain, look);
                    enumeration.extend(self.level, environment)
                });
                for (found, tried) in found {
                    // An enumeration that has grown cannot be grown again, so what it found beyond the last test is lost.
                    if tests + tried > context.quota() {
                        tests = context.quota();
                        break;
                    }
                    parts.extend(found);
                    tests += tried;
                }
                self.stage = if end == self.enumerations.len() {
                    BranchStage::Components(0)
                } else {
                    BranchStage::Enumerations(end)
                };
            }
            BranchStage::Done => {}
        }
        self.work += cost * tests;
        Mined { parts, tests }
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

/// A branch that was used up: its domain, its sets, its literals and variables, and whether it starts.
type UsedUp = (usize, u128, u16, u8, bool);

/// Whether parts with these sets, of this many literals or more, can be needed.
fn alive(sets: &ValueSets, literals: usize, body: impl Fn() -> Vec<Lit>, look: Look<'_>) -> bool {
    let context = look.cx;
    if sets.mask == 0 {
        return !sets.is_empty();
    }
    look.worth_growing(&sets.covered(context), literals as u64 + 2, &body())
}
