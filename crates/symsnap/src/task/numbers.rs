//! The values of types whose variables rules may compare with numbers: they must be numbers with an order that
//! SWI-Prolog and we agree on.
//!
//! SWI-Prolog compares an integer with a float as floats, so beyond 2^53, where not all integers are floats, the order of
//! values of both kinds is not transitive; and atoms raise errors, or, like `pi`, are evaluated. What called predicates
//! answer is not known here.

use super::bk;
use super::{Bias, Cuts, Definition, Examples, Program};
use crate::error::Diagnostic;
use crate::logic::{Clause, Open, Pred, Term, TermId, Terms};
use crate::parse::{Span, Text};
use rustc_hash::FxHashMap;

/// Up to here all integers are floats.
const EXACT: u64 = 1 << 53;

/// What has been seen of the values of one type.
#[derive(Debug, Clone, Default)]
struct SeenValues {
    integers: bool,
    floats: bool,
    /// An integer beyond 2^53, as an error that it is if there are floats.
    large: Option<Diagnostic>,
}

/// Checks values as they come; what is wrong is told at the end, with places where they are known.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// By place of the type in [`Cuts::types`](super::Cuts::types).
    seen: Vec<SeenValues>,
    /// How many facts or clauses of a predicate have been checked.
    checked: FxHashMap<Pred, usize>,
    findings: Vec<Diagnostic>,
}

/// Where a value stands.
enum Place<'p> {
    Unknown,
    Clause(&'p Clause),
    Text(&'p Text<'p>, Option<Span>),
}

impl Numbers {
    /// Check what of `program` has not been checked yet; new facts come from `source`, if from a text.
    pub(super) fn program(&mut self, bias: &Bias, program: &Program, source: Option<&Text<'_>>, terms: &mut Terms) {
        if bias.cuts.types.is_empty() {
            return;
        }
        for &pred in &bias.body {
            let compared = compared(bias, pred);
            let Some(predicate) = program.get(pred).filter(|_| !compared.is_empty()) else { continue };
            let checked = self.checked.get(&pred).copied().unwrap_or(0);
            match &predicate.definition {
                Definition::Facts(facts) => {
                    for &(argument, cut) in &compared {
                        for value in facts.column(argument).skip(checked) {
                            let Some(wrong) = self.look(bias, (pred, argument, cut), value, terms) else { continue };
                            let last = !wrong.large;
                            let span = source.and_then(|source| bk::find_fact(source, terms, pred, argument, value));
                            self.tell(wrong, source.map_or(Place::Unknown, |source| Place::Text(source, span)), cut);
                            // One complaint about a column is enough.
                            if last {
                                break;
                            }
                        }
                    }
                    self.checked.insert(pred, facts.len());
                }
                Definition::Clauses(clauses) => {
                    for clause in &clauses[checked..] {
                        let arguments = clause.head.arguments(terms);
                        for &(argument, cut) in &compared {
                            if let Open::Ground(value) = arguments[argument]
                                && let Some(wrong) = self.look(bias, (pred, argument, cut), value, terms)
                            {
                                // Facts that stand before the first rule have its place.
                                let fact = source.filter(|_| matches!(clause.head, Open::Ground(_)));
                                let span = fact.and_then(|source| bk::find_fact(source, terms, pred, argument, value));
                                let place = match (source, span) {
                                    (Some(source), Some(_)) => Place::Text(source, span),
                                    _ => Place::Clause(clause),
                                };
                                self.tell(wrong, place, cut);
                            }
                        }
                    }
                    self.checked.insert(pred, clauses.len());
                }
            }
        }
    }

    /// Check examples that were read from `source`, each of which begins at `start(positive, at)`.
    pub(super) fn examples(
        &mut self,
        bias: &Bias,
        examples: &Examples,
        source: &Text<'_>,
        start: impl Fn(bool, usize) -> u32,
        terms: &Terms,
    ) {
        for (argument, cut) in compared(bias, bias.head) {
            let positives = (0..examples.positives()).map(|at| (true, at, examples.positive(at)));
            let negatives = (0..examples.negatives()).map(|at| (false, at, examples.negative(at)));
            for (positive, at, row) in positives.chain(negatives) {
                let Some(wrong) = self.look(bias, (bias.head, argument, cut), row[argument], terms) else { continue };
                let (start, last) = (start(positive, at), !wrong.large);
                self.tell(wrong, Place::Text(source, Some(Span { start, end: start + 3 })), cut);
                if last {
                    break;
                }
            }
        }
    }

    /// Check an example that was made in code.
    pub(super) fn example(&mut self, bias: &Bias, row: &[TermId], terms: &Terms) {
        for (argument, cut) in compared(bias, bias.head) {
            if let Some(wrong) = self.look(bias, (bias.head, argument, cut), row[argument], terms) {
                self.tell(wrong, Place::Unknown, cut);
            }
        }
    }

    /// Which types have whole numbers only, where their values are known.
    pub(super) fn whole(&self, cuts: &mut Cuts) {
        for (cut, seen) in cuts.types.iter_mut().zip(&self.seen).filter(|(_, seen)| seen.integers || seen.floats) {
            cut.whole = !seen.floats;
        }
    }

    /// What is wrong.
    pub(super) fn errors(mut self) -> Vec<Diagnostic> {
        let large = self.seen.into_iter().filter(|seen| seen.floats).filter_map(|seen| seen.large);
        self.findings.extend(large);
        self.findings
    }

    /// Remember a value of an argument of `pred` that the type with number `cut` lets rules compare; what is wrong with it.
    fn look(
        &mut self,
        bias: &Bias,
        (pred, argument, cut): (Pred, usize, usize),
        value: TermId,
        terms: &Terms,
    ) -> Option<Wrong> {
        self.seen.resize_with(bias.cuts.types.len(), SeenValues::default);
        let seen = &mut self.seen[cut];
        let what = match terms.get(value) {
            Term::Int(number) => {
                seen.integers = true;
                if number.unsigned_abs() <= EXACT || seen.large.is_some() {
                    return None;
                }
                "is beyond 2^53, where not all integers are floats, and there are floats beside it"
            }
            Term::Float(number) if number.is_finite() => {
                seen.floats = true;
                return None;
            }
            Term::Float(_) => "is not a finite number",
            Term::Big(_) => "does not fit in 64 bits",
            _ => "is not a number",
        };
        let (shown, kind) = (terms.show(value), terms.name(bias.cuts.types[cut].kind));
        let large = matches!(terms.get(value), Term::Int(_));
        let message = format!("`{shown}`, the {} argument of {}, {what}", ordinal(argument), pred.show(terms));
        let help = if large {
            "write all values as integers, or all as floats".to_owned()
        } else {
            format!(
                "the bias lets rules compare variables of type `{kind}` with numbers; a missing value is a missing fact"
            )
        };
        Some(Wrong { finding: Diagnostic::error(message).with_help(help), large })
    }

    fn tell(&mut self, wrong: Wrong, place: Place<'_>, cut: usize) {
        let finding = match place {
            Place::Text(source, Some(span)) => *source.place(wrong.finding, span),
            Place::Clause(clause) => wrong.finding.at(clause.location.clone()),
            Place::Unknown | Place::Text(_, None) => wrong.finding,
        };
        match wrong.large {
            true => self.seen[cut].large = Some(finding),
            false => self.findings.push(finding),
        }
    }
}

/// Something wrong with a value, without its place.
struct Wrong {
    finding: Diagnostic,
    /// Whether it is wrong only if the type has floats, too.
    large: bool,
}

/// The arguments of a predicate that may be compared, each with the place of its type in the cuts.
fn compared(bias: &Bias, pred: Pred) -> Vec<(usize, usize)> {
    let mut compared = Vec::new();
    for types in bias.types.get(&pred).into_iter().flatten() {
        for (argument, kind) in types.iter().enumerate() {
            let cut = bias.cuts.types.iter().position(|cut| cut.kind == *kind);
            compared.extend(cut.map(|cut| (argument, cut)).filter(|entry| !compared.contains(entry)));
        }
    }
    compared
}

/// The word for an argument's place.
pub(super) fn ordinal(argument: usize) -> String {
    match argument {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        other => format!("{}th", other + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Task, TaskBuilder, Value};

    const BIAS: &str = "head_pred(f,1). body_pred(size,2). type(f,(t,)). type(size,(t,real)). numeric(real).";

    fn told(bk: &str, exs: &str, bias: &str) -> String {
        Task::from_texts(bk, exs, bias).map_or_else(|error| error.to_string(), |task| format!("{:?}", task.warnings))
    }

    fn whole(bk: &str) -> bool {
        Task::from_texts(bk, "pos(f(a)).", BIAS).unwrap().bias.cuts.types[0].whole
    }

    #[test]
    fn values_decide_whether_constants_are_whole() {
        assert!(whole("size(a,1). size(b,-3)."));
        assert!(!whole("size(a,1). size(b,-3.0)."));
        assert!(!whole("size(X,Y) :- member(X-Y, [a-1])."), "they are not known, and `real` is no type of integers");
        let called = BIAS.replace("real", "int");
        let task = Task::from_texts("size(X,Y) :- member(X-Y, [a-1]).", "pos(f(a)).", &called).unwrap();
        assert!(task.bias.cuts.types[0].whole);
    }

    #[test]
    fn what_is_not_a_number_is_told_with_its_place() {
        assert_eq!(
            told("size(a,1).\nsize(b,\n big).\nsize(c,tall).\n:- dynamic q/1.\n", "pos(f(a)).", BIAS),
            "bk.pl:3:2: error: `big`, the second argument of size/2, is not a number\n 3 |  big).\n   |  ^^^\n  \
             help: the bias lets rules compare variables of type `real` with numbers; a missing value is a missing fact"
        );
        let first = |bk: &str| told(bk, "pos(f(a)).", BIAS).lines().next().unwrap().to_owned();
        let said = "error: `[1]`, the second argument of size/2, is not a number";
        assert_eq!(first("size(a,1).\nsize(b, [1])."), format!("bk.pl:2:9: {said}"));
        assert_eq!(first("size(a,1).\nsize(b, [1]).\nsize(X,2) :- size(X,1)."), format!("bk.pl:2:9: {said}"));
        assert_eq!(
            first("size(a,1).\nsize(X,none) :- size(X,1)."),
            "bk.pl:2:1: error: `none`, the second argument of size/2, is not a number"
        );
        let said = "the second argument of size/2,";
        assert_eq!(first("size(a,1.0Inf)."), format!("bk.pl:1:8: error: `1.0Inf`, {said} is not a finite number"));
        assert_eq!(first("size(a,1.5NaN)."), format!("bk.pl:1:8: error: `1.5NaN`, {said} is not a finite number"));
        let large = "10000000000000000000";
        assert_eq!(
            first(&format!("size(a,{large}).")),
            format!("bk.pl:1:8: error: `{large}`, {said} does not fit in 64 bits")
        );
        let examples =
            told("size(1,1).", "pos(f(1)).\nneg(f(2)).\nneg(f(b)).", &BIAS.replace("numeric(real)", "numeric(t)"));
        assert!(
            examples.starts_with("exs.pl:3:1: error: `b`, the first argument of f/1, is not a number"),
            "{examples}"
        );
    }

    #[test]
    fn integers_that_are_no_floats_may_not_stand_beside_floats() {
        let integers = "size(a,9007199254740993). size(b,9007199254740992).";
        assert_eq!(told(integers, "pos(f(a)).", BIAS), "[]");
        let said = "`9007199254740993`, the second argument of size/2, is beyond 2^53";
        for mixed in [format!("{integers}\nsize(c,0.5)."), format!("size(c,0.5). {integers}")] {
            assert!(told(&mixed, "pos(f(a)).", BIAS).contains(said));
        }
        assert_eq!(told("size(a,9007199254740992). size(c,0.5).", "pos(f(a)).", BIAS), "[]");
    }

    #[test]
    fn facts_and_examples_from_code_are_checked_without_a_place() {
        let mut builder = TaskBuilder::new(BIAS);
        builder.background("size(a,1).").fact("size", ["b", "big"]).positive(["a"]);
        let error = builder.build().unwrap_err().to_string();
        assert!(error.starts_with("error: `big`, the second argument of size/2, is not a number"), "{error}");
        let mut builder = TaskBuilder::new(&*BIAS.replace("numeric(real)", "numeric(t)"));
        builder.fact("size", [Value::Int(1), Value::Int(1)]).positive(["a"]);
        let error = builder.build().unwrap_err().to_string();
        assert!(error.starts_with("error: `a`, the first argument of f/1, is not a number"), "{error}");
    }
}
