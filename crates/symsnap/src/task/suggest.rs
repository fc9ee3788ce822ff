//! What the bias could declare and does not: that rules may compare the numbers, or name the values, of a type.
//!
//! A suggestion must be worth reading, so types are left alone for which the bias has predicates of their own, and
//! numbers that name things: a type of integers is taken for names if examples are about it or if something is said of
//! it, and where nothing is typed, an argument of integers is, if its values occur in another argument.

use super::numbers::ordinal;
use super::term_set::TermSet;
use super::{Definition, Task};
use crate::error::Diagnostic;
use crate::logic::{Pred, Symbol, Term, TermId};

/// Fewer different numbers are as well served by constants.
const LEAST_NUMBERS: usize = 8;
/// Types with more atoms than this are names of things, as a rule, not of their properties.
const MOST_ATOMS: usize = 20;
/// How many types or arguments a suggestion names.
const NAMED: usize = 3;

impl Task {
    /// Declarations that would let rules compare numbers or hold constants, where data is of that kind. None if the bias
    /// has one of them.
    #[doc(hidden)]
    pub fn suggestions(&self) -> Vec<Diagnostic> {
        if !self.bias.cuts.types.is_empty() || !self.bias.constants.is_empty() {
            return Vec::new();
        }
        let types = self.suggested_types();
        let numeric = self.numeric_types(&types);
        let numeric = if self.bias.types.is_empty() { self.numeric_arguments() } else { numeric };
        numeric.into_iter().chain(self.constant_types(&types)).collect()
    }

    /// The types of body arguments, in the order of declaration.
    fn suggested_types(&self) -> Vec<Symbol> {
        let mut types: Vec<Symbol> = Vec::new();
        for kind in self.bias.body.iter().flat_map(|pred| self.alternatives(*pred)).flat_map(|types| types.iter()) {
            if !types.contains(kind) {
                types.push(*kind);
            }
        }
        types
    }

    fn alternatives(&self, pred: Pred) -> &[Box<[Symbol]>] {
        self.bias.types.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// A note on types whose values are numbers.
    fn numeric_types(&self, types: &[Symbol]) -> Option<Diagnostic> {
        let mut found: Vec<(&str, usize)> = Vec::new();
        for &kind in types.iter().filter(|kind| !self.tested(**kind, usize::MAX)) {
            let values = self.values(kind);
            if let Some(fraction) = self.numbers(&values)
                && (fraction || !self.names_things(kind))
            {
                found.push((self.terms.name(kind), values.len()));
            }
        }
        let (name, count) = found.first()?;
        let has = match found.len() {
            1 => format!("type `{name}` has {count} different numbers"),
            _ => format!("types {} have numbers", list(found.iter().map(|(name, _)| *name))),
        };
        Some(Diagnostic::warning(format!(
            "{has}; `numeric({name}).` in bias.pl lets rules compare them with learned ones"
        )))
    }

    /// A note on arguments whose values are numbers, where nothing is typed.
    fn numeric_arguments(&self) -> Option<Diagnostic> {
        let preds = std::iter::once(self.bias.head).chain(self.bias.body.iter().copied());
        let columns: Vec<(Pred, usize)> =
            preds.flat_map(|pred| (0..pred.arity as usize).map(move |argument| (pred, argument))).collect();
        let joins = |at: usize, values: &TermSet| {
            let mut others = columns.iter().enumerate().filter(|(other, _)| *other != at);
            others.any(|(_, &(pred, argument))| self.column(pred, argument).any(|value| values.contains(value)))
        };
        let numeric = |at: usize| {
            let (pred, argument) = columns[at];
            let mut values = TermSet::default();
            for value in self.column(pred, argument) {
                // Most columns end at their first value.
                if !values.contains(value) && !self.is_number(value) {
                    return None;
                }
                values.insert(value);
            }
            let fraction = self.numbers(&values)?;
            (fraction || !joins(at, &values)).then_some((at, values.len()))
        };
        let head = self.bias.head.arity as usize;
        let found: Vec<(usize, usize)> = (head..columns.len()).filter_map(numeric).collect();
        let (first, values) = *found.first()?;
        let (pred, argument) = &columns[first];
        let shown = |(at, _): &(usize, usize)| {
            format!("the {} of {}", ordinal(columns[*at].1), columns[*at].0.show(&self.terms))
        };
        let has = match found.len() {
            1 => {
                let (place, shown) = (ordinal(*argument), pred.show(&self.terms));
                format!("the {place} argument of {shown} has {values} different numbers")
            }
            _ => format!("arguments have numbers: {}", list(found.iter().map(shown))),
        };
        let kinds = (0..pred.arity as usize).map(|at| if at == *argument { "number".into() } else { format!("t{at}") });
        let kinds = kinds.collect::<Vec<_>>().join(",") + if pred.arity == 1 { "," } else { "" };
        let name = self.terms.name(pred.name);
        let typed = format!("`type({name},({kinds})).` and `numeric(number).`");
        Some(Diagnostic::warning(format!("{has}; {typed} in bias.pl let rules compare them with learned ones")))
    }

    /// A note on small types of atoms that are properties of things and that nothing tests.
    fn constant_types(&self, types: &[Symbol]) -> Option<Diagnostic> {
        let mut found: Vec<(&str, usize)> = Vec::new();
        for &kind in types {
            if self.tested(kind, 1) || self.names_things(kind) {
                continue;
            }
            let values = self.values(kind);
            let atoms = values.iter().all(|value| matches!(self.terms.get(value), Term::Atom(_)));
            if atoms && (2..=MOST_ATOMS).contains(&values.len()) {
                found.push((self.terms.name(kind), values.len()));
            }
        }
        let (name, count) = found.first()?;
        let has = match found.len() {
            1 => format!("type `{name}` has {count} values"),
            _ => format!("types {} have few values", list(found.iter().map(|(name, _)| *name))),
        };
        Some(Diagnostic::warning(format!("{has}; `constants({name}).` in bias.pl lets rules name them")))
    }

    /// Whether a body predicate of at most `arity` arguments takes values of type `kind` and nothing else, as
    /// `small(Size)` and `less(Size,Size)` do: someone has thought of what rules may say of them.
    fn tested(&self, kind: Symbol, arity: usize) -> bool {
        let only = |types: &[Symbol]| (1..=arity).contains(&types.len()) && types.iter().all(|other| *other == kind);
        self.bias.body.iter().any(|&pred| self.alternatives(pred).iter().any(|types| only(types)))
    }

    /// Whether examples are about values of type `kind`, or something is said of them: they are the first of several
    /// arguments that are not all of this type.
    fn names_things(&self, kind: Symbol) -> bool {
        let head = self.alternatives(self.bias.head).iter().any(|types| types.contains(&kind));
        let said = |types: &[Symbol]| types.first() == Some(&kind) && types.iter().any(|other| *other != kind);
        head || self.bias.body.iter().any(|&pred| self.alternatives(pred).iter().any(|types| said(types)))
    }

    /// Whether there are fractions among `values`; none unless they are enough different numbers and nothing else.
    fn numbers(&self, values: &TermSet) -> Option<bool> {
        if values.len() < LEAST_NUMBERS {
            return None;
        }
        let mut fraction = false;
        for value in values.iter() {
            match self.terms.get(value) {
                Term::Float(number) if number.is_finite() => fraction |= number.fract() != 0.0,
                _ if self.is_number(value) => {}
                _ => return None,
            }
        }
        Some(fraction)
    }

    /// Whether a term is a number that rules could be compared with.
    fn is_number(&self, value: TermId) -> bool {
        match self.terms.get(value) {
            Term::Int(_) => true,
            Term::Float(number) => number.is_finite(),
            _ => false,
        }
    }

    /// The different values of a type in facts and examples.
    pub(super) fn values(&self, kind: Symbol) -> TermSet {
        let mut values = TermSet::default();
        for pred in std::iter::once(self.bias.head).chain(self.bias.body.iter().copied()) {
            let typed = |argument: &usize| self.alternatives(pred).iter().any(|types| types[*argument] == kind);
            for argument in (0..pred.arity as usize).filter(typed) {
                self.column(pred, argument).for_each(|value| values.insert(value));
            }
        }
        values
    }

    /// The values of an argument of the head, or of a body predicate if that has facts only, with repetitions.
    pub(super) fn column(&self, pred: Pred, argument: usize) -> impl Iterator<Item = TermId> + '_ {
        let examples = Some(&self.examples).filter(|_| pred == self.bias.head);
        let facts = match self.program.get(pred).map(|predicate| &predicate.definition) {
            Some(Definition::Facts(facts)) if examples.is_none() => Some(facts),
            _ => None,
        };
        let examples = examples.into_iter().flat_map(move |examples| {
            let positives = (0..examples.positives()).map(move |at| examples.positive(at)[argument]);
            positives.chain((0..examples.negatives()).map(move |at| examples.negative(at)[argument]))
        });
        examples.chain(facts.into_iter().flat_map(move |facts| facts.column(argument)))
    }
}

/// The first few of these.
fn list(names: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let mut all: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if all.len() > NAMED {
        all.truncate(NAMED);
        all.push("...".to_owned());
    }
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    const TYPES: &str = "head_pred(f,1). body_pred(size,2). type(f,(t,)). type(size,(t,real)).";

    fn suggested(bk: &str, bias: &str) -> Vec<String> {
        let task = Task::from_texts(bk, "pos(f(p1)). neg(f(p2)).", bias).unwrap();
        assert!(task.warnings.is_empty(), "{:?}", task.warnings);
        task.suggestions().into_iter().map(|note| note.message).collect()
    }

    /// Facts `pred(p1,..)` to `pred(pN,..)` with second arguments that `value` gives.
    fn facts(pred: &str, count: usize, value: impl Fn(usize) -> String) -> String {
        (1..=count).fold(String::new(), |mut text, at| {
            write!(text, "{pred}(p{at},{}). ", value(at)).unwrap();
            text
        })
    }

    #[test]
    fn types_of_enough_numbers_are_suggested() {
        let says = "type `real` has 8 different numbers; `numeric(real).` in bias.pl lets rules compare them with learned ones";
        assert_eq!(suggested(&facts("size", 8, |at| format!("{at}")), TYPES), [says]);
        assert_eq!(suggested(&facts("size", 7, |at| format!("{at}")), TYPES), [""; 0]);
        let one_atom = facts("size", 8, |at| format!("{at}")) + "size(p9,big).";
        assert_eq!(suggested(&one_atom, TYPES), [""; 0]);
        assert_eq!(suggested(&facts("size", 8, |at| format!("{at}")), &format!("{TYPES} numeric(real).")), [""; 0]);
    }

    #[test]
    fn numbers_that_name_things_or_have_predicates_are_not() {
        let bk = facts("size", 8, |at| format!("{at}")) + "small(1). of(1,red).";
        assert_eq!(suggested(&bk, &format!("{TYPES} body_pred(small,1). type(small,(real,)).")), [""; 0]);
        assert_eq!(suggested(&bk, &format!("{TYPES} body_pred(of,2). type(of,(real,color)).")), [""; 0]);
        let fractions = facts("size", 8, |at| format!("{at}.5")) + "of(1.5,red).";
        assert_eq!(suggested(&fractions, &format!("{TYPES} body_pred(of,2). type(of,(real,color)).")).len(), 1);
    }

    #[test]
    fn without_types_arguments_are_suggested_unless_they_join() {
        let bias = "head_pred(f,1). body_pred(size,2). body_pred(next,2).";
        let sizes = facts("size", 9, |at| format!("{at}"));
        assert_eq!(
            suggested(&format!("{sizes} next(p1,p2)."), bias),
            [
                "the second argument of size/2 has 9 different numbers; `type(size,(t0,number)).` and `numeric(number).` in \
              bias.pl let rules compare them with learned ones"
            ]
        );
        assert_eq!(suggested(&format!("{sizes} next(1,2)."), bias), [""; 0]);
        let fractions = facts("size", 9, |at| format!("{at}.25")) + &facts("next", 9, |at| format!("{at}.25"));
        assert_eq!(
            suggested(&fractions, bias),
            ["arguments have numbers: `the second of size/2`, `the second of next/2`; `type(size,(t0,number)).` and \
              `numeric(number).` in bias.pl let rules compare them with learned ones"]
        );
    }

    #[test]
    fn small_types_of_properties_are_suggested_as_constants() {
        let bias = TYPES.replace("real", "color");
        let colors = facts("size", 9, |at| ["red", "blue"][at % 2].to_owned());
        assert_eq!(
            suggested(&colors, &bias),
            ["type `color` has 2 values; `constants(color).` in bias.pl lets rules name them"]
        );
        assert_eq!(suggested(&facts("size", 21, |at| format!("c{at}")), &bias), [""; 0]);
        assert_eq!(suggested("size(p1,red). size(p2,red).", &bias), [""; 0]);
        let tested = format!("{bias} body_pred(warm,1). type(warm,(color,)).");
        assert_eq!(suggested(&format!("{colors} warm(red)."), &tested), [""; 0]);
        let related = format!("{bias} body_pred(next,2). type(next,(color,color)).");
        assert_eq!(suggested(&format!("{colors} next(red,blue)."), &related).len(), 1);
        assert_eq!(suggested(&colors, &TYPES.replace("(t,real)", "(t,t)")), [""; 0], "examples are about them");
        assert_eq!(suggested(&colors, &format!("{bias} constants(color).")), [""; 0]);
    }
}
