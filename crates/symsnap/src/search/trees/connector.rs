//! Connectors: literals as the edges of trees, from a variable to those below it.

use super::kind::Kind;
use super::sets::{Growing, Sets};
use crate::database::{Columns, Index};
use crate::search::Context;
use crate::search::literal::{FRESH, Lit, MAX_ARITY};
use std::sync::Arc;

/// A literal with one variable to hang on, its *root*, and others that may have branches of their own, its *children*;
/// the rest are head variables and fresh ones that are used nowhere else.
#[derive(Debug)]
pub struct Connector {
    /// The literal: the root has the number of the first local variable, all other local ones are placeholders.
    pub lit: Lit,
    /// The kind of the root.
    pub kind: usize,
    /// The head variables it mentions.
    pub mask: u64,
    /// Its children.
    pub children: Vec<Child>,
    /// The columns with head variables, and which.
    heads: Vec<(usize, u8)>,
    /// The column of the root.
    root: usize,
}

/// A child of a [`Connector`].
#[derive(Debug, Clone, Copy)]
pub struct Child {
    /// Its kind.
    pub kind: usize,
    /// Its placeholder.
    pub name: u8,
    column: usize,
}

impl Connector {
    /// All connectors of the space whose root is of `kind`.
    pub fn all(kind: usize, kinds: &[Kind], context: &Context<'_>) -> Vec<Connector> {
        let vocabulary = &context.vocabulary;
        let head = vocabulary.head_arity();
        let mut types = vocabulary.head_types();
        types.push(kinds[kind].name);
        let mut lits = Vec::new();
        vocabulary.literals(&types, 1 << head, &mut lits);
        lits.retain(|lit| !context.membership.forbids(&[lit.named(head + 1)], vocabulary));
        let mut all = Vec::new();
        for lit in lits {
            let args = || lit.args().iter().copied().enumerate();
            let root = args().find(|&(_, arg)| arg as usize == head).map_or(0, |(column, _)| column);
            let heads: Vec<(usize, u8)> = args().filter(|&(_, arg)| (arg as usize) < head).collect();
            let types = vocabulary.argument_types(lit.word);
            let others: Vec<Child> = args()
                .filter(|&(_, arg)| arg >= FRESH)
                .filter_map(|(column, name)| {
                    let kind = kinds.iter().position(|kind| kind.name == types[column])?;
                    Some(Child { kind, name, column })
                })
                .collect();
            for chosen in 0..1usize << others.len() {
                let children = (0..others.len()).filter(|at| chosen >> at & 1 == 1).map(|at| others[at]).collect();
                let mask = lit.mask() & context.head_mask();
                all.push(Connector { lit, kind, mask, children, heads: heads.clone(), root });
            }
        }
        all
    }

    /// How many local variables it introduces, the root aside.
    pub fn locals(&self) -> usize {
        self.lit.fresh()
    }

    /// The values its root can take if its children are in `below`, one for each.
    pub fn reach(&self, below: &[&Sets], kinds: &[Kind], context: &Context<'_>) -> Sets {
        let mask = below.iter().fold(self.mask, |mask, sets| mask | sets.mask);
        let heads = context.heads.get(&context.layout, mask);
        let coarser = |to: u64| (to != mask).then(|| context.heads.coarser(&context.layout, mask, to));
        let of_child: Vec<Option<Arc<[u32]>>> = below.iter().map(|sets| coarser(sets.mask)).collect();
        // With head variables, all tuples that they have; without, those of each value of the first child.
        let by_child = self.heads.is_empty() && !self.children.is_empty();
        let keys = self.heads.iter().map(|(column, _)| *column).chain(by_child.then(|| self.children[0].column));
        let keys = keys.fold(Columns::default(), Columns::with);
        let tested = if by_child { &self.children[1..] } else { &self.children };
        let wanted = tested.iter().map(|child| child.column).chain([self.root]);
        let wanted = wanted.fold(Columns::default(), Columns::with);
        let index = context.vocabulary.index(self.lit.word, keys, wanted);
        let place = |column: usize| wanted.iter().position(|other| other == column).unwrap_or(0);
        let root = place(self.root);
        let tested: Vec<(usize, usize)> = tested.iter().map(|child| (place(child.column), child.kind)).collect();
        let kind = &kinds[self.kind];
        let mut out = Growing::new(mask);
        let mut set = vec![0u64; kind.width()];
        let mut key = [0u32; MAX_ARITY];
        let mut sets: Vec<&[u64]> = Vec::with_capacity(below.len());
        for tuple in 0..heads.len() as u32 {
            sets.clear();
            sets.extend(below.iter().zip(&of_child).zip(&self.children).filter_map(|((sets, of), child)| {
                let tuple = of.as_ref().map_or(tuple, |of| of[tuple as usize]);
                sets.of(tuple, kinds[child.kind].width())
            }));
            if sets.len() < below.len() {
                continue;
            }
            set.fill(0);
            let rest = &sets[usize::from(by_child)..];
            let mut gather = |key: &[u32]| {
                for row in rows(&index, key) {
                    if tested.iter().zip(rest).all(|(&(at, kind), set)| kinds[kind].contains(set, row[at])) {
                        kind.insert(&mut set, row[root]);
                    }
                }
            };
            if by_child {
                kinds[self.children[0].kind].each(sets[0], |value| gather(&[value]));
            } else {
                let values = heads.tuple(tuple as usize);
                for (slot, (_, var)) in key.iter_mut().zip(&self.heads) {
                    *slot = values[heads.place(*var)];
                }
                gather(&key[..self.heads.len()]);
            }
            out.push(tuple, &set);
        }
        out.finish(heads.len())
    }
}

fn rows<'i>(index: &'i Index, key: &[u32]) -> impl Iterator<Item = &'i [u32]> {
    index.values()[index.range(key)].chunks_exact(index.width())
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

/// The literals of a connector and of what its children have below them: a body and how many local variables it has
/// beside its first, for each.
pub fn grafted(connector: &Connector, below: &[(&[Lit], usize)], head: usize) -> Box<[Lit]> {
    let mut all = vec![connector.lit.named(head + 1)];
    let mut next = head + 1 + connector.locals();
    for (child, (body, locals)) in connector.children.iter().zip(below) {
        all.extend(renamed(body, head, head + 1 + (child.name - FRESH) as usize, next));
        next += locals;
    }
    all.into()
}

/// `body` with its first local variable as `root` and the others from `next` on.
fn renamed(body: &[Lit], head: usize, root: usize, next: usize) -> impl Iterator<Item = Lit> {
    body.iter().map(move |lit| {
        let name = |arg: u8| match (arg as usize).cmp(&head) {
            std::cmp::Ordering::Less => arg,
            std::cmp::Ordering::Equal => root as u8,
            std::cmp::Ordering::Greater => arg - head as u8 - 1 + next as u8,
        };
        let args: Vec<u8> = lit.args().iter().map(|&arg| name(arg)).collect();
        Lit::new(lit.word, &args)
    })
}
