//! The edges of the block-cut tree of a part: literals, or biconnected components of several, each from a variable to those
//! below it.

use super::domain::{Domain, DomainIx, ValueWord};
use super::value_sets::{GrowingValueSets, ValueSets};
use crate::covering::Witnesses;
use crate::database::Columns;
use crate::index::narrow;
use crate::language::{FRESH, Lit, MAX_ARITY, PredNo};
use crate::mine::bindings::BindingTable;
use crate::mine::context::Context;
use crate::mine::heads::Coarser;
use std::sync::{Arc, OnceLock};

/// Literals with one variable to hang on, their *root*, and others that may have branches of their own, their
/// *children*; the rest are head variables and local ones that are used nowhere else.
#[derive(Debug)]
pub struct Edge {
    /// The literals. The root is the first local variable.
    pub body: Box<[Lit]>,
    /// How many local variables there are, the root aside.
    pub locals: usize,
    /// The domain of the root.
    pub domain: DomainIx,
    /// The head variables.
    pub mask: u64,
    /// The children.
    pub children: Vec<Child>,
    /// The column of the root.
    pub root: usize,
    source: TupleSource,
    rows: OnceLock<EdgeRows>,
}

/// A child of a [`Edge`].
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// Its domain.
    pub domain: DomainIx,
    /// Its number.
    pub var: u8,
    /// Its column.
    pub column: usize,
}

/// Where the tuples of an edge come from.
#[derive(Debug)]
enum TupleSource {
    /// A predicate's table: the columns with head variables, and which.
    Literal { word: PredNo, heads: Vec<(usize, u8)> },
    /// A table of its own.
    Component(Arc<BindingTable>),
}

/// The tuples of an edge as numbers of values ([`Domain`]): root first, then children. They are in groups: with head
/// variables, one for each of their tuples; without, one for each value of the first child, which is then left out, or
/// a single one if there are no children.
#[derive(Debug, Default)]
struct EdgeRows {
    starts: Vec<u32>,
    cells: Vec<u16>,
    width: usize,
    packed: Vec<u64>,
}

impl EdgeRows {
    #[inline]
    fn of(&self, group: usize) -> std::slice::ChunksExact<'_, u16> {
        let (start, end) = (self.starts[group] as usize, self.starts[group + 1] as usize);
        self.cells[start * self.width..end * self.width].chunks_exact(self.width)
    }

    /// Add a group; equal rows are kept once if there may be some.
    fn push(&mut self, rows: &mut Vec<u16>, distinct: bool) {
        if distinct || rows.len() <= self.width {
            self.cells.extend_from_slice(rows);
        } else if self.width == 1 {
            rows.sort_unstable();
            rows.dedup();
            self.cells.extend_from_slice(rows);
        } else if self.width <= 4 {
            // As one number each they sort several times faster.
            let pack = |row: &[u16]| row.iter().fold(0, |packed, &place| packed << 16 | u64::from(place));
            self.packed.clear();
            self.packed.extend(rows.chunks_exact(self.width).map(pack));
            self.packed.sort_unstable();
            self.packed.dedup();
            for row in &self.packed {
                self.cells.extend((0..self.width).rev().map(|at| (row >> (16 * at) & 0xffff) as u16));
            }
        } else {
            let mut order: Vec<&[u16]> = rows.chunks_exact(self.width).collect();
            order.sort_unstable();
            order.dedup();
            order.iter().for_each(|row| self.cells.extend_from_slice(row));
        }
        self.starts.push(narrow(self.cells.len() / self.width));
        rows.clear();
    }
}

impl Edge {
    /// All edges of one literal whose root is of `domain`.
    pub fn all(domain: DomainIx, domains: &[Domain], context: &Context<'_>) -> Vec<Edge> {
        let language = &context.language;
        let head = language.head_arity();
        let mut types = language.head_types();
        types.push(domains[domain.index()].name);
        let mut lits = Vec::new();
        language.literals(&types, 1 << head, &mut lits);
        let named = |lit: &Lit| lit.named(head + 1);
        // A predicate without arguments has no root: it is a part of its own.
        lits.retain(|lit| lit.mask() != 0 && !context.membership.forbids(&[named(lit)], language));
        let mut all = Vec::new();
        for lit in lits {
            let locals = lit.fresh();
            let lit = named(&lit);
            let args = || lit.args().iter().copied().enumerate();
            let root = args().find(|&(_, arg)| arg as usize == head).map_or(0, |(column, _)| column);
            let heads: Vec<(usize, u8)> = args().filter(|&(_, arg)| (arg as usize) < head).collect();
            let types = language.argument_types(lit.pred);
            let others: Vec<Child> = args()
                .filter(|&(_, arg)| arg as usize > head)
                .filter_map(|(column, var)| {
                    let domain = domains.iter().position(|domain| domain.name == types[column])?;
                    Some(Child { domain: DomainIx::new(domain), var, column })
                })
                .collect();
            for chosen in 0..1usize << others.len() {
                let children = (0..others.len()).filter(|at| chosen >> at & 1 == 1).map(|at| others[at]).collect();
                all.push(Edge {
                    body: [lit].into(),
                    locals,
                    domain,
                    mask: lit.mask() & context.head_mask(),
                    children,
                    root,
                    source: TupleSource::Literal { word: lit.pred, heads: heads.clone() },
                    rows: OnceLock::new(),
                });
            }
        }
        all
    }

    /// A component with these literals and domains of variables, one of which is the root and some children. The table has a
    /// column for each variable.
    pub fn of_component(
        body: &[Lit],
        domains: &[DomainIx],
        root: usize,
        children: &[usize],
        table: &Arc<BindingTable>,
        mask: u64,
    ) -> Self {
        let head = body.iter().flat_map(|lit| lit.args()).max().map_or(0, |&last| last as usize + 1 - domains.len());
        // The root changes places with the first local variable.
        let moved = |var: usize| match var {
            var if var == root => 0,
            0 => root,
            _ => var,
        };
        let name = |&arg: &u8| if (arg as usize) < head { arg } else { narrow(head + moved(arg as usize - head)) };
        let renamed = |lit: &Lit| Lit::new(lit.pred, &lit.args().iter().map(name).collect::<Vec<_>>());
        let child = |&var: &usize| Child { domain: domains[var], var: narrow(head + moved(var)), column: var };
        Edge {
            body: body.iter().map(renamed).collect(),
            locals: domains.len() - 1,
            domain: domains[root],
            mask,
            children: children.iter().map(child).collect(),
            root,
            source: TupleSource::Component(Arc::clone(table)),
            rows: OnceLock::new(),
        }
    }

    /// The values its root can take if its children are in `below`, one for each. `worth` is asked of the positives that may
    /// have such values; `None` if it said no, or if too many of the `witnesses` have none.
    pub fn reach(
        &self,
        below: &[&ValueSets],
        domains: &[Domain],
        context: &Context<'_>,
        witnesses: Witnesses<'_>,
        worth: impl Fn(&[u64]) -> bool,
    ) -> Option<ValueSets> {
        let mask = below.iter().fold(self.mask, |mask, sets| mask | sets.mask);
        let heads = context.heads.get(mask);
        let coarser = |to: u64| (to != mask).then(|| context.heads.coarser(mask, to));
        let of_child: Vec<Option<Coarser>> = below.iter().map(|sets| coarser(sets.mask)).collect();
        let mine = coarser(self.mask);
        let rows = self.rows.get_or_init(|| self.grouped(domains, context));
        let by_child = self.mask == 0 && !self.children.is_empty();
        let mut out = GrowingValueSets::new(mask);
        let mut set = vec![0; domains[self.domain.index()].width()];
        let part = |of: &Option<Coarser>, tuple: u32| of.as_ref().map_or(tuple, |of| of[tuple as usize]);
        // Put the values for a tuple into `set`; there are none, and it may be anything, if a child has none.
        let fill = |tuple: u32, set: &mut [ValueWord]| {
            let mut sets: [&[ValueWord]; MAX_ARITY] = [&[]; MAX_ARITY];
            for (at, (below, of)) in below.iter().zip(&of_child).enumerate() {
                match below.of(part(of, tuple)) {
                    Some(set) => sets[at] = set,
                    None => return false,
                }
            }
            set.fill(0);
            let rest = &sets[usize::from(by_child)..below.len()];
            let mut add = |group: usize| {
                for row in rows.of(group) {
                    if rest.iter().zip(&row[1..]).all(|(set, &place)| contains(set, place)) {
                        insert(set, row[0]);
                    }
                }
            };
            if by_child {
                places(sets[0]).for_each(add);
            } else {
                add(part(&mine, tuple) as usize);
            }
            true
        };
        let has_none = |example: u32| match heads.of_example(example) {
            Some(tuple) => !fill(tuple, &mut set) || set.iter().all(|&word| word == 0),
            None => true,
        };
        if witnesses.lack(has_none) {
            return None;
        }
        // Only where each child has a value; if one knows all head variables, it knows where.
        let narrowest = below.iter().filter(|sets| sets.mask == mask).min_by_key(|sets| sets.count());
        // Asked when an eighth, half and all of the positives are known: what is not worth it often shows early.
        let border = narrow(heads.with_positives());
        let mut asking = [border / 8, border / 2, border].into_iter().peekable();
        let mut visit = |tuple: u32| {
            while asking.next_if(|&from| from <= tuple).is_some() {
                if tuple > 0 && !worth(&out.positives(tuple.min(border)..border, context)) {
                    return false;
                }
            }
            if fill(tuple, &mut set) {
                out.push(tuple, &set);
            }
            true
        };
        let whole = match narrowest {
            Some(sets) => sets.each(0..narrow(heads.len()), |tuple, _| visit(tuple)),
            None => (0..narrow(heads.len())).all(visit),
        };
        whole.then(|| out.finish(heads.len(), &domains[self.domain.index()]))
    }

    /// Its tuples.
    fn grouped(&self, domains: &[Domain], context: &Context<'_>) -> EdgeRows {
        let by_child = self.mask == 0 && !self.children.is_empty();
        let tested = &self.children[usize::from(by_child)..];
        let columns: Vec<(usize, &Domain)> = std::iter::once((self.root, &domains[self.domain.index()]))
            .chain(tested.iter().map(|child| (child.column, &domains[child.domain.index()])))
            .collect();
        let mut rows = EdgeRows { starts: vec![0], cells: Vec::new(), width: columns.len(), ..EdgeRows::default() };
        let mut group: Vec<u16> = Vec::new();
        match &self.source {
            TupleSource::Literal { word, heads: bound } => {
                let wanted = columns.iter().fold(Columns::default(), |wanted, &(column, _)| wanted.with(column));
                let keys = bound.iter().map(|(column, _)| *column);
                let keys = keys.chain(by_child.then(|| self.children[0].column));
                let keys = keys.fold(Columns::default(), Columns::with);
                let index = context.language.index(*word, keys, wanted);
                let place = |column: usize| wanted.iter().take_while(|&other| other < column).count();
                let columns: Vec<(usize, &Domain)> =
                    columns.iter().map(|&(column, domain)| (place(column), domain)).collect();
                let mut add = |key: &[u32]| {
                    for row in index.values()[index.range(key)].chunks_exact(index.width()) {
                        group.extend(columns.iter().map(|&(at, domain)| domain.place(row[at])));
                    }
                    rows.push(&mut group, true);
                };
                if by_child {
                    domains[self.children[0].domain.index()].values().iter().for_each(|&value| add(&[value]));
                } else {
                    let heads = context.heads.get(self.mask);
                    for tuple in 0..heads.len() {
                        let values = heads.tuple(tuple);
                        let key: Vec<u32> = bound.iter().map(|(_, var)| values[heads.place(*var)]).collect();
                        add(&key);
                    }
                }
            }
            TupleSource::Component(table) => {
                let distinct = columns.len() + usize::from(by_child) == self.locals + 1;
                let add = |row: usize, group: &mut Vec<u16>| {
                    group.extend(columns.iter().map(|&(at, domain)| domain.place(table.column(at)[row])));
                };
                if by_child {
                    let child = &domains[self.children[0].domain.index()];
                    let (starts, order) = bucketed(table.column(self.children[0].column), child);
                    for range in starts.windows(2) {
                        order[range[0] as usize..range[1] as usize]
                            .iter()
                            .for_each(|&row| add(row as usize, &mut group));
                        rows.push(&mut group, distinct);
                    }
                } else {
                    for tuple in 0..context.heads.get(self.mask).len() {
                        table.rows_of(narrow(tuple)).for_each(|row| add(row, &mut group));
                        rows.push(&mut group, distinct || self.children.is_empty());
                    }
                }
            }
        }
        rows.packed = Vec::new();
        rows
    }
}

/// Whether a number is in a set.
#[inline]
pub fn contains(set: &[ValueWord], place: u16) -> bool {
    set[(u32::from(place) / ValueWord::BITS) as usize] >> (u32::from(place) % ValueWord::BITS) & 1 == 1
}

/// Add a number to a set.
#[inline]
pub fn insert(set: &mut [ValueWord], place: u16) {
    set[(u32::from(place) / ValueWord::BITS) as usize] |= 1 << (u32::from(place) % ValueWord::BITS);
}

/// The numbers in a set.
#[inline]
fn places(set: &[ValueWord]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let place = (rest != 0).then(|| at * ValueWord::BITS as usize + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            place
        })
    })
}

/// The rows that have each value of a domain: where those of each begin, and the rows.
fn bucketed(column: &[u32], domain: &Domain) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; domain.values().len() + 1];
    column.iter().for_each(|&value| starts[usize::from(domain.place(value)) + 1] += 1);
    (1..starts.len()).for_each(|place| starts[place] += starts[place - 1]);
    let mut next = starts.clone();
    let mut rows = vec![0u32; column.len()];
    for (row, &value) in column.iter().enumerate() {
        let slot = &mut next[usize::from(domain.place(value))];
        rows[*slot as usize] = narrow(row);
        *slot += 1;
    }
    (starts, rows)
}

/// The literals of several bodies that share their first local variable, `head`, the others numbered apart: each with
/// how many others it has.
pub fn joined<'b>(bodies: impl Iterator<Item = (&'b [Lit], usize)>, head: usize) -> Vec<Lit> {
    let (mut all, mut next) = (Vec::new(), head + 1);
    for (body, locals) in bodies {
        all.extend(renamed(body, head, head, next));
        next += locals;
    }
    all
}

/// The literals of an edge and of what its children have below them: a body and how many local variables it has
/// beside its first, for each.
pub fn grafted(edge: &Edge, below: &[(&[Lit], usize)], head: usize) -> Box<[Lit]> {
    let mut all = edge.body.to_vec();
    let mut next = head + 1 + edge.locals;
    for (child, (body, locals)) in edge.children.iter().zip(below) {
        all.extend(renamed(body, head, child.var as usize, next));
        next += locals;
    }
    all.into()
}

/// `body` with its first local variable as `root` and the others from `next` on.
fn renamed(body: &[Lit], head: usize, root: usize, next: usize) -> impl Iterator<Item = Lit> {
    body.iter().map(move |lit| {
        debug_assert!(lit.args().iter().all(|&arg| arg < FRESH), "all variables have numbers");
        let name = |arg: u8| match (arg as usize).cmp(&head) {
            std::cmp::Ordering::Less => arg,
            std::cmp::Ordering::Equal => narrow(root),
            std::cmp::Ordering::Greater => narrow(arg as usize - head - 1 + next),
        };
        let args: Vec<u8> = lit.args().iter().map(|&arg| name(arg)).collect();
        Lit::new(lit.pred, &args)
    })
}
