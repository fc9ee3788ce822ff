//! Literals as a graph: a biconnected component, or a literal or component with an open ear that may become one.

use super::domain::{Domain, DomainIx};
use super::edges::Edge;
use crate::index::narrow;
use crate::language::{FRESH, Lit, Taint, key};
use crate::mine::bindings::BindingTable;
use crate::mine::context::Context;
use crate::mine::feature::Part;
use crate::mine::look::Look;
use crate::random::mix;
use crate::sets::Cover;
use rustc_hash::FxHashSet;

/// Literals that are a component or may become one.
#[derive(Debug, Clone)]
pub struct Subgraph {
    /// The literals.
    pub body: Box<[Lit]>,
    /// The domains of the local variables.
    pub domains: Box<[DomainIx]>,
    /// The head variables.
    pub mask: u64,
    /// Positives of which it covers some, if it mentions head variables; none if that is not known.
    pub pos: Box<[u64]>,
}

/// What extending a subgraph gave.
#[derive(Default)]
pub struct ExtendedSubgraph {
    /// What its own table is, if it was needed.
    pub table: Option<u128>,
    /// Extensions whose ear is still open.
    pub open: Vec<Subgraph>,
    /// Extensions that are components.
    pub closed: Vec<Closed>,
    /// The keys of all components met, needed or not.
    pub met: Vec<u128>,
    /// The number of tests.
    pub tests: u64,
}

pub struct Closed {
    pub key: u128,
    pub subgraph: Subgraph,
    /// Its table, if it may be kept.
    pub table: Option<BindingTable>,
    pub digest: Option<u128>,
    pub part: Option<Part>,
    pub grows: bool,
}

impl Subgraph {
    pub fn single(edge: &Edge) -> Self {
        let mut domains = vec![edge.domain];
        domains.extend(edge.children.iter().map(|child| child.domain));
        Subgraph { body: edge.body.clone(), domains: domains.into(), mask: edge.mask, pos: Box::default() }
    }

    pub fn literals(&self) -> usize {
        self.body.len()
    }

    pub fn key(&self, context: &Context<'_>) -> u128 {
        let head = context.language.head_arity();
        key(&self.body, head, head + self.domains.len())
    }

    /// All extensions by one literal that may be needed and are not known.
    pub fn extended(&self, known: &FxHashSet<u128>, domains: &[Domain], look: Look<'_>) -> ExtendedSubgraph {
        let context = look.cx;
        let mut found = ExtendedSubgraph::default();
        let size = self.literals() as u64 + 2;
        if !self.pos.is_empty() && !look.needed(&self.pos, size) {
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
            if table.rows() == 0 || self.mask != 0 && !look.needed(&pos, size) {
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
            let witnesses = look.prune.witnesses(subgraph.literals() as u64 + 1);
            let extended = match &table {
                Some(table) if subgraph.mask != 0 && table.lacks(&lit, witnesses, context.ground()) => continue,
                Some(table) if table.knows(&lit, context.ground()) => {
                    let Some(rows) = subgraph.narrowed(table, &lit, look) else { continue };
                    if lit.fresh() == 0 {
                        Some(table.kept(&rows))
                    } else {
                        with_literal(table, &lit, context, most_rows(context))
                    }
                }
                Some(table) if !subgraph.refines(table, &lit, look) => continue,
                Some(table) => with_literal(table, &lit, context, most_rows(context)),
                None => None,
            };
            // What is too large one way may not be if it is joined in another order.
            match extended.or_else(|| subgraph.table(context, most_rows(context))) {
                Some(table) => found.closed.extend(subgraph.judged(key, table, look)),
                None => context.taint(Taint::Rows),
            }
        }
        found
    }

    /// How many literals a subgraph with its head variables may have: without any, another must link it to the head.
    pub fn most(&self, context: &Context<'_>) -> usize {
        context.max_body - usize::from(self.mask == 0)
    }

    /// A digest of its table. An open ear grows at its end alone, so others stand for it only if they have the same end.
    fn digest(&self, table: &BindingTable, context: &Context<'_>) -> u128 {
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
            let low = mix(given + 1);
            sum ^ (u128::from(mix(low)) << 64 | u128::from(low))
        })
    }

    /// The variables that the last literal introduced.
    fn newest(&self) -> u64 {
        let (last, before) = self.body.split_last().expect("there is a literal");
        last.mask() & !before.iter().fold(0, |mask, lit| mask | lit.mask())
    }

    /// The rows of the table without the last literal, `lit`, that satisfy it; `None` if they cover too little, or if the
    /// literal says nothing new.
    fn narrowed(&self, table: &BindingTable, lit: &Lit, look: Look<'_>) -> Option<Vec<u64>> {
        let context = look.cx;
        let bits = table.test(lit, context.ground());
        let rows: usize = narrow(crate::sets::count(&bits));
        if rows == 0 || rows == table.rows() && lit.fresh() == 0 && !context.directed {
            return None;
        }
        let mut cover = vec![0; context.sides.words()];
        let size = self.literals() as u64 + 1;
        let consistent = look.only_consistent(self.literals());
        let worth = |cover: &[u64]| look.worth(cover, size);
        (self.mask == 0 || table.cover(&bits, context.sides, consistent, &mut cover, worth)).then_some(bits)
    }

    /// Whether the table without the last literal, which mentions a head variable that the others do not, covers enough
    /// with it.
    fn refines(&self, table: &BindingTable, lit: &Lit, look: Look<'_>) -> bool {
        let context = look.cx;
        let mut cover = vec![0; context.sides.words()];
        let size = self.literals() as u64 + 1;
        let consistent = look.only_consistent(self.literals());
        table.try_finer(lit, context.ground(), consistent, &mut cover, |cover| look.worth(cover, size))
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
    fn judged(mut self, key: u128, table: BindingTable, look: Look<'_>) -> Option<Closed> {
        let context = look.cx;
        if table.rows() == 0 {
            return None;
        }
        let mut grows = self.literals() < context.max_body;
        let digest = grows.then(|| self.digest(&table, context));
        let mut part = None;
        if self.mask != 0 {
            let size = self.literals() as u64 + 1;
            let cover = table.covered(context.sides);
            if !look.worth(&cover, size) {
                return None;
            }
            grows &= look.worth_growing(&cover, size + 1, &self.body);
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
    pub fn is_biconnected(&self, context: &Context<'_>) -> bool {
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
    pub fn table(&self, context: &Context<'_>, cap: usize) -> Option<BindingTable> {
        let head = context.language.head_arity();
        let mut names: Vec<Option<u8>> = vec![None; self.domains.len()];
        let mut count = 0u8;
        let mut rest: Vec<&Lit> = self.body.iter().collect();
        let mut table = BindingTable::empty(context.ground());
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

/// In the digest of a table, the bit of a variable's name that says that the variable ends an open ear. The bits below are
/// its domain.
const EAR_END: u64 = 1 << 32;

/// In the same names, where the number of the variable begins.
const NUMBERED: u64 = 1 << 33;

/// Rows that a component's table may have: 16 MB for each variable.
const MOST_ROWS: usize = 4_000_000;

/// Bytes that the tables of components that are kept may take; others are made again when they are needed.
pub const MOST_KEPT: usize = 24 << 20;

/// Bytes that the table of one component may take to be kept with it, so that a few large ones do not displace the others.
const LARGEST_KEPT: usize = MOST_KEPT / 64;

/// About how many bytes a row takes while a table is made.
const ROW_BYTES: u64 = 40;

/// How many rows a component's table may have: under a limit on memory, a sixteenth of it. The number of threads must not
/// matter, or runs with more of them would find other things.
pub fn most_rows(context: &Context<'_>) -> usize {
    let share = |bytes: u64| (bytes / 16 / ROW_BYTES) as usize;
    context.budget.memory_allowance().map_or(MOST_ROWS, share).clamp(MOST_OPEN_ROWS / 2, MOST_ROWS)
}

/// Rows that the table of a subgraph may have to be extended. Beyond, each component that it becomes is joined anew, in an
/// order of its own.
const MOST_OPEN_ROWS: usize = 250_000;

fn with_literal(table: &BindingTable, lit: &Lit, context: &Context<'_>, cap: usize) -> Option<BindingTable> {
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
