//! What a miner looks at: the task, and what the best hypothesis so far makes needless.

use super::context::Context;
use crate::covering::{Pruner, Seek};
use crate::language::Lit;

/// The two things that travel together through every miner.
#[derive(Clone, Copy)]
pub struct Look<'c> {
    /// What miners share and none of them changes.
    pub cx: &'c Context<'c>,
    /// What is needless now.
    pub prune: &'c Pruner,
}

impl<'c> Look<'c> {
    /// Both must seek the same, or one would leave out what the other counts on.
    pub fn new(cx: &'c Context<'c>, prune: &'c Pruner) -> Self {
        debug_assert_eq!(cx.all_optima, prune.seek() == Seek::All, "the miner and the pruner seek the same");
        Look { cx, prune }
    }

    /// Whether rules of at least `size` that cover a subset of these examples' positives can be needed.
    pub fn worth(self, cover: &[u64], size: u64) -> bool {
        self.prune.needed(self.cx.sides.split(cover).0, size)
    }

    /// The same for positives alone.
    pub fn needed(self, pos: &[u64], size: u64) -> bool {
        self.prune.needed(pos, size)
    }

    /// Whether proper extensions of a part, of at least `size` as rules, can be needed.
    pub fn worth_growing(self, cover: &[u64], size: u64, body: &[Lit]) -> bool {
        let (pos, neg) = self.cx.sides.split(cover);
        self.prune.worth_refining(pos, neg, size, || {
            let mask = body.iter().fold(0, |mask, lit| mask | lit.mask());
            self.cx.stands_alone(body, mask)
        })
    }

    /// Whether a part of this many literals is worth having only if it is consistent: the best hypothesis has no false
    /// positives, and the part can neither grow nor be put together with another.
    pub fn only_consistent(self, literals: usize) -> bool {
        let limits = self.prune.limits();
        limits.only_consistent() && (literals >= self.cx.max_body || literals as u64 + 1 >= limits.size())
    }
}
