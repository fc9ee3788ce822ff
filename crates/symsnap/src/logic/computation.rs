//! Computations of two numbers, as literals of rules.

use super::{Pred, Terms};

/// A computation, `W is U+V`: the literal has the arguments `U`, `V` and `W`, so that it is flat as other literals are,
/// and is printed and read as Prolog writes it. The evaluator has a built-in for each, whose name no program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Computation {
    /// `W is U+V`
    Sum,
    /// `W is U-V`
    Difference,
    /// `W is U*V`
    Product,
    /// `W is U/V`
    Ratio,
}

impl Computation {
    /// All of them, with their operators and the names of their built-ins.
    pub const ALL: [(Computation, &'static str, &'static str); 4] = [
        (Computation::Sum, "+", "$sum"),
        (Computation::Difference, "-", "$difference"),
        (Computation::Product, "*", "$product"),
        (Computation::Ratio, "/", "$ratio"),
    ];

    /// How many arguments the literal has.
    pub const ARITY: u32 = 3;

    /// The computation that a predicate is.
    pub fn of(pred: Pred, terms: &Terms) -> Option<Self> {
        let name = (pred.arity == Computation::ARITY).then(|| terms.name(pred.name))?;
        Computation::ALL.iter().find(|(_, _, known)| *known == name).map(|(computation, ..)| *computation)
    }

    /// The operator.
    pub fn sign(self) -> &'static str {
        Computation::ALL[self as usize].1
    }

    /// The predicate that it is.
    pub fn pred(self, terms: &mut Terms) -> Pred {
        Pred::new(terms.intern(Computation::ALL[self as usize].2), Computation::ARITY)
    }

    /// The predicate for an operator, if `terms` has its name.
    pub fn signed(sign: &str, terms: &Terms) -> Option<Pred> {
        let (_, _, name) = Computation::ALL.iter().find(|(_, known, _)| *known == sign)?;
        Some(Pred::new(terms.symbols().get(name)?, Computation::ARITY))
    }

    /// Have the names, so that rules read from now on can have computations.
    pub fn name_all(terms: &mut Terms) {
        Computation::ALL.iter().for_each(|(_, _, name)| {
            terms.intern(name);
        });
    }
}
