//! From the tree of a clause to interned terms: ground parts become numbers, the rest stays open.
//!
//! One pass over the tree's nodes, children first, without recursion. The root is left out: the caller takes it apart
//! (a fact's row, a rule's head and body), and interning every fact as a term would double the memory of a program.

use crate::index::narrow;
use crate::logic::{Constant, Open, TermId, Terms};
use crate::parse::{Form, NodeId, Tree};
use rustc_hash::FxHashMap;

/// How deeply terms with variables may nest: [`Open`] is a tree of boxes that others walk and drop by recursion. It is also
/// the most goals of a conjunction and elements of a list, which nest in their last argument.
pub(super) const MAX_OPEN_DEPTH: u32 = 2_000;

#[derive(Debug, Default)]
enum OpenSlot {
    #[default]
    Taken,
    Ground(TermId),
    Open(Open, u32),
}

/// A clause has terms with variables nested deeper than [`MAX_OPEN_DEPTH`], at this node.
#[derive(Debug)]
pub(super) struct TooDeep(pub NodeId);

/// Converts clause after clause, reusing its memory.
#[derive(Debug, Default)]
pub(super) struct Converter<'s> {
    slots: Vec<OpenSlot>,
    numbers: FxHashMap<&'s str, u32>,
    variables: Vec<&'s str>,
    arguments: Vec<TermId>,
}

impl<'s> Converter<'s> {
    /// Convert the nodes of `tree` before `end`.
    pub fn convert(&mut self, tree: &Tree<'s>, end: NodeId, terms: &mut Terms) -> Result<(), TooDeep> {
        self.slots.clear();
        self.numbers.clear();
        self.variables.clear();
        for node in tree.nodes().take(end.index()) {
            let slot = match tree.form(node) {
                Form::Var(name) => OpenSlot::Open(Open::Var(self.variable(name)), 0),
                Form::Int(value) => OpenSlot::Ground(terms.int(value)),
                Form::Big(value) => OpenSlot::Ground(terms.integer(value.clone())),
                Form::Float(value) => OpenSlot::Ground(terms.float(value)),
                Form::Atom(name) => OpenSlot::Ground(terms.atom_named(name)),
                Form::Str(content) => OpenSlot::Ground(terms.string(content)),
                Form::Nil => OpenSlot::Ground(terms.nil()),
                Form::Compound(functor, arguments) => self.compound(functor, arguments, terms),
            };
            if let OpenSlot::Open(_, depth) = slot
                && depth > MAX_OPEN_DEPTH
            {
                return Err(TooDeep(node));
            }
            self.slots.push(slot);
        }
        Ok(())
    }

    fn compound(&mut self, functor: &str, arguments: &[NodeId], terms: &mut Terms) -> OpenSlot {
        let functor = terms.intern(functor);
        if self.row(arguments).is_some() {
            return OpenSlot::Ground(terms.compound(functor, &self.arguments));
        }
        let deepest = arguments.iter().map(|argument| match self.slots[argument.index()] {
            OpenSlot::Open(_, depth) => depth + 1,
            _ => 1,
        });
        let depth = deepest.max().unwrap_or(0);
        let parts: Box<[Open]> = arguments.iter().map(|&argument| self.take(argument)).collect();
        OpenSlot::Open(Open::Compound(functor, parts), depth)
    }

    /// The arguments as a row of ground terms, if they are ground.
    pub fn row(&mut self, arguments: &[NodeId]) -> Option<&[TermId]> {
        self.arguments.clear();
        for argument in arguments {
            match self.slots[argument.index()] {
                OpenSlot::Ground(id) => self.arguments.push(id),
                _ => return None,
            }
        }
        Some(&self.arguments)
    }

    /// A row of constants.
    pub fn constants(&mut self, constants: &[Constant<'s>], terms: &mut Terms) -> &[TermId] {
        self.arguments.clear();
        self.arguments.extend(constants.iter().map(|constant| match constant {
            Constant::Atom(name) => terms.atom_named(name),
            Constant::Int(value) => terms.int(*value),
        }));
        &self.arguments
    }

    /// The term at `node`; each node can be taken once, and only its parent's conversion or the caller takes it.
    pub fn take(&mut self, node: NodeId) -> Open {
        match std::mem::take(&mut self.slots[node.index()]) {
            OpenSlot::Ground(id) => Open::Ground(id),
            OpenSlot::Open(open, _) => open,
            OpenSlot::Taken => unreachable!("a node has one parent"),
        }
    }

    /// The names of the clause's variables.
    pub fn variables(&self) -> Vec<String> {
        self.variables.iter().map(|&name| name.to_owned()).collect()
    }

    fn variable(&mut self, name: &'s str) -> u32 {
        let next = narrow(self.variables.len());
        if name != "_"
            && let Some(&number) = self.numbers.get(name)
        {
            return number;
        }
        self.numbers.insert(name, next);
        self.variables.push(name);
        next
    }
}
