//! Computations of two numbers, as literals of rules.

use super::{Number, Pred, Terms};

/// A computation, `W is U+V`: the literal has the arguments `U`, `V` and `W`, so that it is flat as other literals are,
/// and is printed and read as Prolog writes it. The evaluator has a built-in for each, whose name no program uses; tables of
/// bindings compute without it where nothing can go wrong.
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

    /// What it gives for two numbers, as Prolog computes it: whole numbers stay whole where they can. `None` if that takes an
    /// error to say, or more digits than these numbers have.
    pub fn of_numbers(self, a: Number, b: Number) -> Option<Number> {
        if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
            let whole = match self {
                Computation::Sum => a.checked_add(b),
                Computation::Difference => a.checked_sub(b),
                Computation::Product => a.checked_mul(b),
                Computation::Ratio => a.checked_rem(b).filter(|rest| *rest == 0).and_then(|_| a.checked_div(b)),
            };
            if whole.is_some() || self != Computation::Ratio {
                return whole.map(Number::int);
            }
        }
        let exact = |number: Number| number.as_int().is_none_or(|value| value.unsigned_abs() <= 1 << 53);
        if !exact(a) || !exact(b) {
            return None;
        }
        let (a, b) = (a.to_f64(), b.to_f64());
        match self {
            Computation::Sum => Number::float(a + b),
            Computation::Difference => Number::float(a - b),
            Computation::Product => Number::float(a * b),
            Computation::Ratio => Number::float(a / b).filter(|_| b != 0.0),
        }
    }

    /// Have the names, so that rules read from now on can have computations.
    pub fn name_all(terms: &mut Terms) {
        Computation::ALL.iter().for_each(|(_, _, name)| {
            terms.intern(name);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prolog::{Engine, Limits};
    use crate::task::Task;

    /// What the evaluator's built-in gives; `None` if it raises an error or gives what is no such number.
    fn called(computation: Computation, a: Number, b: Number) -> Option<Number> {
        let mut task = Task::from_texts("p(a).", "pos(f(a)).", "head_pred(f,1). body_pred(p,1).").expect("a task");
        let pred = computation.pred(&mut task.terms);
        let args = [Some(a.intern(&mut task.terms)), Some(b.intern(&mut task.terms)), None];
        let mut engine = Engine::new(task.terms, &task.program, Limits::default());
        let answers = engine.call(pred, &args).ok()?;
        Number::of(answers.rows()[0][2], engine.terms())
    }

    #[test]
    fn numbers_are_computed_as_the_evaluator_does() {
        let ints = [0, 1, -1, 2, -6, 7, 1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN].map(Number::int);
        let floats = [0.0, -0.0, 0.5, -1.5, 3.0, 1e300, -1e-300, 5e-324, f64::MAX].map(Number::float);
        let all: Vec<Number> = ints.into_iter().chain(floats.into_iter().flatten()).collect();
        let (mut computed, mut left) = (0, 0);
        for (computation, ..) in Computation::ALL {
            for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                match computation.of_numbers(a, b) {
                    Some(number) => {
                        assert_eq!(Some(number), called(computation, a, b), "{a} {} {b}", computation.sign());
                        computed += 1;
                    }
                    None => left += 1,
                }
            }
        }
        assert!(computed > 1000 && left > 100, "{computed} computed, {left} left to the evaluator");
    }
}
