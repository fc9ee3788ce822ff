//! Prolog's standard order of terms: variables by age, numbers by value, strings, `[]`, atoms, compounds by arity, name
//! and arguments.

use super::store::{Args, Cell, Store, View};
use crate::logic::{compare_floats, compare_int_float, integers};
use std::cmp::Ordering;

impl Store {
    /// The order of two terms; equal means identical (`==`).
    pub fn compare(&mut self, a: Cell, b: Cell) -> Ordering {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.deref(a), self.deref(b));
            self.fuel -= 1;
            if self.fuel < 0 {
                return Ordering::Equal;
            }
            if a == b && !matches!(a, Cell::Float(_)) {
                continue;
            }
            let order = match (self.view(a), self.view(b)) {
                (View::Compound(f, n, xs), View::Compound(g, m, ys)) => {
                    let order = n.cmp(&m).then_with(|| self.terms.name(f).cmp(self.terms.name(g)));
                    if order.is_eq() {
                        self.push_pairs(&mut todo, n, xs, ys);
                    }
                    order
                }
                (x, y) => self.compare_atomic(x, y),
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    fn push_pairs(&self, todo: &mut Vec<(Cell, Cell)>, arity: u32, xs: Args, ys: Args) {
        for at in (0..arity).rev() {
            todo.push((self.arg(xs, at), self.arg(ys, at)));
        }
    }

    fn compare_atomic(&self, x: View, y: View) -> Ordering {
        match (x, y) {
            (View::Var(p), View::Var(q)) => p.cmp(&q),
            (View::Int(m), View::Int(n)) => m.cmp(&n),
            (View::Float(m), View::Float(n)) => compare_floats(m, n),
            (View::Int(m), View::Float(n)) => compare_int_float(m, n).then(Ordering::Greater),
            (View::Float(m), View::Int(n)) => compare_int_float(n, m).reverse().then(Ordering::Less),
            (View::Big(m), View::Big(n)) => self.big(m).cmp(self.big(n)),
            (View::Big(m), View::Int(_)) => integers::sign_order(self.big(m)),
            (View::Int(_), View::Big(n)) => integers::sign_order(self.big(n)).reverse(),
            (View::Big(m), View::Float(n)) => integers::compare_float(self.big(m), n).then(Ordering::Greater),
            (View::Float(m), View::Big(n)) => integers::compare_float(self.big(n), m).reverse().then(Ordering::Less),
            (View::Str(m), View::Str(n)) | (View::Atom(m), View::Atom(n)) => self.terms.name(m).cmp(self.terms.name(n)),
            _ => rank(x).cmp(&rank(y)),
        }
    }
}

fn rank(view: View) -> u8 {
    match view {
        View::Var(_) => 0,
        View::Int(_) | View::Big(_) | View::Float(_) => 1,
        View::Str(_) => 2,
        View::Nil => 3,
        View::Atom(_) => 4,
        View::Compound(..) => 5,
    }
}
