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

use super::domain::{Domain, DomainIx};
use super::edges::Edge;
use super::value_sets::digest;
use crate::covering::Guide;
use crate::index::narrow;
use crate::language::{FRESH, Lit, Taint, key};
use crate::mine::bindings::Table;
use crate::mine::context::Context;
use crate::mine::feature::Part;
use crate::random::spread;
use crate::sets::Cover;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex};

/// Literals that are a component or may become one.
#[derive(Debug, Clone)]
pub struct Subgraph {
    /// The literals.
    body: Box<[Lit]>,
    /// The domains of the local variables.
    domains: Box<[DomainIx]>,
    /// The head variables.
    mask: u64,
    /// Positives of which it covers some, if it mentions head variables; none if that is not known.
    pos: Box<[u64]>,
}

/// A component, with its table if there was room for it.
#[derive(Debug)]
pub struct Component {
    subgraph: Subgraph,
    table: Option<Arc<Table>>,
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

/// What extending a subgraph gave.
#[derive(Default)]
pub struct Extended {
    /// What its own table is, if it was needed.
    table: Option<u128>,
    /// Extensions whose ear is still open.
    open: Vec<Subgraph>,
    /// Extensions that are components.
    closed: Vec<Closed>,
    /// The keys of all components met, needed or not.
    met: Vec<u128>,
    /// The number of tests.
    pub tests: u64,
}

struct Closed {
    key: u128,
    subgraph: Subgraph,
    /// Its table, if it may be kept.
    table: Option<Table>,
    digest: Option<u128>,
    part: Option<Part>,
    grows: bool,
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
    pub fn add(&mut self, at: usize, extended: Extended, context: &Context<'_>) -> Vec<Part> {
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
    pub fn extensions(&self, at: usize, domains: &[Domain], context: &Context<'_>, guide: &Guide) -> Extended {
        self.open[at].extended(&self.known, domains, context, guide)
    }
}

impl Subgraph {
    fn single(edge: &Edge) -> Self {
        let mut domains = vec![edge.domain];
        domains.extend(edge.children.iter().map(|child| child.domain));
        Subgraph { body: edge.body.clone(), domains: domains.into(), mask: edge.mask, pos: Box::default() }
    }

    fn literals(&self) -> usize {
        self.body.len()
    }

    fn key(&self, context: &Context<'_>) -> u128 {
        let head = context.language.head_arity();
        key(&self.body, head, head + self.domains.len())
    }

    /// All extensions by one literal that may be needed and are not known.
    fn extended(&self, known: &FxHashSet<u128>, domains: &[Domain], context: &Context<'_>, guide: &Guide) -> Extended {
        let mut found = Extended::default();
        let size = self.literals() as u64 + 2;
        if !self.pos.is_empty() && !context.needed(&self.pos, size, guide) {
            return found;
        }
        let language = &context.language;
        let mut types = language.head_types();
        types.extend(self.domains.iter().map(|&domain| domains[domain.index()].name));
        let locals = ((1u64 << types.len()) - 1) & !context.head_mask();
        // An open ear grows at its end.
        let free = self.literals() == 1 || self.is_biconnected(context);
        let ends = if free { locals } else { self.newest() & locals };
        let mut lits = Vec::new();
        language.literals(&types, ends, &mut lits);
        let mut extensions = Vec::new();
        for lit in lits {
            let shared = (lit.mask() & locals).count_ones();
            // What shares nothing is a part of its own.
            let needless = shared == 0 || shared == 1 && lit.fresh() == 0 || self.body.contains(&lit);
            if needless || context.membership.forbids(&[lit.named(types.len())], language) {
                continue;
            }
            let Some(subgraph) = self.with(&lit, domains, context) else { continue };
            let closed = subgraph.is_biconnected(context);
            let most = subgraph.most(context);
            if subgraph.literals() <= most && (closed || lit.fresh() > 0 && subgraph.literals() < most) {
                let key = subgraph.key(context);
                if !known.contains(&key) {
                    extensions.push((lit, subgraph, closed.then_some(key)));
                }
            }
        }
        if extensions.is_empty() {
            return found;
        }
        let table = self.table(context, MOST_OPEN_ROWS);
        let mut pos = self.pos.clone();
        if let Some(table) = &table {
            if self.mask != 0 {
                pos = context.sides.split(&table.covered(context.sides)).0.into();
            }
            if table.rows() == 0 || self.mask != 0 && !context.needed(&pos, size, guide) {
                return found;
            }
            found.table = Some(self.digest(table, context));
        }
        for (lit, mut subgraph, closed) in extensions {
            if context.stopped() || context.spent(found.tests) {
                break;
            }
            found.tests += 1;
            let Some(key) = closed else {
                subgraph.pos = pos.clone();
                found.open.push(subgraph);
                continue;
            };
            found.met.push(key);
            let witnesses = guide.witnesses(subgraph.literals() as u64 + 1);
            let extended = match &table {
                Some(table) if subgraph.mask != 0 && table.lacks(&lit, witnesses, context.ground()) => continue,
                Some(table) if table.knows(&lit, context.ground()) => {
                    let Some(rows) = subgraph.narrowed(table, &lit, context, guide) else { continue };
                    if lit.fresh() == 0 {
                        Some(table.kept(&rows))
                    } else {
                        with_literal(table, &lit, context, most_rows(context))
                    }
                }
                Some(table) if !subgraph.refines(table, &lit, context, guide) => continue,
                Some(table) => with_literal(table, &lit, context, most_rows(context)),
                None => None,
            };
            // What is too large one way may not be if it is joined in another order.
            match extended.or_else(|| subgraph.table(context, most_rows(context))) {
                Some(table) => found.closed.extend(subgraph.judged(key, table, context, guide)),
                None => context.taint(Taint::Rows),
            }
        }
        found
    }

    /// How many literals a subgraph with its head variables may have: without any, another must link it to the head.
    fn most(&self, context: &Context<'_>) -> usize {
        context.max_body - usize::from(self.mask == 0)
    }

    /// A digest of its table. An open ear grows at its end alone, so others stand for it only if they have the same end.
    fn digest(&self, table: &Table, context: &Context<'_>) -> u128 {
        let free = self.literals() == 1 || self.is_biconnected(context);
        let end = if free { 0 } else { self.newest() >> context.language.head_arity() };
        // With directions it matters which variable is which.
        let number = |var: usize| if context.directed { (var as u64 + 1) * NUMBERED } else { 0 };
        let name =
            |(var, domain): (usize, &DomainIx)| domain.index() as u64 | ((end >> var & 1) * EAR_END) | number(var);
        let names: Vec<u64> = self.domains.iter().enumerate().map(name).collect();
        table.digest(&names) ^ self.profile(context)
    }

    /// With directions, what can be run when: a number that tells apart for which bound variables the literals can be.
    fn profile(&self, context: &Context<'_>) -> u128 {
        if !context.directed {
            return 0;
        }
        let head = context.language.head_arity();
        let runs = |given: &u64| context.language.executable_given(&self.body, given << head, 0);
        (0..1u64 << self.domains.len()).filter(runs).fold(0, |sum, given| {
            let low = spread(given + 1);
            sum ^ (u128::from(spread(low)) << 64 | u128::from(low))
        })
    }

    /// The variables that the last literal introduced.
    fn newest(&self) -> u64 {
        let (last, before) = self.body.split_last().expect("there is a literal");
        last.mask() & !before.iter().fold(0, |mask, lit| mask | lit.mask())
    }

    /// The rows of the table without the last literal, `lit`, that satisfy it; `None` if they cover too little, or if the
    /// literal says nothing new.
    fn narrowed(&self, table: &Table, lit: &Lit, context: &Context<'_>, guide: &Guide) -> Option<Vec<u64>> {
        let bits = table.test(lit, context.ground());
        let rows: usize = narrow(crate::sets::count(&bits));
        if rows == 0 || rows == table.rows() && lit.fresh() == 0 && !context.directed {
            return None;
        }
        let mut cover = vec![0; context.sides.words()];
        let size = self.literals() as u64 + 1;
        let clean = context.clean_only(self.literals(), guide);
        let worth = |cover: &[u64]| context.worth(cover, size, guide);
        (self.mask == 0 || table.cover(&bits, context.sides, clean, &mut cover, worth)).then_some(bits)
    }

    /// Whether the table without the last literal, which mentions a head variable that the others do not, covers enough
    /// with it.
    fn refines(&self, table: &Table, lit: &Lit, context: &Context<'_>, guide: &Guide) -> bool {
        let mut cover = vec![0; context.sides.words()];
        let size = self.literals() as u64 + 1;
        let clean = context.clean_only(self.literals(), guide);
        table.try_finer(lit, context.ground(), clean, &mut cover, |cover| context.worth(cover, size, guide))
    }

    /// With `lit` too; `None` if that has too many variables.
    fn with(&self, lit: &Lit, domains: &[Domain], context: &Context<'_>) -> Option<Subgraph> {
        let head = context.language.head_arity();
        let mut all = self.domains.to_vec();
        for domain in context.language.fresh_types(lit) {
            all.push(DomainIx::new(domains.iter().position(|known| known.name == domain)?));
        }
        let lit = lit.named(head + self.domains.len());
        let body: Box<[Lit]> = self.body.iter().copied().chain([lit]).collect();
        let mask = self.mask | lit.mask() & context.head_mask();
        (head + all.len() <= context.max_vars).then(|| Subgraph {
            body,
            domains: all.into(),
            mask,
            pos: Box::default(),
        })
    }

    /// What is worth knowing of a component with this table; `None` if it is needless.
    fn judged(mut self, key: u128, table: Table, context: &Context<'_>, guide: &Guide) -> Option<Closed> {
        if table.rows() == 0 {
            return None;
        }
        let mut grows = self.literals() < context.max_body;
        let digest = grows.then(|| self.digest(&table, context));
        let mut part = None;
        if self.mask != 0 {
            let size = self.literals() as u64 + 1;
            let cover = table.covered(context.sides);
            if !context.worth(&cover, size, guide) {
                return None;
            }
            grows &= context.worth_growing(&cover, size + 1, guide, &self.body);
            self.pos = context.sides.split(&cover).0.into();
            let vars = narrow(context.language.head_arity() + self.domains.len());
            part = Some(Part {
                body: self.body.clone(),
                vars,
                cover: Cover::from_words(context.sides, cover),
                twins: Vec::new(),
            });
        }
        let table = Some(table).filter(|table| grows && table.bytes() <= LARGEST_KEPT);
        Some(Closed { key, subgraph: self, table, digest, part, grows })
    }

    /// How often each local variable occurs.
    fn uses(&self, head: usize) -> Vec<u32> {
        let mut uses = vec![0; self.domains.len()];
        for &arg in self.body.iter().flat_map(|lit| lit.args()) {
            if arg as usize >= head {
                uses[arg as usize - head] += 1;
            }
        }
        uses
    }

    /// Whether there are several literals, and no variable is an articulation point.
    fn is_biconnected(&self, context: &Context<'_>) -> bool {
        let head = context.language.head_arity();
        let uses = self.uses(head);
        let splits = |var: usize| {
            let without = !context.head_mask() & !(1u64 << (head + var));
            let mut reached = 1u64;
            let mut vars = self.body[0].mask() & without;
            loop {
                let before = reached;
                for (at, lit) in self.body.iter().enumerate() {
                    if lit.mask() & vars != 0 {
                        reached |= 1 << at;
                        vars |= lit.mask() & without;
                    }
                }
                if reached == before {
                    return reached.count_ones() as usize != self.body.len();
                }
            }
        };
        self.body.len() > 1 && !(0..uses.len()).any(|var| uses[var] > 1 && splits(var))
    }

    /// The bindings, a column for each variable of [`Subgraph::domains`] in their order; `None` if they are too many. Literals
    /// are joined in an order that keeps them few.
    fn table(&self, context: &Context<'_>, cap: usize) -> Option<Table> {
        let head = context.language.head_arity();
        let mut names: Vec<Option<u8>> = vec![None; self.domains.len()];
        let mut count = 0u8;
        let mut rest: Vec<&Lit> = self.body.iter().collect();
        let mut table = Table::empty(context.ground());
        while !rest.is_empty() {
            let renamed = |lit: &Lit, names: &[Option<u8>]| {
                let mut fresh = FRESH;
                let name = |&arg: &u8| {
                    if (arg as usize) < head {
                        return arg;
                    }
                    names[arg as usize - head].map_or_else(
                        || {
                            fresh += 1;
                            fresh - 1
                        },
                        |name| narrow(head + usize::from(name)),
                    )
                };
                Lit::new(lit.pred, &lit.args().iter().map(name).collect::<Vec<_>>())
            };
            let touches = |lit: &Lit| {
                count == 0 || lit.args().iter().any(|&arg| arg as usize >= head && names[arg as usize - head].is_some())
            };
            let next = (0..rest.len())
                .filter(|&at| touches(rest[at]))
                .min_by_key(|&at| {
                    let lit = renamed(rest[at], &names);
                    if lit.fresh() == 0 { 0 } else { context.language.fan_out(&lit) }
                })
                .unwrap_or(0);
            let lit = rest.remove(next);
            table = with_literal(&table, &renamed(lit, &names), context, cap)?;
            for &arg in lit.args() {
                if arg as usize >= head && names[arg as usize - head].is_none() {
                    names[arg as usize - head] = Some(count);
                    count += 1;
                }
            }
        }
        let order: Vec<usize> = names.iter().map(|name| name.map_or(0, usize::from)).collect();
        Some(table.reordered(&order))
    }
}

impl Component {
    /// How many literals there are.
    pub fn literals(&self) -> usize {
        self.subgraph.literals()
    }

    /// Its table; `None` if that is too large.
    pub fn table(&self, context: &Context<'_>) -> Option<Arc<Table>> {
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
    pub fn edges(&self, table: &Arc<Table>) -> Vec<Edge> {
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

/// Marks a variable at the end of an open ear, in the digest of a table.
const EAR_END: u64 = 1 << 32;

/// Marks the number of a variable there.
const NUMBERED: u64 = 1 << 33;

/// A component's table may have so many rows.
const MOST_ROWS: usize = 4_000_000;

/// The tables of components that are kept may take so many bytes; others are made again when they are needed.
const MOST_KEPT: usize = 24 << 20;
/// And one of them.
const LARGEST_KEPT: usize = MOST_KEPT / 64;

/// About how many bytes a row takes while a table is made.
const ROW_BYTES: u64 = 40;

/// How many rows a component's table may have: under a limit on memory, a sixteenth of it. The number of threads must not
/// matter, or runs with more of them would find other things.
fn most_rows(context: &Context<'_>) -> usize {
    let share = |bytes: u64| (bytes / 16 / ROW_BYTES) as usize;
    context.budget.memory_allowance().map_or(MOST_ROWS, share).clamp(MOST_OPEN_ROWS / 2, MOST_ROWS)
}

/// And that of what is extended. Beyond, each component it becomes is joined anew, in an order of its own.
const MOST_OPEN_ROWS: usize = 250_000;

fn with_literal(table: &Table, lit: &Lit, context: &Context<'_>, cap: usize) -> Option<Table> {
    table.join(lit, context.ground(), cap).map(|(table, _)| table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::PredNo;
    use crate::mine::branches::tests::with_context;

    /// Whether edges between local variables, numbered from 0, are a component.
    fn closed(edges: &[(u8, u8)]) -> bool {
        with_context(|context| {
            let head = context.language.head_arity() as u8;
            let edge = |&(a, b): &(u8, u8)| Lit::new(PredNo::new(0), &[head + a, head + b]);
            let vars = edges.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
            let domains = vec![DomainIx::new(0); vars as usize].into();
            Subgraph { body: edges.iter().map(edge).collect(), domains, mask: 0, pos: Box::default() }
                .is_biconnected(context)
        })
    }

    #[test]
    fn a_component_has_no_articulation_point() {
        assert!(!closed(&[(0, 1)]), "a single literal is an edge by itself");
        assert!(!closed(&[(0, 1), (1, 2)]), "a path");
        assert!(closed(&[(0, 1), (1, 0)]), "there and back");
        assert!(closed(&[(0, 1), (1, 2), (2, 0)]), "a triangle");
        assert!(!closed(&[(0, 1), (1, 2), (2, 0), (2, 3)]), "a triangle with a tail");
        assert!(!closed(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]), "two triangles that share a variable");
        assert!(closed(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)]), "two triangles that share an edge");
    }
}
