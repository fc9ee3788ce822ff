//! Unification, without the occurs check unless asked for, as Prolog does it.

use super::store::{Cell, Store, View};
use crate::logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};

impl Store {
    /// Make two terms equal. On failure some variables may have been bound; the caller backtracks.
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        self.unify_checked::<false>(a, b)
    }

    /// The same, but no variable is bound to a term that it occurs in.
    pub fn unify_with_occurs_check(&mut self, a: Cell, b: Cell) -> bool {
        self.unify_checked::<true>(a, b)
    }

    fn unify_checked<const OCCURS: bool>(&mut self, a: Cell, b: Cell) -> bool {
        let base = self.pairs.len();
        let done = self.unify_from::<OCCURS>(base, a, b);
        self.pairs.truncate(base);
        done
    }

    fn unify_from<const OCCURS: bool>(&mut self, base: usize, mut a: Cell, mut b: Cell) -> bool {
        loop {
            let (x, y) = (self.deref(a), self.deref(b));
            self.fuel -= 1;
            if self.fuel < 0 {
                return false;
            }
            match (x, y) {
                (Cell::Ref(p), Cell::Ref(q)) => {
                    // The younger variable points to the older, so that undoing the younger leaves nothing dangling.
                    if p < q {
                        self.bind(q, x);
                    } else if q < p {
                        self.bind(p, y);
                    }
                }
                (Cell::Ref(p), _) if OCCURS && self.occurs(p, y) => return false,
                (_, Cell::Ref(q)) if OCCURS && self.occurs(q, x) => return false,
                (Cell::Ref(p), _) => self.bind(p, y),
                (_, Cell::Ref(q)) => self.bind(q, x),
                (Cell::Ground(m), Cell::Ground(n)) if m == n => {}
                (Cell::Int(m), Cell::Int(n)) if m == n => {}
                (Cell::Float(m), Cell::Float(n)) if m.to_bits() == n.to_bits() => {}
                (Cell::Struct(p), Cell::Struct(q)) => {
                    if p != q {
                        let (Cell::Functor(f, n), Cell::Functor(g, m)) =
                            (self.cells[p as usize], self.cells[q as usize])
                        else {
                            unreachable!("a compound begins with its functor")
                        };
                        if f != g || n != m {
                            return false;
                        }
                        for at in (1..=n).rev() {
                            self.pairs.push((self.cells[(p + at) as usize], self.cells[(q + at) as usize]));
                        }
                    }
                }
                (Cell::Struct(p), Cell::Ground(id)) | (Cell::Ground(id), Cell::Struct(p)) => {
                    let Cell::Functor(f, n) = self.cells[p as usize] else {
                        unreachable!("a compound begins with its functor")
                    };
                    let Term::Compound(g, args) = self.terms.get(id) else { return false };
                    if f != g || n as usize != args.len() {
                        return false;
                    }
                    for at in (0..n).rev() {
                        let known = self.cell_of(args[at as usize]);
                        self.pairs.push((self.cells[(p + 1 + at) as usize], known));
                    }
                }
                _ => return false,
            }
            if self.pairs.len() == base {
                return true;
            }
            (a, b) = self.pairs.pop().expect("it is longer than its base");
        }
    }

    /// Make two terms equal, or leave both as they are.
    pub fn try_unify(&mut self, a: Cell, b: Cell) -> bool {
        // Trail every binding, also of variables younger than the newest choice.
        let (mark, height) = (self.mark, self.trail.len());
        self.mark = u32::MAX;
        let done = self.unify(a, b);
        self.mark = mark;
        if !done {
            self.undo(height);
        }
        done
    }

    /// Whether two terms can be made equal; leaves both as they are.
    pub fn can_unify(&mut self, a: Cell, b: Cell) -> bool {
        let (mark, height) = (self.mark, self.trail.len());
        self.mark = u32::MAX;
        let done = self.unify(a, b);
        self.mark = mark;
        self.undo(height);
        done
    }

    /// Whether two terms are equal up to the names of their variables.
    pub fn is_variant(&mut self, a: Cell, b: Cell) -> bool {
        let (mut names, mut back) = (FxHashMap::default(), FxHashMap::default());
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            self.fuel -= 1;
            if self.fuel < 0 {
                return false;
            }
            match (self.view(a), self.view(b)) {
                (View::Var(x), View::Var(y))
                    if *names.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x => {}
                (View::Compound(f, n, xs), View::Compound(g, m, ys)) if f == g && n == m => {
                    todo.extend((0..n).rev().map(|at| (self.arg(xs, at), self.arg(ys, at))));
                }
                (View::Var(_) | View::Compound(..), _) | (_, View::Var(_) | View::Compound(..)) => return false,
                _ if self.compare(a, b).is_ne() => return false,
                _ => {}
            }
        }
        true
    }

    /// Whether `general` can be made equal to `specific` without binding a variable of the latter; leaves both as they
    /// are.
    pub fn subsumes(&mut self, general: Cell, specific: Cell) -> bool {
        let mut vars = Vec::new();
        self.variables(specific, &mut vars);
        let (mark, height) = (self.mark, self.trail.len());
        self.mark = u32::MAX;
        let mut seen = FxHashSet::default();
        // Still variables, and still different ones.
        let done = self.unify(general, specific)
            && vars.iter().all(|&at| matches!(self.view(Cell::Ref(at)), View::Var(at) if seen.insert(at)));
        self.mark = mark;
        self.undo(height);
        done
    }

    /// Whether `cell` contains the unbound variable at `var`.
    fn occurs(&mut self, var: u32, cell: Cell) -> bool {
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            self.fuel -= 1;
            if self.fuel < 0 {
                return false;
            }
            match self.deref(cell) {
                Cell::Ref(at) if at == var => return true,
                Cell::Struct(at) => {
                    let Cell::Functor(_, arity) = self.cells[at as usize] else {
                        unreachable!("a compound begins with its functor")
                    };
                    todo.extend_from_slice(&self.cells[at as usize + 1..(at + 1 + arity) as usize]);
                }
                _ => {}
            }
        }
        false
    }
}
