//! What miners share: the task as they see it, and which bodies are rules.

use super::bindings::TableGround;
use super::heads::AllHeads;
use super::threads::Threads;
use crate::budget::Budget;
use crate::database::Database;
use crate::language::body::join_parts;
use crate::language::{Language, Lit, Membership, Taint};
use crate::logic::Rule;
use crate::sets::{Sides, Weights};
use crate::task::Examples;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Everything that miners share and none of them changes.
pub struct Context<'t> {
    pub(super) language: Language<'t>,
    pub(super) membership: Membership<'t>,
    pub(super) database: &'t Database,
    pub(super) examples: &'t Examples,
    pub(super) sides: Sides,
    pub(super) heads: AllHeads,
    pub(super) weights: Weights,
    /// Whether every best hypothesis is sought: then only what is smaller stands for something else.
    pub(super) all_optima: bool,
    pub(super) threads: Threads,
    pub(super) budget: Budget,
    pub(super) max_vars: usize,
    pub(super) max_body: usize,
    pub(super) row_cap: usize,
    /// Whether parts are grown in an order in which they can be run.
    pub(super) directed: bool,
    /// Whether what hangs on the head apart can be linked by a later literal.
    pub(super) may_link: bool,
    /// Whether literals are written in an order that starts at the head, not in the order in which they were found.
    pub(super) from_head: bool,
    /// Whether calls turned out to need inputs that the bias does not declare.
    pub(super) inferred: bool,
    /// Literals that a part may begin with far from the head.
    pub(super) free: Vec<Lit>,
    /// What is in doubt, calls aside ([`Language::taints`]).
    pub(super) taints: Mutex<BTreeSet<Taint>>,
    /// Tests that a piece of work may make before it ends.
    pub(super) quota: AtomicU64,
}

impl Context<'_> {
    pub(super) fn ground(&self) -> TableGround<'_> {
        TableGround { language: &self.language, heads: &self.heads }
    }

    pub(super) fn stopped(&self) -> bool {
        self.budget.check().is_some()
    }

    /// How many tests a piece of work may make.
    pub(super) fn quota(&self) -> u64 {
        self.quota.load(Ordering::Relaxed)
    }

    /// Whether a piece of work that has made this many tests must end.
    #[inline]
    pub(super) fn spent(&self, tests: u64) -> bool {
        tests >= self.quota()
    }

    /// Do pieces of work side by side, with results in the order of the work. Together they make no more tests than the
    /// quota allows one: the piece that goes beyond is done again, as far as it may go, and those after it are left out.
    /// So what is found does not depend on threads.
    pub(super) fn in_parallel<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync + Send,
        tests: impl Fn(&R) -> u64,
    ) -> Vec<R> {
        let mut left = self.quota();
        let mut results = self.threads.map(items, &work);
        for at in 0..results.len() {
            let made = tests(&results[at]);
            if made > left {
                self.quota.store(left, Ordering::Relaxed);
                results.truncate(at);
                results.push(work(&items[at]));
                break;
            }
            left -= made;
        }
        results
    }

    /// Whether no rule of the space has all literals of `body`, which is put together only if the bias limits what stands
    /// together.
    pub(super) fn forbids(&self, body: impl FnOnce() -> Box<[Lit]>) -> bool {
        let (language, membership) = (&self.language, &self.membership);
        if !language.is_rationed() && !membership.is_constrained() {
            return false;
        }
        let body = body();
        !language.resources(&body).within(language.limits()) || membership.forbids(&body, language)
    }

    /// Something was not evaluated to its end.
    pub(super) fn taint(&self, taint: Taint) {
        self.taints.lock().expect("no thread panics while it holds the lock").insert(taint);
    }

    /// The body as a rule, in an order in which it can be run.
    pub(super) fn ordered(&self, body: &[Lit]) -> Rule {
        let order = if self.inferred { self.language.order(body) } else { None };
        match order {
            Some(order) => self.language.rule(&order),
            None => self.membership.ordered(self.language.rule(body)),
        }
    }

    /// Whether skeletons with the same bindings may stand for each other: nothing but bindings and types decides what may
    /// extend them.
    pub(super) fn mergeable(&self) -> bool {
        !self.directed && self.exchangeable()
    }

    /// Whether literals with the same bindings may stand for each other wherever either can be run.
    pub(super) fn exchangeable(&self) -> bool {
        self.membership.subset_closed && self.membership.by_parts && !self.all_optima
    }

    pub(super) fn head_mask(&self) -> u64 {
        (1 << self.language.head_arity()) - 1
    }

    /// Whether the literals are a rule of the space by themselves. `mask` are their variables.
    pub(super) fn stands_alone(&self, body: &[Lit], mask: u64) -> bool {
        self.membership.required & !mask == 0 && self.hangs(&self.pieces(body)) && self.admits(body)
    }

    /// Whether a body that mentions all head variables that it must is in the space.
    pub(super) fn admits(&self, body: &[Lit]) -> bool {
        self.language.executable(body, self.membership.outputs)
            && !self.language.wastes(body)
            && self.membership.admits(body, &self.language)
    }

    /// Whether a conjunction of parts is in the space.
    pub(super) fn admits_parts<'b>(&self, parts: impl Iterator<Item = &'b [Lit]>) -> bool {
        if self.membership.by_parts {
            return true;
        }
        self.admits(&join_parts(parts, self.language.head_arity()))
    }

    /// The pieces into which the literals fall that share no local variable, as sets of variables.
    pub(super) fn pieces(&self, body: &[Lit]) -> Vec<u64> {
        let mut pieces: Vec<u64> = Vec::new();
        for lit in body {
            let mut mask = lit.mask();
            pieces.retain(|piece| {
                let linked = piece & mask & !self.head_mask() != 0;
                if linked {
                    mask |= piece;
                }
                !linked
            });
            pieces.push(mask);
        }
        pieces
    }

    /// Whether every piece hangs on the head (or has no variables at all): where parts may begin far from the head, not
    /// all that is grown does.
    pub(super) fn hangs(&self, pieces: &[u64]) -> bool {
        pieces.iter().all(|&piece| piece == 0 || piece & self.head_mask() != 0)
    }

    /// Whether the literals are one piece that hangs on the head, and no computation is wasted.
    pub(super) fn is_part(&self, body: &[Lit]) -> bool {
        let pieces = self.pieces(body);
        pieces.len() == 1 && self.hangs(&pieces) && !self.language.wastes(body)
    }

    /// How many literals it takes at least to link all pieces.
    pub(super) fn links_needed(&self, body: &[Lit]) -> usize {
        (self.pieces(body).len() - 1).div_ceil(self.language.widest().saturating_sub(1).max(1))
    }

    /// Whether a rule stays in the space without a part that has the head variables `mask`, given those of the rest.
    pub(super) fn droppable(&self, mask: u64, rest: u64) -> bool {
        let membership = &self.membership;
        membership.subset_closed && mask & membership.required & !rest == 0 && mask & membership.unbound == 0
    }
}
