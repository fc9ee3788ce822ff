//! Knots: literals that no variable cuts in two, grown literal by literal.
//!
//! A part falls into knots, joined at variables as the literals of a tree are; a single literal is the simplest. So a knot
//! of several literals is a connector like a literal is ([`connector`](super::connector)), with a table of its own, and
//! everything that hangs on its variables is left to branches. What is grown here are knots and what may become one: a
//! literal or a knot, and a chain of literals that hangs on it and grows at its end until it is tied to it again. Every
//! knot is made so: take a literal, or the largest knot so far, inside of it. As no variable cuts the knot, some chain of
//! its other literals leads from one variable of what there is to another, and the shortest shares no variables but those
//! of neighbours.
//!
//! What is left out, and why nothing is lost:
//! - A literal that shares one variable and introduces none: it is a branch.
//! - Literals with the bindings of others that are no more and have no more variables: whatever extends the ones extends
//!   the others alike. If the others cannot become a knot, what they become falls into knots.
//! - A literal that ties a chain to itself: what dangles then is a branch.

use super::connector::Connector;
use super::kind::{Kind, KindIx};
use super::sets::digest;
use crate::index::narrow;
use crate::random::spread;
use crate::search::Taint;
use crate::search::bindings::Table;
use crate::search::key::key;
use crate::search::literal::{FRESH, Lit};
use crate::search::parts::Part;
use crate::search::{Context, Guide};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex};

/// Literals that are a knot or may become one.
#[derive(Debug, Clone)]
pub struct Tangle {
    /// The literals.
    body: Box<[Lit]>,
    /// The kinds of the local variables.
    kinds: Box<[KindIx]>,
    /// The head variables.
    mask: u64,
    /// Positives of which it covers some, if it mentions head variables; none if that is not known.
    pos: Box<[u64]>,
}

/// A knot, with its table if there was room for it.
#[derive(Debug)]
pub struct Knot {
    tangle: Tangle,
    table: Option<Arc<Table>>,
    /// How many literals and variables the first branch has that has this root and leaves these rows of the table.
    left: Mutex<FxHashMap<(usize, u128), (u16, u8)>>,
}

/// What has been found of knots.
#[derive(Debug, Default)]
pub struct Knots {
    /// What is to be extended at this level.
    pub loose: Vec<Tangle>,
    next: Vec<Tangle>,
    /// The knots of two literals and more, those with fewer first.
    pub tied: Vec<Knot>,
    /// How many bytes the tables of knots take.
    kept: usize,
    /// What has been met: what dangles, and what was tied, needed or not.
    known: FxHashSet<u128>,
    /// How many literals and variables something with these bindings has.
    tables: FxHashMap<u128, (u16, u8)>,
}

/// What extending a tangle gave.
#[derive(Default)]
pub struct Extended {
    /// What its own table is, if it was needed.
    table: Option<u128>,
    /// What dangles.
    loose: Vec<Tangle>,
    /// What does not.
    tied: Vec<Tied>,
    /// The keys of all that does not, needed or not.
    met: Vec<u128>,
    /// The number of tests.
    pub tests: u64,
}

struct Tied {
    key: u128,
    tangle: Tangle,
    /// Its table, if it may be kept.
    table: Option<Table>,
    digest: Option<u128>,
    part: Option<Part>,
    grows: bool,
}

impl Knots {
    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let tangle = |tangle: &Tangle| size_of::<Tangle>() + tangle.body.len() * size_of::<Lit>();
        let all = self.loose.iter().chain(&self.next).chain(self.tied.iter().map(|knot| &knot.tangle));
        let left = |knot: &Knot| knot.left.lock().expect("no thread panics while it holds the lock").capacity() * 40;
        let left = self.tied.iter().map(left).sum::<usize>();
        all.map(tangle).sum::<usize>() + left + self.kept + self.known.capacity() * 17 + self.tables.capacity() * 20
    }

    /// Forget the knots of which nothing can be needed any more.
    pub fn bury(&mut self, needed: impl Fn(&[u64], usize) -> bool) {
        self.tied.retain(|knot| {
            let needed = knot.tangle.pos.is_empty() || needed(&knot.tangle.pos, knot.literals());
            if !needed {
                self.kept -= knot.table.as_ref().map_or(0, |table| table.bytes());
            }
            needed
        });
    }

    /// Begin the next level; the first has single literals, those of `connectors`.
    pub fn next_level(&mut self, connectors: &[Connector], context: &Context<'_>) {
        self.loose = std::mem::take(&mut self.next);
        if !self.known.is_empty() {
            return;
        }
        let whole = |connector: &&Connector| connector.locals > 0 && connector.children.len() == connector.locals;
        for connector in connectors.iter().filter(whole) {
            let tangle = Tangle::single(connector);
            if self.known.insert(tangle.key(context)) {
                self.next.push(tangle);
            }
        }
    }

    /// Whether something no larger, with no more variables, has this table; if not, this has.
    fn stands(&mut self, table: u128, tangle: &Tangle) -> bool {
        let (literals, locals) = (narrow(tangle.body.len()), narrow(tangle.kinds.len()));
        let known = self.tables.entry(table).or_insert((u16::MAX, u8::MAX));
        let stands = known.0 <= literals && known.1 <= locals;
        if !stands {
            *known = (literals, locals);
        }
        stands
    }

    /// Add what the tangle at `at` was extended to; the parts that this is.
    pub fn add(&mut self, at: usize, extended: Extended, context: &Context<'_>) -> Vec<Part> {
        // A knot's table was asked for when it was found.
        let loose = extended.table.filter(|_| !self.loose[at].is_tied(context));
        if let Some(table) = loose
            && self.stands(table, &self.loose[at].clone())
        {
            return Vec::new();
        }
        for tangle in extended.loose {
            if self.known.insert(tangle.key(context)) {
                self.next.push(tangle);
            }
        }
        let mut parts = Vec::new();
        for tied in extended.tied {
            if !self.known.insert(tied.key) || tied.digest.is_some_and(|digest| self.stands(digest, &tied.tangle)) {
                continue;
            }
            parts.extend(tied.part);
            if tied.grows {
                if tied.tangle.literals() < tied.tangle.most(context) {
                    self.next.push(tied.tangle.clone());
                }
                let table = tied.table.filter(|table| self.kept + table.bytes() <= MOST_KEPT).map(Arc::new);
                self.kept += table.as_ref().map_or(0, |table| table.bytes());
                self.tied.push(Knot { tangle: tied.tangle, table, left: Mutex::default() });
            }
        }
        self.known.extend(extended.met);
        parts
    }

    /// All extensions of the tangle at `at` by one literal that may be needed and were not met before.
    pub fn extensions(&self, at: usize, kinds: &[Kind], context: &Context<'_>, guide: &Guide) -> Extended {
        self.loose[at].extended(&self.known, kinds, context, guide)
    }
}

impl Tangle {
    fn single(connector: &Connector) -> Self {
        let mut kinds = vec![connector.kind];
        kinds.extend(connector.children.iter().map(|child| child.kind));
        Tangle { body: connector.body.clone(), kinds: kinds.into(), mask: connector.mask, pos: Box::default() }
    }

    fn literals(&self) -> usize {
        self.body.len()
    }

    fn key(&self, context: &Context<'_>) -> u128 {
        let head = context.vocabulary.head_arity();
        key(&self.body, head, head + self.kinds.len())
    }

    /// All extensions by one literal that may be needed and are not known.
    fn extended(&self, known: &FxHashSet<u128>, kinds: &[Kind], context: &Context<'_>, guide: &Guide) -> Extended {
        let mut found = Extended::default();
        let size = self.literals() as u64 + 2;
        if !self.pos.is_empty() && !context.needed(&self.pos, size, guide) {
            return found;
        }
        let vocabulary = &context.vocabulary;
        let mut types = vocabulary.head_types();
        types.extend(self.kinds.iter().map(|&kind| kinds[kind.index()].name));
        let locals = ((1u64 << types.len()) - 1) & !context.head_mask();
        // What dangles is tied up from its end.
        let free = self.literals() == 1 || self.is_tied(context);
        let ends = if free { locals } else { self.newest() & locals };
        let mut lits = Vec::new();
        vocabulary.literals(&types, ends, &mut lits);
        let mut extensions = Vec::new();
        for lit in lits {
            let shared = (lit.mask() & locals).count_ones();
            // What shares nothing is a part of its own.
            let needless = shared == 0 || shared == 1 && lit.fresh() == 0 || self.body.contains(&lit);
            if needless || context.membership.forbids(&[lit.named(types.len())], vocabulary) {
                continue;
            }
            let Some(tangle) = self.with(&lit, kinds, context) else { continue };
            let tied = tangle.is_tied(context);
            let most = tangle.most(context);
            if tangle.literals() <= most && (tied || lit.fresh() > 0 && tangle.literals() < most) {
                let key = tangle.key(context);
                if !known.contains(&key) {
                    extensions.push((lit, tangle, tied.then_some(key)));
                }
            }
        }
        if extensions.is_empty() {
            return found;
        }
        let table = self.table(context, MOST_LOOSE_ROWS);
        let mut pos = self.pos.clone();
        if let Some(table) = &table {
            if self.mask != 0 {
                pos = context.layout.split(&table.covered(&context.layout)).0.into();
            }
            if table.rows() == 0 || self.mask != 0 && !context.needed(&pos, size, guide) {
                return found;
            }
            found.table = Some(self.digest(table, context));
        }
        for (lit, mut tangle, tied) in extensions {
            if context.stopped() || context.spent(found.tests) {
                break;
            }
            found.tests += 1;
            let Some(key) = tied else {
                tangle.pos = pos.clone();
                found.loose.push(tangle);
                continue;
            };
            found.met.push(key);
            let witnesses = guide.witnesses(tangle.literals() as u64 + 1);
            let extended = match &table {
                Some(table) if tangle.mask != 0 && table.lacks(&lit, witnesses, context.ground()) => continue,
                Some(table) if table.knows(&lit, &context.layout) => {
                    let Some(rows) = tangle.narrowed(table, &lit, context, guide) else { continue };
                    if lit.fresh() == 0 {
                        Some(table.kept(&rows))
                    } else {
                        with_literal(table, &lit, context, most_rows(context))
                    }
                }
                Some(table) if !tangle.refines(table, &lit, context, guide) => continue,
                Some(table) => with_literal(table, &lit, context, most_rows(context)),
                None => None,
            };
            // What is too large one way may not be if it is joined in another order.
            match extended.or_else(|| tangle.table(context, most_rows(context))) {
                Some(table) => found.tied.extend(tangle.judged(key, table, context, guide)),
                None => context.taint(Taint::Rows),
            }
        }
        found
    }

    /// How many literals a tangle with its head variables may have: without any, another must link it to the head.
    fn most(&self, context: &Context<'_>) -> usize {
        context.max_body - usize::from(self.mask == 0)
    }

    /// A digest of its table. What dangles grows at its end alone, so others stand for it only if they have the same end.
    fn digest(&self, table: &Table, context: &Context<'_>) -> u128 {
        let free = self.literals() == 1 || self.is_tied(context);
        let end = if free { 0 } else { self.newest() >> context.vocabulary.head_arity() };
        // With directions it matters which variable is which.
        let number = |var: usize| if context.directed { (var as u64 + 1) * NUMBERED } else { 0 };
        let name = |(var, kind): (usize, &KindIx)| kind.index() as u64 | ((end >> var & 1) * DANGLING) | number(var);
        let names: Vec<u64> = self.kinds.iter().enumerate().map(name).collect();
        table.digest(&names) ^ self.profile(context)
    }

    /// With directions, what can be run when: a number that tells apart for which bound variables the literals can be.
    fn profile(&self, context: &Context<'_>) -> u128 {
        if !context.directed {
            return 0;
        }
        let head = context.vocabulary.head_arity();
        let runs = |given: &u64| context.vocabulary.executable_given(&self.body, given << head, 0);
        (0..1u64 << self.kinds.len()).filter(runs).fold(0, |sum, given| {
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
        let rows: usize = narrow(crate::bitset::count(&bits));
        if rows == 0 || rows == table.rows() && lit.fresh() == 0 && !context.directed {
            return None;
        }
        let mut cover = vec![0; context.layout.words()];
        let size = self.literals() as u64 + 1;
        let clean = context.clean_only(self.literals(), guide);
        let worth = |cover: &[u64]| context.worth(cover, size, guide);
        (self.mask == 0 || table.cover(&bits, &context.layout, clean, &mut cover, worth)).then_some(bits)
    }

    /// Whether the table without the last literal, which mentions a head variable that the others do not, covers enough
    /// with it.
    fn refines(&self, table: &Table, lit: &Lit, context: &Context<'_>, guide: &Guide) -> bool {
        let mut cover = vec![0; context.layout.words()];
        let size = self.literals() as u64 + 1;
        let clean = context.clean_only(self.literals(), guide);
        table.try_finer(lit, context.ground(), clean, &mut cover, |cover| context.worth(cover, size, guide))
    }

    /// With `lit` too; `None` if that has too many variables.
    fn with(&self, lit: &Lit, kinds: &[Kind], context: &Context<'_>) -> Option<Tangle> {
        let head = context.vocabulary.head_arity();
        let mut all = self.kinds.to_vec();
        for kind in context.vocabulary.fresh_types(lit) {
            all.push(KindIx::new(kinds.iter().position(|known| known.name == kind)?));
        }
        let lit = lit.named(head + self.kinds.len());
        let body: Box<[Lit]> = self.body.iter().copied().chain([lit]).collect();
        let mask = self.mask | lit.mask() & context.head_mask();
        (head + all.len() <= context.max_vars).then(|| Tangle { body, kinds: all.into(), mask, pos: Box::default() })
    }

    /// What is worth knowing of a knot with this table; `None` if it is needless.
    fn judged(mut self, key: u128, table: Table, context: &Context<'_>, guide: &Guide) -> Option<Tied> {
        if table.rows() == 0 {
            return None;
        }
        let mut grows = self.literals() < context.max_body;
        let digest = grows.then(|| self.digest(&table, context));
        let mut part = None;
        if self.mask != 0 {
            let size = self.literals() as u64 + 1;
            let cover = table.covered(&context.layout);
            if !context.worth(&cover, size, guide) {
                return None;
            }
            grows &= context.worth_growing(&cover, size + 1, guide, &self.body);
            self.pos = context.layout.split(&cover).0.into();
            let vars = narrow(context.vocabulary.head_arity() + self.kinds.len());
            part = Some(Part { body: self.body.clone(), vars, cover: cover.into(), twins: Vec::new() });
        }
        let table = Some(table).filter(|table| grows && table.bytes() <= LARGEST_KEPT);
        Some(Tied { key, tangle: self, table, digest, part, grows })
    }

    /// How often each local variable occurs.
    fn uses(&self, head: usize) -> Vec<u32> {
        let mut uses = vec![0; self.kinds.len()];
        for &arg in self.body.iter().flat_map(|lit| lit.args()) {
            if arg as usize >= head {
                uses[arg as usize - head] += 1;
            }
        }
        uses
    }

    /// Whether no variable cuts the literals in two.
    fn is_tied(&self, context: &Context<'_>) -> bool {
        let head = context.vocabulary.head_arity();
        let uses = self.uses(head);
        let cuts = |var: usize| {
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
        self.body.len() > 1 && !(0..uses.len()).any(|var| uses[var] > 1 && cuts(var))
    }

    /// The bindings, a column for each variable of [`Tangle::kinds`] in their order; `None` if they are too many. Literals
    /// are joined in an order that keeps them few.
    fn table(&self, context: &Context<'_>, cap: usize) -> Option<Table> {
        let head = context.vocabulary.head_arity();
        let mut names: Vec<Option<u8>> = vec![None; self.kinds.len()];
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
                Lit::new(lit.word, &lit.args().iter().map(name).collect::<Vec<_>>())
            };
            let touches = |lit: &Lit| {
                count == 0 || lit.args().iter().any(|&arg| arg as usize >= head && names[arg as usize - head].is_some())
            };
            let next = (0..rest.len())
                .filter(|&at| touches(rest[at]))
                .min_by_key(|&at| {
                    let lit = renamed(rest[at], &names);
                    if lit.fresh() == 0 { 0 } else { context.vocabulary.fan_out(&lit) }
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

impl Knot {
    /// How many literals there are.
    pub fn literals(&self) -> usize {
        self.tangle.literals()
    }

    /// Its table; `None` if that is too large.
    pub fn table(&self, context: &Context<'_>) -> Option<Arc<Table>> {
        let made = || self.tangle.table(context, most_rows(context)).map(Arc::new);
        let table = self.table.clone().or_else(made);
        if table.is_none() {
            context.taint(Taint::Rows);
        }
        table
    }

    /// The head variables.
    pub fn mask(&self) -> u64 {
        self.tangle.mask
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

    /// The knot, which has this table, as connectors: for each variable as the root and each choice of children.
    pub fn connectors(&self, table: &Arc<Table>) -> Vec<Connector> {
        let Tangle { body, kinds, mask, .. } = &self.tangle;
        let mut all = Vec::new();
        for root in 0..kinds.len() {
            let others: Vec<usize> = (0..kinds.len()).filter(|&var| var != root).collect();
            for chosen in 0..1usize << others.len() {
                let children: Vec<usize> =
                    (0..others.len()).filter(|at| chosen >> at & 1 == 1).map(|at| others[at]).collect();
                all.push(Connector::of_knot(body, kinds, root, &children, table, *mask));
            }
        }
        all
    }
}

/// Marks a variable that dangles, in the digest of a table.
const DANGLING: u64 = 1 << 32;

/// Marks the number of a variable there.
const NUMBERED: u64 = 1 << 33;

/// A knot's table may have so many rows.
const MOST_ROWS: usize = 4_000_000;

/// The tables of knots that are kept may take so many bytes; others are made again when they are needed.
const MOST_KEPT: usize = 24 << 20;
/// And one of them.
const LARGEST_KEPT: usize = MOST_KEPT / 64;

/// About how many bytes a row takes while a table is made.
const ROW_BYTES: u64 = 40;

/// How many rows a knot's table may have: under a limit on memory, a sixteenth of it. The number of threads must not
/// matter, or runs with more of them would find other things.
fn most_rows(context: &Context<'_>) -> usize {
    let share = |bytes: u64| (bytes / 16 / ROW_BYTES) as usize;
    context.budget.memory_allowance().map_or(MOST_ROWS, share).clamp(MOST_LOOSE_ROWS / 2, MOST_ROWS)
}

/// And that of what is extended. Beyond, each knot it becomes is joined anew, in an order of its own.
const MOST_LOOSE_ROWS: usize = 250_000;

fn with_literal(table: &Table, lit: &Lit, context: &Context<'_>, cap: usize) -> Option<Table> {
    table.join(lit, context.ground(), cap).map(|(table, _)| table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::literal::WordIx;
    use crate::search::trees::tests::with_context;

    /// Whether edges between local variables, numbered from 0, are a knot.
    fn tied(edges: &[(u8, u8)]) -> bool {
        with_context(|context| {
            let head = context.vocabulary.head_arity() as u8;
            let edge = |&(a, b): &(u8, u8)| Lit::new(WordIx::new(0), &[head + a, head + b]);
            let vars = edges.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
            let kinds = vec![KindIx::new(0); vars as usize].into();
            Tangle { body: edges.iter().map(edge).collect(), kinds, mask: 0, pos: Box::default() }.is_tied(context)
        })
    }

    #[test]
    fn a_knot_is_what_no_variable_cuts() {
        assert!(!tied(&[(0, 1)]), "a single literal is a connector by itself");
        assert!(!tied(&[(0, 1), (1, 2)]), "a path");
        assert!(tied(&[(0, 1), (1, 0)]), "there and back");
        assert!(tied(&[(0, 1), (1, 2), (2, 0)]), "a triangle");
        assert!(!tied(&[(0, 1), (1, 2), (2, 0), (2, 3)]), "a triangle with a tail");
        assert!(!tied(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]), "two triangles that share a variable");
        assert!(tied(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)]), "two triangles that share an edge");
    }
}
