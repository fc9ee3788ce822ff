//! Clauses made ready to run: variables numbered, goals resolved to procedures, terms flattened into templates.
//!
//! A body is a row of goals. Control constructs (`;`, `->`, `\+`, ...) are not compiled further: the whole construct
//! is built as a term and interpreted, by the same code that runs `call/1`. Compiling them would make such bodies
//! perhaps twice as fast and give every construct a second implementation to keep equal to the first.

use super::store::{Cell, Store, View};
use crate::index::narrow;
use crate::logic::{Open, Symbol, Term};

/// A procedure, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcId(pub u32);

/// A term of a clause, with its variables numbered.
#[derive(Debug, Clone, Copy)]
pub(super) enum Template {
    Var(u32),
    Cell(Cell),
    /// A compound; its arguments are the templates from `start` on.
    Struct {
        name: Symbol,
        arity: u32,
        start: u32,
    },
}

/// One goal of a body.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// The end of the body.
    Proceed,
    Cut,
    /// A call; its arguments are the `arity` templates from `args` on.
    Call {
        proc: ProcId,
        args: u32,
        arity: u32,
    },
    /// Anything else: the template of a term to interpret.
    Control(u32),
}

#[derive(Debug, Clone)]
pub(super) struct ClauseCode {
    pub head: u32,
    pub arity: u32,
    pub vars: u32,
    pub body: u32,
    /// What the first argument must be, unless it is a variable.
    pub key: Option<Key>,
}

/// What first-argument indexing distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Constant(crate::logic::TermId),
    Int(i64),
    Float(u64),
    Functor(Symbol, u32),
}

/// All templates and goals.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub templates: Vec<Template>,
    pub goals: Vec<Goal>,
}

impl Code {
    /// Lay out `terms` as consecutive templates; returns where the first is.
    pub fn templates<'o>(&mut self, store: &Store, terms: impl ExactSizeIterator<Item = &'o Open>) -> u32 {
        let first = self.templates.len();
        let mut todo: Vec<(usize, &Open)> = terms.enumerate().map(|(at, term)| (first + at, term)).collect();
        self.templates.resize(first + todo.len(), Template::Var(0));
        while let Some((place, term)) = todo.pop() {
            self.templates[place] = match term {
                Open::Var(number) => Template::Var(*number),
                Open::Ground(id) => Template::Cell(store.cell_of(*id)),
                Open::Compound(name, args) => {
                    let start = self.templates.len();
                    self.templates.resize(start + args.len(), Template::Var(0));
                    todo.extend(args.iter().enumerate().map(|(at, arg)| (start + at, arg)));
                    Template::Struct { name: *name, arity: narrow(args.len()), start: narrow(start) }
                }
            };
        }
        narrow(first)
    }

    /// The key of the first of the head's templates.
    pub fn key(&self, store: &Store, head: u32) -> Option<Key> {
        match self.templates[head as usize] {
            Template::Var(_) => None,
            Template::Cell(cell) => store.key(cell),
            Template::Struct { name, arity, .. } => Some(Key::Functor(name, arity)),
        }
    }
}

impl Store {
    /// What indexing sees of a term; `None` for a variable.
    #[inline]
    pub fn key(&self, cell: Cell) -> Option<Key> {
        match self.deref(cell) {
            Cell::Ref(_) | Cell::Functor(..) => None,
            Cell::Int(value) => Some(Key::Int(value)),
            Cell::Float(value) => Some(Key::Float(value.to_bits())),
            Cell::Struct(at) => match self.cells[at as usize] {
                Cell::Functor(name, arity) => Some(Key::Functor(name, arity)),
                _ => unreachable!("a compound begins with its functor"),
            },
            Cell::Ground(id) => match self.terms.get(id) {
                Term::Compound(name, args) => Some(Key::Functor(name, narrow(args.len()))),
                _ => Some(Key::Constant(id)),
            },
        }
    }

    /// The term of a template, with the clause's variables at `env`.
    pub fn build(&mut self, code: &Code, template: Template, env: u32) -> Cell {
        let Template::Struct { name, arity, start } = template else { return self.simple(template, env) };
        let root = narrow(self.cells.len());
        self.lay_out(name, arity);
        // Only compounds inside compounds are put off, so that a list cell or `f(X,Y)` needs no memory for this.
        let mut todo = Vec::new();
        let mut now = Some((root, start, arity));
        while let Some((at, start, arity)) = now {
            self.fuel -= 1;
            for n in 0..arity {
                let place = (at + 1 + n) as usize;
                self.cells[place] = match code.templates[(start + n) as usize] {
                    Template::Struct { name, arity, start } => {
                        let inner = narrow(self.cells.len());
                        self.lay_out(name, arity);
                        todo.push((inner, start, arity));
                        Cell::Struct(inner)
                    }
                    simple => self.simple(simple, env),
                };
            }
            now = todo.pop();
        }
        Cell::Struct(root)
    }

    fn lay_out(&mut self, name: Symbol, arity: u32) {
        let filled = self.cells.len() + 1 + arity as usize;
        self.cells.push(Cell::Functor(name, arity));
        self.cells.resize(filled, Cell::Int(0));
    }

    #[inline]
    fn simple(&self, template: Template, env: u32) -> Cell {
        match template {
            Template::Var(number) => self.deref(Cell::Ref(env + number)),
            Template::Cell(cell) => cell,
            Template::Struct { .. } => unreachable!("the caller has dealt with compounds"),
        }
    }

    /// Unify a template with a term without building it first, where the term is already there.
    pub fn match_template(&mut self, code: &Code, template: Template, cell: Cell, env: u32) -> bool {
        let Template::Struct { .. } = template else { return self.match_simple(template, cell, env) };
        let mut todo = Vec::new();
        let mut now = Some((template, cell));
        while let Some((template, cell)) = now {
            let Template::Struct { name, arity, start } = template else { unreachable!("only compounds are put off") };
            self.fuel -= 1;
            match self.view(cell) {
                View::Var(at) => {
                    let built = self.build(code, template, env);
                    self.bind(at, built);
                }
                View::Compound(other, count, args) if other == name && count == arity => {
                    for n in 0..arity {
                        let (inner, cell) = (code.templates[(start + n) as usize], self.arg(args, n));
                        match inner {
                            Template::Struct { .. } => todo.push((inner, cell)),
                            _ if !self.match_simple(inner, cell, env) => return false,
                            _ => {}
                        }
                    }
                }
                _ => return false,
            }
            now = todo.pop();
        }
        true
    }

    #[inline]
    fn match_simple(&mut self, template: Template, cell: Cell, env: u32) -> bool {
        match template {
            Template::Var(number) => {
                let place = env + number;
                // The first occurrence: the variable is new and unbound, and younger than every choice.
                if self.cells[place as usize] == Cell::Ref(place) {
                    self.cells[place as usize] = self.deref(cell);
                    return true;
                }
                self.unify(Cell::Ref(place), cell)
            }
            Template::Cell(known) => self.unify(known, cell),
            Template::Struct { .. } => unreachable!("the caller has dealt with compounds"),
        }
    }
}
