//! What goes wrong inside a call, as Prolog sees it: the errors that `catch/3` can catch, and the ends that it cannot.
//!
//! Built-ins return a [`Raised`], small because boxed. It becomes a term when a `catch/3` looks at it, and a [`Fault`]
//! with a message when it leaves the evaluator. Terms in it are kept off the heap, because catching an error gives the
//! heap above the `catch/3` back.

use super::limits::Fault;
use super::machine::Machine;
use super::number::Num;
use super::store::{Cell, Store, View};
use crate::logic::Pred;

/// Why a built-in has no answer.
pub(super) type Raised = Box<Raise>;

/// An error and the built-in that raised it.
#[derive(Debug)]
pub(super) struct Raise {
    pub what: What,
    pub goal: Option<Pred>,
}

/// The kinds of error, by the names of the ISO standard.
#[derive(Debug)]
pub(super) enum What {
    Instantiation,
    /// What was wanted (`integer`, `list`), and what was there.
    Type(&'static str, Culprit),
    /// As for `Type`; the value is the wrong one.
    Domain(&'static str, Culprit),
    /// What cannot be represented (`character_code`).
    Representation(&'static str),
    /// What happened in arithmetic (`undefined`, `zero_divisor`, `float_overflow`).
    Evaluation(&'static str),
    /// A text that does not read as what it should be, and that text.
    Syntax(&'static str, Culprit),
    /// A call of a predicate that nothing defines.
    Unknown(Pred),
    /// A call of `[]` with this number of arguments.
    UnknownNil(u32),
    /// Something else is missing: a `matching_rule` for a call of the library, a `type`.
    Missing(&'static str, Culprit),
    /// A compound has no argument of this number.
    NoArgument(u64, Culprit),
    /// The argument of `throw/1`.
    Thrown(Box<[Cell]>),
    /// The end of the call; not caught by `catch/3`.
    End(Fault),
}

/// The term that is to blame.
#[derive(Debug)]
pub(super) enum Culprit {
    /// Saved off the heap.
    Term(Box<[Cell]>),
    Number(Num),
    /// `name/arity`.
    Indicator(Pred),
}

impl From<Fault> for Raised {
    fn from(fault: Fault) -> Self {
        Raise::new(What::End(fault))
    }
}

impl Raise {
    pub fn new(what: What) -> Raised {
        Box::new(Raise { what, goal: None })
    }

    pub fn instantiation() -> Raised {
        Raise::new(What::Instantiation)
    }

    pub fn evaluation(what: &'static str) -> Raised {
        Raise::new(What::Evaluation(what))
    }

    pub fn is_instantiation(&self) -> bool {
        matches!(self.what, What::Instantiation)
    }
}

impl Store {
    /// A term to blame.
    pub fn culprit(&mut self, cell: Cell) -> Culprit {
        let mut saved = Vec::new();
        self.save(cell, &mut saved);
        Culprit::Term(saved.into())
    }

    /// The term to blame, on the heap again.
    fn blamed(&mut self, culprit: &Culprit) -> Cell {
        match culprit {
            Culprit::Term(saved) => self.restore(saved),
            Culprit::Number(number) => number.clone().cell(self),
            Culprit::Indicator(pred) => self.indicator(*pred),
        }
    }

    /// `name/arity`.
    fn indicator(&mut self, pred: Pred) -> Cell {
        let slash = self.terms.intern("/");
        let name = Cell::Ground(self.terms.atom(pred.name));
        self.structure(slash, &[name, Cell::Int(i64::from(pred.arity))])
    }

    /// `[]/arity`.
    fn nil_indicator(&mut self, arity: u32) -> Cell {
        let nil = Cell::Ground(self.names.nil);
        self.compound("/", &[nil, Cell::Int(i64::from(arity))])
    }

    fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let name = self.terms.intern(name);
        self.structure(name, args)
    }

    /// What `catch/3` unifies its second argument with; `None` if the error cannot be caught.
    pub fn ball(&mut self, raised: &Raise) -> Option<Cell> {
        let formal = match &raised.what {
            What::End(_) => return None,
            What::Thrown(saved) => return Some(self.restore(saved)),
            What::Instantiation => self.atom("instantiation_error"),
            What::Type(kind, culprit) => self.formal("type_error", kind, culprit),
            What::Domain(kind, culprit) => self.formal("domain_error", kind, culprit),
            What::Missing(kind, culprit) => self.formal("existence_error", kind, culprit),
            What::NoArgument(number, culprit) => {
                let (kind, culprit) = (self.atom("argument"), self.blamed(culprit));
                let number = Num::wide(i128::from(*number)).cell(self);
                self.compound("existence_error", &[kind, number, culprit])
            }
            What::UnknownNil(arity) => {
                let (kind, indicator) = (self.atom("procedure"), self.nil_indicator(*arity));
                self.compound("existence_error", &[kind, indicator])
            }
            What::Representation(what) => self.formal_of_atom("representation_error", what),
            What::Evaluation(what) => self.formal_of_atom("evaluation_error", what),
            What::Syntax(what, _) => self.formal_of_atom("syntax_error", what),
            What::Unknown(pred) => self.formal("existence_error", "procedure", &Culprit::Indicator(*pred)),
        };
        let context = match (&raised.what, raised.goal) {
            (What::Unknown(pred), _) => self.indicator(*pred),
            (What::UnknownNil(arity), _) => self.nil_indicator(*arity),
            (_, Some(goal)) => {
                let (module, indicator) = (self.atom("system"), self.indicator(goal));
                let goal = self.compound(":", &[module, indicator]);
                let message = self.fresh();
                self.compound("context", &[goal, message])
            }
            (_, None) => self.fresh(),
        };
        Some(self.compound("error", &[formal, context]))
    }

    fn formal(&mut self, name: &str, kind: &str, culprit: &Culprit) -> Cell {
        let kind = if kind == "[]" { Cell::Ground(self.names.nil) } else { self.atom(kind) };
        let culprit = self.blamed(culprit);
        self.compound(name, &[kind, culprit])
    }

    fn formal_of_atom(&mut self, name: &str, what: &str) -> Cell {
        let what = self.atom(what);
        self.compound(name, &[what])
    }

    /// The same for those outside of the evaluator.
    pub fn fault(&mut self, raised: &Raise) -> Fault {
        // The call is over, and so are the limits that ended it.
        self.fuel = i64::MAX;
        let goal = raised.goal.map_or_else(|| "a predicate of the library".to_string(), |goal| goal.show(&self.terms));
        match &raised.what {
            What::End(fault) => fault.clone(),
            What::Instantiation => Fault::Instantiation { goal },
            What::Type(kind, culprit) => Fault::Type { expected: phrase(kind), found: self.shown(culprit), goal },
            What::Domain(kind, culprit) => Fault::Domain { expected: phrase(kind), found: self.shown(culprit), goal },
            What::Missing(_, culprit) => {
                Fault::Type { expected: "arguments that one of its rules fits", found: self.shown(culprit), goal }
            }
            What::NoArgument(_, culprit) => {
                Fault::Domain { expected: "a compound with that argument", found: self.shown(culprit), goal }
            }
            What::UnknownNil(arity) => {
                let pred = Pred::new(self.terms.intern("[]"), *arity);
                Fault::UnknownProcedure { pred, name: pred.show(&self.terms) }
            }
            What::Representation(what) => {
                Fault::Domain { expected: phrase(what), found: "one that is out of range".to_string(), goal }
            }
            What::Syntax(what, culprit) => Fault::Domain { expected: phrase(what), found: self.shown(culprit), goal },
            What::Evaluation(what) => Fault::Evaluation { what: phrase(what), goal },
            What::Unknown(pred) => Fault::UnknownProcedure { pred: *pred, name: pred.show(&self.terms) },
            What::Thrown(saved) => {
                let ball = self.restore(saved);
                // A program may check its arguments itself; what it then raises says the same as a built-in would.
                let pattern = {
                    let (formal, context) = (self.atom("instantiation_error"), self.fresh());
                    self.compound("error", &[formal, context])
                };
                if self.subsumes(pattern, ball) {
                    return Fault::Instantiation { goal: "the background".to_string() };
                }
                Fault::Thrown { ball: self.show(ball) }
            }
        }
    }

    fn shown(&mut self, culprit: &Culprit) -> String {
        if let Culprit::Indicator(pred) = culprit {
            return pred.show(&self.terms);
        }
        let culprit = self.blamed(culprit);
        self.show(culprit)
    }
}

impl Machine {
    /// A bound argument has the wrong type; an unbound one is not bound enough.
    pub fn type_error(&mut self, expected: &'static str, found: Cell) -> Raised {
        match self.store.view(found) {
            View::Var(_) => Raise::instantiation(),
            _ => Raise::new(What::Type(expected, self.store.culprit(found))),
        }
    }

    pub fn domain_error(&mut self, expected: &'static str, found: Cell) -> Raised {
        Raise::new(What::Domain(expected, self.store.culprit(found)))
    }
}

/// The words for what the standard's names mean.
fn phrase(kind: &'static str) -> &'static str {
    match kind {
        "integer" => "an integer",
        "not_less_than_zero" | "nonneg" => "a number not below zero",
        "not_less_than_one" => "a number above zero",
        "list" => "a list",
        "list_or_partial_list" => "a list",
        "callable" => "a goal",
        "evaluable" => "an evaluable term",
        "clpfd_expression" => "an integer expression",
        "atom" => "an atom",
        "atomic" => "an atomic term",
        "compound" => "a compound term",
        "character" => "a character",
        "character_code" => "a character code",
        "number" => "a number",
        "rational" => "a rational number",
        "pair" => "a pair Key-Value",
        "sort_key" => "the number of an argument",
        "positive_integer" => "an integer above zero",
        "[]" => "a text or list of one character",
        "text" => "text",
        "string" => "a string",
        "order" => "one of <, = and >",
        "non_empty_list" => "a list that is not empty",
        "non_empty_atom" => "a text that is not empty",
        "illegal_number" => "the text of a number",
        "undefined" => "the result is undefined",
        "zero_divisor" => "division by zero",
        "float_overflow" => "the result is too large for a float",
        "rational_overflow" => "the result is not a rational number",
        other => other,
    }
}
