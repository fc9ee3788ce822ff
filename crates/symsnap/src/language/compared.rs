//! The comparisons of a language: which variables have some, and how they are printed.

use super::cut::{CutPred, between};
use super::literal::{Lit, PredNo};
use super::predicates::Language;
use crate::logic::{Arg, Literal, Symbol, Var};

impl Language<'_> {
    /// The comparisons that variables of this type allow, by number. A variable of no certain type may turn out to be of any:
    /// then all, and whether a rule is in the space is found out when it is whole.
    pub fn cuts(&self, kind: Option<Symbol>) -> impl Iterator<Item = (PredNo, &CutPred)> {
        let numbered = self.cut_preds.iter().enumerate();
        let of_kind = numbered.filter(move |(_, cut)| kind.is_none() || cut.types[0] == kind);
        of_kind.map(|(at, cut)| (PredNo::new(self.preds.len() + at), cut))
    }

    /// Whether there are comparisons.
    pub fn has_cuts(&self) -> bool {
        !self.cut_preds.is_empty()
    }

    /// Whether a rule may compare or compute at all.
    pub fn may_compare(&self) -> bool {
        self.has_cuts() && self.limits.numeric > 0
    }

    /// Whether a literal is a comparison.
    pub fn is_cut(&self, lit: &Lit) -> bool {
        lit.pred.index() >= self.preds.len()
    }

    /// Whether a literal is a comparison or a computation, whose number is limited.
    pub fn is_numeric(&self, lit: &Lit) -> bool {
        self.is_cut(lit) || self.computations.contains(&lit.pred)
    }

    /// Whether a literal is a computation.
    pub fn computes(&self, lit: &Lit) -> bool {
        self.computations.contains(&lit.pred)
    }

    /// Whether a computation among the literals gives what none of them uses. Such a rule is not in the space.
    pub fn wastes(&self, body: &[Lit]) -> bool {
        self.computed(body).any(|(lit, result)| self.is_unused(lit, result, body))
    }

    /// How far a body is from having a use for all it computes: what is computed and not used, and multiples of what is
    /// computed, which a multiple of something else would have done as a rule.
    pub fn loose_ends(&self, body: &[Lit]) -> usize {
        let unused = self.computed(body).filter(|&(lit, result)| self.is_unused(lit, result, body)).count();
        let is_multiple = |lit: &Lit| self.multiples().iter().any(|(_, no, _)| *no == lit.pred);
        let nested = body.iter().filter(|lit| is_multiple(lit));
        unused + nested.filter(|lit| self.computed(body).any(|(_, result)| lit.args()[0] == result)).count()
    }

    /// The computations among the literals, with what they give.
    fn computed<'b>(&'b self, body: &'b [Lit]) -> impl Iterator<Item = (&'b Lit, u8)> {
        let computing = body.iter().filter(|lit| !self.computations.is_empty() && self.computes(lit));
        computing.filter_map(|lit| Some((lit, *lit.args().last()?)))
    }

    fn is_unused(&self, lit: &Lit, result: u8, body: &[Lit]) -> bool {
        result as usize >= self.head_arity() && body.iter().all(|other| other == lit || !other.args().contains(&result))
    }

    pub(super) fn cut_pred(&self, no: PredNo) -> Option<&CutPred> {
        self.cut_preds.get(no.index().checked_sub(self.preds.len())?)
    }

    /// A comparison as it is printed, with a number from the middle between its two values.
    pub(super) fn cut_literal(&self, lit: &Lit, cut: &CutPred) -> Literal {
        let (at, beyond) = lit.cut_values();
        let number = |value| self.database.number(value).expect("only numbers are compared");
        let middle = between(number(at), beyond.map(number), cut.comparison, cut.bounds);
        Literal::new(cut.pred, [Arg::Var(Var(lit.args()[0])), Arg::Number(middle)])
    }
}
