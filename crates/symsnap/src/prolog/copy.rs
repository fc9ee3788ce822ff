//! Terms in and out of the heap: interning, copying with new variables, and the variables of a term.

use super::store::{Args, Cell, Store, View};
use crate::index::narrow;
use crate::logic::{Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

enum CopyWork {
    Visit(Cell),
    Close(crate::logic::Symbol, usize),
}

impl Store {
    /// The interned form of a ground term; `None` if a variable is in it (or the fuel ran out).
    pub fn intern(&mut self, cell: Cell) -> Option<TermId> {
        match self.deref(cell) {
            Cell::Ground(id) => Some(id),
            Cell::Int(value) => Some(self.terms.int(value)),
            Cell::Float(value) => Some(self.terms.float(value)),
            Cell::Ref(_) => None,
            cell => self.intern_with(cell, &mut None),
        }
    }

    /// The interned form of any term. Variables are numbered in the order of first occurrence and written as marked
    /// compounds, so two terms have one form iff they are equal up to renaming. `seen` carries the numbering from one
    /// term to the next.
    pub fn encode(&mut self, cell: Cell, seen: &mut FxHashMap<u32, usize>) -> Option<TermId> {
        let mut numbers = Some(std::mem::take(seen));
        let id = self.intern_with(cell, &mut numbers);
        *seen = numbers.expect("it was put there");
        id
    }

    fn intern_with(&mut self, cell: Cell, numbers: &mut Option<FxHashMap<u32, usize>>) -> Option<TermId> {
        let mut todo = vec![CopyWork::Visit(cell)];
        let mut done: Vec<TermId> = Vec::new();
        while let Some(work) = todo.pop() {
            self.fuel -= 1;
            if self.fuel < 0 {
                return None;
            }
            match work {
                CopyWork::Close(name, arity) => {
                    let from = done.len() - arity;
                    let id = self.terms.compound(name, &done[from..]);
                    done.truncate(from);
                    done.push(id);
                }
                CopyWork::Visit(cell) => match self.deref(cell) {
                    Cell::Ground(id) => done.push(id),
                    Cell::Int(value) => done.push(self.terms.int(value)),
                    Cell::Float(value) => done.push(self.terms.float(value)),
                    Cell::Ref(at) => {
                        let numbers = numbers.as_mut()?;
                        let next = numbers.len();
                        let number = *numbers.entry(at).or_insert(next);
                        let number = self.terms.int(narrow(number));
                        done.push(self.terms.compound(self.names.variable, &[number]));
                    }
                    Cell::Struct(at) => {
                        let Cell::Functor(name, arity) = self.cells[at as usize] else {
                            unreachable!("a compound begins with its functor")
                        };
                        todo.push(CopyWork::Close(name, arity as usize));
                        todo.extend((1..=arity).rev().map(|n| CopyWork::Visit(self.cells[(at + n) as usize])));
                    }
                    Cell::Functor(..) => unreachable!("a functor is not a term"),
                },
            }
        }
        done.pop()
    }

    /// The term that [`Store::encode`] made `id` from, with the variables that `vars` has or gets for their numbers.
    pub fn decode(&mut self, id: TermId, vars: &mut Vec<Cell>) -> Cell {
        let root = self.fresh();
        let mut todo = vec![(root, id)];
        while let Some((place, id)) = todo.pop() {
            let value = match self.terms.get(id) {
                Term::Compound(name, args) if name == self.names.variable => {
                    let number = match self.terms.get(args[0]) {
                        Term::Int(number) => narrow(number),
                        _ => unreachable!("marked variables carry their number"),
                    };
                    while vars.len() <= number {
                        let var = self.fresh();
                        vars.push(var);
                    }
                    vars[number]
                }
                Term::Compound(name, args) => {
                    let args = args.to_vec();
                    let at = narrow(self.cells.len());
                    self.cells.push(Cell::Functor(name, narrow(args.len())));
                    for (n, &arg) in args.iter().enumerate() {
                        let place = Cell::Ref(at + 1 + narrow::<_, u32>(n));
                        self.cells.push(place);
                        todo.push((place, arg));
                    }
                    Cell::Struct(at)
                }
                _ => self.cell_of(id),
            };
            self.fuel -= 1;
            if let Cell::Ref(place) = place {
                self.cells[place as usize] = value;
            }
        }
        self.deref(root)
    }

    /// A copy with new variables. Ground parts that are interned are shared.
    pub fn copy(&mut self, cell: Cell) -> Cell {
        let mut saved = Vec::new();
        self.save(cell, &mut saved);
        self.restore(&saved)
    }

    /// Append a term to `saved`, where backtracking cannot reach it. Addresses count from the term's own beginning.
    pub fn save(&mut self, cell: Cell, saved: &mut Vec<Cell>) {
        let start = saved.len();
        let mut seen: FxHashMap<u32, u32> = FxHashMap::default();
        saved.push(Cell::Int(0));
        let mut todo = vec![(start, cell)];
        while let Some((place, cell)) = todo.pop() {
            self.fuel -= 1;
            if self.fuel < 0 || saved.len() > self.max_cells {
                return;
            }
            saved[place] = match self.deref(cell) {
                Cell::Ref(at) => Cell::Ref(*seen.entry(at).or_insert(narrow(place - start))),
                Cell::Struct(at) => {
                    let Cell::Functor(name, arity) = self.cells[at as usize] else {
                        unreachable!("a compound begins with its functor")
                    };
                    let base = saved.len();
                    saved.push(Cell::Functor(name, arity));
                    for n in 1..=arity {
                        saved.push(Cell::Int(0));
                        todo.push((base + n as usize, self.cells[(at + n) as usize]));
                    }
                    Cell::Struct(narrow(base - start))
                }
                cell => cell,
            };
        }
    }

    /// A saved term, on the heap again, with new variables.
    pub fn restore(&mut self, saved: &[Cell]) -> Cell {
        if let [cell] = saved
            && !matches!(cell, Cell::Ref(_))
        {
            return *cell;
        }
        let base = narrow(self.cells.len());
        self.cells.extend(saved.iter().map(|&cell| match cell {
            Cell::Ref(at) => Cell::Ref(at + base),
            Cell::Struct(at) => Cell::Struct(at + base),
            cell => cell,
        }));
        self.fuel -= narrow::<_, i64>(saved.len()) / 8;
        self.deref(Cell::Ref(base))
    }

    /// The unbound variables of a term, each once, in depth-first order.
    pub fn variables(&mut self, cell: Cell, into: &mut Vec<u32>) {
        let mut seen: FxHashSet<u32> = into.iter().copied().collect();
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            self.fuel -= 1;
            if self.fuel < 0 {
                return;
            }
            if let View::Compound(_, arity, args @ Args::Heap(_)) = self.view(cell) {
                todo.extend((0..arity).rev().map(|at| self.arg(args, at)));
            } else if let Cell::Ref(at) = self.deref(cell)
                && seen.insert(at)
            {
                into.push(at);
            }
        }
    }

    /// Whether no variable is in the term.
    pub fn is_ground(&mut self, cell: Cell) -> bool {
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            self.fuel -= 1;
            match self.view(cell) {
                View::Var(_) => return false,
                View::Compound(_, arity, args @ Args::Heap(_)) if self.fuel >= 0 => {
                    todo.extend((0..arity).rev().map(|at| self.arg(args, at)));
                }
                _ => {}
            }
        }
        true
    }
}
