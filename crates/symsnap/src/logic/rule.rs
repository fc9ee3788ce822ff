//! Rules and hypotheses: what is learned, tested, weighted and voted with.

use super::{Comparison, Computation, Number, Pred, Summarised, TermId, Terms, write_atom};
use std::fmt::Write as _;

/// A variable of a rule: `V0`, `V1`, ...
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(
    /// Its number, from 0.
    pub u8,
);

impl Var {
    /// Its number.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An argument of a literal. Rules of a bias's space have only variables unless the bias allows constants or comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arg {
    /// A variable.
    Var(Var),
    /// A ground term that is no number.
    Const(TermId),
    /// A number.
    Number(Number),
}

impl Arg {
    /// The ground term as an argument.
    #[doc(hidden)]
    pub fn ground(id: TermId, terms: &Terms) -> Self {
        Number::of(id, terms).map_or(Arg::Const(id), Arg::Number)
    }

    /// The term of a constant, if it is one that `terms` has.
    #[doc(hidden)]
    pub fn term(self, terms: &Terms) -> Option<TermId> {
        match self {
            Arg::Var(_) => None,
            Arg::Const(id) => Some(id),
            Arg::Number(number) => number.find(terms),
        }
    }

    fn write(self, text: &mut String, terms: &Terms) {
        match self {
            Arg::Var(var) => write!(text, "V{}", var.0).expect("writing to a string"),
            Arg::Const(id) => text.push_str(&terms.show(id)),
            Arg::Number(number) => write!(text, "{number}").expect("writing to a string"),
        }
    }
}

/// A predicate applied to arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The predicate.
    pub pred: Pred,
    /// Its arguments, as many as its arity.
    pub args: Box<[Arg]>,
}

impl Literal {
    /// `pred(args)`.
    ///
    /// # Panics
    /// If the number of arguments is not the predicate's arity.
    pub(crate) fn new(pred: Pred, args: impl Into<Box<[Arg]>>) -> Self {
        let args = args.into();
        assert_eq!(args.len(), pred.arity as usize, "a literal has as many arguments as its predicate takes");
        Literal { pred, args }
    }

    /// A literal over variables, which are given by their numbers.
    ///
    /// # Panics
    /// If there are not as many as the predicate takes.
    pub fn over(pred: Pred, vars: &[u8]) -> Self {
        Literal::new(pred, vars.iter().map(|&var| Arg::Var(Var(var))).collect::<Vec<_>>())
    }

    /// The variables, in argument order, with repetitions.
    #[doc(hidden)]
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Var(var) => Some(*var),
            Arg::Const(_) | Arg::Number(_) => None,
        })
    }

    /// As Prolog writes it.
    pub fn show(&self, terms: &Terms) -> String {
        let mut text = String::new();
        if let (Some(comparison), &[left, right]) = (Comparison::of(self.pred, terms), &*self.args) {
            left.write(&mut text, terms);
            write!(text, " {} ", comparison.sign()).expect("writing to a string");
            right.write(&mut text, terms);
            return text;
        }
        if let (Some(computation), &[left, right, result]) = (Computation::of(self.pred, terms), &*self.args) {
            result.write(&mut text, terms);
            text.push_str(" is ");
            left.write(&mut text, terms);
            text.push_str(computation.sign());
            let before = text.len();
            right.write(&mut text, terms);
            // `V0+ -3`: without the space the two signs would be one name.
            if text[before..].starts_with('-') {
                text.insert(before, ' ');
            }
            return text;
        }
        if let Some(summarised) = Summarised::by(self.pred, terms) {
            let written = |arg: &Arg| {
                let mut text = String::new();
                arg.write(&mut text, terms);
                text
            };
            return summarised.write(&self.args.iter().map(written).collect::<Vec<_>>(), terms);
        }
        write_atom(&mut text, terms.name(self.pred.name));
        if self.args.is_empty() {
            return text;
        }
        for (at, arg) in self.args.iter().enumerate() {
            text.push(if at == 0 { '(' } else { ',' });
            arg.write(&mut text, terms);
        }
        text.push(')');
        text
    }
}

/// A rule `head :- body`. The body's order is the order of evaluation for predicates where order matters; two rules
/// that differ only in it are the same rule (see [`canonical_rule`](super::canonical_rule)).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// The head.
    pub head: Literal,
    /// The body.
    pub body: Vec<Literal>,
}

impl Rule {
    /// Size as costs count it: one for the head and one for each body literal.
    pub fn size(&self) -> usize {
        1 + self.body.len()
    }

    /// How many numbers and constants its body has: what a price of constants counts.
    pub(crate) fn constants(&self) -> usize {
        let args = self.body.iter().flat_map(|literal| &literal.args);
        args.filter(|arg| !matches!(arg, Arg::Var(_))).count()
    }

    /// Whether the head's predicate is called in the body.
    #[doc(hidden)]
    pub fn is_recursive(&self) -> bool {
        self.body.iter().any(|literal| literal.pred == self.head.pred)
    }

    /// One more than the largest variable number.
    pub(crate) fn var_count(&self) -> usize {
        let literals = std::iter::once(&self.head).chain(&self.body);
        literals.flat_map(Literal::vars).map(|var| var.index() + 1).max().unwrap_or(0)
    }

    /// As Prolog writes it, with the final full stop: `f(V0) :- p(V0,V1), q(V1).`
    pub fn show(&self, terms: &Terms) -> String {
        let mut text = self.head.show(terms);
        for (at, literal) in self.body.iter().enumerate() {
            text.push_str(if at == 0 { " :- " } else { ", " });
            text.push_str(&literal.show(terms));
        }
        text.push('.');
        text
    }
}

/// A set of rules that covers what any of them covers: what is learned.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Hypothesis {
    /// The rules.
    pub rules: Vec<Rule>,
}

impl Hypothesis {
    /// The sum of its rules' sizes.
    pub fn size(&self) -> usize {
        self.rules.iter().map(Rule::size).sum()
    }

    /// Whether any rule calls a predicate that a rule of the hypothesis defines.
    #[doc(hidden)]
    pub fn is_recursive(&self) -> bool {
        let defines = |pred| self.rules.iter().any(|rule| rule.head.pred == pred);
        self.rules.iter().flat_map(|rule| &rule.body).any(|literal| defines(literal.pred))
    }

    /// One rule per line.
    pub fn show(&self, terms: &Terms) -> String {
        self.rules.iter().map(|rule| rule.show(terms) + "\n").collect()
    }
}
