//! Body literals as the learner sees them: a predicate's number and variable numbers, small enough to copy.

use crate::index::{index_type, narrow};
use crate::logic::Symbol;

/// The largest arity the learner can use. A literal's variables are distinct, so only a bias with `max_vars` above this
/// could use more.
pub const MAX_ARITY: usize = 12;

/// The first number that stands for a variable that the literal itself introduces: `FRESH`, `FRESH + 1`, ...
pub const FRESH: u8 = 0x80;

/// Where the values of a cut are kept among the arguments.
const CUT: usize = 4;
/// Where the value of a chosen constant is kept among the arguments.
const CHOSEN: usize = 8;
/// No value.
const NO_VALUE: u32 = u32::MAX;

index_type! {
    /// A predicate of the [`Language`](super::Language), by number.
    pub struct PredNo;
}

/// A literal over variables. Head variables come first (`0..arity of the head`), local ones after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit {
    /// The predicate.
    pub pred: PredNo,
    arity: u8,
    args: [u8; MAX_ARITY],
}

impl Lit {
    /// `pred(args)`.
    ///
    /// # Panics
    /// If there are more than [`MAX_ARITY`] arguments.
    pub fn new(pred: PredNo, args: &[u8]) -> Self {
        let mut all = [0; MAX_ARITY];
        all[..args.len()].copy_from_slice(args);
        Lit { pred, arity: narrow(args.len()), args: all }
    }

    /// All literals of `pred`, whose arguments have the types `wanted`, over different variables: those so far, which have
    /// these `types`, where the types agree, and fresh ones, as placeholders in the order of their first use. What has no
    /// type agrees with all.
    pub fn each(pred: PredNo, wanted: &[Option<Symbol>], types: &[Option<Symbol>], take: &mut impl FnMut(Lit)) {
        let begun = Lit { pred, arity: 0, args: [0; MAX_ARITY] };
        begun.fill(wanted, types, take);
    }

    fn fill(mut self, wanted: &[Option<Symbol>], types: &[Option<Symbol>], take: &mut impl FnMut(Lit)) {
        let Some(&want) = wanted.get(self.arity as usize) else { return take(self) };
        let begun = self;
        self.arity += 1;
        for (var, &has) in (0u8..).zip(types) {
            let agrees = want.is_none() || has.is_none() || want == has;
            if agrees && !begun.args().contains(&var) {
                self.args[begun.arity as usize] = var;
                self.fill(wanted, types, take);
            }
        }
        self.args[begun.arity as usize] = narrow(FRESH as usize + begun.fresh());
        self.fill(wanted, types, take);
    }

    /// A comparison of `var` with a number between two values, of which it holds for the first (`at`) and not for the
    /// second (`beyond`). It takes one argument; the values stand where others would be.
    pub fn cut(pred: PredNo, var: u8, at: u32, beyond: Option<u32>) -> Self {
        let mut lit = Lit::new(pred, &[var]);
        lit.args[CUT..CUT + 4].copy_from_slice(&at.to_le_bytes());
        lit.args[CUT + 4..CUT + 8].copy_from_slice(&beyond.unwrap_or(NO_VALUE).to_le_bytes());
        lit
    }

    /// The values of a [cut](Lit::cut).
    pub fn cut_values(&self) -> (u32, Option<u32>) {
        let value = |from: usize| u32::from_le_bytes(std::array::from_fn(|at| self.args[from + at]));
        (value(CUT), Some(value(CUT + 4)).filter(|&beyond| beyond != NO_VALUE))
    }

    /// Literals of predicates with a chosen constant have no more arguments besides.
    pub const MOST_BESIDE_CHOSEN: usize = CHOSEN;

    /// The literal, of a predicate with a chosen constant, with this one.
    #[must_use]
    pub fn choosing(mut self, value: u32) -> Self {
        self.args[CHOSEN..CHOSEN + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    /// The constant that was [chosen](Lit::choosing).
    pub fn chosen(&self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|at| self.args[CHOSEN + at]))
    }

    /// The values of a cut or a chosen constant, as a number; 0 for literals without.
    pub(super) fn values(&self) -> u64 {
        let from = (self.arity as usize).max(CUT);
        self.args[from..].iter().fold(0, |all, &byte| all << 8 | u64::from(byte))
    }

    /// The variables, in argument order.
    pub fn args(&self) -> &[u8] {
        &self.args[..self.arity as usize]
    }

    /// The literal with other variables in the place of its own.
    #[must_use]
    pub fn renamed(&self, mut name: impl FnMut(u8) -> u8) -> Lit {
        let mut lit = *self;
        lit.args[..self.arity as usize].iter_mut().for_each(|arg| *arg = name(*arg));
        lit
    }

    /// How many variables the literal introduces.
    pub fn fresh(&self) -> usize {
        self.args().iter().filter(|&&arg| arg >= FRESH).count()
    }

    /// The literal with its fresh variables numbered from `next`.
    #[must_use]
    pub fn named(&self, next: usize) -> Lit {
        let next: u8 = narrow(next);
        self.renamed(|arg| if arg >= FRESH { arg - FRESH + next } else { arg })
    }

    /// The set of its variables, fresh ones left out.
    pub fn mask(&self) -> u64 {
        self.args().iter().filter(|&&arg| arg < FRESH).fold(0, |mask, &arg| mask | 1 << arg)
    }

    /// The literal with its last `fresh` of `vars` variables as placeholders again: the reverse of [`Lit::named`].
    #[must_use]
    pub fn placeholders(&self, vars: u8, fresh: u8) -> Lit {
        let first = vars - fresh;
        self.renamed(|arg| if arg >= first { arg - first + FRESH } else { arg })
    }
}
