//! How a hypothesis looks to the constraints of a bias program: the relations of Popper's encoding, filled from rules
//! with clause numbers, variable numbers and types.

use super::clauses::HypothesisView;
use super::eval::{BiasRow, BiasRows};
use super::value::BiasValue;
use crate::logic::{Arg, Literal, Pred, Rule, Symbol};

/// A rule as constraints see it. Its variables must be numbered without gaps, the head's first.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The number of the clause in the hypothesis.
    pub clause: usize,
    /// The rule.
    pub rule: &'a Rule,
    /// The number that each variable goes by.
    pub numbers: &'a [u8],
    /// The type of each variable that has one.
    pub types: &'a [Option<Symbol>],
}

/// What the views need to know of the declarations.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredPredicates<'a> {
    /// The predicate to learn.
    pub head: Pred,
    /// The body predicates.
    pub body: &'a [Pred],
    /// Whether the head's predicate may be called.
    pub recursion: bool,
    /// The functor of tuples.
    pub tuple: Symbol,
}

impl Seen<'_> {
    fn number(&self) -> BiasValue {
        int(self.clause)
    }

    fn vars<'b>(&'b self, literal: &'b Literal) -> impl Iterator<Item = BiasValue> + 'b {
        literal.vars().map(|var| BiasValue::Int(i64::from(self.numbers[var.index()])))
    }

    fn tuple(&self, literal: &Literal, functor: Symbol) -> BiasValue {
        if literal.args.iter().all(|arg| !matches!(arg, Arg::Var(_))) {
            return BiasValue::Name(functor);
        }
        BiasValue::Compound(functor, self.vars(literal).collect())
    }

    fn literal_row(&self, literal: &Literal, functor: Symbol) -> BiasRow {
        let pred = literal.pred;
        Box::new([self.number(), BiasValue::Name(pred.name), int(pred.arity as usize), self.tuple(literal, functor)])
    }
}

/// The rows of one view of the hypothesis `rules`.
pub fn rows_of(view: HypothesisView, rules: &[Seen<'_>], declared: DeclaredPredicates<'_>) -> BiasRows {
    let mut rows = BiasRows::default();
    let mut add = |row: BiasRow| {
        rows.insert(row);
    };
    match view {
        HypothesisView::Clause => rules.iter().for_each(|seen| add(Box::new([seen.number()]))),
        HypothesisView::HeadLiteral => {
            rules.iter().for_each(|seen| add(seen.literal_row(&seen.rule.head, declared.tuple)))
        }
        HypothesisView::BodyLiteral => {
            for seen in rules {
                seen.rule.body.iter().for_each(|literal| add(seen.literal_row(literal, declared.tuple)));
            }
        }
        HypothesisView::HeadVar | HypothesisView::BodyVar | HypothesisView::ClauseVar => {
            for seen in rules {
                let head = (view != HypothesisView::BodyVar).then_some(&seen.rule.head);
                let body = if view == HypothesisView::HeadVar { &[] } else { &seen.rule.body[..] };
                for literal in head.into_iter().chain(body) {
                    seen.vars(literal).for_each(|var| add(Box::new([seen.number(), var])));
                }
            }
        }
        HypothesisView::VarType => {
            for seen in rules {
                for (number, kind) in seen.numbers.iter().zip(seen.types) {
                    if let Some(kind) = kind {
                        add(Box::new([seen.number(), BiasValue::Int(i64::from(*number)), BiasValue::Name(*kind)]));
                    }
                }
            }
        }
        HypothesisView::BodySize => {
            rules.iter().for_each(|seen| add(Box::new([seen.number(), int(seen.rule.body.len())])))
        }
        HypothesisView::VarInLiteral => {
            for seen in rules {
                for literal in std::iter::once(&seen.rule.head).chain(&seen.rule.body) {
                    let tuple = seen.tuple(literal, declared.tuple);
                    let name = BiasValue::Name(literal.pred.name);
                    seen.vars(literal).for_each(|var| add(Box::new([seen.number(), name.clone(), tuple.clone(), var])));
                }
            }
        }
        HypothesisView::Recursive => {
            if rules.iter().any(|seen| seen.rule.is_recursive()) {
                add(Box::new([]));
            }
        }
        HypothesisView::RecursiveRule => {
            rules.iter().filter(|seen| seen.rule.is_recursive()).for_each(|seen| add(Box::new([seen.number()])));
        }
        HypothesisView::RecursiveClause | HypothesisView::BaseClause => {
            for seen in
                rules.iter().filter(|seen| seen.rule.is_recursive() == (view == HypothesisView::RecursiveClause))
            {
                let [name, arity] = pred_row(seen.rule.head.pred);
                add(Box::new([seen.number(), name, arity]));
            }
        }
        HypothesisView::Invented => invented(rules, declared).for_each(|pred| add(Box::new(pred_row(pred)))),
        HypothesisView::HeadAux => {
            add(Box::new(pred_row(declared.head)));
            invented(rules, declared).for_each(|pred| add(Box::new(pred_row(pred))));
        }
        HypothesisView::BodyAux => {
            declared.body.iter().for_each(|pred| add(Box::new(pred_row(*pred))));
            invented(rules, declared).for_each(|pred| add(Box::new(pred_row(pred))));
            if declared.recursion {
                add(Box::new(pred_row(declared.head)));
            }
        }
        HypothesisView::Lower => {
            let mut above = vec![declared.head];
            for pred in invented(rules, declared) {
                if !above.contains(&pred) {
                    above
                        .iter()
                        .for_each(|over| add(Box::new([BiasValue::Name(over.name), BiasValue::Name(pred.name)])));
                    above.push(pred);
                }
            }
        }
    }
    rows
}

fn invented<'b>(rules: &'b [Seen<'_>], declared: DeclaredPredicates<'b>) -> impl Iterator<Item = Pred> + 'b {
    rules.iter().map(|seen| seen.rule.head.pred).filter(move |pred| *pred != declared.head)
}

fn pred_row(pred: Pred) -> [BiasValue; 2] {
    [BiasValue::Name(pred.name), int(pred.arity as usize)]
}

fn int(value: usize) -> BiasValue {
    BiasValue::Int(i64::try_from(value).expect("small numbers fit"))
}
