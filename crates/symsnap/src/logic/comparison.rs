//! Comparisons of two numbers, as literals of rules.

use super::{Number, Pred, Terms};
use std::cmp::Ordering;

/// A comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `=<`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
    /// `=:=`
    Equal,
    /// `=\\=`
    Unequal,
}

impl Comparison {
    const ALL: [(Comparison, &'static str); 6] = [
        (Comparison::AtMost, "=<"),
        (Comparison::AtLeast, ">="),
        (Comparison::Below, "<"),
        (Comparison::Above, ">"),
        (Comparison::Equal, "=:="),
        (Comparison::Unequal, "=\\="),
    ];

    /// The comparison that a predicate is.
    pub fn of(pred: Pred, terms: &Terms) -> Option<Self> {
        (pred.arity == 2).then(|| Comparison::signed(terms.name(pred.name))).flatten()
    }

    /// The comparison that Prolog writes like this.
    pub fn signed(sign: &str) -> Option<Self> {
        Comparison::ALL.iter().find(|(_, known)| *known == sign).map(|(comparison, _)| *comparison)
    }

    /// As Prolog writes it.
    pub fn sign(self) -> &'static str {
        Comparison::ALL[self as usize].1
    }

    /// Whether it holds between two numbers that compare like this.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::AtMost => order.is_le(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::Below => order.is_lt(),
            Comparison::Above => order.is_gt(),
            Comparison::Equal => order.is_eq(),
            Comparison::Unequal => order.is_ne(),
        }
    }

    /// The order in which `=<`, or `>=`, takes values up as its number grows, or falls.
    pub fn order(self, a: Number, b: Number) -> Ordering {
        if matches!(self, Comparison::AtLeast | Comparison::Above) { b.compare(a) } else { a.compare(b) }
    }
}
