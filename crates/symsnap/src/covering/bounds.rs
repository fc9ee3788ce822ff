//! When a branch can be left: the arithmetic of usefulness under each cost.
//!
//! Write `H` for a hypothesis, `r`, `s` for rules, and weights of examples for numbers of them.
//!
//! **A rule must be worth its size.** Dropping `s` from `H` loses at most the positives of `s` and saves `size(s)`
//! literals; false positives only shrink. Under `mdl`, if `tp(s) <= size(s)` the drop never costs. Under the
//! lexicographic costs it never costs if `tp(s) = 0`. Every refinement of a body covers fewer positives and is larger,
//! so a branch whose cheapest rule fails the test is done ([`Bounds::hopeless`]).
//!
//! **A refinement must pay.** Let `s` refine `r`, both in the space. Replacing `s` by `r` in `H` can only reduce false
//! negatives, adds at most `fp(r) - fp(s)` false positives and saves `size(s) - size(r)` literals. So `s` is needed
//! only if `fp(r) - fp(s) > size(s) - size(r)` (`mdl`) or `fp(r) > fp(s)` (lexicographic: at equal false positives the
//! smaller rule wins) ([`Bounds::pays`]). In particular no refinement of `r` with `size(s) >= size(r) + fp(r)` is
//! needed (`mdl`), and none at all if `fp(r) = 0` ([`Bounds::room`]).
//!
//! **A branch can be outdone.** Let every rule of a branch cover a subset of the positives `P` with at least `m`
//! literals, and let `r` be a known rule. Replacing such an `s` by `r` costs at most `w(P \ P_r) + fp(r) + size(r) - m`
//! under `mdl`; if that is not positive the branch is done. Under the lexicographic costs it is done if `P` is a subset
//! of `P_r`, `fp(r) = 0` and `size(r) <= m` ([`Bounds::outdone`]).
//!
//! **A branch can be too little.** Let the best hypothesis so far cover every positive that can be covered and no
//! negative, with size `k + 1`. A better one does the same, and if it holds a rule of size at least `m`, its others sum to
//! at most `k - m`. Where that is too little for a rule not found yet, the others are known, and a branch
//! of size at least `m` must cover what some set of known rules of that total leaves; see
//! [`Guide::falls_short`](super::Guide) and [`residual`](super::theorems::residual). The hypothesis meant is one made of
//! rules that no other argument leaves out, so it is no loss that only found rules count. Where several others may be
//! unknown, prices of positives ([`reduced_cost`](super::theorems::reduced_cost)) ask for less of one of them.
//!
//! Each argument turns a hypothesis into one that costs no more and is strictly smaller in size or in number of
//! rules with larger members, so applying them together still leaves an optimum: take, among all optima, one of
//! least total size and then of most coverage; none of its rules can be pruned by a strict improvement, and where a
//! replacement is only as good as the original, the replacement is an optimum found elsewhere in the search.
//!
//! **Every optimum.** To list all of them, each argument is used only where the replacement is strictly better, which
//! no optimum survives ([`Bounds::seek_all`]): `tp(s) < size(s)`; `fp(r) - fp(s) < size(s) - size(r)`; a rival that costs
//! less than the branch. Under the lexicographic costs a smaller rule at equal errors is strictly better already.

use crate::cost::Cost;
use crate::sets::Weights;

/// A known rule that may outdo branches.
#[derive(Debug, Clone)]
pub struct Rival {
    /// Its positives.
    pub pos: Box<[u64]>,
    /// The weight of its negatives.
    pub fp: u64,
    /// Its size.
    pub size: u64,
}

/// The tests of this module for one cost.
#[derive(Debug, Clone)]
pub struct Bounds {
    cost: Cost,
    /// Whether every optimum is sought: then a rule is left out only if no optimum has it.
    all: bool,
}

impl Bounds {
    /// The bounds that hold under `cost`.
    pub fn new(cost: Cost) -> Self {
        Bounds { cost, all: false }
    }

    /// From now on leave out a rule only if hypotheses with it cost more than others, not if they cost as much.
    pub fn seek_all(&mut self) {
        self.all = true;
    }

    /// Whether every optimum is sought.
    pub fn seeks_all(&self) -> bool {
        self.all
    }

    /// Whether no rule of at least `size` literals that covers positives of at most this weight can be needed.
    #[inline]
    pub fn hopeless(&self, tp: u64, size: u64) -> bool {
        match self.cost {
            Cost::Mdl if self.all => tp < size,
            Cost::Mdl => tp <= size,
            Cost::ErrorSize | Cost::LexFnSize => tp == 0,
        }
    }

    /// Whether a refinement that adds `literals` and leaves `special` of `general` false positives can be needed.
    #[inline]
    pub fn pays(&self, general: u64, special: u64, literals: u64) -> bool {
        match self.cost {
            Cost::Mdl if self.all => general - special >= literals,
            Cost::Mdl => general - special > literals,
            Cost::ErrorSize | Cost::LexFnSize => general > special,
        }
    }

    /// How many literals a refinement of a rule with `fp` false positives may add and still pay.
    #[inline]
    pub fn room(&self, fp: u64) -> u64 {
        match self.cost {
            Cost::Mdl if self.all => fp,
            Cost::Mdl => fp.saturating_sub(1),
            Cost::ErrorSize | Cost::LexFnSize => {
                if fp == 0 {
                    0
                } else {
                    u64::MAX
                }
            }
        }
    }

    /// Whether a rival outdoes every rule of at least `size` that covers a subset of the positives `pos`, or does as well
    /// where one optimum is enough.
    pub fn matched(&self, weights: &Weights, pos: &[u64], size: u64, rivals: &[Rival]) -> bool {
        self.outdone(weights, pos, if self.all { size - 1 } else { size }, rivals)
    }

    /// Whether a rival does as well as every rule of at least `size` that covers a subset of the positives `pos`.
    pub fn outdone(&self, weights: &Weights, pos: &[u64], size: u64, rivals: &[Rival]) -> bool {
        rivals.iter().any(|rival| match self.cost {
            Cost::Mdl => {
                rival.fp + rival.size <= size && weights.pos.of_and_not(pos, &rival.pos) + rival.fp + rival.size <= size
            }
            Cost::ErrorSize | Cost::LexFnSize => {
                rival.fp == 0
                    && rival.size <= size
                    && pos.iter().zip(&rival.pos).all(|(branch, rival)| branch & !rival == 0)
            }
        })
    }
}
