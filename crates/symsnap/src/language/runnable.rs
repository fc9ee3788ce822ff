//! In which orders the literals of a body can be run, where predicates need some of their arguments bound.

use super::literal::{FRESH, Lit, PredNo};
use super::predicates::Language;
use crate::database::Want;
use crate::logic::Symbol;

impl Language<'_> {
    /// Whether body predicates have inputs. Then parts are grown in an order in which they can be run, and may begin at
    /// several places: `p(V0,X), q(V0,Y), r(X,Y)` with inputs `X` and `Y` of `r`.
    pub fn directed(&self) -> bool {
        self.preds.iter().any(|pred| pred.modes != [0])
    }

    /// Whether `lit` has its inputs once its variables below [`FRESH`] are bound, if all its answers are wanted or only
    /// whether there is one.
    pub fn callable(&self, lit: &Lit, want: Want) -> bool {
        let args = lit.args().iter().enumerate();
        let bound = args.filter(|(_, arg)| **arg < FRESH).fold(0u64, |set, (at, _)| set | 1 << at);
        self.modes(lit.pred, want).iter().any(|mode| mode & !bound == 0)
    }

    /// Literals over fresh variables alone that can be run before anything is bound and bind what another predicate
    /// wants as input: with directions a part may begin with one, far from the head.
    pub fn free(&self) -> Vec<Lit> {
        let wanted = |kind: Option<Symbol>| {
            self.preds.iter().any(|pred| {
                pred.types.iter().enumerate().any(|(at, &input)| {
                    let is_input = pred.modes.iter().any(|mode| mode >> at & 1 == 1);
                    is_input && (kind.is_none() || input.is_none() || kind == input)
                })
            })
        };
        let fresh = |arity: usize| (FRESH..).take(arity).collect::<Vec<_>>();
        let preds = self.preds.iter().enumerate();
        preds
            .filter(|(_, pred)| pred.modes.contains(&0) && pred.types.iter().any(|&kind| wanted(kind)))
            .map(|(at, pred)| Lit::new(PredNo::new(at), &fresh(pred.types.len())))
            .collect()
    }
    /// Whether the literals can be run in some order, each with its input arguments bound, so that all head variables
    /// in `needed` end up bound.
    pub fn executable(&self, body: &[Lit], needed: u64) -> bool {
        self.executable_given(body, 0, needed)
    }

    /// The same if the variables in `given` are bound from the start.
    pub fn executable_given(&self, body: &[Lit], given: u64, needed: u64) -> bool {
        let mut bound = self.head_inputs | given;
        let mut waiting: Vec<&Lit> = body.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|lit| {
                let ready = self.is_ready(lit, bound, body);
                if ready {
                    bound |= lit.mask();
                }
                !ready
            });
            if waiting.is_empty() {
                return needed & !bound == 0;
            }
            if waiting.len() == before {
                return false;
            }
        }
    }

    /// Whether a literal of `body` can be run with the variables of `bound` bound: it can give all its answers, or it
    /// can tell whether there is one and what it would bind occurs nowhere else.
    fn is_ready(&self, lit: &Lit, bound: u64, body: &[Lit]) -> bool {
        let binds = lit.mask() & !bound;
        let apart = || body.iter().filter(|other| *other != lit).all(|other| other.mask() & binds == 0);
        self.has_inputs(lit, bound, Want::All) || self.has_inputs(lit, bound, Want::One) && apart()
    }

    /// Whether a literal has its inputs once the variables of `bound` are bound.
    fn has_inputs(&self, lit: &Lit, bound: u64, want: Want) -> bool {
        let met =
            |mode: u64| lit.args().iter().enumerate().all(|(at, &arg)| mode >> at & 1 == 0 || bound >> arg & 1 == 1);
        self.modes(lit.pred, want).iter().any(|&mode| met(mode))
    }

    /// The literals in an order in which they can be run, where calls turned out to need inputs: what binds nothing
    /// first, then what has most arguments bound; what can only tell whether there is an answer comes last, because going
    /// back to it for another answer may take forever. `None` if there is no such order.
    pub fn order(&self, body: &[Lit]) -> Option<Vec<Lit>> {
        let mut bound = self.head_inputs;
        let mut waiting = body.to_vec();
        let mut order = Vec::with_capacity(body.len());
        while !waiting.is_empty() {
            let rank = |lit: &Lit| {
                let known = lit.args().iter().filter(|&&arg| bound >> arg & 1 == 1).count();
                let binds = known < lit.args().len();
                let only_tests = binds && !self.has_inputs(lit, bound, Want::All);
                (only_tests, binds, std::cmp::Reverse(known))
            };
            let ready = (0..waiting.len()).filter(|&at| self.is_ready(&waiting[at], bound, body));
            let next = waiting.remove(ready.min_by_key(|&at| rank(&waiting[at]))?);
            bound |= next.mask();
            order.push(next);
        }
        Some(order)
    }

    /// The literals in every order in which they can be run, at most `cap`.
    pub fn orders(&self, body: &[Lit], cap: usize) -> Vec<Vec<Lit>> {
        let mut orders = Vec::new();
        self.extend_order(&mut Vec::new(), self.head_inputs, body, cap, &mut orders);
        orders
    }

    fn extend_order(&self, order: &mut Vec<Lit>, bound: u64, body: &[Lit], cap: usize, orders: &mut Vec<Vec<Lit>>) {
        if order.len() == body.len() {
            orders.push(order.clone());
            return;
        }
        for lit in body {
            if orders.len() < cap && !order.contains(lit) && self.is_ready(lit, bound, body) {
                order.push(*lit);
                self.extend_order(order, bound | lit.mask(), body, cap, orders);
                order.pop();
            }
        }
    }
}
