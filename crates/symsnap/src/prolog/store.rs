//! The heap of one evaluation: variables, the compounds built around them, and the trail that undoes bindings.
//!
//! Ground terms of the task are single cells that point into [`Terms`], so passing a list of a thousand elements to a
//! predicate copies one cell; unification looks into `Terms` only where a pattern asks. Numbers are kept in the cell
//! itself (all but integers beyond 64 bits), so counting does not fill `Terms`. There is no garbage collector: a call
//! is short, its memory is limited, and the heap is empty again after it.
//!
//! Nothing here recurses on the machine stack: a list may be a million cells deep. Every loop burns `fuel`; when it
//! runs out the loop ends with an arbitrary result and the solver, which looks at the fuel, ends the call. That
//! keeps cyclic terms and terms whose unfolding is exponentially large from holding anything up.

use super::limits::Fault;
use super::raise::Raised;
use crate::index::narrow;
use crate::logic::{Symbol, Term, TermId, Terms};

/// One term, or a place for one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// A variable: the heap cell at this address. Unbound if that cell refers to itself.
    Ref(u32),
    /// A compound on the heap: the address of its [`Cell::Functor`], which the arguments follow.
    Struct(u32),
    /// An interned ground term that is no float and no integer of 64 bits.
    Ground(TermId),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// The head of a compound; never a term by itself.
    Functor(Symbol, u32),
}

/// Where the arguments of a compound are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Args {
    /// On the heap, from this address.
    Heap(u32),
    /// In this interned compound.
    Ground(TermId),
}

/// A term one level deep, wherever it lives.
#[derive(Debug, Clone, Copy)]
pub(super) enum View {
    Var(u32),
    Int(i64),
    /// An integer beyond 64 bits; [`Store::big`] has it.
    Big(TermId),
    Float(f64),
    Atom(Symbol),
    Str(Symbol),
    Nil,
    Compound(Symbol, u32, Args),
}

/// Names that the evaluator itself has to recognise or make.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownNames {
    pub comma: Symbol,
    pub bar: Symbol,
    pub pipe: Symbol,
    pub not: Symbol,
    pub arrow: Symbol,
    pub soft_arrow: Symbol,
    pub minus: Symbol,
    pub caret: Symbol,
    pub colon: Symbol,
    pub nil: TermId,
    /// Marks variables inside interned terms; no program can write it, since the parsers reject the character.
    pub variable: Symbol,
}

impl KnownNames {
    /// Whether `name/2` is a construct of goals.
    pub fn is_binary_control(&self, name: Symbol) -> bool {
        [self.comma, self.bar, self.pipe, self.arrow, self.soft_arrow].contains(&name)
    }
}

#[derive(Debug)]
pub(super) struct Store {
    pub terms: Terms,
    pub names: KnownNames,
    pub cells: Vec<Cell>,
    pub trail: Vec<u32>,
    /// Cells from here on are younger than the newest choice: their bindings need no trail.
    pub mark: u32,
    pub fuel: i64,
    pub max_cells: usize,
    /// Scratch of unification, kept for its capacity.
    pub(super) pairs: Vec<(Cell, Cell)>,
}

impl Store {
    pub fn new(mut terms: Terms, max_cells: usize) -> Self {
        let names = KnownNames {
            comma: terms.intern(","),
            bar: terms.intern(";"),
            pipe: terms.intern("|"),
            not: terms.intern("\\+"),
            arrow: terms.intern("->"),
            soft_arrow: terms.intern("*->"),
            minus: terms.intern("-"),
            caret: terms.intern("^"),
            colon: terms.intern(":"),
            nil: terms.nil(),
            variable: terms.intern("\u{0}variable"),
        };
        let (cells, trail, pairs) = (Vec::new(), Vec::new(), Vec::new());
        Store { terms, names, cells, trail, mark: 0, fuel: 0, max_cells, pairs }
    }

    /// An interned term as a cell.
    #[inline]
    pub fn cell_of(&self, id: TermId) -> Cell {
        match self.terms.get(id) {
            Term::Int(value) => Cell::Int(value),
            Term::Float(value) => Cell::Float(value),
            _ => Cell::Ground(id),
        }
    }

    /// The term that `cell` stands for: follows bound variables.
    #[inline]
    pub fn deref(&self, mut cell: Cell) -> Cell {
        while let Cell::Ref(at) = cell {
            let next = self.cells[at as usize];
            if next == cell {
                return cell;
            }
            cell = next;
        }
        cell
    }

    #[inline]
    pub fn view(&self, cell: Cell) -> View {
        match self.deref(cell) {
            Cell::Ref(at) => View::Var(at),
            Cell::Int(value) => View::Int(value),
            Cell::Float(value) => View::Float(value),
            Cell::Struct(at) => match self.cells[at as usize] {
                Cell::Functor(name, arity) => View::Compound(name, arity, Args::Heap(at + 1)),
                _ => unreachable!("a compound begins with its functor"),
            },
            Cell::Ground(id) => match self.terms.get(id) {
                Term::Atom(name) => View::Atom(name),
                Term::Str(text) => View::Str(text),
                Term::Nil => View::Nil,
                Term::Compound(name, args) => View::Compound(name, narrow(args.len()), Args::Ground(id)),
                Term::Int(value) => View::Int(value),
                Term::Big(_) => View::Big(id),
                Term::Float(value) => View::Float(value),
            },
            Cell::Functor(..) => unreachable!("a functor is not a term"),
        }
    }

    /// Argument `at`, from 0, of a compound.
    #[inline]
    pub fn arg(&self, args: Args, at: u32) -> Cell {
        match args {
            Args::Heap(base) => self.cells[(base + at) as usize],
            Args::Ground(id) => match self.terms.get(id) {
                Term::Compound(_, args) => self.cell_of(args[at as usize]),
                _ => unreachable!("only compounds have arguments"),
            },
        }
    }

    /// A new variable.
    pub fn fresh(&mut self) -> Cell {
        let at = narrow(self.cells.len());
        self.cells.push(Cell::Ref(at));
        Cell::Ref(at)
    }

    /// Whether `count` more cells may be made.
    pub fn room(&self, count: usize) -> Result<(), Raised> {
        if self.cells.len().saturating_add(count) > self.max_cells { Err(Fault::Memory.into()) } else { Ok(()) }
    }

    /// A compound on the heap; with no arguments the atom.
    pub fn structure(&mut self, name: Symbol, args: &[Cell]) -> Cell {
        if args.is_empty() {
            return Cell::Ground(self.terms.atom(name));
        }
        let at = narrow(self.cells.len());
        self.cells.push(Cell::Functor(name, narrow(args.len())));
        self.cells.extend_from_slice(args);
        Cell::Struct(at)
    }

    pub fn cons(&mut self, head: Cell, tail: Cell) -> Cell {
        let name = self.terms.cons();
        self.structure(name, &[head, tail])
    }

    /// A list of `items` that ends in `tail`.
    pub fn list_onto(&mut self, items: &[Cell], tail: Cell) -> Cell {
        items.iter().rev().fold(tail, |tail, &item| self.cons(item, tail))
    }

    /// A proper list.
    pub fn list(&mut self, items: &[Cell]) -> Cell {
        let nil = Cell::Ground(self.names.nil);
        self.list_onto(items, nil)
    }

    pub fn atom(&mut self, name: &str) -> Cell {
        Cell::Ground(self.terms.atom_named(name))
    }

    /// Head and tail, if `cell` is a list cell.
    #[inline]
    pub fn uncons(&self, cell: Cell) -> Option<(Cell, Cell)> {
        match self.view(cell) {
            View::Compound(name, 2, args) if name == self.terms.cons() => Some((self.arg(args, 0), self.arg(args, 1))),
            _ => None,
        }
    }

    /// The items of a list up to its end, and that end: `[]` for a proper list.
    pub fn items(&mut self, mut cell: Cell) -> (Vec<Cell>, Cell) {
        let mut items = Vec::new();
        while let Some((head, tail)) = self.uncons(cell) {
            items.push(head);
            cell = tail;
            self.fuel -= 1;
            if self.fuel < 0 {
                break;
            }
        }
        (items, self.deref(cell))
    }

    pub fn is_nil(&self, cell: Cell) -> bool {
        self.deref(cell) == Cell::Ground(self.names.nil)
    }

    /// Give the unbound variable at `at` a value.
    #[inline]
    pub fn bind(&mut self, at: u32, value: Cell) {
        self.cells[at as usize] = value;
        if at < self.mark {
            self.trail.push(at);
        }
    }

    /// Take back all bindings since the trail was `height` long.
    pub fn undo(&mut self, height: usize) {
        for at in self.trail.drain(height..).rev() {
            self.cells[at as usize] = Cell::Ref(at);
        }
    }

    /// For messages: the term, cut short, with variables as `_`.
    pub fn show(&mut self, cell: Cell) -> String {
        match self.deref(cell) {
            Cell::Ref(_) => "_".to_string(),
            cell => match self.intern(cell) {
                Some(id) => {
                    let text = self.terms.show(id);
                    if text.chars().count() > 60 { text.chars().take(57).collect::<String>() + "..." } else { text }
                }
                None => "a term with variables".to_string(),
            },
        }
    }
}
