//! Biconnected components of several literals, grown literal by literal.
//!
//! A part falls into components, joined at articulation points as the literals of a tree are; a single literal is the
//! simplest. So a component of several literals is an edge like a literal is ([`edges`](super::edges)), with a table of its
//! own, and everything that hangs on its variables is left to branches. What is grown here are components and what may
//! become one, an *open* subgraph: a literal or a component, and an ear, a chain of literals that hangs on it and grows at
//! its end until it is closed. Every component is made so (Whitney 1932, ear decompositions): take a literal, or the
//! largest component so far, inside of it. As no variable is an articulation point, some chain of its other literals leads
//! from one variable of what there is to another, and the shortest shares no variables but those of neighbours.
//!
//! What is left out, and why nothing is lost:
//! - A literal that shares one variable and introduces none: it is a branch.
//! - Literals with the bindings of others that are no more and have no more variables: whatever extends the ones extends
//!   the others alike. If the others cannot become a component, what they become falls into components.
//! - A literal that closes an ear onto itself: what then hangs on the rest by one variable is a branch.

use super::domain::Domain;
use super::edges::Edge;
use super::subgraph::{ExtendedSubgraph, MOST_KEPT, Subgraph, most_rows};
use super::value_sets::digest;
use crate::index::narrow;
use crate::language::{Lit, Taint};
use crate::mine::bindings::BindingTable;
use crate::mine::context::Context;
use crate::mine::feature::Part;
use crate::mine::look::Look;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex};

/// A component, with its table if there was room for it.
#[derive(Debug)]
pub struct Component {
    subgraph: Subgraph,
    table: Option<Arc<BindingTable>>,
    /// How many literals and variables the first branch has that has this root and leaves these rows of the table.
    left: Mutex<FxHashMap<(usize, u128), (u16, u8)>>,
}

/// What has been found of components.
#[derive(Debug, Default)]
pub struct Components {
    /// What is to be extended at this level.
    pub open: Vec<Subgraph>,
    next: Vec<Subgraph>,
    /// The components of two literals and more, those with fewer first.
    pub closed: Vec<Component>,
    /// How many bytes the tables of components take.
    kept: usize,
    /// The keys of open subgraphs that were met, and of closed ones, needed or not.
    known: FxHashSet<u128>,
    /// How many literals and variables something with these bindings has.
    tables: FxHashMap<u128, (u16, u8)>,
}

impl Components {
    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let subgraph = |subgraph: &Subgraph| size_of::<Subgraph>() + subgraph.body.len() * size_of::<Lit>();
        let all = self.open.iter().chain(&self.next).chain(self.closed.iter().map(|component| &component.subgraph));
        let left = |component: &Component| {
            component.left.lock().expect("no thread panics while it holds the lock").capacity() * 40
        };
        let left = self.closed.iter().map(left).sum::<usize>();
        all.map(subgraph).sum::<usize>() + left + self.kept + self.known.capacity() * 17 + self.tables.capacity() * 20
    }

    /// Forget the components of which nothing can be needed any more.
    pub fn forget(&mut self, needed: impl Fn(&[u64], usize) -> bool) {
        self.closed.retain(|component| {
            let needed = component.subgraph.pos.is_empty() || needed(&component.subgraph.pos, component.literals());
            if !needed {
                self.kept -= component.table.as_ref().map_or(0, |table| table.bytes());
            }
            needed
        });
    }

    /// Begin the next level; the first has single literals, those of `edges`.
    pub fn next_level(&mut self, edges: &[Edge], context: &Context<'_>) {
        self.open = std::mem::take(&mut self.next);
        if !self.known.is_empty() {
            return;
        }
        let whole = |edge: &&Edge| edge.locals > 0 && edge.children.len() == edge.locals;
        for edge in edges.iter().filter(whole) {
            let subgraph = Subgraph::single(edge);
            if self.known.insert(subgraph.key(context)) {
                self.next.push(subgraph);
            }
        }
    }

    /// Whether something no larger, with no more variables, has this table; if not, this has.
    fn stands(&mut self, table: u128, subgraph: &Subgraph) -> bool {
        let (literals, locals) = (narrow(subgraph.body.len()), narrow(subgraph.domains.len()));
        let known = self.tables.entry(table).or_insert((u16::MAX, u8::MAX));
        let stands = known.0 <= literals && known.1 <= locals;
        if !stands {
            *known = (literals, locals);
        }
        stands
    }

    /// Add what the subgraph at `at` was extended to; the parts that this is.
    pub fn add(&mut self, at: usize, extended: ExtendedSubgraph, context: &Context<'_>) -> Vec<Part> {
        // A component's table was asked for when it was found.
        let open = extended.table.filter(|_| !self.open[at].is_biconnected(context));
        if let Some(table) = open
            && self.stands(table, &self.open[at].clone())
        {
            return Vec::new();
        }
        for subgraph in extended.open {
            if self.known.insert(subgraph.key(context)) {
                self.next.push(subgraph);
            }
        }
        let mut parts = Vec::new();
        for closed in extended.closed {
            if !self.known.insert(closed.key)
                || closed.digest.is_some_and(|digest| self.stands(digest, &closed.subgraph))
            {
                continue;
            }
            parts.extend(closed.part);
            if closed.grows {
                if closed.subgraph.literals() < closed.subgraph.most(context) {
                    self.next.push(closed.subgraph.clone());
                }
                let table = closed.table.filter(|table| self.kept + table.bytes() <= MOST_KEPT).map(Arc::new);
                self.kept += table.as_ref().map_or(0, |table| table.bytes());
                self.closed.push(Component { subgraph: closed.subgraph, table, left: Mutex::default() });
            }
        }
        self.known.extend(extended.met);
        parts
    }

    /// All extensions of the subgraph at `at` by one literal that may be needed and were not met before.
    pub fn extensions(&self, at: usize, domains: &[Domain], look: Look<'_>) -> ExtendedSubgraph {
        self.open[at].extended(&self.known, domains, look)
    }
}

impl Component {
    /// How many literals there are.
    pub fn literals(&self) -> usize {
        self.subgraph.literals()
    }

    /// Its table; `None` if that is too large.
    pub fn table(&self, context: &Context<'_>) -> Option<Arc<BindingTable>> {
        let made = || self.subgraph.table(context, most_rows(context)).map(Arc::new);
        let table = self.table.clone().or_else(made);
        if table.is_none() {
            context.taint(Taint::Rows);
        }
        table
    }

    /// The head variables.
    pub fn mask(&self) -> u64 {
        self.subgraph.mask
    }

    /// Whether a branch with this root that leaves these rows of the table may be needed: there was none with no more
    /// literals and variables. They have the same sets, and so the other stands for it; where `others` like it are wanted,
    /// that must have fewer literals.
    pub fn is_new(&self, root: usize, rows: &[u64], literals: usize, locals: usize, others: bool) -> bool {
        let key = (root, digest(rows.iter().copied()));
        let (literals, locals) = (narrow(literals), narrow(locals));
        let mut left = self.left.lock().expect("no thread panics while it holds the lock");
        let known = left.entry(key).or_insert((u16::MAX, u8::MAX));
        let stands = known.0 <= literals - u16::from(others) && known.1 <= locals;
        if literals <= known.0 && locals <= known.1 {
            *known = (literals, locals);
        }
        !stands
    }

    /// The component, which has this table, as edges: for each variable as the root and each choice of children.
    pub fn edges(&self, table: &Arc<BindingTable>) -> Vec<Edge> {
        let Subgraph { body, domains, mask, .. } = &self.subgraph;
        let mut all = Vec::new();
        for root in 0..domains.len() {
            let others: Vec<usize> = (0..domains.len()).filter(|&var| var != root).collect();
            for chosen in 0..1usize << others.len() {
                let children: Vec<usize> =
                    (0..others.len()).filter(|at| chosen >> at & 1 == 1).map(|at| others[at]).collect();
                all.push(Edge::of_component(body, domains, root, &children, table, *mask));
            }
        }
        all
    }
}
